// SPDX-License-Identifier: GPL-3.0-or-later
// From an iteration boundary to a candidate (spec 7 and 8).
#include "base/words.h"
#include "loop/policy.h"
#include "loop/reassessment.h"
#include "loop/table.h"

namespace ako {

namespace {

QString iterationLabel(int number)
{
    return QStringLiteral("iter-%1").arg(number);
}

} // namespace

void Table::inspect()
{
    enter(Stage::Inspecting);
    perform(effect::Inspect{s.hints});
}

void Table::on(const outcome::Inspected &seen)
{
    s.secondsRunning = seen.secondsRunning;
    if (seen.solutionIsKnown)
        s.solutionOf = seen.solutionOf;
    absorbHints(seen);
    if (s.stopRequested)
        return stopped();
    if (!harnessHolds(seen)) // before anything is written or run, whatever was asked for
        return;
    if (!s.prepared)
        return prepare(Preparation::Repository);
    if (!s.hasBaseline())
        return startBaseline();
    atBoundary(seen);
}

// In this order: nothing of a person's is overwritten, what was asked for comes before what the loop wants.
void Table::atBoundary(const outcome::Inspected &seen)
{
    if (takeUpKeptDraft(seen) || takeUpEdit(seen))
        return;
    if (s.remeasure)
        return startRemeasure();
    if (takeUpWaiting())
        return;
    if (s.finishing && isAsFinal(seen.solutionHash))
        return finishedAlready(s.records.last());
    if (s.finishing)
        return startFinish();
    if (s.mode == Mode::Resting)
        return rest(Why::StepDone, whatIsDone());
    if (s.pauseRequested)
        return rest(Why::Paused, tr("paused"));
    if (const auto stop = s.mode == Mode::Running ? policy::stopReason(s) : std::nullopt) {
        if (policy::isFinished(s)) // nothing has come since the last [final]
            return rest(*stop);
        s.finishing = stop;
        return startFinish();
    }
    if (s.plan.agent == QLatin1String("user"))
        return rest(Why::Paused, tr("waiting for an edit of solution/"));
    if (policy::isStalled(s))
        return reassess();
    startProposal();
}

void Table::absorbHints(const outcome::Inspected &seen)
{
    const QString before = capInForce(s.directives, s.plan.iterationCap);
    s.directives = seen.directives;
    if (const QString holds = capInForce(s.directives, s.plan.iterationCap); !holds.isEmpty() && holds != before)
        notice(Severity::Info, holds);
    if (seen.hints == s.hints)
        return;
    s.hints = seen.hints;
    if (s.hasBaseline() && !seen.hintsChange.isEmpty()) // what the baseline sees is no edit
        emitEvent(event::HintsSeen{s.nextNumber(), seen.hintsChange.added, seen.hintsChange.removed,
                                   seen.hintsChange.recognised});
}

bool Table::harnessHolds(const outcome::Inspected &seen)
{
    if (seen.harnessChanges.isEmpty())
        return true;
    harnessChanged(seen.harnessChanges);
    return false;
}

QString Table::approveAgain() const
{
    const QString how = tr("Look at the change, then approve the plan again (in the window, or with ako4all run)");
    return s.hasBaseline() ? tr("%1; numbers from before will not be compared with new ones.").arg(how)
                           : how + QLatin1Char('.');
}

void Table::harnessChanged(const QStringList &changes)
{
    const QString what = changes.join(QStringLiteral("; "));
    s.approved = false;
    s.remeasure = s.hasBaseline();
    s.draftIsKept = false; // its journal entry stays and is taken up after the approval
    notice(Severity::Warning, tr("What the measurement depends on has changed: %1").arg(what), approveAgain());
    emitEvent(event::PlanResolved{s.plan, false});
    rest(Why::Paused, tr("the harness has changed: %1").arg(what), 4);
}

// A candidate that an earlier process did not get to bench.
bool Table::takeUpKeptDraft(const outcome::Inspected &seen)
{
    if (!s.draftIsKept || !s.draft)
        return false;
    s.draftIsKept = false;
    if (seen.solutionHash == draft().record.solutionHash) {
        bench();
        return true;
    }
    discard(-1);
    return true;
}

bool Table::takeUpEdit(const outcome::Inspected &seen)
{
    const bool named = !s.waiting.isEmpty() && std::holds_alternative<intent::BenchEdit>(s.waiting.first());
    if (seen.solutionIsKnown) {
        if (!named)
            return false;
        s.waiting.removeFirst();
        const QString nothing = tr("solution/ is as an earlier entry left it: there is no edit to bench");
        notice(Severity::Warning, nothing, tr("Edit a file below solution/ first."));
        if (s.waiting.isEmpty() && !s.finishing && s.mode == Mode::Resting)
            rest(Why::Failed, nothing, 1);
        else
            inspect();
        return true;
    }
    intent::BenchEdit edit{tr("Edit by hand"), {}, {}};
    if (named) {
        edit = std::get<intent::BenchEdit>(s.waiting.first());
        s.waiting.removeFirst();
    }
    startEdit(edit, seen.solutionHash);
    return true;
}

void Table::startEdit(const intent::BenchEdit &edit, const QString &hash)
{
    Draft draft = newDraft(Origin::Edit, edit.title, s.find(s.solutionOf) ? s.solutionOf : s.champion);
    draft.record.hypothesis = words::plain(edit.hypothesis);
    draft.record.changes = words::plain(edit.changes);
    draft.record.agent = QStringLiteral("user");
    draft.record.solutionHash = hash;
    s.draft = draft;
    bench();
}

QString Table::whyNotTaken(const IterationRecord *target, int number, bool isRevert) const
{
    if (!target && s.nextNumber() == 1)
        return tr("There is no iteration %1: none has been made yet").arg(number);
    if (!target)
        return tr("There is no iteration %1: the last one is %2").arg(number).arg(s.nextNumber() - 1);
    if (target->commit.isEmpty())
        return tr("Iteration %1 has no commit to take solution/ from").arg(number);
    if (isRevert && number == 0)
        return tr("The baseline (0) is the original kernel: it has no change that could be reverted. To go back to it, "
                  "restore 0");
    return {};
}

QString Table::whatIsDone() const
{
    const int last = s.nextNumber() - 1;
    return last > 0 ? tr("iteration %1 is recorded").arg(last) : tr("the baseline is measured");
}

bool Table::takeUpWaiting()
{
    if (s.waiting.isEmpty())
        return false;
    const Waiting intent = s.waiting.takeFirst();
    const auto *restore = std::get_if<intent::Restore>(&intent);
    const auto *revert = std::get_if<intent::Revert>(&intent);
    const int number = restore ? restore->iteration : revert ? revert->iteration : -1;
    const IterationRecord *target = s.find(number);
    if (const QString why = whyNotTaken(target, number, revert != nullptr); !why.isEmpty()) {
        on(outcome::RevertRefused{why});
        return true;
    }
    if (restore) {
        s.draft = newDraft(Origin::Restore, tr("Restore iteration %1").arg(number), number);
        enter(Stage::Resetting);
        perform(effect::ResetSolution{number});
    } else {
        s.draft = newDraft(Origin::Revert, tr("Revert iteration %1: %2").arg(number).arg(target->title),
                           s.find(s.solutionOf) ? s.solutionOf : s.champion);
        enter(Stage::Resetting);
        perform(effect::MergeRevert{number});
    }
    draft().record.agent = QStringLiteral("user");
    return true;
}

void Table::on(const outcome::RevertRefused &refused)
{
    s.draft.reset();
    notice(Severity::Warning, refused.reason);
    if (s.stopRequested)
        return stopped();
    if (s.mode == Mode::Resting && s.waiting.isEmpty() && !s.finishing)
        return rest(Why::Failed, refused.reason, 1);
    inspect();
}

Draft Table::newDraft(Origin origin, const QString &title, int parent) const
{
    Draft draft;
    draft.origin = origin;
    draft.record.kind = IterationRecord::Kind::Iteration;
    draft.record.number = s.nextNumber();
    draft.record.label = iterationLabel(draft.record.number);
    draft.record.title = words::title(title);
    draft.record.parent = parent;
    draft.record.agent = s.plan.agent;
    return draft;
}

void Table::reassess()
{
    enter(Stage::Reassessing);
    perform(effect::Profile{*s.championRecord()});
}

int Table::baseOfNextProposal() const
{
    return s.find(s.chosenBase) ? s.chosenBase : s.champion;
}

void Table::startProposal()
{
    const int base = baseOfNextProposal();
    s.draft = newDraft(Origin::Agent, {}, base);
    enter(Stage::Resetting);
    perform(effect::ResetSolution{base});
}

// The champion's sources under the newly approved harness: where comparing starts anew.
void Table::startRemeasure()
{
    s.draft = newDraft(Origin::Remeasure, tr("Measure the champion under the changed harness"), s.champion);
    draft().record.agent = QStringLiteral("user");
    enter(Stage::Resetting);
    perform(effect::ResetSolution{s.champion});
}

void Table::on(const outcome::SolutionSet &set)
{
    if (!s.draft)
        return rest(Why::StepDone, whatIsDone());
    draft().record.solutionHash = set.hash;
    if (draft().origin != Origin::Revert) // the others put an entry's own bytes there
        s.solutionOf = draft().record.parent;
    if (s.stopRequested)
        return stopped();
    switch (draft().origin) {
    case Origin::Agent:
        return propose();
    case Origin::Remeasure:
    case Origin::Final:
    case Origin::Baseline:
        return verify();
    default:
        return bench();
    }
}

void Table::propose()
{
    ProposalRequest request;
    request.iteration = draft().record.number;
    request.champion = draft().record.parent;
    request.history = s.records;
    request.hints = s.hints;
    request.reassess = s.reassess;
    request.profileSummary = s.profile.summary;
    request.plan = s.plan.toMarkdown();
    request.knowledge = s.plan.knowledgeFiles;
    enter(Stage::Proposing);
    mark(JournalStep::Begun);
    perform(effect::Propose{draft().record, request});
}

void Table::keepAnalysis(const Proposal &proposal)
{
    const int previous = draft().record.number - 1;
    if (!proposal.analysisOfPrevious.isEmpty() && s.find(previous))
        s.analysis = Analysis{previous, words::plain(proposal.analysisOfPrevious)};
}

void Table::on(const outcome::Proposed &proposed)
{
    const Proposal &proposal = proposed.proposal;
    keepAnalysis(proposal);
    draft().record.agentMilliseconds = proposed.milliseconds;
    if (s.stopRequested || proposal.outcome == Proposal::Outcome::Cancelled)
        return discardDraft({Why::Stopped, tr("stopped"), 0}, draft().record.parent);
    if (s.reassess && proposal.outcome != Proposal::Outcome::Failed)
        tellReassessment(proposal);
    if (proposal.outcome == Proposal::Outcome::Exhausted)
        return agentExhausted(proposal);
    if (proposal.outcome == Proposal::Outcome::Failed)
        return agentFailed(proposal.error);
    draft().record.title = words::title(proposal.title);
    draft().record.hypothesis = words::plain(proposal.hypothesis);
    draft().record.changes = words::plain(proposal.changes);
    draft().record.direction = words::oneLine(proposal.direction);
    draft().record.agentData = proposal.agentData;
    enter(Stage::Comparing);
    perform(effect::CompareTree{});
}

// Once for each stall, also where the agent has to try twice.
void Table::tellReassessment(const Proposal &proposal)
{
    const QString heading = tr("Re-assessment after iteration %1").arg(s.reassessedAfter);
    const QString found = reassessmentText(s, proposal);
    s.notes.removeIf([&heading](const RunNote &note) { return note.heading == heading; });
    s.notes << RunNote{heading, found};
    notice(Severity::Info, heading + QLatin1Char('\n') + found);
}

void Table::agentFailed(const QString &reason)
{
    ++s.agentFailures;
    notice(Severity::Warning, tr("%1 made no candidate: %2").arg(s.plan.agent, reason));
    if (s.agentFailures >= policy::agentFailuresToStop || s.mode != Mode::Running)
        return discardDraft({Why::Failed, tr("the agent made no candidate: %1").arg(reason), 1}, draft().record.parent);
    discard(draft().record.parent);
}

void Table::agentExhausted(const Proposal &proposal)
{
    if (auto stop = policy::exhaustion(proposal.directions)) {
        if (s.mode != Mode::Running) // a single step ends here; finishing is for a person to ask
            return discardDraft(*stop, draft().record.parent);
        s.finishing = stop;
        discard(draft().record.parent);
        return;
    }
    if (!s.reassess && s.championRecord()) { // too little was tried: look again before resting
        draft().record.title.clear();
        return reassess();
    }
    discardDraft({Why::Paused,
                  tr("the agent has no further candidate after %n direction(s); give it a hint or choose another agent",
                     nullptr, int(proposal.directions.size())),
                  0},
                 draft().record.parent);
}

void Table::on(const outcome::Compared &compared)
{
    draft().record.solutionHash = compared.solutionHash;
    if (s.stopRequested)
        return discardDraft({Why::Stopped, tr("stopped"), 0}, draft().record.parent);
    if (!compared.outside.isEmpty())
        return quarantine(QStringLiteral("WROTE_OUTSIDE_SOLUTION"),
                          tr("files outside solution/ were changed and put back: %1")
                              .arg(compared.outside.join(QStringLiteral(", "))));
    if (!compared.frozen.isEmpty())
        return quarantine(
            QStringLiteral("CHANGED_FROZEN_FILE"),
            tr("HINTS.md says that these must not change: %1").arg(compared.frozen.join(QStringLiteral(", "))));
    if (!compared.changed)
        return agentFailed(tr("it changed nothing in solution/"));
    if (compared.sameAs >= 0)
        return agentFailed(tr("its candidate is the same as iteration %1").arg(compared.sameAs));
    tookATurn();
    bench();
}

void Table::tookATurn()
{
    s.agentFailures = 0;
    s.reassess = false;
    s.chosenBase = -1;
}

// What broke a rule is recorded and not benched.
void Table::quarantine(const QString &flag, const QString &why)
{
    tookATurn();
    notice(Severity::Warning, tr("The agent's candidate is not benched: %1").arg(why));
    BenchResult &bench = draft().record.bench;
    bench.state = ResultState::Quarantined;
    bench.status = QStringLiteral("INTEGRITY");
    bench.flags << flag;
    bench.message = why;
    mark(JournalStep::Benched); // there is nothing left to measure
    completeEntry();
}

} // namespace ako
