// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/prompt/historytext.h"

#include "base/words.h"

#include <algorithm>

namespace ako {

namespace {

QString cell(const QString &text, qsizetype most)
{
    const QString line = words::shortened(words::oneLine(text), most).replace(QLatin1Char('|'), QLatin1Char('/'));
    return line.isEmpty() ? QStringLiteral("-") : line;
}

QString rowOf(const IterationRecord &record)
{
    const QString what = record.kind == IterationRecord::Kind::Baseline ? QStringLiteral("the original kernel")
                                                                        : cell(record.title, 120);
    return QStringLiteral("| %1 | %2 | %3 | %4 | %5 | %6 |")
        .arg(record.number)
        .arg(what, cell(record.direction, 30), outcomeWord(record), intervalText(record.speedupOverBaseline),
             intervalText(record.bench.speedupOverChampion));
}

} // namespace

// English on purpose: it is for the agent, not for the window.
QString outcomeWord(const IterationRecord &record)
{
    if (record.bench.state == ResultState::Quarantined)
        return QStringLiteral("quarantined");
    switch (record.status) {
    case IterationStatus::Baseline:
        return QStringLiteral("baseline");
    case IterationStatus::Improved:
        return record.becameChampion ? QStringLiteral("improved, new champion") : QStringLiteral("improved");
    case IterationStatus::NoChange:
        return QStringLiteral("no change");
    case IterationStatus::Regression:
        return QStringLiteral("slower");
    case IterationStatus::Failed:
        break;
    }
    return QStringLiteral("failed: %1").arg(words::shortened(words::oneLine(record.bench.status), 40));
}

QString intervalText(const std::optional<Interval> &ratio)
{
    return ratio ? QStringLiteral("%1x [%2, %3]")
                       .arg(ratio->estimate, 0, 'f', 3)
                       .arg(ratio->low, 0, 'f', 3)
                       .arg(ratio->high, 0, 'f', 3)
                 : QStringLiteral("-");
}

// A table, the newest rows first to be kept, shown in order.
QString historyTable(const QList<IterationRecord> &history, qsizetype budget)
{
    QStringList rows;
    qsizetype left = budget;
    for (auto record = history.crbegin(); record != history.crend(); ++record) {
        if (record->kind == IterationRecord::Kind::Final)
            continue;
        const QString row = rowOf(*record);
        left -= row.size() + 1;
        if (left < 0) {
            rows.prepend(QStringLiteral("(earlier ones: see ITERATIONS.md)"));
            break;
        }
        rows.prepend(row);
    }
    if (rows.isEmpty())
        return {};
    return QStringLiteral("| iteration | what | direction | outcome | speedup over baseline | over the champion of its "
                          "time |\n|---|---|---|---|---|---|\n") +
           rows.join(QLatin1Char('\n'));
}

const IterationRecord *entryOf(const QList<IterationRecord> &history, int number)
{
    const auto found = std::ranges::find_if(history, [number](const IterationRecord &record) {
        return record.number == number && record.kind != IterationRecord::Kind::Final;
    });
    return found == history.cend() ? nullptr : &*found;
}

} // namespace ako
