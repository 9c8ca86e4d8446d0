// SPDX-License-Identifier: GPL-3.0-or-later
// An iteration boundary: what is looked at there, and what is taken up next (spec 4, 7 and 8).
#include "base/words.h"
#include "loop/policy.h"
#include "loop/table.h"

namespace ako {

namespace {

struct WantedEntry
{
    int number = -1;
    bool isRevert = false;
};

WantedEntry wantedEntry(const Waiting &intent)
{
    if (const auto *restore = std::get_if<intent::Restore>(&intent))
        return {restore->iteration, false};
    if (const auto *again = std::get_if<intent::MeasureAgain>(&intent))
        return {again->iteration, false};
    const auto *revert = std::get_if<intent::Revert>(&intent);
    return {revert ? revert->iteration : -1, true};
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
    if (endsUnprepared(seen))
        return;
    if (!s.prepared)
        return prepare(Preparation::Repository);
    if (!s.hasBaseline())
        return startBaseline();
    atBoundary(seen);
}

// What was asked for and has nothing to do leaves all as it is, the branch included.
bool Table::endsUnprepared(const outcome::Inspected &seen)
{
    const bool mayEnd = !s.prepared && s.hasBaseline() && seen.solutionIsKnown && !s.draftIsKept && !s.remeasure;
    if (!mayEnd)
        return false;
    if (s.waiting.isEmpty() && s.finishing && isAsFinal(seen.solutionHash)) {
        finishedAlready(s.records.last());
        return true;
    }
    if (s.mode != Mode::Resting || s.finishing || s.waiting.size() != 1)
        return false;
    if (std::holds_alternative<intent::BenchEdit>(s.waiting.first()))
        return !wasInterrupted(seen) && takeUpEdit(seen);
    const auto [number, isRevert] = wantedEntry(s.waiting.first());
    if (whyNotTaken(s.find(number), number, isRevert).isEmpty())
        return false;
    return takeUpWaiting();
}

// In this order: nothing of a person's is overwritten, what was asked for comes before what the loop wants.
void Table::atBoundary(const outcome::Inspected &seen)
{
    writeAnnotations();
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
    s.directives = seen.directives;
    tellCapInForce(Severity::Info);
    if (seen.hints == s.hints)
        return;
    s.hints = seen.hints;
    if (s.hasBaseline() && !seen.hintsChange.isEmpty()) // what the baseline sees is no edit
        emitEvent(event::HintsSeen{s.nextNumber(), seen.hintsChange.added, seen.hintsChange.removed,
                                   seen.hintsChange.recognised, seen.directives.refused, seen.directives.unrecognised});
}

// Of two caps the smaller counts: once for each pair, where the one that counts is not the one just written.
void Table::tellCapInForce(Severity severity)
{
    const QString holds = capInForce(s.directives, s.plan.iterationCap);
    if (!holds.isEmpty() && holds != s.capTold)
        notice(severity, holds, tr("For another, change the plan's iteration cap and the line in HINTS.md."));
    s.capTold = holds;
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
    const QString how =
        tr("Look at the change (Run menu, What has changed; or ako4all harness), then put it back there, or approve "
           "the plan again (in the window, or with ako4all run)");
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
        nameKeptDraft();
        bench();
        return true;
    }
    discard(-1);
    return true;
}

// A person who benches the same edit once more says what it is called now.
void Table::nameKeptDraft()
{
    IterationRecord &record = draft().record;
    const bool isNamed = !s.waiting.isEmpty() && std::holds_alternative<intent::BenchEdit>(s.waiting.first());
    if (!isNamed || record.agent != QLatin1String("user"))
        return;
    const auto edit = std::get<intent::BenchEdit>(s.waiting.takeFirst());
    record.title = words::title(edit.title);
    if (!edit.hypothesis.isEmpty())
        record.hypothesis = words::plain(edit.hypothesis);
    if (!edit.changes.isEmpty())
        record.changes = words::plain(edit.changes);
}

// What lies in solution/ was given up unmeasured, as the program was killed while it was.
bool Table::wasInterrupted(const outcome::Inspected &seen) const
{
    const IterationRecord *entry = seen.solutionIsKnown ? s.find(seen.solutionOf) : nullptr;
    return entry && entry->bench.status == benchStatus::interrupted;
}

bool Table::takeUpEdit(const outcome::Inspected &seen)
{
    const bool named = !s.waiting.isEmpty() && std::holds_alternative<intent::BenchEdit>(s.waiting.first());
    if (seen.solutionIsKnown && !(named && wasInterrupted(seen))) {
        if (!named)
            return false;
        s.waiting.removeFirst();
        const IterationRecord *entry = s.find(seen.solutionOf);
        const QString nothing =
            tr("solution/ is as %1 left it: there is no edit to bench")
                .arg(!entry || entry->number == 0 ? tr("the baseline")
                                                  : tr("iteration %1 (%2)").arg(entry->number).arg(entry->title));
        notice(Severity::Warning, nothing, tr("Edit a file below solution/ first."));
        if (s.waiting.isEmpty() && !s.finishing && s.mode == Mode::Resting)
            rest(Why::StepDone, nothing, 1); // a wish that cannot be met breaks nothing
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
    const IterationRecord *from = s.find(s.solutionOf);
    if (from && from->solutionHash == hash) // the same bytes, measured once more
        from = s.find(from->parent);
    Draft draft = newDraft(Origin::Edit, edit.title, from ? from->number : s.champion);
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
    const auto [number, isRevert] = wantedEntry(intent);
    const IterationRecord *target = s.find(number);
    if (const QString why = whyNotTaken(target, number, isRevert); !why.isEmpty()) {
        on(outcome::RevertRefused{why});
        return true;
    }
    if (const auto *again = std::get_if<intent::MeasureAgain>(&intent)) {
        startMeasuringAgain(*again);
    } else if (!isRevert) {
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

// By a verdict whatever a signal would say: somebody wants to know.
void Table::startMeasuringAgain(const intent::MeasureAgain &again)
{
    const QString what = again.iteration == 0 ? tr("the baseline") : tr("iteration %1").arg(again.iteration);
    s.draft = newDraft(Origin::Again,
                       again.againstBaseline ? tr("Measure %1 against the baseline").arg(what)
                                             : tr("Measure %1 against the champion").arg(what),
                       again.iteration);
    s.draft->againstBaseline = again.againstBaseline;
    enter(Stage::Resetting);
    perform(effect::ResetSolution{again.iteration});
}

void Table::on(const outcome::RevertRefused &refused)
{
    s.draft.reset();
    notice(Severity::Warning, refused.reason);
    if (s.stopRequested)
        return stopped();
    if (s.mode == Mode::Resting && s.waiting.isEmpty() && !s.finishing)
        return rest(Why::StepDone, refused.reason, 1);
    inspect();
}

} // namespace ako
