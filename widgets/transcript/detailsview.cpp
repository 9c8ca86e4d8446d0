// SPDX-License-Identifier: GPL-3.0-or-later
#include "transcript/detailsview.h"

#include "bench/numbers.h"
#include "models/measurementtext.h"
#include "style/fonts.h"

#include <QCoreApplication>
#include <QScrollBar>

namespace ako {

namespace {

QString section(const QString &heading, const QString &text)
{
    if (text.trimmed().isEmpty())
        return {};
    const QString body = text.trimmed().toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br/>"));
    return QStringLiteral("<p><b>%1</b><br/>%2</p>").arg(heading, body);
}

QString cell(const QString &text)
{
    return QStringLiteral("<td align=\"right\">%1&nbsp;&nbsp;</td>").arg(text.toHtmlEscaped());
}

QString runtimeCell(const std::optional<Timing> &timing)
{
    return cell(timing ? runtimeText(timing->median) : QStringLiteral("–"));
}

QString ratioCell(const std::optional<Interval> &interval)
{
    return cell(interval ? speedupWithError(*interval) : QStringLiteral("–"));
}

QString workloadTable(const BenchResult &bench)
{
    if (bench.workloads.isEmpty())
        return {};
    QString rows = QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td>%2%3%4%5</tr>")
                       .arg(DetailsView::tr("Workload").toHtmlEscaped(), cell(DetailsView::tr("runtime")),
                            cell(DetailsView::tr("reference")), cell(DetailsView::tr("over reference")),
                            cell(DetailsView::tr("over champion")));
    for (const WorkloadResult &workload : bench.workloads) {
        rows += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td>").arg(workload.id.toHtmlEscaped()) +
                runtimeCell(workload.solution) + runtimeCell(workload.reference) +
                ratioCell(workload.speedupOverReference) + ratioCell(workload.speedupOverChampion) +
                QStringLiteral("</tr>");
    }
    return QStringLiteral("<table>%1</table>").arg(rows);
}

} // namespace

QString detailsHtml(const IterationRecord &record)
{
    return measurementText(record) + section(DetailsView::tr("What went wrong"), record.bench.message) +
           section(DetailsView::tr("Note"), record.note) + section(DetailsView::tr("Hypothesis"), record.hypothesis) +
           section(DetailsView::tr("Changes"), record.changes) + section(DetailsView::tr("Analysis"), record.analysis) +
           section(DetailsView::tr("Next"), record.next) + workloadTable(record.bench);
}

DetailsView::DetailsView(QWidget *parent)
    : QTextBrowser(parent)
{
    setFrameShape(NoFrame);
    setOpenLinks(false);
    document()->setDocumentMargin(2 * grid);
    setAccessibleName(tr("Details of the iteration"));
    showRecord(nullptr);
}

void DetailsView::showRecord(const IterationRecord *record)
{
    const int scrolled = verticalScrollBar()->value();
    if (record == nullptr)
        setPlainText(
            tr("Choose an iteration in the chart or in the timeline to see its hypothesis, what it changed and "
               "how it was measured."));
    else
        setHtml(detailsHtml(*record));
    verticalScrollBar()->setValue(scrolled);
}

} // namespace ako
