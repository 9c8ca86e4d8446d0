// SPDX-License-Identifier: GPL-3.0-or-later
// Opening, recovering, approving, preparing (spec 5).
#include "bench/decision.h"
#include "loop/policy.h"
#include "loop/table.h"
#include "workspace/lacks.h"

#include <nlohmann/json.hpp>

namespace ako {

void Table::on(const outcome::EffectFailed &failure)
{
    notice(Severity::Error, failure.error.message, failure.error.remedy);
    if (s.stage == Stage::Opening && s.plan.workspace.isEmpty()) { // it could not be opened at all
        s.stage = Stage::Closed;
        s.draft.reset();
        emitEvent(event::PhaseChanged{Phase::Failed, -1, failure.error.message, {}});
        rest(Why::Failed, failure.error.message, failure.exitCode);
        return;
    }
    if (!s.isBusy()) // a plan field that could not be changed
        return;
    if (s.stage == Stage::Approving) {
        s.stage = Stage::Planning;
        enter(Stage::Planning);
        rest(Why::Failed, failure.error.message, failure.exitCode);
        return;
    }
    breakDown(failure.error.message, failure.exitCode);
}

void Table::on(const outcome::Opened &opened)
{
    takeUp(opened);
    if (opened.unfinished && !s.readOnly) {
        takeUpUnfinished(opened, *opened.unfinished);
        if (s.isBusy() && s.stage != Stage::Opening)
            return;
    }
    if (s.stopRequested) {
        s.stage = Stage::Ready;
        stopped();
        return;
    }
    enter(s.approved || (s.readOnly && s.hasBaseline()) ? Stage::Ready : Stage::Planning);
    if (s.mode == Mode::Resting && s.waiting.isEmpty() && !s.finishing)
        return;
    if (mayWork()) // asked for while it was being opened
        begin();
}

void Table::takeUp(const outcome::Opened &opened)
{
    s.workspace = opened.path;
    s.branch = opened.branch;
    s.plan = opened.plan;
    s.approved = opened.approved;
    s.prepared = false;
    s.records = opened.records;
    s.champion = opened.champion;
    s.comparableFrom = opened.comparableFrom;
    s.solutionOf = opened.solutionOf;
    const bool measuresAsApproved = opened.approved || opened.approvedButForQuestions;
    s.remeasure =
        s.hasBaseline() && (!measuresAsApproved || opened.champion < 0 || opened.champion < opened.comparableFrom);
    const bool championIsUnknown = s.hasBaseline() && !s.championRecord();
    if (championIsUnknown) // the one entry that is certain
        s.champion = 0;
    s.hints = opened.hints;
    s.directives = recogniseDirectives(opened.hints);
    emitEvent(event::WorkspaceOpened{opened.path, opened.branch});
    emitEvent(event::PlanResolved{opened.plan, opened.approved});
    emitEvent(event::HistoryLoaded{opened.records, s.champion});
    for (const event::HintsSeen &mark : opened.hintMarks)
        emitEvent(mark);
    for (const QString &warning : opened.warnings)
        notice(Severity::Warning, warning);
    if (championIsUnknown)
        notice(Severity::Warning,
               tr("The history does not say which iteration is the best: it goes on from the "
                  "baseline"),
               tr("Another one is taken with: ako4all restore WORKSPACE N"));
    if (!opened.harnessChanges.isEmpty())
        notice(
            Severity::Warning,
            tr("What the measurement depends on has changed: %1").arg(opened.harnessChanges.join(QStringLiteral("; "))),
            approveAgain());
}

event::Recovered Table::recoveryOf(const Unfinished &unfinished, const QString &action)
{
    const bool begun = unfinished.step == JournalStep::Begun;
    QString reached = begun ? QStringLiteral("begun") : stepName(unfinished.step);
    if (unfinished.step == JournalStep::Verified)
        reached = stepName(JournalStep::Benched);
    const bool isIteration = unfinished.record.kind == IterationRecord::Kind::Iteration;
    return {unfinished.record.number, reached, action, isIteration ? unfinished.record.parent : -1};
}

void Table::sayRecovered(const Unfinished &unfinished, const QString &action)
{
    emitEvent(recoveryOf(unfinished, action));
}

// Completes or discards what an earlier process left (spec 7).
void Table::takeUpUnfinished(const outcome::Opened &opened, const Unfinished &unfinished)
{
    const IterationRecord &record = unfinished.record;
    s.draft = Draft{Origin::Agent, record, false};
    s.recovering = true;
    if (record.kind == IterationRecord::Kind::Baseline)
        s.draft->origin = Origin::Baseline;
    if (record.kind == IterationRecord::Kind::Final)
        s.draft->origin = Origin::Final;
    if (opened.unfinishedIsCommitted) {
        Unfinished committed = unfinished;
        committed.step = JournalStep::Committed;
        sayRecovered(committed, QStringLiteral("completed"));
        mark(JournalStep::Committed);
        s.draft.reset();
        s.recovering = false;
        return;
    }
    const auto champion = comparableChampion();
    const bool signalOnly = unfinished.step == JournalStep::Benched &&
                            record.kind == IterationRecord::Kind::Iteration && record.bench.mode == BenchMode::Signal &&
                            deservesVerdict(record.bench, champion ? &*champion : nullptr);
    const bool complete = unfinished.step == JournalStep::Verified || unfinished.step == JournalStep::Logged ||
                          (unfinished.step == JournalStep::Benched && !signalOnly);
    const bool isNoBaseline = record.kind == IterationRecord::Kind::Baseline &&
                              decide(record, nullptr).status != IterationStatus::Baseline; // not correct, or stopped
    if (complete && !isNoBaseline) {
        sayRecovered(unfinished, QStringLiteral("completed"));
        if (unfinished.step == JournalStep::Logged) {
            enter(Stage::Committing);
            perform(effect::Commit{record});
        } else {
            completeEntry();
        }
        return;
    }
    if (gaveUpOn(opened, unfinished))
        return;
    const bool benchAgain = unfinished.step != JournalStep::Begun && opened.unfinishedIsIntact &&
                            record.kind == IterationRecord::Kind::Iteration && s.approved;
    if (benchAgain) {
        event::Recovered found = recoveryOf(unfinished, QStringLiteral("kept"));
        found.kept = QStringLiteral("solution");
        emitEvent(found);
        s.recovering = false;
        s.draftIsKept = true;
        return;
    }
    s.recovered = recoveryOf(unfinished, QStringLiteral("discarded"));
    enter(Stage::Discarding);
    // What a person has put into solution/ since stays.
    const bool half = unfinished.step == JournalStep::Begun || opened.unfinishedIsIntact;
    const bool isIteration = record.kind == IterationRecord::Kind::Iteration;
    discard(half && isIteration ? record.parent : -1);
}

// What ended the program twice while it was measured would do so for ever: that is what there is to log of it.
bool Table::gaveUpOn(const outcome::Opened &opened, const Unfinished &unfinished)
{
    const bool isIteration = unfinished.record.kind == IterationRecord::Kind::Iteration;
    if (unfinished.attempts < policy::attemptsToGiveUp || !isIteration || !opened.unfinishedIsIntact)
        return false;
    IterationRecord &record = draft().record;
    record.trajectory.clear(); // what the killed benches left is set aside
    record.signal.reset();
    record.bench = BenchResult{};
    record.bench.status = benchStatus::interrupted;
    record.bench.message = tr("the program was killed %n time(s) while it measured this candidate; it is not measured "
                              "again",
                              nullptr, unfinished.attempts);
    sayRecovered(unfinished, QStringLiteral("completed"));
    notice(Severity::Warning, tr("%1 counts as failed: %2").arg(record.label, record.bench.message),
           tr("What the benches printed is in .ako/discarded/. If it was not the candidate that ended the program, "
              "measure it again: ako4all restore WORKSPACE %1")
               .arg(record.number));
    completeEntry();
    return true;
}

void Table::on(const outcome::PlanChanged &changed)
{
    if (changed.reread && (s.stage != Stage::Planning || changed.plan.toJson() == s.plan.toJson()))
        return; // approved in the meantime, or the same
    const bool wasApproved = s.approved;
    const bool isAnotherCap = changed.plan.iterationCap != s.plan.iterationCap;
    s.plan = changed.plan;
    s.approved = wasApproved && changed.harnessStillApproved;
    if (wasApproved && !s.approved)
        s.remeasure = s.hasBaseline();
    emitEvent(event::PlanResolved{s.plan, s.approved});
    if (s.approved && isAnotherCap)
        tellCapInForce(Severity::Warning);
    if (s.stage == Stage::Planning || s.stage == Stage::Failed || !s.approved)
        enter(s.approved ? Stage::Ready : Stage::Planning);
}

void Table::on(const outcome::Approved &)
{
    s.approved = true;
    emitEvent(event::PlanResolved{s.plan, true});
    if (s.stopRequested)
        return stopped();
    prepare(Preparation::Repository);
}

void Table::prepare(Preparation step)
{
    s.preparation = step;
    enter(Stage::Preparing);
    perform(effect::Prepare{step, s.plan});
}

void Table::on(const outcome::Prepared &prepared)
{
    const bool isKnownNow = s.plan.identityMissing && s.preparation == Preparation::Repository;
    if (isKnownNow) // the repository is not made ready without
        forgetIdentityLack(s.plan);
    if (isKnownNow && prepared.branch == s.branch)
        emitEvent(event::PlanResolved{s.plan, s.approved});
    if (!prepared.branch.isEmpty() && prepared.branch != s.branch) {
        s.branch = prepared.branch;
        emitEvent(event::WorkspaceOpened{s.workspace, s.branch});
        emitEvent(event::PlanResolved{s.plan, s.approved});
        emitEvent(event::HistoryLoaded{s.records, s.champion});
    }
    for (const event::Notice &told : prepared.notices)
        emitEvent(told);
    if (prepared.hints && !s.hasBaseline()) // what the baseline sees is no edit
        s.hints = *prepared.hints;
    if (s.stopRequested)
        return stopped();
    if (prepared.foreign) // the approval holds: once it is moved away, the run goes on
        return solutionIsForeign(*prepared.foreign);
    if (!prepared.harnessChanges.isEmpty())
        return harnessChanged(prepared.harnessChanges);
    const auto next = Preparation(int(s.preparation) + 1);
    if (next != Preparation::Done)
        return prepare(next);
    s.preparation = next;
    s.prepared = true;
    afterPreparation();
}

void Table::solutionIsForeign(const Error &foreign)
{
    notice(Severity::Error, foreign.message, foreign.remedy);
    rest(Why::Failed, foreign.message, 4);
}

void Table::afterPreparation()
{
    if (!s.hasBaseline()) // what it is to be measured under is looked at once more
        return inspect();
    if (s.profile.summary.isEmpty() && s.championRecord()) {
        s.profileIsKnown = true;
        enter(Stage::Profiling);
        perform(effect::Profile{*s.championRecord()});
        return;
    }
    goOn();
}

void Table::startBaseline()
{
    Draft draft{Origin::Baseline, {}, false};
    draft.record.kind = IterationRecord::Kind::Baseline;
    draft.record.number = 0;
    draft.record.label = QStringLiteral("baseline");
    draft.record.title = tr("The original kernel");
    draft.record.agent = QStringLiteral("user");
    s.draft = draft;
    verify();
}

void Table::on(const outcome::Profiled &profiled)
{
    s.profile = profiled.report;
    if (s.stage == Stage::Reassessing) {
        s.reassess = true;
        s.reassessedAfter = s.nextNumber() - 1;
        if (s.stopRequested)
            return stopped();
        return startProposal();
    }
    if (!s.profileIsKnown)
        emitEvent(event::Notice{Severity::Info, s.profile.summary, {}});
    s.profileIsKnown = false;
    goOn();
}

} // namespace ako
