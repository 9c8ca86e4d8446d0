// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/logrender.h"

#include "base/words.h"
#include "bench/flagtext.h"
#include "history/recordjson.h"

#include <QLocale>

namespace ako::logrender {

namespace {

QByteArray figure(double value, int significant)
{
    return QByteArray::number(value, 'g', significant).contains('e') ? QByteArray::number(value, 'f', 6)
                                                                     : QByteArray::number(value, 'g', significant);
}

QByteArray milliseconds(double value)
{
    return figure(value, 5);
}

QByteArray ratio(double value)
{
    return QByteArray::number(value, 'f', 3);
}

QByteArray bracketed(const Interval &interval)
{
    return ratio(interval.estimate) + "x [" + ratio(interval.low) + ", " + ratio(interval.high) + ']';
}

bool hasSpread(const Timing &timing)
{
    return timing.minimum < timing.maximum;
}

QByteArray oneLine(const QString &text)
{
    QString line = words::oneLine(text);
    line.replace(QLatin1String("<!--"), QLatin1String("&lt;!--"));
    return line.toUtf8();
}

QByteArray cell(const QString &text)
{
    return oneLine(text).replace("\\", "\\\\").replace("|", "\\|");
}

// Of means; absent when the reference was not measured together with the solution.
std::optional<double> meanSpeedup(const BenchResult &bench)
{
    if (!bench.solution || !bench.reference || bench.solution->mean <= 0.0)
        return std::nullopt;
    return bench.reference->mean / bench.solution->mean;
}

QByteArray runtimeLine(const BenchResult &bench)
{
    if (!bench.solution)
        return "—";
    const Timing &timing = *bench.solution;
    QByteArray line = milliseconds(timing.mean) + " ms (mean)";
    if (hasSpread(timing))
        line += ", " + milliseconds(timing.minimum) + " ~ " + milliseconds(timing.maximum) +
                " ms (min ~ max), median " + milliseconds(timing.median) + " ms";
    return line;
}

QByteArray speedupLine(const IterationRecord &record)
{
    const auto mean = meanSpeedup(record.bench);
    if (!mean && !record.speedup)
        return "—";
    QByteArray line;
    if (mean) {
        line = ratio(*mean) + "x (mean)";
        const Timing &timing = *record.bench.solution;
        if (hasSpread(timing) && timing.minimum > 0.0)
            line += ", " + ratio(record.bench.reference->mean / timing.maximum) + " ~ " +
                    ratio(record.bench.reference->mean / timing.minimum) + "x (min ~ max)";
    }
    if (record.speedup)
        line += (line.isEmpty() ? "" : "; ") + QByteArray("median and interval ") + bracketed(*record.speedup);
    if (record.speedupIsChained)
        line += ", through the champion";
    return line;
}

QByteArray truth(bool value)
{
    return value ? "True" : "False";
}

QByteArray item(const char *name, const QByteArray &value)
{
    return QByteArray("  - ") + name + ": " + value + '\n';
}

QByteArray title(const IterationRecord &record)
{
    if (!record.title.isEmpty())
        return oneLine(record.title);
    return record.kind == IterationRecord::Kind::Baseline ? "The original kernel" : "Untitled change";
}

} // namespace

QByteArray iterCell(const IterationRecord &record)
{
    const QByteArray number = QByteArray::number(record.number);
    return record.kind == IterationRecord::Kind::Final ? "final (" + number + ')' : number;
}

QByteArray titleCell(const IterationRecord &record)
{
    return cell(QString::fromUtf8(title(record)));
}

QByteArray speedupCell(const IterationRecord &record)
{
    if (record.status == IterationStatus::Failed)
        return "—";
    if (const auto mean = meanSpeedup(record.bench))
        return ratio(*mean) + 'x';
    if (!record.speedup)
        return "—";
    return (record.speedupIsChained ? "≈" : "") + ratio(record.speedup->estimate) + 'x';
}

QByteArray runtimeCell(const IterationRecord &record)
{
    if (record.status == IterationStatus::Failed || !record.bench.solution)
        return "—";
    return milliseconds(record.bench.solution->mean) + " ms";
}

QByteArray statusCell(const IterationRecord &record)
{
    return statusName(record.status).toUtf8();
}

QByteArray heading(const IterationRecord &record)
{
    switch (record.kind) {
    case IterationRecord::Kind::Baseline:
        return "### Baseline — " + title(record);
    case IterationRecord::Kind::Iteration:
        return "### Iter " + QByteArray::number(record.number) + " — " + title(record);
    case IterationRecord::Kind::Final:
        return "### Final (iter-" + QByteArray::number(record.number) + ") — " + title(record);
    }
    return {};
}

QByteArray benchBlock(const IterationRecord &record)
{
    const BenchResult &bench = record.bench;
    QByteArray block = "- **Bench:**\n" + item("Compiled", truth(bench.compiled)) +
                       item("Correct", truth(bench.correct)) + item("Runtime", runtimeLine(bench)) +
                       item("Speedup", speedupLine(record));
    if (record.speedupOverBaseline && record.kind != IterationRecord::Kind::Baseline)
        block += item("Speedup over the baseline", bracketed(*record.speedupOverBaseline));
    for (auto column = bench.extraColumns.cbegin(); column != bench.extraColumns.cend(); ++column)
        block += item(oneLine(column.key()).constData(), oneLine(column.value()));
    QByteArray status = statusCell(record);
    if (!record.statusReason.isEmpty())
        status += ", " + oneLine(record.statusReason);
    block += item("Status", status);
    for (const QString &flag : flagTexts(bench.flags))
        block += item("Note", oneLine(flag));
    if (!record.trajectory.isEmpty())
        block += item("Output", oneLine(record.trajectory));
    return block;
}

QByteArray continuation(const QString &text)
{
    QByteArray lines;
    QString safe = words::plain(text).trimmed();
    safe.replace(QLatin1String("<!--"), QLatin1String("&lt;!--"));
    const QStringList parts = safe.split(QLatin1Char('\n'));
    for (const QString &part : parts) {
        QString line = part;
        while (!line.isEmpty() && line.back().isSpace())
            line.chop(1);
        lines += line.isEmpty() ? QByteArray("\n") : "  " + line.toUtf8() + '\n';
    }
    return lines;
}

QByteArray field(const char *name, const QString &text)
{
    const QByteArray label = QByteArray("- **") + name + ":**";
    if (text.trimmed().isEmpty())
        return label + '\n';
    return label + ' ' + continuation(text).trimmed() + '\n';
}

QByteArray section(const IterationRecord &record)
{
    return heading(record) + "\n\n" + field("Hypothesis", record.hypothesis) + field("Changes", record.changes) +
           benchBlock(record) + field("Analysis", record.analysis) + field("Next", record.next);
}

} // namespace ako::logrender
