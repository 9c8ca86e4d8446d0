// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/decision.h"

#include <cmath>
#include <cstdio>
#include <functional>

namespace ako::eval {

namespace {

constexpr double shapeRegression = 0.97, floorFraction = 0.95;

using StatsOf = std::function<const std::optional<TimeStats> &(const WorkloadTiming &)>;

std::optional<TimeStats> geometricMean(const std::vector<TimedWorkload> &timed, const StatsOf &statsOf)
{
    double weights = 0, median = 0, mean = 0, min = 0, max = 0;
    TimeStats total;
    for (const TimedWorkload &workload : timed) {
        const std::optional<TimeStats> &stats = statsOf(workload.timing);
        if (!stats)
            return std::nullopt;
        const double weight = workload.timing.weight;
        weights += weight;
        median += weight * std::log(stats->median);
        mean += weight * std::log(stats->mean);
        min += weight * std::log(stats->min);
        max += weight * std::log(stats->max);
        total.count += stats->count;
    }
    if (weights == 0)
        return std::nullopt;
    total.median = std::exp(median / weights);
    total.mean = std::exp(mean / weights);
    total.min = std::exp(min / weights);
    total.max = std::exp(max / weights);
    return total;
}

std::optional<Ratio> combined(const std::vector<TimedWorkload> &timed, std::vector<double> TimedWorkload::*logs)
{
    std::vector<WeightedLogs> workloads;
    for (const TimedWorkload &workload : timed) {
        if ((workload.*logs).empty())
            return std::nullopt;
        workloads.push_back({workload.timing.weight, workload.*logs});
    }
    return workloads.empty() ? std::nullopt : std::optional(combinedRatio(workloads, lookLevel));
}

const std::optional<Ratio> &leading(const WorkloadTiming &timing)
{
    return timing.speedupChampion ? timing.speedupChampion : timing.speedupReference;
}

std::string numberText(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

} // namespace

const char *verdictName(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Improved:
        return "IMPROVED";
    case Verdict::Regressed:
        return "REGRESSED";
    case Verdict::Same:
        return "SAME";
    case Verdict::Ambiguous:
        return "AMBIGUOUS";
    case Verdict::None:
        break;
    }
    return "NONE";
}

TotalTiming totalOf(const std::vector<TimedWorkload> &timed)
{
    TotalTiming total;
    total.solution = geometricMean(timed, [](const WorkloadTiming &timing) -> const auto & { return timing.solution; });
    total.reference =
        geometricMean(timed, [](const WorkloadTiming &timing) -> const auto & { return timing.reference; });
    total.champion = geometricMean(timed, [](const WorkloadTiming &timing) -> const auto & { return timing.champion; });
    total.speedupReference = combined(timed, &TimedWorkload::referenceLogs);
    total.speedupChampion = combined(timed, &TimedWorkload::championLogs);
    for (const TimedWorkload &workload : timed) {
        const std::optional<Ratio> &ratio = leading(workload.timing);
        if (ratio && (total.worstId.empty() || ratio->estimate < total.worstEstimate)) {
            total.worstId = workload.timing.id;
            total.worstEstimate = ratio->estimate;
        }
    }
    return total;
}

Decision decisionOf(const std::vector<TimedWorkload> &timed, const TotalTiming &total, double margin)
{
    Decision decision;
    decision.margin = margin;
    decision.worstShape = total.worstId;
    decision.ratio = total.speedupChampion ? total.speedupChampion : total.speedupReference;
    if (!decision.ratio)
        return decision;
    decision.against = total.speedupChampion ? "champion" : "reference";
    decision.verdict = decide(*decision.ratio, margin);
    if (!total.speedupChampion)
        return decision; // no shape keeps it from taking the place of one that is not there
    for (const TimedWorkload &workload : timed) {
        const std::optional<Ratio> &ratio = leading(workload.timing);
        if (ratio && ratio->estimate < shapeRegression && ratio->high < 1 / (1 + margin))
            decision.blockedBy = workload.timing.id;
    }
    for (const TimedWorkload &workload : timed) {
        if (decision.verdict == Verdict::Improved && isUneven(workload.championLogs))
            decision.uneven = workload.timing.id;
    }
    if ((!decision.blockedBy.empty() || !decision.uneven.empty()) && decision.verdict == Verdict::Improved)
        decision.verdict = Verdict::Ambiguous;
    return decision;
}

std::string belowFloor(const std::vector<WorkloadTiming> &timings)
{
    for (const WorkloadTiming &timing : timings) {
        if (!timing.solution || !timing.floorMs)
            continue;
        // No call can be faster; but the clock of a GPU is coarser than that.
        const double fastest = timing.device ? timing.solution->median : timing.solution->min;
        if (fastest < floorFraction * *timing.floorMs)
            return "Workload " + timing.id + " took " + numberText(fastest) + " ms, less than the " +
                   numberText(*timing.floorMs) +
                   " ms that this machine needs at least for the declared work. Look at the kernel and at the work "
                   "model.";
    }
    return {};
}

} // namespace ako::eval
