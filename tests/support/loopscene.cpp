// SPDX-License-Identifier: GPL-3.0-or-later
#include "loopscene.h"

namespace ako::scene {

BenchResult benchResult(BenchMode mode, double ratio, double milliseconds)
{
    BenchResult result;
    result.mode = mode;
    result.state = mode == BenchMode::Verdict ? ResultState::Confirmed : ResultState::Provisional;
    result.status = QStringLiteral("OK");
    result.exitCode = 0;
    result.compiled = true;
    result.correct = true;
    result.margin = 0.005;
    result.solution = Timing{milliseconds, milliseconds, 0.98 * milliseconds, 1.05 * milliseconds};
    result.speedupOverChampion = Interval{ratio, ratio * 0.99, ratio * 1.01};
    if (mode == BenchMode::Verdict)
        result.speedupOverReference = Interval{2.0, 1.98, 2.02};
    return result;
}

BenchResult wrongResult(BenchMode mode)
{
    BenchResult result = benchResult(mode, 1.0);
    result.state = ResultState::Provisional;
    result.status = QStringLiteral("INCORRECT");
    result.exitCode = 1;
    result.correct = false;
    result.solution.reset();
    result.speedupOverChampion.reset();
    result.message = QStringLiteral("y[0] differs");
    return result;
}

IterationRecord baseline(double milliseconds)
{
    IterationRecord record;
    record.kind = IterationRecord::Kind::Baseline;
    record.label = QStringLiteral("baseline");
    record.status = IterationStatus::Baseline;
    record.commit = QStringLiteral("c0");
    record.solutionHash = QStringLiteral("hash-0");
    record.becameChampion = true;
    record.bench = benchResult(BenchMode::Verdict, 1.0, milliseconds);
    record.speedupOverBaseline = Interval{1.0, 1.0, 1.0};
    record.startedAt = QDateTime::fromSecsSinceEpoch(1000);
    return record;
}

IterationRecord iteration(int number, IterationStatus status, double milliseconds)
{
    IterationRecord record;
    record.number = number;
    record.label = QStringLiteral("iter-%1").arg(number);
    record.title = QStringLiteral("change %1").arg(number);
    record.status = status;
    record.parent = 0;
    record.commit = QStringLiteral("c%1").arg(number);
    record.solutionHash = QStringLiteral("hash-%1").arg(number);
    record.becameChampion = status == IterationStatus::Improved;
    record.bench = status == IterationStatus::Failed ? wrongResult(BenchMode::Signal)
                                                     : benchResult(BenchMode::Verdict, 1.0, milliseconds);
    record.startedAt = QDateTime::fromSecsSinceEpoch(1000 + number);
    return record;
}

ResolvedPlan plan()
{
    ResolvedPlan plan;
    plan.workspace = QStringLiteral("/w");
    plan.kernelName = QStringLiteral("matmul");
    return plan;
}

State ready()
{
    State state;
    state.stage = Stage::Ready;
    state.workspace = QStringLiteral("/w");
    state.branch = QStringLiteral("opt/matmul");
    state.plan = plan();
    state.approved = true;
    state.prepared = true;
    state.preparation = Preparation::Done;
    state.records = {baseline()};
    state.champion = 0;
    state.profile.summary = QStringLiteral("no figures");
    return state;
}

State readyAfter(const QList<IterationStatus> &statuses)
{
    State state = ready();
    for (const IterationStatus status : statuses) {
        const int number = state.nextNumber();
        state.records << iteration(number, status);
        if (status == IterationStatus::Improved)
            state.champion = number;
    }
    return state;
}

State during(Stage stage)
{
    State state = ready();
    state.stage = stage;
    state.mode = Mode::Running;
    switch (stage) {
    case Stage::Closed:
        state = State{};
        break;
    case Stage::Opening:
        state.records.clear();
        state.champion = -1;
        state.approved = false;
        state.plan = {};
        break;
    case Stage::Planning:
    case Stage::Approving:
        state.records.clear();
        state.champion = -1;
        state.approved = false;
        state.mode = Mode::Resting;
        break;
    case Stage::Preparing:
    case Stage::Profiling:
    case Stage::Inspecting:
    case Stage::Reassessing:
        break;
    case Stage::Ready:
    case Stage::Finished:
    case Stage::Failed:
        state.mode = Mode::Resting;
        break;
    default: {
        Draft draft;
        draft.record = iteration(1, IterationStatus::Failed);
        draft.record.commit.clear();
        draft.record.bench = {};
        draft.record.becameChampion = false;
        state.draft = draft;
        break;
    }
    }
    return state;
}

namespace {

struct Describer
{
    QString operator()(const event::PhaseChanged &phase) const
    {
        return QStringLiteral("phase:%1").arg(int(phase.phase));
    }
    QString operator()(const event::RunStopped &stopped) const
    {
        static const QStringList names{QStringLiteral("paused"),   QStringLiteral("step-done"),
                                       QStringLiteral("stopped"),  QStringLiteral("cap"),
                                       QStringLiteral("floor"),    QStringLiteral("exhausted"),
                                       QStringLiteral("finished"), QStringLiteral("failed")};
        return QStringLiteral("stopped:%1:%2").arg(names.value(int(stopped.why))).arg(stopped.exitCode);
    }
    QString operator()(const event::WorkspaceOpened &) const { return QStringLiteral("opened"); }
    QString operator()(const event::PlanResolved &plan) const
    {
        return plan.approved ? QStringLiteral("plan:approved") : QStringLiteral("plan");
    }
    QString operator()(const event::HistoryLoaded &) const { return QStringLiteral("history"); }
    QString operator()(const event::IterationRecorded &recorded) const
    {
        return QStringLiteral("recorded:%1").arg(recorded.record.label);
    }
    QString operator()(const event::ChampionChanged &changed) const
    {
        return QStringLiteral("champion:%1").arg(changed.iteration);
    }
    QString operator()(const event::BenchProgress &) const { return QStringLiteral("progress"); }
    QString operator()(const event::OutputAppended &) const { return QStringLiteral("output"); }
    QString operator()(const event::HintsSeen &seen) const
    {
        return QStringLiteral("hints:%1").arg(seen.firstIteration);
    }
    QString operator()(const event::Notice &) const { return QStringLiteral("notice"); }
    QString operator()(const event::PermissionAsked &) const { return QStringLiteral("asked"); }
    QString operator()(const event::PermissionSettled &) const { return QStringLiteral("settled"); }
    QString operator()(const event::Recovered &recovered) const
    {
        return QStringLiteral("recovered:%1:%2:%3").arg(recovered.iteration).arg(recovered.reached, recovered.action);
    }

    QString operator()(const event::PauseAsked &pause) const
    {
        return pause.asked ? QStringLiteral("pausing") : QStringLiteral("not pausing");
    }
    QString operator()(const effect::Emit &emitted) const { return std::visit(*this, emitted.event); }
    QString operator()(const effect::Bench &bench) const
    {
        return QStringLiteral("%1:%2:%3").arg(effectName(bench), bench.label).arg(bench.against);
    }
    QString operator()(const effect::ResetSolution &reset) const
    {
        return QStringLiteral("reset-solution:%1").arg(reset.iteration);
    }
    QString operator()(const effect::Discard &discard) const
    {
        return QStringLiteral("discard:%1").arg(discard.resetTo);
    }
    QString operator()(const effect::Mark &mark) const { return QStringLiteral("mark:%1").arg(stepName(mark.step)); }
    QString operator()(const effect::Commit &commit) const
    {
        return QStringLiteral("commit:%1").arg(commit.record.label);
    }
    template <typename Other>
    QString operator()(const Other &other) const
    {
        return effectName(Effect{other});
    }
};

} // namespace

QString describe(const Effect &effect)
{
    return std::visit(Describer{}, effect);
}

QString describe(const QList<Effect> &effects)
{
    QStringList texts;
    for (const Effect &effect : effects) {
        const QString text = describe(effect);
        if (!text.startsWith(QLatin1String("phase:")) && !text.startsWith(QLatin1String("mark:")))
            texts << text;
    }
    return texts.join(QLatin1Char(' '));
}

QString stageName(Stage stage)
{
    static const QStringList names{
        QStringLiteral("closed"),      QStringLiteral("opening"),    QStringLiteral("planning"),
        QStringLiteral("approving"),   QStringLiteral("preparing"),  QStringLiteral("profiling"),
        QStringLiteral("ready"),       QStringLiteral("inspecting"), QStringLiteral("resetting"),
        QStringLiteral("proposing"),   QStringLiteral("comparing"),  QStringLiteral("benching"),
        QStringLiteral("verifying"),   QStringLiteral("logging"),    QStringLiteral("committing"),
        QStringLiteral("reassessing"), QStringLiteral("discarding"), QStringLiteral("finished"),
        QStringLiteral("failed")};
    return names.value(int(stage));
}

QList<Stage> allStages()
{
    QList<Stage> stages;
    for (int stage = 0; stage <= int(Stage::Failed); ++stage)
        stages << Stage(stage);
    return stages;
}

} // namespace ako::scene
