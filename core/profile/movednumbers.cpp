// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/movednumbers.h"

#include "base/words.h"
#include "bench/jsonread.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ako {

namespace {

namespace read = jsonread;
using nlohmann::json;

QString text(const char *source)
{
    return QCoreApplication::translate("MovedNumbers", source);
}

QString named(const QString &name)
{
    return words::shortened(words::oneLine(name));
}

// Each number right below that object; "registers" of "kernel softmax".
void take(QMap<QString, double> &numbers, const QString &owner, const json &object)
{
    if (!object.is_object())
        return;
    for (const auto &[key, value] : object.items()) {
        if (const auto number = read::number(value))
            numbers.insert(QStringLiteral("%1: %2").arg(owner, named(QString::fromStdString(key))), *number);
    }
}

void takeKernels(QMap<QString, double> &numbers, const json &kernels)
{
    if (!kernels.is_array())
        return;
    for (const json &kernel : kernels) {
        const QString owner = text("kernel %1").arg(named(read::string(kernel, "name")));
        take(numbers, owner, kernel);
        const json &stalls = read::at(kernel, "stalls");
        if (!stalls.is_array())
            continue;
        for (const json &stall : stalls) {
            if (stall.is_array() && stall.size() == 2 && stall[0].is_string() && stall[1].is_number())
                numbers.insert(
                    text("%1: waits for %2").arg(owner, named(QString::fromStdString(stall[0].get<std::string>()))),
                    stall[1].get<double>());
        }
    }
}

// What says how it was measured, and what the result itself tells with its interval.
bool isOfTheResult(const QString &name)
{
    static const QStringList endings{QStringLiteral(": pairs"), QStringLiteral(": batch"), QStringLiteral(": weight"),
                                     QStringLiteral(": ref_ms"), QStringLiteral(": best_ms")};
    return std::ranges::any_of(endings, [&name](const QString &ending) { return name.endsWith(ending); });
}

double movedBy(const MovedNumber &number)
{
    if (!number.before || !number.after)
        return -1;
    if (*number.before == *number.after)
        return 0;
    if (*number.before <= 0 || *number.after <= 0)
        return std::numeric_limits<double>::max();
    return std::abs(std::log(*number.after / *number.before));
}

} // namespace

QMap<QString, double> numbersIn(const QByteArray &resultJson)
{
    QMap<QString, double> numbers;
    const json result = read::parse(resultJson);
    takeKernels(numbers, read::at(result, "kernels"));
    takeKernels(numbers, read::at(read::at(result, "profile"), "kernels"));
    const json &workloads = read::at(read::at(result, "timing"), "workloads");
    if (workloads.is_array()) {
        for (const json &workload : workloads)
            take(numbers, named(read::string(workload, "id")), workload);
    }
    numbers.removeIf([](QMap<QString, double>::iterator number) { return isOfTheResult(number.key()); });
    return numbers;
}

QList<MovedNumber> movedNumbers(const QMap<QString, double> &before, const QMap<QString, double> &after)
{
    QList<MovedNumber> moved;
    const auto valueIn = [](const QMap<QString, double> &numbers, const QString &name) {
        return numbers.contains(name) ? std::optional(numbers.value(name)) : std::nullopt;
    };
    QMap<QString, double> all = before;
    all.insert(after);
    for (auto number = all.cbegin(); number != all.cend(); ++number)
        moved << MovedNumber{number.key(), valueIn(before, number.key()), valueIn(after, number.key())};
    std::ranges::stable_sort(moved, std::ranges::greater(), movedBy);
    return moved;
}

} // namespace ako
