// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/engine.h"

#include "history/journal.h"
#include "loop/boundary.h"
#include "loop/killpoint.h"
#include "loop/opening.h"
#include "loop/originalkernel.h"
#include "loop/preparing.h"
#include "loop/recording.h"
#include "loop/restoring.h"
#include "loop/transition.h"

#include <QCoreApplication>
#include <QMetaObject>

namespace ako {

LoopEngine::LoopEngine(Ports ports, QObject *parent)
    : QObject(parent)
    , m_ports(std::move(ports))
    , m_proposing(m_session, m_ports, this)
    , m_benching(m_session, m_ports, this)
    , m_profiling(m_session, m_ports, this)
{
    using Source = event::OutputAppended::Source;
    connect(&m_planWatch, &PlanWatch::changed, this, [this] { handle(intent::Reload{}); });
    connect(&m_proposing, &Proposing::proposed, this, [this](const Proposal &proposal, qint64 milliseconds) {
        killPoint(QStringLiteral("propose"), "after");
        post(outcome::Proposed{proposal, milliseconds});
    });
    connect(&m_proposing, &Proposing::transcript, this,
            [this](const QString &text) { Q_EMIT happened(event::OutputAppended{Source::Agent, text}); });
    connect(&m_proposing, &Proposing::permissionAsked, this,
            [this](const PermissionQuestion &question) { Q_EMIT happened(event::PermissionAsked{question}); });
    connect(&m_proposing, &Proposing::permissionSettled, this, [this](quint64 number, const QString &outcome) {
        Q_EMIT happened(event::PermissionSettled{number, outcome});
    });
    connect(&m_benching, &Benching::benched, this, [this](const outcome::Benched &benched) {
        killPoint(m_state.stage == Stage::Verifying ? QStringLiteral("verdict") : QStringLiteral("bench"), "after");
        post(benched);
    });
    connect(&m_profiling, &Profiling::profiled, this,
            [this](const ProfileReport &report) { post(outcome::Profiled{report}); });
    connect(&m_benching, &Benching::outputAppended, this,
            [this](const QString &text) { Q_EMIT happened(event::OutputAppended{Source::Bench, text}); });
    connect(&m_benching, &Benching::progressChanged, this,
            [this](const QString &label, const QString &stage, double fraction) {
                Q_EMIT happened(event::BenchProgress{label, stage, fraction});
            });
}

LoopEngine::~LoopEngine() = default;

void LoopEngine::setSettings(const Settings &settings)
{
    m_settings = settings;
    m_session.benchProgram = settings.benchProgram;
    m_session.scaffoldFolder = settings.scaffoldFolder;
}

void LoopEngine::setIdentity(const Identity &identity)
{
    m_session.identity = identity;
}

// A time cap is about the time that a run takes, not about how long the workspace lies open.
void LoopEngine::watchClock(const LoopEvent &event)
{
    if (std::holds_alternative<intent::Run>(event) && m_state.mode != Mode::Running)
        m_running.start();
}

void LoopEngine::handle(const LoopEvent &event)
{
    watchClock(event);
    Transition step = transition(m_state, event);
    m_state = std::move(step.state);
    if (m_state.stopRequested)
        m_profiling.stop();
    carryOut(step.effects);
    watchPlan();
}

void LoopEngine::carryOut(const QList<Effect> &effects)
{
    for (const Effect &effect : effects) {
        if (!perform(effect))
            return;
    }
}

void LoopEngine::watchPlan()
{
    if (m_settings.watchesPlan && m_state.stage == Stage::Planning)
        m_planWatch.follow(m_state.plan);
    else
        m_planWatch.rest();
}

void LoopEngine::post(const LoopEvent &event)
{
    QMetaObject::invokeMethod(
        this,
        [this, event, generation = m_generation] {
            if (generation == m_generation)
                handle(event);
        },
        Qt::QueuedConnection);
}

void LoopEngine::failed(const Error &error, int exitCode)
{
    post(outcome::EffectFailed{error, exitCode});
}

bool LoopEngine::perform(const Effect &effect)
{
    if (!std::holds_alternative<effect::Emit>(effect))
        killPoint(effectName(effect), "before");
    return std::visit([this](const auto &value) { return on(value); }, effect);
}

template <typename Outcome>
void LoopEngine::answer(const QString &effect, Result<Outcome> result)
{
    killPoint(effect, "after");
    if (result)
        post(LoopEvent(*std::move(result)));
    else
        failed(result.error());
}

bool LoopEngine::on(const effect::Emit &emitted)
{
    RunEvent event = emitted.event;
    if (auto *phase = std::get_if<event::PhaseChanged>(&event))
        phase->since = QDateTime::currentDateTimeUtc();
    if (std::holds_alternative<event::WorkspaceOpened>(event))
        m_recovered.reset();
    if (const auto *recovered = std::get_if<event::Recovered>(&event); recovered && !recovered->kept.isEmpty())
        m_recovered = *recovered;
    Q_EMIT happened(event);
    return true;
}

bool LoopEngine::on(const effect::Open &open)
{
    m_proposing.forgetAgent();
    auto opened = openWorkspace(m_session, m_settings.withPlan ? m_ports.planner.get() : nullptr, open);
    if (!opened) // another process, or this one again, may open it
        m_session.lock.reset();
    answer(QStringLiteral("open"), std::move(opened));
    return true;
}

bool LoopEngine::on(const effect::Close &)
{
    ++m_generation;
    m_proposing.forgetAgent();
    m_benching.drop();
    m_profiling.drop();
    m_session.lock.reset();
    m_session.repository.reset();
    m_session.approval.reset();
    return true;
}

bool LoopEngine::on(const effect::ChangePlan &change)
{
    auto plan = m_ports.planner->change(change.key, change.value);
    if (!plan) {
        failed(plan.error());
        return false;
    }
    if (!m_state.hasBaseline())
        askOfForeignSolution(m_session, *plan);
    outcome::PlanChanged changed{*plan, false};
    if (m_session.approval && !plan->isMeasurementOpen())
        changed.harnessStillApproved = measuresTheSame(m_session.approval->plan, *plan);
    if (changed.harnessStillApproved && m_session.lock) { // a cap or an agent needs no new approval
        if (const auto done = m_ports.planner->save(); !done) {
            failed(done.error());
            return false;
        }
    }
    post(changed);
    return true;
}

bool LoopEngine::on(const effect::Reload &)
{
    watchPlan(); // first: what is written while it is read shows afterwards
    auto plan = m_ports.planner->reload();
    if (plan && !m_state.hasBaseline())
        askOfForeignSolution(m_session, *plan);
    if (plan)
        post(outcome::PlanChanged{*plan, false, true});
    else // nobody waits for it, and something else may have begun when an answer came
        Q_EMIT happened(event::Notice{Severity::Error, plan.error().message, plan.error().remedy});
    return true;
}

bool LoopEngine::on(const effect::RecordApproval &approval)
{
    auto done = recordApproval(m_session, approval);
    if (done)
        done = m_ports.planner->save();
    killPoint(QStringLiteral("record-approval"), "after");
    if (!done)
        failed(done.error());
    else
        post(outcome::Approved{});
    return true;
}

bool LoopEngine::on(const effect::Prepare &prepare)
{
    Result<outcome::Prepared> prepared;
    switch (prepare.step) {
    case Preparation::Repository:
        prepared = prepareRepository(m_session, prepare.plan);
        if (prepared && m_ports.machineNotices)
            prepared->notices << m_ports.machineNotices();
        break;
    case Preparation::Scaffold:
        prepared = prepareScaffold(m_session, prepare.plan);
        break;
    case Preparation::Solution:
        prepared = prepareSolution(m_session, prepare.plan, m_state.hasBaseline());
        break;
    default:
        prepared = prepareBenchScript(m_session, prepare.plan);
    }
    answer(effectName(prepare), std::move(prepared));
    return true;
}

bool LoopEngine::on(const effect::Profile &profile)
{
    Profiling::Order order{profile.record, {}, !m_state.profileIsKnown && !m_state.directives.noProfiler};
    if (!m_state.records.isEmpty()) // what is added to the last entry's folder is committed with the next entry
        order.folder = m_state.records.constLast().trajectory;
    m_profiling.start(order, m_state.plan);
    return true;
}

bool LoopEngine::on(const effect::Inspect &inspect)
{
    auto seen = inspectBoundary(m_session, inspect.hintsBefore, m_state.records);
    if (seen && m_running.isValid())
        seen->secondsRunning = m_running.elapsed() / 1000;
    answer(QStringLiteral("inspect"), std::move(seen));
    return true;
}

bool LoopEngine::on(const effect::ResetSolution &reset)
{
    const IterationRecord *target = m_state.find(reset.iteration);
    if (!target) {
        failed({QCoreApplication::translate("Loop", "There is no iteration %1").arg(reset.iteration), {}});
        return false;
    }
    answer(QStringLiteral("reset-solution"), resetSolution(m_session, *target, m_state.records));
    return true;
}

bool LoopEngine::on(const effect::MergeRevert &revert)
{
    const auto outcome = revertEntry(m_session, *m_state.find(revert.iteration), m_state.records);
    killPoint(QStringLiteral("merge-revert"), "after");
    if (!outcome)
        failed(outcome.error());
    else
        std::visit([this](const auto &value) { post(value); }, *outcome);
    return true;
}

bool LoopEngine::on(const effect::Mark &mark)
{
    const auto done = Journal(m_session.workspace).append(mark.step, mark.record);
    if (!done) {
        failed(done.error());
        return false;
    }
    return true;
}

bool LoopEngine::on(const effect::Propose &propose)
{
    if (const auto done = m_proposing.propose(m_state.plan, propose); !done)
        failed(done.error());
    return true;
}

bool LoopEngine::on(const effect::CancelProposal &)
{
    m_proposing.cancel();
    return true;
}

bool LoopEngine::on(const effect::CompareTree &)
{
    const IterationRecord draft = m_state.draft ? m_state.draft->record : IterationRecord{};
    answer(QStringLiteral("compare-tree"), m_proposing.compare(draft, m_state.records, m_state.directives.frozenPaths));
    return true;
}

bool LoopEngine::on(const effect::Bench &bench)
{
    if (const auto done = m_benching.start(bench, m_state.find(bench.against)); !done)
        failed(done.error());
    return true;
}

bool LoopEngine::on(const effect::StopBench &)
{
    m_benching.stop();
    return true;
}

bool LoopEngine::on(const effect::WriteEntry &entry)
{
    answer(QStringLiteral("write-entry"), writeEntry(m_session, entry));
    return true;
}

bool LoopEngine::on(const effect::Commit &commit)
{
    const IterationRecord *previous =
        commit.record.kind == IterationRecord::Kind::Iteration ? m_state.find(commit.record.number - 1) : nullptr;
    answer(QStringLiteral("commit"), commitEntry(m_session, commit, previous));
    return true;
}

bool LoopEngine::on(const effect::Annotate &annotate)
{
    auto done = annotateEntry(m_session, annotate);
    post(done ? *done : outcome::Annotated{annotate.record, done.error()});
    return true;
}

bool LoopEngine::on(const effect::Discard &discard)
{
    answer(QStringLiteral("discard"), discardEntry(m_session, discard, m_state.find(discard.resetTo)));
    return true;
}

} // namespace ako
