// SPDX-License-Identifier: GPL-3.0-or-later
#include "transcript/outputpanel.h"

#include "history/runstore.h"
#include "models/iterationselection.h"
#include "profile/numbersview.h"
#include "style/status.h"
#include "transcript/chosentext.h"
#include "transcript/detailspage.h"
#include "transcript/noticelog.h"
#include "transcript/textlog.h"
#include "triage/triageview.h"

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
    , m_details(new DetailsPage(this))
    , m_triage(new TriageView(this))
    , m_bench(new ChosenText({tr("Bench under way, or the last one"), tr("Follow the bench that is running"),
                              tr("The output of the bench appears here while it runs."),
                              tr("Choose an iteration to read what its bench printed."),
                              tr("Output of the bench under way"), tr("Bench output of the chosen iteration")},
                             this))
    , m_transcript(new ChosenText({tr("The agent's turn under way, or the last one"), tr("Follow the agent that works"),
                                   tr("What the agent says appears here."), tr("No words of an agent were kept of it."),
                                   tr("Transcript of the agent"), tr("Transcript of the chosen iteration")},
                                  this))
    , m_numbers(new NumbersView(this))
    , m_log(new NoticeLog(this))
{
    setAccessibleName(tr("Output of the iteration and the run"));
    setDocumentMode(true);
    addTab(m_details, tr("Details"));
    addTab(m_bench, tr("Bench output"));
    addTab(m_transcript, tr("Transcript"));
    addTab(m_numbers, tr("Numbers"));
    connect(m_numbers, &NumbersView::requested, this, &OutputPanel::numbersRequested);
    addTab(m_log, tr("Log"));
    setTabVisible(addTab(m_triage, tr("Quarantine")), false);
    connect(m_details, &DetailsPage::noteGiven, this, &OutputPanel::noteGiven);
    connect(m_triage, &TriageView::decided, this, &OutputPanel::quarantineDecided);
    connect(m_triage, &TriageView::measureRequested, this, &OutputPanel::measureRequested);
    for (TextLog *text : {m_transcript->live(), m_transcript->stored()})
        text->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    for (TextLog *text : {m_bench->live(), m_bench->stored()}) {
        text->setLeadsToSource(true);
        connect(text, &TextLog::placeChosen, this, &OutputPanel::placeChosen);
    }
    connect(m_bench, &ChosenText::requested, this, &OutputPanel::benchOutputRequested);
    connect(m_transcript, &ChosenText::requested, this, &OutputPanel::transcriptRequested);
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
        m_bench->clear();
        m_transcript->clear();
    });
    connect(this, &QTabWidget::currentChanged, this, [this] {
        m_bench->setLookedAt(currentWidget() == m_bench);
        m_transcript->setLookedAt(currentWidget() == m_transcript);
        m_numbers->setLookedAt(currentWidget() == m_numbers);
    });
}

void OutputPanel::selectionChanged()
{
    const IterationRecord *record = m_selection.record();
    m_details->showRecord(record);
    showTriage(record);
    const QString title = record != nullptr ? longNameOf(*record) + QStringLiteral(" · ") + record->title : QString();
    m_bench->choose(record != nullptr ? record->trajectory : QString(), title);
    const bool isCompared = record != nullptr && record->kind == IterationRecord::Kind::Iteration;
    const IterationRecord *parent = isCompared ? m_store.record(record->parent) : nullptr;
    m_numbers->choose(isCompared ? record->number : -1,
                      parent != nullptr ? tr("%1, beside %2").arg(title, longNameOf(*parent)) : title);
    m_transcript->choose(record != nullptr ? record->trajectory : QString(), title);
}

// Once for each that is chosen: whoever then turns to its output is left there.
void OutputPanel::showTriage(const IterationRecord *record)
{
    const bool isQuarantined = record != nullptr && record->bench.state == ResultState::Quarantined;
    const bool wasLookedAt = currentWidget() == m_triage; // a tab that is hidden hands on to its neighbour
    setTabVisible(indexOf(m_triage), isQuarantined);
    m_triage->showRecord(isQuarantined ? record : nullptr);
    const QString label = isQuarantined ? record->label : QString();
    if (isQuarantined && label != m_triaged)
        setCurrentWidget(m_triage);
    else if (!isQuarantined && wasLookedAt)
        setCurrentWidget(m_details);
    m_triaged = label;
}

void OutputPanel::showBenchOutput(quint64 token, const QString &text, const QString &error)
{
    m_bench->showStored(token, text, error);
}

void OutputPanel::showNumbers(quint64 token, const QList<MovedNumber> &numbers, const QString &error)
{
    m_numbers->showNumbers(token, numbers, error);
}

// Most iterations of a person and of older runs have none: the empty log says so.
void OutputPanel::showTranscript(quint64 token, const QString &text)
{
    m_transcript->showStored(token, text, {});
}

DetailsView *OutputPanel::details() const
{
    return m_details->view();
}

TextLog *OutputPanel::bench() const
{
    return m_bench->stored();
}

TextLog *OutputPanel::live() const
{
    return m_bench->live();
}

TextLog *OutputPanel::transcript() const
{
    return m_transcript->live();
}

void OutputPanel::appendOutput(event::OutputAppended::Source source, const QString &text)
{
    switch (source) {
    case event::OutputAppended::Source::Bench:
        live()->append(text);
        break;
    case event::OutputAppended::Source::Agent:
        transcript()->append(text);
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
    m_triage->setMeasurable(m_store.canRun() || (m_store.isApproved() && phase == Phase::Finished));
    if (phase != m_lastPhase && isMeasuring(phase) && phase != Phase::Verifying)
        live()->empty();
    m_lastPhase = phase;
}

} // namespace ako
