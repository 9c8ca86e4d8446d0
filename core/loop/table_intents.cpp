// SPDX-License-Identifier: GPL-3.0-or-later
// What a person may ask for, in every stage.
#include "base/words.h"
#include "loop/policy.h"
#include "loop/table.h"

#include <utility>

namespace ako {

void Table::notice(Severity severity, const QString &text, const QString &remedy)
{
    emitEvent(event::Notice{severity, text, remedy});
}

void Table::enter(Stage stage, const QString &detail)
{
    s.stage = stage;
    event::PhaseChanged change;
    change.phase = phaseOf(s);
    if (s.draft && s.draft->record.kind == IterationRecord::Kind::Iteration && s.isBusy())
        change.iteration = s.draft->record.number;
    change.detail = detail;
    emitEvent(change); // the engine adds the time
}

void Table::on(const intent::Open &open)
{
    if (s.isBusy()) {
        notice(Severity::Warning, tr("%1 is still being worked on").arg(s.workspace),
               tr("Stop the run before opening another workspace."));
        return;
    }
    s = State{};
    s.workspace = open.path;
    s.request = open.request;
    s.readOnly = open.readOnly;
    enter(Stage::Opening);
    perform(effect::Open{open.path, open.request, open.readOnly});
}

void Table::on(const intent::Close &)
{
    s = State{};
    perform(effect::Close{});
    enter(Stage::Closed);
}

void Table::on(const intent::ChangePlan &change)
{
    if (s.isBusy() || s.stage == Stage::Closed) {
        notice(Severity::Warning, tr("The plan cannot be changed now"), tr("Pause the run first."));
        return;
    }
    perform(effect::ChangePlan{change.key, change.value});
}

// Only while a person has the plan before them: what is approved is watched over in another way.
void Table::on(const intent::Reload &)
{
    if (s.stage == Stage::Planning)
        perform(effect::Reload{});
}

void Table::on(const intent::Approve &)
{
    if (s.readOnly || s.isBusy() || s.stage == Stage::Closed) {
        notice(Severity::Warning, tr("There is no plan to approve now"));
        return;
    }
    if (s.plan.hasOpenQuestions()) {
        rest(Why::Failed, tr("the plan has an open question"), 3);
        return;
    }
    // Numbers measured before this approval stay comparable only if it covers the same harness.
    const int from = s.remeasure ? s.nextNumber() : s.comparableFrom;
    s.comparableFrom = from;
    enter(Stage::Approving);
    perform(effect::RecordApproval{s.plan, from});
}

bool Table::mayWork(bool withAgent)
{
    if (s.stage == Stage::Closed) {
        rest(Why::Failed, tr("no workspace is open"), 1);
        return false;
    }
    if (s.readOnly) {
        rest(Why::Failed, tr("%1 was opened for reading only").arg(s.workspace), 1);
        return false;
    }
    if (s.isBusy() || (s.approved && !(withAgent && s.plan.hasOpenQuestions())))
        return true;
    if (s.stage == Stage::Failed) // opening again will tell
        return true;
    if (const PlanField *open = s.plan.firstOpen())
        rest(Why::Failed,
             tr("the plan has an open question: %1")
                 .arg(words::oneLine(open->problem.isEmpty() ? open->question : open->problem)),
             3);
    else if (!s.plan.refusal.isEmpty())
        rest(Why::Failed, s.plan.refusal, 3);
    else
        rest(Why::Failed, tr("the plan is not approved"), 4);
    return false;
}

void Table::on(const intent::Run &)
{
    if (!mayWork(true))
        return;
    if (s.mode != Mode::Running) {
        s.tokensOfRun = 0;
        s.dollarsBeforeRun = policy::dollarsSpent(s);
    }
    s.mode = Mode::Running;
    askToPause(false);
    begin();
}

void Table::on(const intent::Step &)
{
    if (!mayWork(true))
        return;
    s.mode = Mode::Stepping;
    askToPause(false);
    begin();
}

void Table::on(const intent::Pause &)
{
    if (s.isBusy() && s.mode != Mode::Resting)
        askToPause(true);
}

void Table::askToPause(bool asked)
{
    if (std::exchange(s.pauseRequested, asked) != asked)
        emitEvent(event::PauseAsked{asked});
}

void Table::on(const intent::Finish &)
{
    if (!mayWork())
        return;
    s.finishing = event::RunStopped{Why::Finished, tr("asked for"), 0};
    begin();
}

void Table::on(const intent::BenchEdit &edit)
{
    enqueue(edit);
}

void Table::on(const intent::Restore &restore)
{
    enqueue(restore);
}

void Table::on(const intent::Revert &revert)
{
    enqueue(revert);
}

void Table::enqueue(Waiting intent)
{
    if (!mayWork())
        return;
    s.waiting << std::move(intent);
    begin();
}

void Table::on(const intent::ContinueFrom &from)
{
    const IterationRecord *record = s.find(from.iteration);
    if (!record) {
        notice(Severity::Warning, tr("There is no iteration %1").arg(from.iteration));
        return;
    }
    if (!record->bench.correct)
        notice(Severity::Warning, tr("Iteration %1 is not correct; going on from it anyway").arg(from.iteration));
    s.chosenBase = from.iteration;
}

void Table::on(const intent::MeasureAgain &again)
{
    enqueue(again);
}

void Table::on(const intent::Annotate &given)
{
    const IterationRecord *record = s.find(given.iteration);
    if (!record)
        return notice(Severity::Warning, tr("There is no iteration %1").arg(given.iteration));
    if (s.readOnly)
        return notice(Severity::Warning, tr("%1 was opened for reading only").arg(s.workspace));
    if (given.accepted && record->bench.state != ResultState::Quarantined)
        return notice(Severity::Warning,
                      tr("Iteration %1 is not quarantined: there is nothing to decide").arg(given.iteration));
    s.annotations << given;
    if (!s.isBusy()) // else it would be committed into the midst of an entry
        writeAnnotations();
}

void Table::writeAnnotations()
{
    for (const intent::Annotate &given : std::exchange(s.annotations, {})) {
        const IterationRecord *known = s.find(given.iteration);
        if (!known)
            continue;
        IterationRecord record = *known;
        QString heading = tr("Note on iteration %1").arg(record.number);
        if (given.accepted) {
            record.triage = Triage{*given.accepted, words::plain(given.text), {}};
            heading = (*given.accepted ? tr("Quarantine of iteration %1 accepted as honest by a person")
                                       : tr("Quarantine of iteration %1 upheld by a person"))
                          .arg(record.number);
        } else {
            record.note = words::plain(given.text);
        }
        perform(effect::Annotate{record, {heading, words::plain(given.text)}});
    }
}

void Table::on(const outcome::Annotated &annotated)
{
    if (annotated.failure)
        return notice(Severity::Error, annotated.failure->message, annotated.failure->remedy);
    remember(annotated.record);
}

void Table::on(const intent::Stop &)
{
    s.waiting.clear();
    s.finishing.reset();
    s.pauseRequested = false;
    if (!s.isBusy()) {
        emitEvent(event::RunStopped{Why::Stopped, tr("nothing was running"), 0});
        return;
    }
    s.mode = Mode::Resting;
    s.stopRequested = true;
    if (s.stage == Stage::Proposing)
        perform(effect::CancelProposal{});
    if (s.stage == Stage::Benching || s.stage == Stage::Verifying)
        perform(effect::StopBench{});
}

void Table::begin()
{
    if (s.isBusy()) // taken up at the next boundary
        return;
    s.stopRequested = false;
    if (s.stage == Stage::Failed) {
        enter(Stage::Opening);
        perform(effect::Open{s.workspace, s.request, s.readOnly});
        return;
    }
    inspect();
}

void Table::rest(const event::RunStopped &stopped)
{
    const bool keepsPlace = s.stage == Stage::Closed || s.stage == Stage::Planning || s.stage == Stage::Failed;
    s.mode = Mode::Resting;
    s.pauseRequested = false;
    s.stopRequested = false;
    s.stopsAfterEntry = false;
    s.recovering = false;
    s.finishing.reset();
    s.waiting.clear();
    if (!s.draftIsKept)
        s.draft.reset();
    if (!s.hasBaseline()) // the kernel may be another until the next run, and so its copy
        s.prepared = false;
    if (!keepsPlace)
        enter(s.approved || s.readOnly ? Stage::Ready : Stage::Planning,
              s.approved && !s.hasBaseline() ? tr("no baseline yet") : QString());
    writeAnnotations();
    emitEvent(stopped);
}

void Table::rest(Why why, const QString &reason, int exitCode)
{
    rest(event::RunStopped{why, reason, exitCode});
}

void Table::stopped()
{
    rest(Why::Stopped, tr("stopped"), 0);
}

void Table::breakDown(const QString &reason, int exitCode)
{
    s.draft.reset();
    s.draftIsKept = false;
    s.afterDiscard.reset();
    if (const auto found = std::exchange(s.recovered, std::nullopt)) // its edit is where it was
        emitEvent(*found);
    enter(Stage::Failed, reason);
    rest(Why::Failed, reason, exitCode);
}

} // namespace ako
