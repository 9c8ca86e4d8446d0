// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/iterationorder.h"

#include <algorithm>

namespace ako {

namespace {

bool isFinal(const IterationRecord &record)
{
    return record.kind == IterationRecord::Kind::Final;
}

int numberOf(const IterationRecord &record)
{
    return record.kind == IterationRecord::Kind::Baseline ? -1 : record.number;
}

bool wasBefore(const IterationRecord &left, const IterationRecord &right, const QHash<QString, int> &age)
{
    const auto leftAge = age.constFind(left.commit);
    const auto rightAge = age.constFind(right.commit);
    if (leftAge != age.cend() && rightAge != age.cend())
        return *leftAge < *rightAge;
    return left.startedAt < right.startedAt;
}

} // namespace

bool isSameEntry(const IterationRecord &left, const IterationRecord &right)
{
    if (left.kind != right.kind || left.number != right.number)
        return false;
    if (!isFinal(left))
        return true;
    return left.trajectory == right.trajectory && (!left.trajectory.isEmpty() || left.commit == right.commit);
}

qsizetype placeFor(const IterationRecord &record, const QList<IterationRecord> &records)
{
    if (isFinal(record))
        return records.size();
    const auto next = std::ranges::find_if(records, [&record](const IterationRecord &other) {
        return !isFinal(other) && numberOf(other) > numberOf(record);
    });
    return std::distance(records.cbegin(), next);
}

void putInOrder(QList<IterationRecord> &records, const QHash<QString, int> &age)
{
    const auto numbered = std::ranges::stable_partition(records, [](const auto &record) { return !isFinal(record); });
    QList<IterationRecord> finals(numbered.begin(), numbered.end());
    records.erase(numbered.begin(), numbered.end());
    std::ranges::stable_sort(records, {}, numberOf);
    std::ranges::stable_sort(finals,
                             [&age](const auto &left, const auto &right) { return wasBefore(left, right, age); });
    qsizetype from = 0;
    for (const IterationRecord &final : std::as_const(finals)) {
        qsizetype place = from;
        for (qsizetype i = from; i < records.size(); ++i) {
            if (!isFinal(records.at(i)) && wasBefore(records.at(i), final, age))
                place = i + 1;
        }
        records.insert(place, final);
        from = place + 1;
    }
}

} // namespace ako
