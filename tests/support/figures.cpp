// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures.h"

#include <QDeadlineTimer>
#include <QEventLoop>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ako::test {

double percentile(QList<double> values, double percent)
{
    if (values.isEmpty())
        return 0.0;
    std::ranges::sort(values);
    const auto rank = qsizetype(std::ceil(percent / 100.0 * double(values.size())));
    return values.at(std::clamp<qsizetype>(rank - 1, 0, values.size() - 1));
}

QString distribution(const QList<double> &values, const QString &unit, int decimals)
{
    const auto number = [&](double value) { return QString::number(value, 'f', decimals) + QLatin1Char(' ') + unit; };
    return QStringLiteral("median %1, 95th percentile %2, largest %3 of %4")
        .arg(number(percentile(values, 50)), number(percentile(values, 95)), number(percentile(values, 100)))
        .arg(values.size());
}

void printFigure(const QString &name, const QString &text)
{
    std::printf("FIGURE %s: %s\n", qUtf8Printable(name), qUtf8Printable(text));
    std::fflush(stdout);
}

bool runEventLoopUntil(const std::function<bool()> &isSo, int limitMilliseconds)
{
    QEventLoop loop;
    QTimer look;
    const QDeadlineTimer deadline(limitMilliseconds);
    QObject::connect(&look, &QTimer::timeout, &loop, [&] {
        if (isSo() || deadline.hasExpired())
            loop.quit();
    });
    look.start(20);
    loop.exec();
    return isSo();
}

int amount(const char *variable, int standard)
{
    bool given = false;
    const int value = qEnvironmentVariableIntValue(variable, &given);
    return given && value > 0 ? value : standard;
}

} // namespace ako::test
