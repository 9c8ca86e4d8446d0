// SPDX-License-Identifier: GPL-3.0-or-later
#include "transcript/outputpanel.h"

#include "history/runstore.h"
#include "models/iterationselection.h"
#include "style/elidedlabel.h"
#include "style/fonts.h"
#include "style/icons.h"
#include "style/status.h"
#include "transcript/detailsview.h"
#include "transcript/noticelog.h"
#include "transcript/textlog.h"

#include <QHBoxLayout>
#include <QToolButton>

namespace ako {

namespace {

bool isMeasuring(Phase phase)
{
    return phase == Phase::Baseline || phase == Phase::Benching || phase == Phase::Verifying ||
           phase == Phase::Finishing;
}

} // namespace

OutputPanel::OutputPanel(const RunStore &store, IterationSelection &selection, QWidget *parent)
    : QTabWidget(parent)
    , m_store(store)
    , m_selection(selection)
    , m_details(new DetailsView(this))
    , m_live(new TextLog(tr("The output of the bench appears here while it runs."), this))
    , m_stored(new TextLog(tr("Choose an iteration to read what its bench printed."), this))
    , m_transcript(new TextLog(tr("What the agent says appears here."), this))
    , m_log(new NoticeLog(this))
{
    setAccessibleName(tr("Output of the iteration and the run"));
    setDocumentMode(true);
    addTab(m_details, tr("Details"));
    addTab(makeBenchPage(), tr("Bench output"));
    addTab(m_transcript, tr("Transcript"));
    addTab(m_log, tr("Log"));
    m_live->setAccessibleName(tr("Output of the bench under way"));
    m_stored->setAccessibleName(tr("Bench output of the chosen iteration"));
    m_transcript->setAccessibleName(tr("Transcript of the agent"));
    m_transcript->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    connect(&selection, &IterationSelection::changed, this, &OutputPanel::selectionChanged);
    connect(&store, &RunStore::recordChanged, this, [this](int row) {
        if (row == m_selection.row())
            selectionChanged();
    });
    connect(&store, &RunStore::outputAppended, this, &OutputPanel::appendOutput);
    connect(&store, &RunStore::phaseChanged, this, &OutputPanel::phaseChanged);
    connect(&store, &RunStore::noticed, this,
            [this](const event::Notice &notice) { m_log->add(notice.severity, notice.text, notice.remedy); });
    connect(&store, &RunStore::workspaceChanged, this, [this] {
        for (TextLog *text : {m_live, m_stored, m_transcript})
            text->empty();
    });
    connect(this, &QTabWidget::currentChanged, this, &OutputPanel::requestOutput);
    setLive(true);
}

QWidget *OutputPanel::makeBenchPage()
{
    auto *page = new QWidget(this);
    m_benchTitle = new ElidedLabel({}, page);
    m_benchTitle->setElideMode(Qt::ElideRight);
    m_liveButton = new QToolButton(page);
    m_liveButton->setIcon(icon(QStringLiteral("live")));
    m_liveButton->setText(tr("Live"));
    m_liveButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_liveButton->setAutoRaise(true);
    m_liveButton->setCheckable(true);
    m_liveButton->setToolTip(tr("Follow the bench that is running"));
    connect(m_liveButton, &QToolButton::clicked, this, [this](bool on) {
        setLive(on);
        requestOutput();
    });
    auto *top = new QHBoxLayout;
    top->setContentsMargins(2 * grid, grid, grid, 0);
    top->addWidget(m_benchTitle, 1);
    top->addWidget(m_liveButton);
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(m_live, 1);
    layout->addWidget(m_stored, 1);
    return page;
}

void OutputPanel::setLive(bool on)
{
    m_liveButton->setChecked(on);
    m_live->setVisible(on);
    m_stored->setVisible(!on);
    const IterationRecord *record = m_selection.record();
    m_benchTitle->setText(on                  ? tr("Bench under way, or the last one")
                          : record != nullptr ? longNameOf(*record) + QStringLiteral(" · ") + record->title
                                              : QString());
}

void OutputPanel::selectionChanged()
{
    m_details->showRecord(m_selection.record());
    m_stored->empty();
    setLive(m_selection.record() == nullptr);
    requestOutput();
}

// Asked for only when it is looked at.
void OutputPanel::requestOutput()
{
    const IterationRecord *record = m_selection.record();
    if (record == nullptr || currentIndex() != 1 || m_liveButton->isChecked())
        return;
    Q_EMIT benchOutputRequested(record->trajectory, ++m_token);
}

void OutputPanel::showBenchOutput(quint64 token, const QString &text, const QString &error)
{
    if (token == m_token)
        m_stored->replaceAll(error.isEmpty() ? text : error);
}

void OutputPanel::appendOutput(event::OutputAppended::Source source, const QString &text)
{
    switch (source) {
    case event::OutputAppended::Source::Bench:
        m_live->append(text);
        break;
    case event::OutputAppended::Source::Agent:
        m_transcript->append(text);
        break;
    case event::OutputAppended::Source::Log:
        m_log->add(Severity::Info, text.trimmed());
        break;
    }
}

// A bench begins: its output takes the place of the last one's.
void OutputPanel::phaseChanged()
{
    const Phase phase = m_store.phase().phase;
    if (phase != m_lastPhase && isMeasuring(phase) && phase != Phase::Verifying)
        m_live->empty();
    m_lastPhase = phase;
}

} // namespace ako
