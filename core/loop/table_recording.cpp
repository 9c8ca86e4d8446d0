// SPDX-License-Identifier: GPL-3.0-or-later
// From a bench to its commit, and to the end (spec 5, 7 and 8).
#include "base/words.h"
#include "bench/decision.h"
#include "history/iterationorder.h"
#include "loop/policy.h"
#include "loop/table.h"

#include <utility>

namespace ako {

namespace {

constexpr int noDevice = 8; // exit statuses of the evaluator (spec 13)
constexpr int badProblem = 2;
constexpr int referenceInvalid = 7;
constexpr int unstable = 9;

// The measurement failed, not what was measured.
bool couldNotMeasure(int exitCode)
{
    return exitCode == noDevice || exitCode == unstable;
}

// The others are measured by a verdict alone.
bool followsASignal(Origin origin)
{
    return origin == Origin::Agent || origin == Origin::Edit || origin == Origin::Restore || origin == Origin::Revert;
}

} // namespace

void Table::bench()
{
    const IterationRecord &record = draft().record;
    enter(Stage::Benching, record.label);
    if (!draft().retried) // a second call of the same process is the same attempt
        mark(JournalStep::Edited);
    const BenchMode mode = s.plan.evaluator == EvaluatorKind::Custom ? BenchMode::Custom : BenchMode::Signal;
    perform(effect::Bench{record, record.label, mode, s.champion});
}

void Table::verify()
{
    const IterationRecord &record = draft().record;
    const bool first = s.stage != Stage::Benching && s.stage != Stage::Verifying; // no signal before it, no retry
    QString label = record.label;
    int against = s.champion;
    if (draft().origin == Origin::Final || draft().againstBaseline)
        against = 0;
    else if (draft().origin == Origin::Baseline || draft().origin == Origin::Remeasure)
        against = -1;
    else if (draft().origin != Origin::Again)
        label += QStringLiteral("-verdict");
    enter(Stage::Verifying, label);
    if (first)
        mark(JournalStep::Edited);
    const BenchMode mode = s.plan.evaluator == EvaluatorKind::Custom ? BenchMode::Custom : BenchMode::Verdict;
    perform(effect::Bench{record, label, mode, against});
}

void Table::on(const outcome::Benched &benched)
{
    IterationRecord &record = draft().record;
    tellProducts(benched.products);
    record.benchMilliseconds += benched.milliseconds;
    record.solutionHash = benched.solutionHash;
    if (!record.startedAt.isValid())
        record.startedAt = benched.startedAt;
    if (!benched.stopped && !draft().retried && couldNotMeasure(benched.result.exitCode)) {
        draft().retried = true;
        notice(Severity::Warning, tr("The bench could not measure (%1); trying once more").arg(benched.result.message));
        return s.stage == Stage::Benching ? bench() : verify();
    }
    if (s.stage == Stage::Verifying && followsASignal(draft().origin)) {
        record.signal = record.bench;
        record.verdictTrajectory = benched.trajectory;
    } else {
        record.trajectory = benched.trajectory;
    }
    record.bench = benched.result;
    if (record.kind == IterationRecord::Kind::Final)
        record.bench.speedupOverBaseline = finalOverBaseline(benched.result);
    mark(s.stage == Stage::Benching ? JournalStep::Benched : JournalStep::Verified);
    if (record.kind == IterationRecord::Kind::Baseline)
        return benchedBaseline();
    if (benched.stopped)
        return discardStopped();
    const auto champion = comparableChampion();
    const bool ask = s.stage == Stage::Benching && deservesVerdict(record.bench, champion ? &*champion : nullptr);
    if (ask) // a signal alone must not use up a candidate that a verdict might confirm
        return s.stopRequested ? discardStopped() : verify();
    const int exitCode = benched.result.exitCode;
    s.stopsAfterEntry = exitCode == badProblem || exitCode == referenceInvalid || exitCode == noDevice;
    completeEntry();
}

// A bench of a person's own measures one at a time: then the baseline's own run is what there is.
std::optional<Interval> Table::finalOverBaseline(const BenchResult &result) const
{
    const IterationRecord *baseline = s.find(0);
    if (result.speedupOverChampion || result.mode != BenchMode::Custom || !baseline || s.comparableFrom > 0)
        return result.speedupOverChampion;
    return runtimeRatio(*baseline, result, std::nullopt);
}

// Once in a run: solution/ is what is measured and committed, not what is built of it.
void Table::tellProducts(const QStringList &products)
{
    if (products.isEmpty() || s.productsTold)
        return;
    s.productsTold = true;
    notice(Severity::Info, tr("The bench leaves files in solution/ (%1): they are moved to .ako/bench-products/ after "
                              "each bench, as they are no part of the kernel")
                               .arg(words::listed(products, 3)));
}

// A person's stop says nothing about the candidate: no entry is made of it, and an agent will make it again. What a
// person wrote stays in solution/ and is benched with the next run.
void Table::discardStopped()
{
    const bool ofAnAgent = draft().origin == Origin::Agent && draft().record.agent != QLatin1String("user");
    const bool putBack = ofAnAgent || draft().origin == Origin::Revert;
    const bool staysEdited = !putBack && followsASignal(draft().origin);
    const QString reason = staysEdited ? tr("stopped before it was measured; solution/ stays as it is and is benched "
                                            "with the next run")
                                       : tr("stopped");
    discardDraft({Why::Stopped, reason, 0}, putBack ? draft().record.parent : -1);
}

void Table::benchedBaseline()
{
    const IterationRecord &record = draft().record;
    if (s.stopRequested)
        return discardDraft({Why::Stopped, tr("stopped before the baseline was measured"), 0}, -1);
    if (decide(record, nullptr).status == IterationStatus::Baseline)
        return completeEntry();
    const QString why = decide(record, nullptr).reason;
    if (couldNotMeasure(record.bench.exitCode)) {
        notice(Severity::Error, tr("The baseline could not be measured: %1").arg(why),
               tr("Let the machine come to rest, or look at _bench_output.txt; then run again."));
        return discardDraft({Why::Failed, tr("the baseline could not be measured: %1").arg(why), 1}, -1);
    }
    notice(Severity::Error, tr("The baseline is not correct: %1").arg(why),
           tr("What the bench said is in _bench_output.txt. Mend %1, or the reference where that is wrong, and run "
              "again: solution/ is a copy, which is then made anew.")
               .arg(s.plan.kernelFiles.value(0)));
    discardDraft({Why::Failed, tr("the baseline is not correct: %1").arg(why), 5}, -1);
}

// The champion as far as it can be compared: figures from another harness do not count.
std::optional<IterationRecord> Table::comparableChampion() const
{
    const IterationRecord *champion = s.championRecord();
    if (!champion)
        return std::nullopt;
    IterationRecord known = *champion;
    if (s.remeasure || known.number < s.comparableFrom) {
        known.bench = BenchResult{};
        known.signal.reset();
        known.speedup.reset();
        known.speedupOverBaseline.reset();
    }
    return known;
}

void Table::judge()
{
    IterationRecord &record = draft().record;
    if (draft().againstBaseline)
        return judgeAgainstBaseline();
    const auto champion = comparableChampion();
    applyDecision(record, champion ? &*champion : nullptr);
    if (record.becameChampion && !policy::mayBecomeChampion(record)) {
        record.becameChampion = false;
        if (record.status == IterationStatus::Improved)
            record.status = IterationStatus::NoChange;
        record.statusReason += tr("; a verdict has not confirmed it");
    }
    if (draft().origin == Origin::Remeasure)
        applyRemeasure();
}

void Table::applyRemeasure()
{
    IterationRecord &record = draft().record;
    if (record.status == IterationStatus::Failed)
        return;
    record.status = IterationStatus::NoChange;
    record.statusReason = tr("the champion under the changed harness; not compared with earlier numbers");
    record.becameChampion = policy::mayBecomeChampion(record);
}

// Side by side with the baseline, which says nothing about the champion of the moment.
void Table::judgeAgainstBaseline()
{
    IterationRecord &record = draft().record;
    record.bench.speedupOverBaseline = record.bench.speedupOverChampion;
    applyDecision(record, s.find(0));
    if (record.status == IterationStatus::Failed)
        return;
    record.bench.speedupOverChampion.reset();
    record.status = IterationStatus::NoChange;
    record.becameChampion = false;
}

void Table::completeEntry()
{
    judge();
    writeEntry();
}

void Table::writeEntry()
{
    std::optional<IterationRecord> previous;
    if (s.analysis) {
        for (IterationRecord &record : s.records) {
            if (record.kind != IterationRecord::Kind::Iteration || record.number != s.analysis->iteration)
                continue;
            record.analysis = s.analysis->text;
            previous = record;
        }
    }
    enter(Stage::Logging);
    perform(effect::WriteEntry{draft().record, previous, s.notes, s.records});
}

void Table::on(const outcome::Logged &logged)
{
    if (!logged.trajectory.isEmpty())
        draft().record.trajectory = logged.trajectory;
    s.notes.clear();
    if (s.analysis) {
        if (const IterationRecord *previous = s.find(s.analysis->iteration))
            emitEvent(event::IterationRecorded{*previous});
        s.analysis.reset();
    }
    enter(Stage::Committing);
    mark(JournalStep::Logged);
    perform(effect::Commit{draft().record});
}

void Table::on(const outcome::Committed &committed)
{
    IterationRecord record = draft().record;
    const Origin origin = draft().origin;
    record.commit = committed.id;
    mark(JournalStep::Committed);
    s.draft.reset();
    s.solutionOf = record.number;
    remember(record);
    afterEntry(record, origin);
}

void Table::remember(const IterationRecord &record)
{
    s.records.removeIf([&record](const IterationRecord &other) { return isSameEntry(other, record); });
    s.records.insert(placeFor(record, s.records), record);
    emitEvent(event::IterationRecorded{record});
    if (record.kind == IterationRecord::Kind::Final || !record.becameChampion || record.number <= s.champion)
        return;
    s.champion = record.number;
    emitEvent(event::ChampionChanged{record.number});
}

void Table::afterEntry(const IterationRecord &record, Origin origin)
{
    if (record.kind == IterationRecord::Kind::Final)
        return finished(record);
    if (record.becameChampion && record.number >= s.comparableFrom)
        s.remeasure = false;
    const bool failedRemeasure = origin == Origin::Remeasure && !record.becameChampion;
    if (s.mode == Mode::Stepping)
        s.mode = Mode::Resting;
    if (s.stopRequested)
        return stopped();
    if (failedRemeasure)
        return rest(Why::Failed,
                    tr("the champion cannot be confirmed under the changed harness: %1").arg(record.statusReason), 5);
    if (s.stopsAfterEntry)
        return rest(Why::Failed, tr("the bench itself cannot be used: %1").arg(record.bench.message), 1);
    if (record.kind == IterationRecord::Kind::Baseline && s.profile.summary.isEmpty()) {
        enter(Stage::Profiling);
        perform(effect::Profile{record});
        return;
    }
    goOn();
}

void Table::goOn()
{
    if (s.stopRequested)
        return stopped();
    const bool more = !s.waiting.isEmpty() || s.finishing || (s.remeasure && !s.recovering);
    if (s.recovering && s.mode == Mode::Resting && !more) { // opening was all that was asked for
        s.recovering = false;
        return enter(s.approved ? Stage::Ready : Stage::Planning);
    }
    s.recovering = false;
    if (!s.approved) {
        s.stage = Stage::Planning;
        if (!mayWork())
            return;
    }
    if (!s.prepared)
        return inspect();
    if (s.mode == Mode::Resting && !more)
        return rest(Why::StepDone, whatIsDone());
    if (s.pauseRequested && !more)
        return rest(Why::Paused, tr("paused"));
    inspect();
}

void Table::discard(int resetTo)
{
    if (resetTo >= 0)
        s.solutionOf = resetTo;
    enter(Stage::Discarding);
    perform(effect::Discard{draft().record, resetTo});
}

void Table::discardDraft(const event::RunStopped &then, int resetTo)
{
    s.afterDiscard = then;
    discard(resetTo);
}

void Table::on(const outcome::Discarded &discarded)
{
    mark(JournalStep::Discarded);
    if (auto found = std::exchange(s.recovered, std::nullopt)) {
        found->kept = discarded.kept;
        emitEvent(*found);
    }
    s.draft.reset();
    s.recovering = false;
    if (s.afterDiscard) {
        const event::RunStopped then = *s.afterDiscard;
        s.afterDiscard.reset();
        return rest(then);
    }
    if (s.stopRequested)
        return stopped();
    if (s.mode == Mode::Resting && s.waiting.isEmpty() && !s.finishing) { // after a recovery
        enter(s.approved ? Stage::Ready : Stage::Planning);
        return;
    }
    s.stage = Stage::Ready;
    if (mayWork())
        begin();
}

void Table::startFinish()
{
    const policy::Choice choice = policy::bestChoice(s);
    Draft draft{Origin::Final, {}, false};
    draft.record.kind = IterationRecord::Kind::Final;
    draft.record.number = choice.iteration;
    draft.record.parent = choice.iteration;
    draft.record.label = QStringLiteral("final");
    draft.record.title = choice.why;
    draft.record.analysis = choice.figures;
    draft.record.agent = s.plan.agent;
    s.draft = draft;
    s.notes << RunNote{tr("Stop"), s.finishing ? s.finishing->reason : tr("asked for")};
    enter(Stage::Resetting);
    perform(effect::ResetSolution{choice.iteration});
}

void Table::finished(const IterationRecord &record)
{
    const event::RunStopped stop = s.finishing.value_or(event::RunStopped{Why::Finished, tr("asked for"), 0});
    if (!record.bench.correct) {
        return rest(Why::Failed, tr("the final verdict is not correct: %1").arg(record.statusReason), 1);
    }
    const QList<int> unconfirmed = policy::passedOver(s, record);
    tellPassedOver(unconfirmed);
    restFinished({stop.why, tr("%1; %2").arg(stop.reason, whatIsKept(record)), 0, unconfirmed});
}

void Table::tellPassedOver(const QList<int> &numbers)
{
    if (numbers.isEmpty())
        return;
    QStringList shown;
    for (const int number : numbers)
        shown << tr("iteration %1 (%2x)").arg(number).arg(s.find(number)->speedupOverBaseline->estimate, 0, 'f', 2);
    notice(Severity::Info, tr("Measured faster once, but not confirmed: %1.").arg(words::listed(shown, 4)));
}

QString Table::whatIsKept(const IterationRecord &record)
{
    QString what = record.number == 0 ? tr("kept the baseline") : tr("restored iteration %1").arg(record.number);
    if (record.speedupOverBaseline && record.number != 0)
        what += tr(", %1x over the baseline [%2, %3]")
                    .arg(record.speedupOverBaseline->estimate, 0, 'f', 2)
                    .arg(record.speedupOverBaseline->low, 0, 'f', 2)
                    .arg(record.speedupOverBaseline->high, 0, 'f', 2);
    return what;
}

bool Table::isAsFinal(const QString &solutionHash) const
{
    const IterationRecord *kept = policy::isFinished(s) ? s.find(s.records.last().number) : nullptr;
    return kept && kept->solutionHash == solutionHash;
}

// Another verdict would only stand in the place of the first.
void Table::finishedAlready(const IterationRecord &record)
{
    restFinished({Why::Finished, tr("finished already: %1; nothing has changed since").arg(whatIsKept(record)), 0});
}

void Table::restFinished(const event::RunStopped &stop)
{
    s.mode = Mode::Resting;
    s.waiting.clear();
    s.finishing.reset();
    s.pauseRequested = false;
    s.stopRequested = false;
    enter(Stage::Finished);
    writeAnnotations();
    emitEvent(stop);
}

} // namespace ako
