// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/transition.h"

#include "support/loopscene.h"

#include <QTest>

#include <functional>

using namespace ako;
using namespace ako::scene;

Q_DECLARE_METATYPE(ako::State)
Q_DECLARE_METATYPE(ako::LoopEvent)
Q_DECLARE_METATYPE(ako::Stage)

namespace {

State with(State state, const std::function<void(State &)> &change)
{
    change(state);
    return state;
}

outcome::Inspected unchanged()
{
    outcome::Inspected seen;
    seen.solutionHash = QStringLiteral("hash-0");
    seen.solutionIsKnown = true;
    seen.solutionOf = 0;
    return seen;
}

outcome::Inspected edited()
{
    outcome::Inspected seen = unchanged();
    seen.solutionHash = QStringLiteral("by-hand");
    seen.solutionIsKnown = false;
    return seen;
}

outcome::Inspected harnessDiffers()
{
    outcome::Inspected seen = unchanged();
    seen.harnessChanges << QStringLiteral("ref.cpp was changed");
    return seen;
}

outcome::Inspected withHints()
{
    outcome::Inspected seen = unchanged();
    seen.hints = QStringLiteral("- stop after 1 iteration");
    seen.hintsChange.added << QStringLiteral("stop after 1 iteration");
    seen.directives.iterationCap = 1;
    return seen;
}

outcome::Benched benched(const BenchResult &result)
{
    return {result, QStringLiteral("trajectory/t"),      false,
            5,      QDateTime::fromSecsSinceEpoch(2000), QStringLiteral("hash-1")};
}

outcome::Benched stoppedBench()
{
    outcome::Benched bench = benched(wrongResult(BenchMode::Signal));
    bench.stopped = true;
    return bench;
}

outcome::Proposed proposed(Proposal::Outcome kind, const QStringList &directions = {})
{
    outcome::Proposed result;
    result.proposal.outcome = kind;
    result.proposal.title = QStringLiteral("tile of 32");
    result.proposal.directions = directions;
    return result;
}

outcome::Compared compared(bool changed, int sameAs = -1, const QStringList &outside = {})
{
    return {QStringLiteral("hash-new"), changed, sameAs, outside, {}};
}

State draftOf(Stage stage, Origin origin)
{
    State state = during(stage);
    state.draft->origin = origin;
    if (origin == Origin::Baseline) {
        state.draft->record.kind = IterationRecord::Kind::Baseline;
        state.draft->record.number = 0;
        state.draft->record.label = QStringLiteral("baseline");
        state.records.clear();
        state.champion = -1;
        state.profile = {};
    }
    if (origin == Origin::Final) {
        state.draft->record.kind = IterationRecord::Kind::Final;
        state.draft->record.number = 0;
        state.draft->record.label = QStringLiteral("final");
        state.finishing = event::RunStopped{event::RunStopped::Why::CapReached, QStringLiteral("cap"), 0};
    }
    return state;
}

outcome::Opened opened(bool approved = true)
{
    outcome::Opened result;
    result.path = QStringLiteral("/w");
    result.branch = QStringLiteral("opt/matmul");
    result.plan = plan();
    result.approved = approved;
    result.records = {baseline()};
    result.champion = 0;
    return result;
}

outcome::Opened openedWith(JournalStep step, BenchMode mode = BenchMode::Verdict, double ratio = 1.2)
{
    outcome::Opened result = opened();
    Unfinished unfinished;
    unfinished.step = step;
    unfinished.record = iteration(1, IterationStatus::Failed);
    unfinished.record.commit.clear();
    unfinished.record.bench = step >= JournalStep::Benched ? benchResult(mode, ratio) : BenchResult{};
    result.unfinished = unfinished;
    result.unfinishedIsIntact = true;
    return result;
}

State preparing(Preparation step)
{
    return with(during(Stage::Preparing), [step](State &s) {
        s.preparation = step;
        s.prepared = false;
    });
}

} // namespace

class TestTransition : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void row_data();
    void row();
    void intentInEveryStage_data();
    void intentInEveryStage();
    void stopEndsEveryStage_data();
    void stopEndsEveryStage();
    void analysisGoesIntoThePreviousEntry();
    void championNeedsAVerdict();
    void harnessChangeForgetsOldFigures();
    void capRaisedAfterAFinalRunsOn();
    void openingMeasuresAnewWhereNeeded_data();
    void openingMeasuresAnewWhereNeeded();
    void journalMarksStandBeforeWhatTheyGuard_data();
    void journalMarksStandBeforeWhatTheyGuard();

private:
    static void opening();
    static void preparingRows();
    static void restartRows();
    static void boundaryRows();
    static void proposalRows();
    static void benchRows();
    static void recordRows();
    static void recoveryRows();
};

namespace {

void add(const char *name, const State &state, const LoopEvent &event, Stage stage, const char *effects)
{
    QTest::newRow(name) << state << event << stage << QString::fromLatin1(effects);
}

} // namespace

void TestTransition::row_data()
{
    QTest::addColumn<State>("state");
    QTest::addColumn<LoopEvent>("event");
    QTest::addColumn<Stage>("stage");
    QTest::addColumn<QString>("effects");
    opening();
    preparingRows();
    boundaryRows();
    proposalRows();
    benchRows();
    recordRows();
    recoveryRows();
}

void TestTransition::opening()
{
    add("open", State{}, intent::Open{QStringLiteral("/w"), {}, false}, Stage::Opening, "open");
    add("open while busy", during(Stage::Benching), intent::Open{}, Stage::Benching, "notice");
    add("cannot be opened", with(State{}, [](State &s) { s.stage = Stage::Opening; }),
        outcome::EffectFailed{{QStringLiteral("no such folder"), {}}, 1}, Stage::Closed, "notice stopped:failed:1");
    State opening = during(Stage::Opening);
    opening.mode = Mode::Resting;
    add("opened, approved", opening, opened(), Stage::Ready, "opened plan:approved history");
    add("opened, not approved", opening, opened(false), Stage::Planning, "opened plan history");
    outcome::Opened question = opened(false);
    question.plan.fields << PlanField{QStringLiteral("kernel"), {}, {}, Certainty::Open, {}, {}, true,
                                      QStringLiteral("which?"), {}};
    add("opened, question", opening, question, Stage::Planning, "opened plan history");
    opening.mode = Mode::Running;
    add("opened, run was asked for", opening, opened(), Stage::Inspecting, "opened plan:approved history inspect");
    add("opened, run was asked for, not approved", opening, opened(false), Stage::Planning,
        "opened plan history stopped:failed:4");
    add("opened, run was asked for, question", opening, question, Stage::Planning,
        "opened plan history stopped:failed:3");
    outcome::Opened changed = opened(false);
    changed.harnessChanges << QStringLiteral("ref.cpp was changed");
    opening.mode = Mode::Resting;
    add("opened, harness changed", opening, changed, Stage::Planning, "opened plan history notice");
    opening.readOnly = true;
    add("opened for reading", opening, opened(false), Stage::Ready, "opened plan history");
    add("read only refuses to run", with(ready(), [](State &s) { s.readOnly = true; }), intent::Run{}, Stage::Ready,
        "stopped:failed:1");
    add("close", during(Stage::Ready), intent::Close{}, Stage::Closed, "close");
}

void TestTransition::preparingRows()
{
    State planning = during(Stage::Planning);
    add("approve", planning, intent::Approve{}, Stage::Approving, "record-approval");
    State question = planning;
    question.plan.fields << PlanField{QStringLiteral("kernel"), {}, {}, Certainty::Open, {}, {}, true,
                                      QStringLiteral("which?"), {}};
    add("approve with a question", question, intent::Approve{}, Stage::Planning, "stopped:failed:3");
    add("plan edit", planning, intent::ChangePlan{QStringLiteral("iterations"), QStringLiteral("5")}, Stage::Planning,
        "change-plan");
    add("plan edit while busy", during(Stage::Benching), intent::ChangePlan{}, Stage::Benching, "notice");
    add("reload", planning, intent::Reload{}, Stage::Planning, "reload");
    add("reload of what is approved", ready(), intent::Reload{}, Stage::Ready, "");
    add("reload while busy", during(Stage::Benching), intent::Reload{}, Stage::Benching, "");
    add("reloaded, and the same", planning, outcome::PlanChanged{plan(), false, true}, Stage::Planning, "");
    add("reloaded, and another", planning, outcome::PlanChanged{question.plan, false, true}, Stage::Planning, "plan");
    add("reloaded while it was approved", during(Stage::Approving), outcome::PlanChanged{question.plan, false, true},
        Stage::Approving, "");
    add("plan changed, other harness", ready(), outcome::PlanChanged{plan(), false}, Stage::Planning, "plan");
    add("plan changed, same harness", ready(), outcome::PlanChanged{plan(), true}, Stage::Ready, "plan:approved");
    add("plan edit refused", planning, outcome::EffectFailed{{QStringLiteral("unknown key"), {}}, 1}, Stage::Planning,
        "notice");
    add("approved", during(Stage::Approving), outcome::Approved{}, Stage::Preparing,
        "plan:approved prepare-repository");
    add("approval cannot be written", during(Stage::Approving),
        outcome::EffectFailed{{QStringLiteral("disk full"), {}}, 1}, Stage::Planning, "notice stopped:failed:1");
    add("repository ready", preparing(Preparation::Repository), outcome::Prepared{}, Stage::Preparing,
        "prepare-scaffold");
    add("new branch is told", preparing(Preparation::Repository),
        outcome::Prepared{QStringLiteral("opt/matmul-2"), {}, {}}, Stage::Preparing,
        "opened plan:approved history prepare-scaffold");
    add("scaffold ready", preparing(Preparation::Scaffold), outcome::Prepared{}, Stage::Preparing, "prepare-solution");
    add("solution ready", preparing(Preparation::Solution), outcome::Prepared{}, Stage::Preparing,
        "prepare-bench-script");
    State last = preparing(Preparation::BenchScript);
    add("resumed: no second baseline", last, outcome::Prepared{}, Stage::Inspecting, "inspect");
    last.records.clear();
    last.champion = -1;
    add("the harness is looked at before the baseline", last, outcome::Prepared{}, Stage::Inspecting, "inspect");
    add("detached HEAD", preparing(Preparation::Repository),
        outcome::EffectFailed{{QStringLiteral("detached"), QStringLiteral("git switch")}, 1}, Stage::Failed,
        "notice stopped:failed:1");
    add("run after a failure opens again", during(Stage::Failed), intent::Run{}, Stage::Opening, "open");
    add("baseline correct", draftOf(Stage::Verifying, Origin::Baseline), benched(benchResult(BenchMode::Verdict, 1.0)),
        Stage::Logging, "write-entry");
    add("baseline not correct", draftOf(Stage::Verifying, Origin::Baseline), benched(wrongResult(BenchMode::Verdict)),
        Stage::Discarding, "notice discard:-1");
    add("baseline refused: rests with 5",
        with(draftOf(Stage::Discarding, Origin::Baseline),
             [](State &s) { s.afterDiscard = event::RunStopped{event::RunStopped::Why::Failed, {}, 5}; }),
        outcome::Discarded{}, Stage::Ready, "stopped:failed:5");
    State committed = draftOf(Stage::Committing, Origin::Baseline);
    committed.draft->record = baseline();
    add("baseline committed: profile once", committed, outcome::Committed{QStringLiteral("c0")}, Stage::Profiling,
        "recorded:baseline champion:0 profile");
    add("profiled, running", during(Stage::Profiling), outcome::Profiled{}, Stage::Inspecting, "notice inspect");
    add("profiled, only approved", with(during(Stage::Profiling), [](State &s) { s.mode = Mode::Resting; }),
        outcome::Profiled{}, Stage::Ready, "notice stopped:step-done:0");
}

// However a run is started: the harness is compared first, and what was changed stops it before anything else is done.
void TestTransition::restartRows()
{
    const auto noBaseline = [](State &s) {
        s.records.clear();
        s.champion = -1;
    };
    const QList<std::pair<const char *, LoopEvent>> intents{
        {"run", intent::Run{}},          {"step", intent::Step{}},
        {"finish", intent::Finish{}},    {"iterate", intent::BenchEdit{QStringLiteral("t"), {}, {}}},
        {"restore", intent::Restore{0}}, {"revert", intent::Revert{1}}};
    const QList<std::pair<const char *, State>> rests{
        {"ready", ready()},
        {"finished", during(Stage::Finished)},
        {"not prepared", with(ready(), [](State &s) { s.prepared = false; })},
        {"no baseline", with(ready(), noBaseline)},
        {"no baseline, not prepared", with(during(Stage::Ready), [&](State &s) {
             noBaseline(s);
             s.prepared = false;
         })}};
    for (const auto &[place, state] : rests) {
        for (const auto &[name, intent] : intents) {
            const QString row = QStringLiteral("%1, %2").arg(QLatin1String(name), QLatin1String(place));
            add(qPrintable(row), state, intent, Stage::Inspecting, "inspect");
            add(qPrintable(row + QStringLiteral(", changed")), transition(state, intent).state, harnessDiffers(),
                Stage::Planning, "notice plan stopped:paused:4");
        }
    }
    const State before = with(during(Stage::Inspecting), [&](State &s) {
        noBaseline(s);
        s.prepared = false;
    });
    add("harness holds: prepare", before, unchanged(), Stage::Preparing, "prepare-repository");
    add("harness holds: baseline", with(before, [](State &s) { s.prepared = true; }), unchanged(), Stage::Verifying,
        "verdict:baseline:-1");
}

void TestTransition::boundaryRows()
{
    add("run", ready(), intent::Run{}, Stage::Inspecting, "inspect");
    restartRows();
    const State inspecting = during(Stage::Inspecting);
    add("boundary: propose from the champion", inspecting, unchanged(), Stage::Resetting, "reset-solution:0");
    add("boundary: hints", inspecting, withHints(), Stage::Resetting, "hints:1 reset-solution:0");
    add("boundary: hints with a cap already reached",
        with(readyAfter({IterationStatus::Improved}),
             [](State &s) {
                 s.stage = Stage::Inspecting;
                 s.mode = Mode::Running;
             }),
        withHints(), Stage::Resetting, "hints:2 reset-solution:1");
    add("boundary: harness changed", inspecting, harnessDiffers(), Stage::Planning, "notice plan stopped:paused:4");
    add("boundary: edit by hand is benched first", inspecting, edited(), Stage::Benching, "bench:iter-1:0");
    add("boundary: edit before a restore", with(inspecting, [](State &s) { s.waiting << intent::Restore{0}; }),
        edited(), Stage::Benching, "bench:iter-1:0");
    add("boundary: edit before finish", with(inspecting, [](State &s) { s.finishing = event::RunStopped{}; }), edited(),
        Stage::Benching, "bench:iter-1:0");
    add("boundary: chosen base",
        with(readyAfter({IterationStatus::Improved, IterationStatus::Regression}),
             [](State &s) {
                 s.stage = Stage::Inspecting;
                 s.mode = Mode::Running;
                 s.chosenBase = 2;
             }),
        unchanged(), Stage::Resetting, "reset-solution:2");
    add("boundary: pause", with(inspecting, [](State &s) { s.pauseRequested = true; }), unchanged(), Stage::Ready,
        "stopped:paused:0");
    add("boundary: cap",
        with(readyAfter({IterationStatus::Improved}),
             [](State &s) {
                 s.stage = Stage::Inspecting;
                 s.mode = Mode::Running;
                 s.plan.iterationCap = 1;
             }),
        unchanged(), Stage::Resetting, "reset-solution:1");
    add("boundary: a step goes beyond the cap",
        with(readyAfter({IterationStatus::Improved}),
             [](State &s) {
                 s.stage = Stage::Inspecting;
                 s.mode = Mode::Stepping;
                 s.plan.iterationCap = 1;
             }),
        unchanged(), Stage::Resetting, "reset-solution:1");
    add("boundary: the person is the agent", with(inspecting, [](State &s) { s.plan.agent = QStringLiteral("user"); }),
        unchanged(), Stage::Ready, "stopped:paused:0");
    const QList<IterationStatus> three{IterationStatus::NoChange, IterationStatus::Failed, IterationStatus::Regression};
    add("boundary: stall",
        with(readyAfter(three),
             [](State &s) {
                 s.stage = Stage::Inspecting;
                 s.mode = Mode::Running;
             }),
        unchanged(), Stage::Reassessing, "profile");
    add("boundary: two are no stall",
        with(readyAfter({IterationStatus::NoChange, IterationStatus::Failed}),
             [](State &s) {
                 s.stage = Stage::Inspecting;
                 s.mode = Mode::Running;
             }),
        unchanged(), Stage::Resetting, "reset-solution:0");
    add("reassessed: goes on",
        with(readyAfter(three),
             [](State &s) {
                 s.stage = Stage::Reassessing;
                 s.mode = Mode::Running;
             }),
        outcome::Profiled{}, Stage::Resetting, "reset-solution:0");
    add("boundary: remeasure after a changed harness", with(inspecting, [](State &s) { s.remeasure = true; }),
        unchanged(), Stage::Resetting, "reset-solution:0");

    const auto waiting = [](const Waiting &intent) {
        return with(readyAfter({IterationStatus::Improved}), [&intent](State &s) {
            s.stage = Stage::Inspecting;
            s.waiting << intent;
        });
    };
    add("iterate", ready(), intent::BenchEdit{QStringLiteral("unroll"), {}, {}}, Stage::Inspecting, "inspect");
    add("iterate: edit", waiting(intent::BenchEdit{QStringLiteral("unroll"), {}, {}}), edited(), Stage::Benching,
        "bench:iter-2:1");
    add("iterate: nothing edited", waiting(intent::BenchEdit{}), unchanged(), Stage::Ready,
        "notice stopped:step-done:1");
    add("restore", waiting(intent::Restore{1}), unchanged(), Stage::Resetting, "reset-solution:1");
    add("restore the baseline", waiting(intent::Restore{0}), unchanged(), Stage::Resetting, "reset-solution:0");
    add("restore what is not there", waiting(intent::Restore{9}), unchanged(), Stage::Ready,
        "notice stopped:step-done:1");
    add("measure again", waiting(intent::MeasureAgain{1, false}), unchanged(), Stage::Resetting, "reset-solution:1");
    add("measure what is not there", waiting(intent::MeasureAgain{9, false}), unchanged(), Stage::Ready,
        "notice stopped:step-done:1");
    add("measure again: a verdict at once",
        with(draftOf(Stage::Resetting, Origin::Again),
             [](State &s) {
                 s.records << iteration(1, IterationStatus::Improved);
                 s.champion = 1;
                 s.draft->record.number = 2;
                 s.draft->record.label = QStringLiteral("iter-2");
             }),
        outcome::SolutionSet{QStringLiteral("hash-0")}, Stage::Verifying, "verdict:iter-2:1");
    add("measure against the baseline",
        with(draftOf(Stage::Resetting, Origin::Again),
             [](State &s) {
                 s.records << iteration(1, IterationStatus::Improved);
                 s.champion = 1;
                 s.draft->againstBaseline = true;
             }),
        outcome::SolutionSet{QStringLiteral("hash-0")}, Stage::Verifying, "verdict:iter-1:0");
    add("revert", waiting(intent::Revert{1}), unchanged(), Stage::Resetting, "merge-revert");
    add("revert the baseline", waiting(intent::Revert{0}), unchanged(), Stage::Ready, "notice stopped:step-done:1");
    add("revert refused", with(draftOf(Stage::Resetting, Origin::Revert), [](State &s) { s.mode = Mode::Resting; }),
        outcome::RevertRefused{QStringLiteral("iteration 3 touches the same lines")}, Stage::Ready,
        "notice stopped:step-done:1");
    add("revert refused while running", draftOf(Stage::Resetting, Origin::Revert), outcome::RevertRefused{},
        Stage::Inspecting, "notice inspect");
    add("finish", ready(), intent::Finish{}, Stage::Inspecting, "inspect");
}

void TestTransition::proposalRows()
{
    add("agent's turn", during(Stage::Resetting), outcome::SolutionSet{QStringLiteral("hash-0")}, Stage::Proposing,
        "propose");
    add("restored: bench", draftOf(Stage::Resetting, Origin::Restore), outcome::SolutionSet{}, Stage::Benching,
        "bench:iter-1:0");
    add("reverted: bench", draftOf(Stage::Resetting, Origin::Revert), outcome::SolutionSet{}, Stage::Benching,
        "bench:iter-1:0");
    add("remeasure: verdict alone", draftOf(Stage::Resetting, Origin::Remeasure), outcome::SolutionSet{},
        Stage::Verifying, "verdict:iter-1:-1");
    add("final: against the baseline", draftOf(Stage::Resetting, Origin::Final), outcome::SolutionSet{},
        Stage::Verifying, "verdict:final:0");
    const State proposing = during(Stage::Proposing);
    add("candidate", proposing, proposed(Proposal::Outcome::Candidate), Stage::Comparing, "compare-tree");
    add("cancelled", proposing, proposed(Proposal::Outcome::Cancelled), Stage::Discarding, "discard:0");
    add("agent failed", proposing, proposed(Proposal::Outcome::Failed), Stage::Discarding, "notice discard:0");
    const QStringList directions{QStringLiteral("tiles (1, 2)"), QStringLiteral("unroll (3)"),
                                 QStringLiteral("flags (4)")};
    add("exhausted", proposing, proposed(Proposal::Outcome::Exhausted, directions), Stage::Discarding, "discard:0");
    add("exhausted too early", proposing, proposed(Proposal::Outcome::Exhausted, directions.mid(1)), Stage::Reassessing,
        "profile");
    add("exhausted again after a re-assessment", with(proposing, [](State &s) { s.reassess = true; }),
        proposed(Proposal::Outcome::Exhausted, directions.mid(1)), Stage::Discarding, "notice discard:0");
    const State comparing = during(Stage::Comparing);
    add("changed", comparing, compared(true), Stage::Benching, "bench:iter-1:0");
    add("nothing changed", comparing, compared(false), Stage::Discarding, "notice discard:0");
    add("same as an earlier one", comparing, compared(true, 4), Stage::Discarding, "notice discard:0");
    add("third time without a candidate", with(comparing, [](State &s) { s.agentFailures = 2; }), compared(false),
        Stage::Discarding, "notice discard:0");
    add("wrote outside solution/", comparing, compared(true, -1, {QStringLiteral("ref.cpp")}), Stage::Logging,
        "notice write-entry");
    outcome::Compared frozen = compared(true);
    frozen.frozen << QStringLiteral("solution/api.h");
    outcome::Compared unusable = compared(false);
    unusable.unusable = QStringLiteral("a name that is no text");
    add("cannot be read", comparing, unusable, Stage::Logging, "notice write-entry");
    add("changed a frozen file", comparing, frozen, Stage::Logging, "notice write-entry");
    State recovering = during(Stage::Discarding);
    recovering.recovered = event::Recovered{1, QStringLiteral("begun"), QStringLiteral("discarded")};
    add("discarded: what was found is told", recovering, outcome::Discarded{}, Stage::Inspecting,
        "recovered:1:begun:discarded inspect");
    add("not discarded: likewise", recovering, outcome::EffectFailed{Error{}, 1}, Stage::Failed,
        "notice recovered:1:begun:discarded stopped:failed:1");
    add("discarded: goes on", during(Stage::Discarding), outcome::Discarded{}, Stage::Inspecting, "inspect");
}

void TestTransition::benchRows()
{
    const State benching = during(Stage::Benching);
    add("signal: faster", benching, benched(benchResult(BenchMode::Signal, 1.1)), Stage::Verifying,
        "verdict:iter-1-verdict:0");
    add("signal: same", benching, benched(benchResult(BenchMode::Signal, 1.01)), Stage::Logging, "write-entry");
    add("signal: slower", benching, benched(benchResult(BenchMode::Signal, 0.8)), Stage::Logging, "write-entry");
    add("signal: wrong", benching, benched(wrongResult(BenchMode::Signal)), Stage::Logging, "write-entry");
    BenchResult noDevice = wrongResult(BenchMode::Signal);
    noDevice.exitCode = 8;
    add("no device: once more", benching, benched(noDevice), Stage::Benching, "notice bench:iter-1:0");
    BenchResult unstable = benchResult(BenchMode::Verdict, 1.2);
    unstable.exitCode = 9;
    unstable.state = ResultState::Invalid;
    add("unstable: once more", during(Stage::Verifying), benched(unstable), Stage::Verifying,
        "notice verdict:iter-1-verdict:0");
    add("baseline unstable twice",
        with(draftOf(Stage::Verifying, Origin::Baseline), [](State &s) { s.draft->retried = true; }), benched(unstable),
        Stage::Discarding, "notice discard:-1");
    add("no device twice", with(benching, [](State &s) { s.draft->retried = true; }), benched(noDevice), Stage::Logging,
        "write-entry");
    add("stopped while benching", with(benching, [](State &s) { s.stopRequested = true; }), stoppedBench(),
        Stage::Discarding, "discard:0");
    add("stop came too late for the bench: no verdict", with(benching, [](State &s) { s.stopRequested = true; }),
        benched(benchResult(BenchMode::Signal, 1.1)), Stage::Discarding, "discard:0");
    add("stop came too late for the bench: slower", with(benching, [](State &s) { s.stopRequested = true; }),
        benched(benchResult(BenchMode::Signal, 0.9)), Stage::Logging, "write-entry");
    add("stopped: a person's edit stays", draftOf(Stage::Benching, Origin::Edit), stoppedBench(), Stage::Discarding,
        "discard:-1");
    add("stopped: a restore stays", draftOf(Stage::Benching, Origin::Restore), stoppedBench(), Stage::Discarding,
        "discard:-1");
    add("stopped: a revert is put back", draftOf(Stage::Benching, Origin::Revert), stoppedBench(), Stage::Discarding,
        "discard:0");
    add("stopped: what is measured again", draftOf(Stage::Verifying, Origin::Again), stoppedBench(), Stage::Discarding,
        "discard:-1");
    add("stopped: the champion's measurement", draftOf(Stage::Verifying, Origin::Remeasure), stoppedBench(),
        Stage::Discarding, "discard:-1");
    add("verdict", during(Stage::Verifying), benched(benchResult(BenchMode::Verdict, 1.1)), Stage::Logging,
        "write-entry");
    add("final stopped", draftOf(Stage::Verifying, Origin::Final), stoppedBench(), Stage::Discarding, "discard:-1");
    add("final", draftOf(Stage::Verifying, Origin::Final), benched(benchResult(BenchMode::Verdict, 1.8)),
        Stage::Logging, "write-entry");
}

void TestTransition::recordRows()
{
    add("logged: commit at once", during(Stage::Logging), outcome::Logged{}, Stage::Committing, "commit:iter-1");
    add("log cannot be written", during(Stage::Logging), outcome::EffectFailed{{QStringLiteral("disk full"), {}}, 1},
        Stage::Failed, "notice stopped:failed:1");
    add("commit fails", during(Stage::Committing), outcome::EffectFailed{{QStringLiteral("locked"), {}}, 1},
        Stage::Failed, "notice stopped:failed:1");
    const State committing = during(Stage::Committing);
    const outcome::Committed committed{QStringLiteral("c1")};
    add("committed, running", committing, committed, Stage::Inspecting, "recorded:iter-1 inspect");
    add("committed, step", with(committing, [](State &s) { s.mode = Mode::Stepping; }), committed, Stage::Ready,
        "recorded:iter-1 stopped:step-done:0");
    add("committed, asked by hand", with(committing, [](State &s) { s.mode = Mode::Resting; }), committed, Stage::Ready,
        "recorded:iter-1 stopped:step-done:0");
    add("committed, pause", with(committing, [](State &s) { s.pauseRequested = true; }), committed, Stage::Ready,
        "recorded:iter-1 stopped:paused:0");
    add("committed, stop", with(committing, [](State &s) { s.stopRequested = true; }), committed, Stage::Ready,
        "recorded:iter-1 stopped:stopped:0");
    add("committed, new champion", with(committing, [](State &s) { s.draft->record.becameChampion = true; }), committed,
        Stage::Inspecting, "recorded:iter-1 champion:1 inspect");
    add("committed, a restore waits",
        with(committing,
             [](State &s) {
                 s.mode = Mode::Stepping;
                 s.waiting << intent::Restore{0};
             }),
        committed, Stage::Inspecting, "recorded:iter-1 inspect");
    State final = draftOf(Stage::Committing, Origin::Final);
    final.draft->record.bench = benchResult(BenchMode::Verdict, 1.8);
    add("final committed", final, outcome::Committed{QStringLiteral("c9")}, Stage::Finished,
        "recorded:final stopped:cap:0");
    final.draft->record.bench = wrongResult(BenchMode::Verdict);
    add("final wrong", final, outcome::Committed{QStringLiteral("c9")}, Stage::Ready,
        "recorded:final stopped:failed:1");
    State remeasured = draftOf(Stage::Committing, Origin::Remeasure);
    remeasured.remeasure = true;
    remeasured.comparableFrom = 1;
    remeasured.draft->record.becameChampion = true;
    add("champion measured anew", remeasured, committed, Stage::Inspecting, "recorded:iter-1 champion:1 inspect");
    remeasured.draft->record.becameChampion = false;
    add("champion wrong under the new harness", remeasured, committed, Stage::Ready,
        "recorded:iter-1 stopped:failed:5");
    State broken = committing;
    broken.stopsAfterEntry = true;
    add("the bench itself is broken", broken, committed, Stage::Ready, "recorded:iter-1 stopped:failed:1");
}

void TestTransition::recoveryRows()
{
    State opening = during(Stage::Opening);
    opening.mode = Mode::Resting;
    const char *loaded = "opened plan:approved history recovered:1:%1";
    const auto expect = [loaded](const char *rest) {
        return QString::fromLatin1(loaded).arg(QLatin1String(rest)).toLatin1();
    };
    // What is put aside is told once it is known where it is.
    const auto putAside = [&](const QString &name, const outcome::Opened &opened, int resetTo, const QString &told) {
        add(qPrintable(name), opening, opened, Stage::Discarding,
            qPrintable(QStringLiteral("opened plan:approved history discard:%1").arg(resetTo)));
        add(qPrintable(name + QStringLiteral(", put aside")), transition(opening, opened).state, outcome::Discarded{},
            Stage::Ready, qPrintable(QStringLiteral("recovered:") + told));
    };
    putAside(QStringLiteral("found: begun"), openedWith(JournalStep::Begun), 0, QStringLiteral("1:begun:discarded"));
    add("found: edited", opening, openedWith(JournalStep::Edited), Stage::Ready, expect("edited:kept").constData());
    outcome::Opened touched = openedWith(JournalStep::Edited);
    touched.unfinishedIsIntact = false;
    putAside(QStringLiteral("found: edited, and edited again by hand"), touched, -1,
             QStringLiteral("1:edited:discarded"));
    add("found: benched, no verdict needed", opening, openedWith(JournalStep::Benched, BenchMode::Signal, 0.9),
        Stage::Logging, expect("benched:completed write-entry").constData());
    add("found: benched, verdict needed", opening, openedWith(JournalStep::Benched, BenchMode::Signal, 1.2),
        Stage::Ready, expect("benched:kept").constData());
    add("found: verified", opening, openedWith(JournalStep::Verified), Stage::Logging,
        expect("benched:completed write-entry").constData());
    add("found: logged", opening, openedWith(JournalStep::Logged), Stage::Committing,
        expect("logged:completed commit:iter-1").constData());
    for (const auto step : {JournalStep::Edited, JournalStep::Benched}) {
        outcome::Opened again = openedWith(step, BenchMode::Signal, 1.2);
        const QString name = QStringLiteral("found: %1, killed twice").arg(stepName(step));
        again.unfinished->attempts = 2;
        add(qPrintable(name), opening, again, Stage::Logging,
            expect(qPrintable(stepName(step) + QStringLiteral(":completed notice write-entry"))).constData());
        again.unfinishedIsIntact = false;
        putAside(name + QStringLiteral(", edited since"), again, -1,
                 QStringLiteral("1:%1:discarded").arg(stepName(step)));
    }
    outcome::Opened wrong = openedWith(JournalStep::Verified);
    wrong.records.clear();
    wrong.champion = -1;
    wrong.unfinished->record = baseline();
    wrong.unfinished->record.bench = wrongResult(BenchMode::Verdict);
    putAside(QStringLiteral("found: a baseline that is not correct"), wrong, -1, QStringLiteral("0:benched:discarded"));
    outcome::Opened committed = openedWith(JournalStep::Logged);
    committed.unfinishedIsCommitted = true;
    add("found: committed, not marked", opening, committed, Stage::Ready, expect("committed:completed").constData());
    State recovering = during(Stage::Committing);
    recovering.mode = Mode::Resting;
    recovering.recovering = true;
    add("recovered: rests without a word", recovering, outcome::Committed{QStringLiteral("c1")}, Stage::Ready,
        "recorded:iter-1");
    recovering.mode = Mode::Running;
    recovering.prepared = false;
    add("recovered: run was asked for", recovering, outcome::Committed{QStringLiteral("c1")}, Stage::Inspecting,
        "recorded:iter-1 inspect");
    State kept = during(Stage::Inspecting);
    Draft draft;
    draft.record = iteration(1, IterationStatus::Failed);
    kept.draft = draft;
    kept.draftIsKept = true;
    outcome::Inspected same = edited();
    same.solutionHash = QStringLiteral("hash-1");
    add("kept candidate is benched", kept, same, Stage::Benching, "bench:iter-1:0");
    add("kept candidate was edited", kept, edited(), Stage::Discarding, "discard:-1");
}

void TestTransition::row()
{
    QFETCH(State, state);
    QFETCH(LoopEvent, event);
    QFETCH(Stage, stage);
    QFETCH(QString, effects);
    const Transition step = transition(state, event);
    QCOMPARE(describe(step.effects), effects);
    QCOMPARE(stageName(step.state.stage), stageName(stage));
}

void TestTransition::intentInEveryStage_data()
{
    QTest::addColumn<State>("state");
    QTest::addColumn<LoopEvent>("event");
    const QList<std::pair<const char *, LoopEvent>> intents{
        {"approve", intent::Approve{}},
        {"run", intent::Run{}},
        {"pause", intent::Pause{}},
        {"step", intent::Step{}},
        {"stop", intent::Stop{}},
        {"finish", intent::Finish{}},
        {"iterate", intent::BenchEdit{}},
        {"restore", intent::Restore{0}},
        {"revert", intent::Revert{1}},
        {"continue", intent::ContinueFrom{0}},
        {"plan", intent::ChangePlan{}},
        {"open", intent::Open{}},
        {"reload", intent::Reload{}},
        {"measure", intent::MeasureAgain{0, false}},
        {"note", intent::Annotate{0, QStringLiteral("odd"), {}}},
    };
    for (const Stage stage : allStages())
        for (const auto &[name, intent] : intents)
            QTest::addRow("%s: %s", qPrintable(stageName(stage)), name) << during(stage) << intent;
}

// What a person asks for while something is under way never disturbs the step that runs.
void TestTransition::intentInEveryStage()
{
    QFETCH(State, state);
    QFETCH(LoopEvent, event);
    const Transition step = transition(state, event);
    int awaited = 0;
    for (const Effect &effect : step.effects) {
        const bool answered =
            !std::holds_alternative<effect::Emit>(effect) && !std::holds_alternative<effect::CancelProposal>(effect) &&
            !std::holds_alternative<effect::StopBench>(effect) && !std::holds_alternative<effect::Mark>(effect) &&
            !std::holds_alternative<effect::Annotate>(effect);
        awaited += answered ? 1 : 0;
    }
    if (!state.isBusy()) {
        QVERIFY(awaited <= 1);
        const bool planEdit =
            std::holds_alternative<intent::ChangePlan>(event) || std::holds_alternative<intent::Reload>(event);
        QCOMPARE(step.state.isBusy(), awaited == 1 && !planEdit);
        return;
    }
    QCOMPARE(stageName(step.state.stage), stageName(state.stage));
    QCOMPARE(awaited, 0);
    QCOMPARE(step.state.draft.has_value(), state.draft.has_value());
}

void TestTransition::stopEndsEveryStage_data()
{
    QTest::addColumn<State>("state");
    QTest::addColumn<LoopEvent>("answer");
    QTest::addColumn<QString>("effects");
    const auto row = [](Stage stage, const LoopEvent &answer, const char *effects) {
        QTest::newRow(qPrintable(stageName(stage))) << during(stage) << answer << QString::fromLatin1(effects);
    };
    row(Stage::Opening, opened(), "opened plan:approved history stopped:stopped:0");
    row(Stage::Approving, outcome::Approved{}, "plan:approved stopped:stopped:0");
    row(Stage::Preparing, outcome::Prepared{}, "stopped:stopped:0");
    row(Stage::Profiling, outcome::Profiled{}, "notice stopped:stopped:0");
    row(Stage::Inspecting, unchanged(), "stopped:stopped:0");
    row(Stage::Resetting, outcome::SolutionSet{}, "stopped:stopped:0");
    row(Stage::Proposing, proposed(Proposal::Outcome::Cancelled), "discard:0");
    row(Stage::Comparing, compared(true), "discard:0");
    row(Stage::Benching, stoppedBench(), "discard:0");
    row(Stage::Verifying, stoppedBench(), "discard:0");
    row(Stage::Logging, outcome::Logged{}, "commit:iter-1");
    row(Stage::Committing, outcome::Committed{QStringLiteral("c1")}, "recorded:iter-1 stopped:stopped:0");
    row(Stage::Reassessing, outcome::Profiled{}, "stopped:stopped:0");
    row(Stage::Discarding, outcome::Discarded{}, "stopped:stopped:0");
}

void TestTransition::stopEndsEveryStage()
{
    QFETCH(State, state);
    QFETCH(LoopEvent, answer);
    QFETCH(QString, effects);
    const State stopping = transition(state, intent::Stop{}).state;
    const Transition step = transition(stopping, answer);
    QCOMPARE(describe(step.effects), effects);
    QCOMPARE(int(step.state.mode), int(Mode::Resting));
}

void TestTransition::analysisGoesIntoThePreviousEntry()
{
    State state = during(Stage::Proposing);
    state.records << iteration(1, IterationStatus::NoChange);
    state.draft->record = iteration(2, IterationStatus::Failed);
    outcome::Proposed answer = proposed(Proposal::Outcome::Candidate);
    answer.proposal.analysisOfPrevious = QStringLiteral("bound by memory");
    state = transition(state, answer).state;
    state = transition(state, compared(true)).state;
    const Transition step = transition(state, benched(benchResult(BenchMode::Signal, 1.0)));
    const auto *entry = std::get_if<effect::WriteEntry>(&step.effects.last());
    QVERIFY(entry && entry->previous);
    QCOMPARE(entry->previous->number, 1);
    QCOMPARE(entry->previous->analysis, QStringLiteral("bound by memory"));
    QCOMPARE(describe(transition(step.state, outcome::Logged{}).effects),
             QStringLiteral("recorded:iter-1 commit:iter-2"));
}

void TestTransition::championNeedsAVerdict()
{
    BenchResult doubtful = benchResult(BenchMode::Verdict, 1.5);
    doubtful.state = ResultState::Quarantined;
    const Transition step = transition(during(Stage::Verifying), benched(doubtful));
    const IterationRecord &record = step.state.draft->record;
    QVERIFY(!record.becameChampion);
    QCOMPARE(int(record.status), int(IterationStatus::Failed));
    const State proven = transition(during(Stage::Verifying), benched(benchResult(BenchMode::Verdict, 1.5))).state;
    QVERIFY(proven.draft->record.becameChampion);
    QCOMPARE(int(proven.draft->record.status), int(IterationStatus::Improved));
}

void TestTransition::harnessChangeForgetsOldFigures()
{
    State state = transition(during(Stage::Inspecting), harnessDiffers()).state;
    state = transition(state, intent::Approve{}).state;
    QCOMPARE(state.comparableFrom, 1);
    state = transition(state, outcome::Approved{}).state;
    QVERIFY(state.remeasure);
    for (int step = 0; step < 4; ++step)
        state = transition(state, outcome::Prepared{}).state;
    QCOMPARE(stageName(state.stage), QStringLiteral("inspecting"));
    // An edit by hand comes first; its ratio to the champion is of this session, its chained figures are gone.
    state = transition(state, edited()).state;
    BenchResult result = benchResult(BenchMode::Signal, 1.01);
    state = transition(state, benched(result)).state;
    QVERIFY(!state.draft->record.speedupOverBaseline);
    state = transition(state, outcome::Logged{}).state;
    Transition next = transition(state, outcome::Committed{QStringLiteral("c1")});
    next = transition(next.state, unchanged());
    QCOMPARE(describe(next.effects), QStringLiteral("reset-solution:0"));
    QCOMPARE(int(next.state.draft->origin), int(Origin::Remeasure));
    QCOMPARE(next.state.draft->record.number, 2);
}

void TestTransition::capRaisedAfterAFinalRunsOn()
{
    State state = readyAfter({IterationStatus::Improved});
    IterationRecord final = iteration(1, IterationStatus::Improved);
    final.kind = IterationRecord::Kind::Final;
    final.startedAt = QDateTime::fromSecsSinceEpoch(9000);
    state.records << final;
    state.plan.iterationCap = 1;
    state.stage = Stage::Inspecting;
    state.mode = Mode::Running;
    QCOMPARE(describe(transition(state, unchanged()).effects), QStringLiteral("stopped:cap:0"));
    state.plan.iterationCap = 2;
    QCOMPARE(describe(transition(state, unchanged()).effects), QStringLiteral("reset-solution:1"));
}

void TestTransition::openingMeasuresAnewWhereNeeded_data()
{
    QTest::addColumn<bool>("approved");
    QTest::addColumn<bool>("butForQuestions");
    QTest::addColumn<int>("comparableFrom");
    QTest::addColumn<bool>("anew");
    QTest::newRow("approved") << true << false << 0 << false;
    QTest::newRow("something else measures") << false << false << 0 << true;
    QTest::newRow("a question about the agent") << false << true << 0 << false;
    QTest::newRow("the champion is of another harness") << true << false << 3 << true;
}

void TestTransition::openingMeasuresAnewWhereNeeded()
{
    QFETCH(bool, approved);
    QFETCH(bool, butForQuestions);
    QFETCH(int, comparableFrom);
    QFETCH(bool, anew);
    State state = during(Stage::Opening);
    state.mode = Mode::Resting;
    outcome::Opened found = opened(approved);
    found.approvedButForQuestions = butForQuestions;
    found.comparableFrom = comparableFrom;
    QCOMPARE(transition(state, found).state.remeasure, anew);
}

void TestTransition::journalMarksStandBeforeWhatTheyGuard_data()
{
    QTest::addColumn<State>("state");
    QTest::addColumn<LoopEvent>("event");
    QTest::addColumn<QString>("marks");
    const auto row = [](const char *name, const State &state, const LoopEvent &event, const char *marks) {
        QTest::newRow(name) << state << event << QString::fromLatin1(marks);
    };
    row("turn", during(Stage::Resetting), outcome::SolutionSet{}, "mark:begun propose");
    row("candidate", during(Stage::Comparing), compared(true), "mark:edited bench");
    row("edit by hand", during(Stage::Inspecting), edited(), "mark:edited bench");
    row("signal, verdict follows", during(Stage::Benching), benched(benchResult(BenchMode::Signal, 1.2)),
        "mark:benched verdict");
    row("signal, no verdict", during(Stage::Benching), benched(benchResult(BenchMode::Signal, 1.0)),
        "mark:benched write-entry");
    row("verdict", during(Stage::Verifying), benched(benchResult(BenchMode::Verdict, 1.2)),
        "mark:verified write-entry");
    row("logged", during(Stage::Logging), outcome::Logged{}, "mark:logged commit");
    row("committed", during(Stage::Committing), outcome::Committed{QStringLiteral("c1")}, "mark:committed inspect");
    row("discarded", during(Stage::Discarding), outcome::Discarded{}, "mark:discarded inspect");
    row("quarantined", during(Stage::Comparing), compared(true, -1, {QStringLiteral("ref.cpp")}),
        "mark:benched write-entry");
    row("final", draftOf(Stage::Resetting, Origin::Final), outcome::SolutionSet{}, "mark:edited verdict");
}

void TestTransition::journalMarksStandBeforeWhatTheyGuard()
{
    QFETCH(State, state);
    QFETCH(LoopEvent, event);
    QFETCH(QString, marks);
    QStringList names;
    for (const Effect &effect : transition(state, event).effects) {
        const auto *mark = std::get_if<effect::Mark>(&effect);
        if (mark)
            names << describe(effect);
        else if (!std::holds_alternative<effect::Emit>(effect))
            names << effectName(effect);
    }
    QCOMPARE(names.join(QLatin1Char(' ')), marks);
}

QTEST_GUILESS_MAIN(TestTransition)
#include "tst_transition.moc"
