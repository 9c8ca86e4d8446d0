// SPDX-License-Identifier: GPL-3.0-or-later
#include "triage/triageview.h"

#include "bench/flagtext.h"
#include "bench/numbers.h"
#include "models/measurementtext.h"
#include "style/fonts.h"
#include "style/icons.h"
#include "style/status.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QTextBrowser>

namespace ako {

namespace {

QString paragraph(const QString &heading, const QString &text)
{
    return text.isEmpty() ? QString() : QStringLiteral("<p><b>%1</b><br/>%2</p>").arg(heading.toHtmlEscaped(), text);
}

QString rules(const IterationRecord &record)
{
    QString items;
    for (const QString &flag : flagTexts(record.bench.flags))
        items += QStringLiteral("<li>%1</li>").arg(flag.toHtmlEscaped());
    return items.isEmpty() ? record.bench.status.toHtmlEscaped() : QStringLiteral("<ul>%1</ul>").arg(items);
}

// Each workload's time beside the least that the machine allows.
QString againstTheFloor(const IterationRecord &record)
{
    QString rows;
    for (const WorkloadResult &workload : record.bench.workloads) {
        if (!workload.solution || !workload.floorMs)
            continue;
        rows += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=\"right\">%2&nbsp;&nbsp;</td><td "
                               "align=\"right\">%3</td></tr>")
                    .arg(workload.id.toHtmlEscaped(), runtimeText(workload.solution->median),
                         runtimeText(*workload.floorMs));
    }
    if (rows.isEmpty())
        return {};
    return QStringLiteral("<table><tr><td>%1&nbsp;&nbsp;</td><td align=\"right\">%2&nbsp;&nbsp;</td><td "
                          "align=\"right\">%3</td></tr>%4</table>")
        .arg(TriageView::tr("Workload").toHtmlEscaped(), TriageView::tr("measured").toHtmlEscaped(),
             TriageView::tr("physical floor").toHtmlEscaped(), rows);
}

QString evidenceOf(const IterationRecord &record)
{
    QStringList said{record.statusReason};
    if (!record.bench.message.isEmpty() && !record.statusReason.contains(record.bench.message))
        said << record.bench.message;
    said.removeAll(QString());
    return said.join(QLatin1Char('\n')).toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br/>")) +
           againstTheFloor(record);
}

} // namespace

QString evidenceHtml(const IterationRecord &record)
{
    const QString kept =
        record.triage ? decisionText(*record.triage) : TriageView::tr("Nobody has decided yet: the quarantine stands.");
    return QStringLiteral("<b>%1</b> %2").arg(longNameOf(record).toHtmlEscaped(), record.title.toHtmlEscaped()) +
           paragraph(TriageView::tr("Rules that it broke"), rules(record)) +
           paragraph(TriageView::tr("Evidence"), evidenceOf(record)) +
           paragraph(TriageView::tr("Decision"), kept.toHtmlEscaped()) +
           paragraph(TriageView::tr("What a decision does"),
                     TriageView::tr("It is written into the history with your reason. Its number does not count "
                                    "either way: what you accept can be measured again, and counts if a verdict "
                                    "bears it out.")
                         .toHtmlEscaped());
}

TriageView::TriageView(QWidget *parent)
    : QWidget(parent)
    , m_evidence(new QTextBrowser(this))
    , m_reason(new QLineEdit(this))
    , m_accept(new QPushButton(tr("Accept"), this))
    , m_reject(new QPushButton(tr("Reject"), this))
    , m_measure(new QPushButton(icon(QStringLiteral("bench")), tr("Measure again"), this))
{
    m_evidence->setFrameShape(QFrame::NoFrame);
    m_evidence->setOpenLinks(false);
    m_evidence->document()->setDocumentMargin(2 * grid);
    m_evidence->setAccessibleName(tr("Evidence of the quarantine"));
    m_reason->setPlaceholderText(tr("Why (kept in the history)"));
    m_reason->setAccessibleName(tr("Reason of the decision"));
    m_accept->setToolTip(tr("Accept it as honest: the evidence is a false alarm. Written into the history"));
    m_reject->setToolTip(tr("Uphold the quarantine: the evidence stands. Written into the history"));
    m_measure->setToolTip(tr("A fresh verdict against the champion, as the next iteration"));
    connect(m_accept, &QPushButton::clicked, this, [this] { decide(true); });
    connect(m_reject, &QPushButton::clicked, this, [this] { decide(false); });
    connect(m_measure, &QPushButton::clicked, this, [this] { Q_EMIT measureRequested(m_iteration); });
    auto *row = new QHBoxLayout;
    row->setSpacing(2 * grid);
    for (QPushButton *button : {m_accept, m_reject, m_measure})
        row->addWidget(button);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_evidence, 1);
    auto *decision = new QVBoxLayout;
    decision->setContentsMargins(2 * grid, grid, 2 * grid, grid);
    decision->setSpacing(grid);
    decision->addWidget(m_reason);
    decision->addLayout(row);
    layout->addLayout(decision);
}

void TriageView::showRecord(const IterationRecord *record)
{
    const bool another = record == nullptr || record->number != m_iteration;
    m_iteration = record != nullptr ? record->number : -1;
    if (record == nullptr)
        return;
    m_evidence->setHtml(evidenceHtml(*record));
    if (another)
        m_reason->setText(record->triage ? record->triage->reason : QString());
    m_accept->setEnabled(!record->triage || !record->triage->accepted);
    m_reject->setEnabled(!record->triage || record->triage->accepted);
}

void TriageView::setMeasurable(bool measurable)
{
    m_measure->setEnabled(measurable);
}

void TriageView::decide(bool accepted)
{
    Q_EMIT decided(m_iteration, accepted, m_reason->text().trimmed());
}

} // namespace ako
