// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline/commandsession.h"

#include "base/words.h"
#include "commandline/terminal.h"

#include <algorithm>
#include <utility>

namespace ako {

namespace {

constexpr int goOnBy = 10; // iterations, as a proposal

} // namespace

CommandSession::CommandSession(Invocation invocation, QObject *parent)
    : QObject(parent)
    , m_invocation(std::move(invocation))
    , m_printer(m_invocation.json)
{
    connect(&m_controller, &LoopController::happened, this, &CommandSession::onEvent);
    connect(&m_controller, &LoopController::reportReady, this, &CommandSession::onReport);
    connect(&m_controller, &LoopController::sourceChangeReady, this, &CommandSession::onSourceChange);
    connect(&m_controller, &LoopController::harnessReady, this, &CommandSession::onHarness);
    connect(&m_watch, &EditWatch::edited, &m_controller, &LoopController::run);
}

bool CommandSession::readsOnly() const
{
    return m_invocation.command == Command::Plan || m_invocation.command == Command::History ||
           m_invocation.command == Command::Report || m_invocation.command == Command::Apply ||
           m_invocation.command == Command::Harness;
}

void CommandSession::start()
{
    LoopController::Options options;
    options.readOnly = readsOnly();
    options.withPlan = m_invocation.command != Command::History && m_invocation.command != Command::Report &&
                       m_invocation.command != Command::Apply && m_invocation.command != Command::Harness;
    m_controller.setOptions(options);
    m_controller.openWorkspace(m_invocation.workspace, m_invocation.request);
}

QString CommandSession::resumeText() const
{
    return tr("Interrupted. Resume with: ako4all run %1").arg(words::shellWord(m_invocation.workspace));
}

void CommandSession::interrupt()
{
    m_interrupted = true;
    if (m_watch.isActive())
        end(ExitInterrupted, resumeText());
    else if (m_stage == Stage::Preparing || m_stage == Stage::Acting)
        m_controller.stop();
    else
        end(ExitInterrupted, tr("Interrupted."));
}

void CommandSession::onEvent(const RunEvent &runEvent)
{
    if (m_stage == Stage::Ended)
        return;
    m_store.apply(runEvent);
    if (wantsToHear(runEvent))
        m_printer.print(runEvent);
    if (m_invocation.command == Command::Note && m_stage == Stage::Acting)
        return onNoteAnswered(runEvent);
    if (const auto *recorded = std::get_if<event::IterationRecorded>(&runEvent); recorded && m_stage == Stage::Acting)
        m_lastRecord = recorded->record;
    if (const auto *stopped = std::get_if<event::RunStopped>(&runEvent)) {
        onStopped(*stopped);
        return;
    }
    if (const auto *asked = std::get_if<event::PermissionAsked>(&runEvent))
        return answerPermission(asked->question);
    const auto *notice = std::get_if<event::Notice>(&runEvent);
    if (notice && notice->severity == Severity::Error && m_changesUnderWay > 0) { // a row that cannot be set so
        end(ExitUsage);
        return;
    }
    if (std::holds_alternative<event::PlanResolved>(runEvent) && m_changesUnderWay > 0) {
        // Each change is answered by one plan; a phase may follow the last, so look only after it.
        if (--m_changesUnderWay == 0)
            QMetaObject::invokeMethod(this, &CommandSession::onPlanSettled, Qt::QueuedConnection);
        return;
    }
    const auto *phase = std::get_if<event::PhaseChanged>(&runEvent);
    if (!phase)
        return;
    const bool waits = phase->phase == Phase::AwaitingAnswers || phase->phase == Phase::AwaitingApproval;
    const bool ready = phase->phase == Phase::Ready || phase->phase == Phase::Finished;
    if ((waits || ready) && m_stage == Stage::Opening)
        onPlanSettled();
}

// Writing a note is no step of the loop: its answer is the entry as it is now, or why it could not be kept.
void CommandSession::onNoteAnswered(const RunEvent &runEvent)
{
    if (std::holds_alternative<event::IterationRecorded>(runEvent))
        end(ExitDone, tr("Kept with iteration %1 and in ITERATIONS.md, and committed.").arg(m_invocation.number));
    else if (const auto *notice = std::get_if<event::Notice>(&runEvent); notice && notice->severity != Severity::Info)
        end(ExitFailed, notice->text);
}

// On a terminal a person is asked; elsewhere nobody is there, which is a no. The run goes on on its own thread
// meanwhile.
void CommandSession::answerPermission(const PermissionQuestion &question)
{
    const bool isAPersonThere = !m_invocation.json && terminal::isInteractive() && !m_interrupted;
    m_controller.answerPermission(question.number, isAPersonThere ? terminal::askPermission() : PermissionChoice::Deny);
}

// In words only what is new: what an earlier call has told of the hints' history stands in ITERATIONS.md.
bool CommandSession::wantsToHear(const RunEvent &runEvent) const
{
    if (m_invocation.json)
        return true;
    const bool isOld = m_stage == Stage::Opening && std::holds_alternative<event::HintsSeen>(runEvent);
    const bool isRead = m_invocation.command == Command::History || m_invocation.command == Command::Report ||
                        m_invocation.command == Command::Apply || m_invocation.command == Command::Harness;
    const auto *notice = std::get_if<event::Notice>(&runEvent);
    return isRead ? notice && notice->severity == Severity::Error : !isOld;
}

void CommandSession::act()
{
    m_stage = Stage::Acting;
    switch (m_invocation.command) {
    case Command::Run:
    case Command::Demo:
        m_controller.run();
        break;
    case Command::Iterate:
        m_controller.benchEdit(m_invocation.title, m_invocation.hypothesis, m_invocation.changes);
        break;
    case Command::Restore:
        m_controller.restore(m_invocation.number);
        break;
    case Command::Revert:
        m_controller.revert(m_invocation.number);
        break;
    case Command::Measure:
        m_controller.measureAgain(m_invocation.number, m_invocation.againstBaseline);
        break;
    case Command::Note:
        if (m_invocation.accepted)
            m_controller.decideQuarantine(m_invocation.number, *m_invocation.accepted, m_invocation.text);
        else
            m_controller.annotate(m_invocation.number, m_invocation.text);
        break;
    case Command::Finish:
        m_controller.finish();
        break;
    default:
        end(ExitDone);
        break;
    }
}

void CommandSession::printHistory()
{
    if (!m_invocation.json) {
        for (const IterationRecord &record : m_store.records()) {
            m_printer.printText(historyLine(record));
        }
        if (!m_store.records().isEmpty())
            m_printer.printText(historyLegend());
    }
    end(ExitDone, m_store.records().isEmpty()
                      ? tr("No iterations yet: neither trajectory/ nor git in %1 has any.").arg(m_invocation.workspace)
                      : QString());
}

void CommandSession::onStopped(const event::RunStopped &stopped)
{
    if (m_interrupted) {
        end(ExitInterrupted, resumeText());
        return;
    }
    if (m_stage == Stage::Acting && waitForEdit(stopped))
        return;
    // Preparation ends idle, with the baseline benched: now the intent itself.
    const bool idle = stopped.exitCode == ExitDone && stopped.why != event::RunStopped::Why::Failed;
    if (m_stage == Stage::Preparing && idle)
        return act();
    if (stopped.why != event::RunStopped::Why::StepDone || stopped.exitCode != ExitDone)
        return end(stopped.exitCode, stopped.reason + goOnText(stopped));
    if (m_lastRecord && m_lastRecord->status == IterationStatus::Failed)
        return end(ExitIterationFailed, tr("%1 is recorded as failed.").arg(m_lastRecord->label));
    end(stopped.exitCode);
}

// How to go on from where a run ends by itself; for a person, so not in JSON.
QString CommandSession::goOnText(const event::RunStopped &stopped) const
{
    if (m_invocation.json || stopped.exitCode != ExitDone)
        return {};
    const QString workspace = words::shellWord(m_store.workspace());
    const QString measure = stopped.unconfirmed.isEmpty() ? QString()
                                                          : tr("\nTo measure iteration %1 again: ako4all measure %2 %1")
                                                                .arg(stopped.unconfirmed.first())
                                                                .arg(workspace);
    return measure + onwardText(stopped, workspace);
}

QString CommandSession::onwardText(const event::RunStopped &stopped, const QString &workspace) const
{
    using Why = event::RunStopped::Why;
    int last = 0;
    for (const IterationRecord &record : m_store.records())
        last = std::max(last, record.number);
    switch (stopped.why) {
    case Why::CapReached:
        return stopped.reason.contains(QLatin1String("HINTS.md"))
                   ? tr("\nTo go on: raise the cap in HINTS.md, then: ako4all run %1").arg(workspace)
                   : tr("\nTo go on: ako4all run %1 --iterations %2").arg(workspace, QString::number(last + goOnBy));
    case Why::Finished:
        return tr("\nTo go on from it: ako4all run %1, or edit solution/ and ako4all iterate %1 --title \"...\"")
            .arg(workspace);
    case Why::FloorReached:
    case Why::Exhausted:
        return tr("\nTo try something else: write it into HINTS.md, or edit solution/; then ako4all iterate %1 --title "
                  "\"...\"")
            .arg(workspace);
    default:
        return {};
    }
}

// The person is the agent: with one at the terminal, each edit that comes to rest is benched, until the cap or Ctrl+C.
bool CommandSession::waitForEdit(const event::RunStopped &stopped)
{
    const bool waits = m_invocation.command == Command::Run && stopped.why == event::RunStopped::Why::Paused &&
                       stopped.exitCode == ExitDone && m_store.plan().agent == QLatin1String("user");
    if (!waits)
        return false;
    const QString solution = m_store.workspace() + QStringLiteral("/solution");
    if (!terminal::isInteractive() || m_invocation.json) {
        end(ExitDone, tr("The agent is you: edit %1, then bench it with: ako4all iterate %2 --title \"what you tried\"")
                          .arg(solution, words::shellWord(m_invocation.workspace)));
        return true;
    }
    m_watch.start(solution); // before it is said: an edit made upon it counts
    m_printer.printText(tr("Waiting for an edit of %1: save a file there and it is benched. Ctrl+C ends; "
                           "ako4all finish %2 restores the best.")
                            .arg(solution, words::shellWord(m_invocation.workspace)));
    return true;
}

void CommandSession::end(int exitCode, const QString &reason, const QList<PlanField> &questions)
{
    if (m_stage == Stage::Ended)
        return;
    m_stage = Stage::Ended;
    m_watch.stop();
    m_printer.printOutcome(exitCode, reason, questions);
    Q_EMIT finished(exitCode);
}

} // namespace ako
