// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/policy.h"

#include "agents/agentsettings.h"
#include "bench/decision.h"

#include <QCoreApplication>
#include <QHash>
#include <QSet>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>

namespace ako::policy {

namespace {

QString translated(const char *text)
{
    return QCoreApplication::translate("Policy", text);
}

QString ratio(double value)
{
    return QString::number(value, 'f', 2) + QLatin1Char('x');
}

QString milliseconds(double value)
{
    return QString::number(value, 'g', 6) + QStringLiteral(" ms");
}

int iterationsMade(const State &state)
{
    return state.nextNumber() - 1;
}

std::optional<event::RunStopped> capReached(const State &state)
{
    const int made = iterationsMade(state);
    const int hinted = state.directives.iterationCap.value_or(0);
    const int planned = state.plan.iterationCap;
    const bool hintHolds = hinted > 0 && (planned <= 0 || hinted <= planned); // the smaller counts
    const int cap = hintHolds ? hinted : planned;
    if (cap <= 0 || made < cap)
        return std::nullopt;
    const QString count = cap == 1 ? translated("1 iteration") : translated("%1 iterations").arg(cap);
    const QString reason =
        (hintHolds ? translated("the cap of %1 in HINTS.md") : translated("the cap of %1 in the plan")).arg(count);
    return event::RunStopped{event::RunStopped::Why::CapReached, reason, 0};
}

std::optional<event::RunStopped> timeCapReached(const State &state)
{
    int cap = state.plan.timeCapSeconds;
    if (state.directives.timeCapSeconds)
        cap = cap > 0 ? std::min(cap, *state.directives.timeCapSeconds) : *state.directives.timeCapSeconds;
    if (cap <= 0 || state.secondsRunning < cap)
        return std::nullopt;
    return event::RunStopped{event::RunStopped::Why::CapReached, translated("the time cap of %1 s").arg(cap), 0};
}

// How an entry compares with the baseline: the interleaved figure where there is one, else the mean times.
struct Candidate
{
    const IterationRecord *record = nullptr;
    double speedup = 0.0;
    double low = 0.0;
    double mean = 0.0;
    double minimum = 0.0;
    double spread = 0.0; // of the mean
};

std::optional<Candidate> candidateFrom(const IterationRecord &record)
{
    if (!record.bench.solution || record.bench.solution->mean <= 0.0)
        return std::nullopt;
    const Timing &timing = *record.bench.solution;
    Candidate candidate{&record, 0.0, 0.0, timing.mean, timing.minimum, 0.0};
    candidate.spread = (timing.maximum - timing.minimum) / timing.mean;
    if (record.speedupOverBaseline) {
        candidate.speedup = record.speedupOverBaseline->estimate;
        candidate.low = record.speedupOverBaseline->low;
    }
    return candidate;
}

// Champions were each shown faster than the one before in one session, so the later one wins where figures agree.
bool isBetter(const Candidate &left, const Candidate &right)
{
    const bool compared = left.speedup > 0.0 && right.speedup > 0.0;
    if (compared && left.low > right.speedup)
        return true;
    if (compared && right.low > left.speedup)
        return false;
    if (left.mean != right.mean)
        return left.mean < right.mean;
    if (left.minimum != right.minimum)
        return left.minimum < right.minimum;
    return left.spread <= right.spread;
}

QString explanation(const Candidate &best)
{
    QString text =
        translated("Chosen by its own verdict: mean %1, minimum %2, spread %3 %, correct")
            .arg(milliseconds(best.mean), milliseconds(best.minimum), QString::number(100.0 * best.spread, 'f', 1));
    if (best.speedup > 0.0)
        text += translated("; %1 over the baseline then").arg(ratio(best.speedup));
    return text;
}

} // namespace

double dollarsSpent(const State &state)
{
    QHash<QString, double> bySession;
    const auto add = [&bySession](const QString &agentData) {
        const nlohmann::json data = nlohmann::json::parse(agentData.toStdString(), nullptr, false);
        if (!data.is_object() || !data.contains("session") || !data.contains("cost") || !data["cost"].is_string())
            return;
        const QString cost = QString::fromStdString(data["cost"].get<std::string>());
        if (cost.section(QLatin1Char(' '), 1) != QLatin1String("USD"))
            return;
        double &known = bySession[QString::fromStdString(data["session"].dump())];
        known = std::max(known, cost.section(QLatin1Char(' '), 0, 0).toDouble());
    };
    for (const IterationRecord &record : state.records)
        add(record.agentData);
    for (const QString &data : state.turnData)
        add(data);
    return std::accumulate(bySession.cbegin(), bySession.cend(), 0.0);
}

namespace {

std::optional<event::RunStopped> costCapReached(const State &state)
{
    const double cap = state.directives.costCapDollars.value_or(-1.0);
    const double spent = cap < 0.0 ? 0.0 : dollarsSpent(state);
    if (cap < 0.0 || spent <= 0.0 || spent < cap)
        return std::nullopt;
    return event::RunStopped{
        event::RunStopped::Why::CapReached,
        translated("the cost cap of $%1 is reached: the agent reports $%2").arg(cap, 0, 'f', 2).arg(spent, 0, 'f', 2),
        0};
}

std::optional<event::RunStopped> costBudgetUsed(const State &state)
{
    const double budget = agentSettingsOf(state.plan).costBudget;
    const double spent = budget > 0.0 ? dollarsSpent(state) - state.dollarsBeforeRun : 0.0;
    if (budget <= 0.0 || spent < budget)
        return std::nullopt;
    return event::RunStopped{event::RunStopped::Why::CapReached,
                             translated("the cost budget of $%1 is used: the agent reports $%2")
                                 .arg(budget, 0, 'f', 2)
                                 .arg(spent, 0, 'f', 2),
                             0};
}

std::optional<event::RunStopped> tokenBudgetUsed(const State &state)
{
    const qint64 budget = agentSettingsOf(state.plan).tokenBudget;
    if (budget <= 0 || state.tokensOfRun < budget)
        return std::nullopt;
    return event::RunStopped{
        event::RunStopped::Why::CapReached,
        translated("the token budget of %1 is used: the agent took %2").arg(budget).arg(state.tokensOfRun), 0};
}

} // namespace

int iterationsWithoutImprovement(const State &state)
{
    int count = 0;
    for (qsizetype i = state.records.size() - 1; i >= 0; --i) {
        const IterationRecord &record = state.records.at(i);
        if (record.kind == IterationRecord::Kind::Final)
            continue;
        if (record.kind == IterationRecord::Kind::Baseline || record.number <= state.reassessedAfter)
            break;
        if (record.status == IterationStatus::Improved)
            break;
        ++count;
    }
    return count;
}

bool isStalled(const State &state)
{
    return iterationsWithoutImprovement(state) >= stallLength;
}

std::optional<event::RunStopped> stopReason(const State &state)
{
    if (auto stop = capReached(state))
        return stop;
    if (auto stop = timeCapReached(state))
        return stop;
    if (auto stop = costCapReached(state))
        return stop;
    if (auto stop = costBudgetUsed(state))
        return stop;
    if (auto stop = tokenBudgetUsed(state))
        return stop;
    if (const auto evidence = floorEvidence(state))
        return event::RunStopped{event::RunStopped::Why::FloorReached, *evidence, 0};
    return std::nullopt;
}

std::optional<QString> floorEvidence(const State &state)
{
    const IterationRecord *champion = state.championRecord();
    if (!champion || champion->bench.state != ResultState::Confirmed || champion->bench.workloads.isEmpty())
        return std::nullopt;
    QStringList lines;
    for (const WorkloadResult &workload : champion->bench.workloads) {
        if (!workload.solution) // checked for correctness only
            continue;
        if (!workload.practicalMs || workload.solution->median * floorReachedAt > *workload.practicalMs)
            return std::nullopt;
        // Faster than the peaks allow: then the peaks were measured while other work ran, and show no floor.
        if (workload.solution->median < *workload.practicalMs * floorReachedAt)
            return std::nullopt;
        lines << translated("%1 takes %2 where measured peaks allow %3")
                     .arg(workload.id, milliseconds(workload.solution->median), milliseconds(*workload.practicalMs));
    }
    if (lines.isEmpty())
        return std::nullopt;
    return translated("the floor is reached (iteration %1): %2")
        .arg(champion->number)
        .arg(lines.join(QStringLiteral("; ")));
}

std::optional<event::RunStopped> exhaustion(const QStringList &directions)
{
    const QSet<QString> distinct(directions.begin(), directions.end());
    if (distinct.size() < directionsToStop)
        return std::nullopt;
    const QString reason =
        translated("%1 directions are exhausted: %2").arg(distinct.size()).arg(directions.join(QStringLiteral("; ")));
    return event::RunStopped{event::RunStopped::Why::Exhausted, reason, 0};
}

bool mayBecomeChampion(const IterationRecord &record)
{
    if (!record.bench.correct || record.bench.state == ResultState::Quarantined ||
        record.bench.state == ResultState::Invalid)
        return false;
    if (record.bench.mode == BenchMode::Custom)
        return true; // the user's script is its own verdict
    return record.bench.mode == BenchMode::Verdict && record.bench.state == ResultState::Confirmed;
}

Choice bestChoice(const State &state)
{
    std::optional<Candidate> best;
    for (const IterationRecord &record : state.records) {
        const bool eligible = record.kind != IterationRecord::Kind::Final && record.becameChampion &&
                              record.number >= state.comparableFrom && mayBecomeChampion(record);
        const auto candidate = eligible ? candidateFrom(record) : std::nullopt;
        if (candidate && (!best || isBetter(*candidate, *best)))
            best = candidate;
    }
    if (!best)
        return {std::max(state.champion, 0), translated("the last champion; no later figures can be compared"), {}};
    if (best->record->number == 0)
        return {0, translated("no iteration was faster than the baseline"), {}};
    return {best->record->number, translated("the fastest that a verdict confirmed"), explanation(*best)};
}

QList<int> passedOver(const State &state, const IterationRecord &kept)
{
    // Of a final the iteration that it restored: figures multiplied from steps are compared with their like.
    const IterationRecord *restored = state.find(kept.number);
    const auto &figure = (restored ? *restored : kept).speedupOverBaseline;
    const double least = (figure ? figure->estimate : 1.0) * (1 + DecisionPolicy{}.improvement);
    QList<const IterationRecord *> found;
    for (auto record = state.records.cbegin(); record != state.records.cend(); ++record) {
        const bool isOpen = record->kind == IterationRecord::Kind::Iteration &&
                            record->number >= state.comparableFrom && record->status == IterationStatus::NoChange &&
                            record->bench.correct && record->bench.state != ResultState::Quarantined &&
                            record->bench.state != ResultState::Invalid;
        const auto isSame = [&](const IterationRecord &other) { return other.solutionHash == record->solutionHash; };
        if (isOpen && record->speedupOverBaseline && record->speedupOverBaseline->estimate > least &&
            std::none_of(record + 1, state.records.cend(), isSame))
            found << &*record;
    }
    std::ranges::sort(found, std::ranges::greater{},
                      [](const IterationRecord *record) { return record->speedupOverBaseline->estimate; });
    QList<int> numbers;
    for (const IterationRecord *record : std::as_const(found))
        numbers << record->number;
    return numbers;
}

bool isFinished(const State &state)
{
    if (state.records.isEmpty())
        return false;
    const IterationRecord &last = state.records.last(); // they are in the order of their commits
    return last.kind == IterationRecord::Kind::Final && last.bench.correct &&
           last.number == bestChoice(state).iteration;
}

} // namespace ako::policy
