// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/examination.h"

#include "eval/storedinputs.h"

#include "eval/layout.h"

#include <algorithm>
#include <cstdio>

namespace ako::eval {

namespace {

constexpr double beyondBelief = 10, floorFraction = 0.95;
constexpr double leastAgain = 0.5;                    // of the first speedup; machines and shares of cores vary
constexpr double cpuHeadroom = 1.5, cpuSlackMs = 0.6; // each sample costs its order and its report, too
constexpr int enduranceCalls = 64, pairsWhenBusy = 80;

std::string numberText(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

bool isBeyond(const std::optional<Ratio> &speedup)
{
    return speedup && speedup->estimate > beyondBelief;
}

const Workload &workloadOf(const Problem &problem, const std::string &id)
{
    return *std::find_if(problem.workloads.begin(), problem.workloads.end(),
                         [&](const Workload &workload) { return workload.id == id; });
}

} // namespace

bool isBeyondBelief(const WorkloadTiming &timing)
{
    return isBeyond(timing.speedupReference) || isBeyond(timing.speedupChampion);
}

bool isUnclear(const ExaminedWorkload &workload)
{
    return workload.again.low < std::min(beyondBelief, leastAgain * workload.first.low);
}

std::string objectionTo(const ExaminedWorkload &workload)
{
    const std::string name = "Workload " + workload.id;
    if (workload.outputsChecked < leastPairs)
        return name + ": only " + std::to_string(workload.outputsChecked) + " timed outputs could be looked at";
    if (workload.again.estimate < leastAgain * workload.first.low)
        return name + ": it was " + numberText(workload.first.estimate) + " times as fast as the " + workload.against +
               " and then only " + numberText(workload.again.estimate) + " times";
    if (isUnclear(workload))
        return name + ": it was " + numberText(workload.first.estimate) + " times as fast as the " + workload.against +
               " and then only " + numberText(workload.again.low) + " times for certain";
    if (workload.floorMs && workload.fastestMs < floorFraction * *workload.floorMs)
        return name + ": it took " + numberText(workload.fastestMs) + " ms, less than the " +
               numberText(*workload.floorMs) + " ms that this machine needs at least";
    if (workload.cpuMs > workload.wallMs * workload.threads * cpuHeadroom + cpuSlackMs * workload.samples)
        return name + ": its process used " + numberText(workload.cpuMs) + " ms of CPU time while the calls took " +
               numberText(workload.wallMs) + " ms on " + std::to_string(workload.threads) + " threads";
    if (workload.extraThread)
        return name + ": its process used the CPU while others were measured";
    if (workload.sameInputs)
        return name + ": its inputs are the same in every call, so it may have kept its answer";
    return {};
}

Examiner::Examiner(Means means)
    : m_means(std::move(means))
{
}

Examination Examiner::examine(const std::vector<WorkloadTiming> &timings)
{
    m_golden = m_means.golden();
    Contender candidate = m_means.contender(Role::Solution);
    candidate.restart();
    checkShapes(candidate);
    for (const WorkloadTiming &timing : timings) {
        if (!isBeyondBelief(timing))
            continue;
        m_means.checkTime();
        std::vector<ExaminedWorkload> workloads = measureAgain(timing, candidate);
        if (std::any_of(workloads.begin(), workloads.end(), isUnclear)) { // a busy machine wants more pairs
            m_means.timing.maximumPairs = std::max(m_means.timing.maximumPairs, pairsWhenBusy);
            m_means.timing.margin = 0;
            workloads = measureAgain(timing, candidate);
        }
        for (ExaminedWorkload &workload : workloads) {
            if (m_result.objection.empty())
                m_result.objection = objectionTo(workload);
            m_result.workloads.push_back(std::move(workload));
        }
    }
    m_golden.reset();
    return std::move(m_result);
}

void Examiner::checkShapes(Contender &candidate)
{
    CheckSettings settings;
    settings.seeds = m_means.seeds;
    settings.declaredSeeds = m_means.seeds / 2;
    settings.enduranceCalls = enduranceCalls;
    settings.denormals = m_means.denormals;
    for (const Workload &workload : m_means.problem.workloads) {
        m_means.checkTime();
        m_golden->setWorkload(m_means.problem, workload);
        candidate.setLayout(makeLayout(m_means.problem, workload, false, 1), 0);
        const CheckOutcome outcome = checkWorkload(m_means.problem, workload, settings, m_seed, *m_golden, candidate);
        if (outcome.status != Status::Ok)
            throw Failure(outcome.status, outcome.message);
        m_result.cases += outcome.check.checks;
        ++m_result.shapes;
    }
}

Contender *Examiner::opponent(std::optional<Contender> &contender, Role role, const std::optional<Ratio> &speedup) const
{
    if (!isBeyond(speedup))
        return nullptr;
    if (!contender)
        contender.emplace(m_means.contender(role));
    return &*contender;
}

std::vector<ExaminedWorkload> Examiner::measureAgain(const WorkloadTiming &first, Contender &candidate)
{
    const Workload &workload = workloadOf(m_means.problem, first.id);
    m_golden->setWorkload(m_means.problem, workload);
    Contender *reference = opponent(m_reference, Role::Reference, first.speedupReference);
    Contender *champion = opponent(m_champion, Role::Champion, first.speedupChampion);
    candidate.restart();
    for (Contender *contender : {&candidate, champion}) {
        if (contender)
            contender->limitCalls(m_golden->referenceMs(first.id));
    }
    TimingSettings settings = m_means.timing;
    settings.checksAll = true;
    const TimedWorkload timed =
        WorkloadTimer(m_means.problem, workload, settings, m_seed, m_golden.get()).run(candidate, reference, champion);
    if (timed.check.status != Status::Ok)
        throw Failure(timed.check.status, timed.check.message);
    ExaminedWorkload result;
    result.id = first.id;
    const TimeStats times = timed.timing.solution.value_or(TimeStats{});
    result.solutionMs = times.median;
    result.fastestMs = timed.timing.device ? times.median : times.min; // the clock of a GPU is coarser
    result.floorMs = first.floorMs;
    result.outputsChecked = timed.check.check.checks;
    result.samples = timed.timing.pairs;
    result.wallMs = timed.wallMs;
    result.cpuMs = timed.cpuMs;
    result.threads = settings.threads;
    result.extraThread = timed.extraThread;
    result.sameInputs = hasSameInputs(workload);
    std::vector<ExaminedWorkload> results;
    const auto add = [&](const Contender *other, const std::optional<Ratio> &before, const std::optional<Ratio> &now) {
        if (!other)
            return;
        results.push_back(result);
        results.back().against = roleName(other->role());
        results.back().first = before.value_or(Ratio{});
        results.back().again = now.value_or(Ratio{});
    };
    add(reference, first.speedupReference, timed.timing.speedupReference);
    add(champion, first.speedupChampion, timed.timing.speedupChampion);
    return results;
}

} // namespace ako::eval
