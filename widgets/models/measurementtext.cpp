// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/measurementtext.h"

#include "bench/flagtext.h"
#include "bench/numbers.h"
#include "style/status.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

namespace ako {

namespace {

QString translated(const char *text)
{
    return QCoreApplication::translate("ako::MeasurementText", text);
}

QString stateText(ResultState state)
{
    switch (state) {
    case ResultState::Provisional:
        return translated("provisional: ranked by a signal, no verdict");
    case ResultState::Confirmed:
        return translated("confirmed by a verdict");
    case ResultState::Quarantined:
        return translated("quarantined: looks impossible or like cheating");
    case ResultState::Invalid:
        return translated("invalid: the machine was not fit");
    }
    return {};
}

QString resultText(const BenchResult &bench)
{
    const bool isOwn = bench.mode == BenchMode::Custom && bench.state == ResultState::Provisional;
    return isOwn ? translated("as your own bench says: there is no other verdict") : stateText(bench.state);
}

QString timingText(const Timing &timing)
{
    return translated("median %1, mean %2, %3 ~ %4")
        .arg(runtimeText(timing.median), runtimeText(timing.mean), runtimeText(timing.minimum),
             runtimeText(timing.maximum));
}

class Rows
{
public:
    void add(const char *label, const QString &value)
    {
        if (!value.isEmpty())
            m_rows << QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>")
                          .arg(translated(label).toHtmlEscaped(), value.toHtmlEscaped());
    }
    void add(const char *label, const std::optional<Interval> &interval)
    {
        if (interval)
            add(label, intervalText(*interval));
    }
    QString table() const { return QStringLiteral("<table>%1</table>").arg(m_rows.join(QString())); }

private:
    QStringList m_rows;
};

void addSpeedups(Rows &rows, const IterationRecord &record)
{
    rows.add(isOverBaselineChained(record) ? QT_TRANSLATE_NOOP("ako::MeasurementText", "Over baseline, chained")
                                           : QT_TRANSLATE_NOOP("ako::MeasurementText", "Over baseline"),
             record.speedupOverBaseline);
    rows.add(QT_TRANSLATE_NOOP("ako::MeasurementText", "Over reference"), record.speedup);
    rows.add(QT_TRANSLATE_NOOP("ako::MeasurementText", "Over champion"), record.bench.speedupOverChampion);
}

} // namespace

QString decisionText(const Triage &triage)
{
    const QString what = triage.accepted ? translated("Accepted as honest on %1") : translated("Upheld on %1");
    const QString when = QLocale().toString(triage.when.toLocalTime(), QLocale::ShortFormat);
    return triage.reason.isEmpty() ? what.arg(when) : what.arg(when) + QStringLiteral(": ") + triage.reason;
}

QString trustText(const IterationRecord &record)
{
    switch (record.bench.state) {
    case ResultState::Quarantined:
        return !record.triage            ? translated("quarantined")
               : record.triage->accepted ? translated("quarantined, accepted")
                                         : translated("quarantined, upheld");
    case ResultState::Invalid:
        return translated("invalid");
    case ResultState::Confirmed:
        return translated("confirmed");
    case ResultState::Provisional:
        break;
    }
    return isProvisional(record) ? translated("provisional") : QString();
}

QString measurementText(const IterationRecord &record)
{
    Rows rows;
    rows.add(QT_TRANSLATE_NOOP("ako::MeasurementText", "Status"), statusText(record));
    rows.add(QT_TRANSLATE_NOOP("ako::MeasurementText", "Why"), record.statusReason);
    addSpeedups(rows, record);
    if (record.bench.solution)
        rows.add(QT_TRANSLATE_NOOP("ako::MeasurementText", "Runtime"), timingText(*record.bench.solution));
    if (!record.bench.workloads.isEmpty())
        rows.add(QT_TRANSLATE_NOOP("ako::MeasurementText", "Workloads"),
                 QString::number(record.bench.workloads.size()));
    if (record.agentMilliseconds > 0)
        rows.add(QT_TRANSLATE_NOOP("ako::MeasurementText", "Duration"),
                 translated("agent %1, bench %2")
                     .arg(durationText(record.agentMilliseconds), durationText(record.benchMilliseconds)));
    else if (record.benchMilliseconds > 0)
        rows.add(QT_TRANSLATE_NOOP("ako::MeasurementText", "Duration"),
                 translated("bench %1").arg(durationText(record.benchMilliseconds)));
    rows.add(QT_TRANSLATE_NOOP("ako::MeasurementText", "Result"), resultText(record.bench));
    if (record.triage)
        rows.add(QT_TRANSLATE_NOOP("ako::MeasurementText", "Decision"), decisionText(*record.triage));
    for (const QString &flag : flagTexts(record.bench.flags))
        rows.add(QT_TRANSLATE_NOOP("ako::MeasurementText", "Note"), flag);
    rows.add(QT_TRANSLATE_NOOP("ako::MeasurementText", "Commit"), record.commit.left(10));
    rows.add(QT_TRANSLATE_NOOP("ako::MeasurementText", "Solution hash"), record.solutionHash.left(12));
    return QStringLiteral("<b>%1</b> %2").arg(longNameOf(record).toHtmlEscaped(), record.title.toHtmlEscaped()) +
           rows.table();
}

} // namespace ako
