// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart/chartexport.h"

#include "base/atomicfile.h"
#include "bench/resultjson.h"
#include "chart/customplot.h"
#include "history/recordjson.h"
#include "report/reportchart.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QTemporaryDir>

namespace ako {

namespace {

QString text(const char *source)
{
    return QCoreApplication::translate("ako::ChartExport", source);
}

// Quoted by RFC 4180; a text that a spreadsheet would take for a formula is kept one.
QByteArray cell(QString value)
{
    if (!value.isEmpty() && QStringLiteral("=+-@\t\r").contains(value.front()))
        value.prepend(QLatin1Char('\''));
    return '"' + value.replace(QLatin1Char('"'), QLatin1String("\"\"")).toUtf8() + '"';
}

QByteArray figure(double value)
{
    return QByteArray::number(value, 'g', 9);
}

QByteArrayList cells(const std::optional<Interval> &interval)
{
    if (!interval)
        return {{}, {}, {}};
    return {figure(interval->estimate), figure(interval->low), figure(interval->high)};
}

QByteArrayList rowOf(const IterationRecord &record)
{
    const bool counts = record.status != IterationStatus::Failed;
    const auto ratio = [counts](const std::optional<Interval> &interval) {
        return cells(counts ? interval : std::nullopt);
    };
    const auto &timing = record.bench.solution;
    QByteArrayList row{cell(kindName(record.kind)),
                       QByteArray::number(record.number),
                       cell(record.title),
                       cell(statusName(record.status)),
                       cell(stateName(record.bench.state)),
                       record.startedAt.isValid() ? record.startedAt.toUTC().toString(Qt::ISODate).toLatin1()
                                                  : QByteArray(),
                       QByteArray::number(record.agentMilliseconds),
                       QByteArray::number(record.benchMilliseconds)};
    row << (counts && timing ? figure(timing->median) : QByteArray())
        << (counts && timing ? figure(timing->mean) : QByteArray());
    row << ratio(record.speedupOverBaseline) << ratio(record.speedup) << ratio(record.bench.speedupOverChampion);
    row << record.commit.toLatin1() << record.solutionHash.toLatin1() << cell(record.agent);
    return row;
}

// QCustomPlot writes to a file by name only.
QByteArray pdfOf(QCustomPlot &plot)
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("chart.pdf"));
    const bool done = plot.savePdf(path);
    auto content = readRegularFile(path);
    return done && content ? *content : QByteArray();
}

QByteArray pngOf(QCustomPlot &plot)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    plot.toPixmap(0, 0, 2.0).save(&buffer, "PNG");
    return bytes;
}

} // namespace

QStringList chartFormats()
{
    return {QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf"), QStringLiteral("csv")};
}

QByteArray chartCsv(const QList<IterationRecord> &records)
{
    QByteArray table = "kind,number,title,status,state,started,agent_ms,bench_ms,runtime_median_ms,runtime_mean_ms,"
                       "over_baseline,over_baseline_low,over_baseline_high,over_reference,over_reference_low,"
                       "over_reference_high,over_champion,over_champion_low,over_champion_high,commit,solution_sha256,"
                       "agent\r\n";
    for (const IterationRecord &record : records)
        table += rowOf(record).join(',') + "\r\n";
    return table;
}

QString writeChart(const QString &path, QCustomPlot &plot, const QList<IterationRecord> &records)
{
    const QString format = QFileInfo(path).suffix().toLower();
    QByteArray content;
    if (format == QLatin1String("csv"))
        content = chartCsv(records);
    else if (format == QLatin1String("svg"))
        content = chartSvgFile(records);
    else if (format == QLatin1String("pdf"))
        content = pdfOf(plot);
    else if (format == QLatin1String("png"))
        content = pngOf(plot);
    else
        return text("The chart is written as %1; give the file one of these endings.")
            .arg(chartFormats().join(QStringLiteral(", ")));
    if (content.isEmpty())
        return text("%1 cannot be made: the chart is empty or cannot be drawn so.").arg(path);
    const Result<void> done = writeFileAtomically(path, content);
    return done ? QString() : done.error().text();
}

} // namespace ako
