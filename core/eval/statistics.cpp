// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/statistics.h"

#include "eval/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ako::eval {

namespace {

constexpr int resamples = 2000;
constexpr double leastMargin = 0.005, noiseLevel = 0.95;

// Linear interpolation between order statistics of a sorted list.
double quantile(const std::vector<double> &sorted, double fraction)
{
    if (sorted.empty())
        return 0;
    const double position = fraction * double(sorted.size() - 1);
    const auto index = static_cast<std::size_t>(position);
    const std::size_t next = std::min(index + 1, sorted.size() - 1);
    return sorted[index] + (position - double(index)) * (sorted[next] - sorted[index]);
}

double bootstrapMean(const std::vector<WeightedLogs> &workloads, double totalWeight, RandomStream &random)
{
    double sum = 0;
    for (const WeightedLogs &workload : workloads) {
        std::vector<double> sample(workload.logs.size());
        for (double &value : sample)
            value = workload.logs[random.below(workload.logs.size())];
        sum += workload.weight * medianOf(std::move(sample));
    }
    return sum / totalWeight;
}

} // namespace

bool isUneven(std::vector<double> logs)
{
    const std::size_t cut = std::max<std::size_t>(1, logs.size() / 20); // one late pair says nothing
    if (logs.size() < 8)
        return false;
    std::sort(logs.begin(), logs.end());
    return std::accumulate(logs.begin() + std::ptrdiff_t(cut), logs.end() - std::ptrdiff_t(cut), 0.0) < 0;
}

double medianOf(std::vector<double> values)
{
    if (values.empty())
        return 0;
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1)
        return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

TimeStats statsOf(const std::vector<double> &milliseconds)
{
    TimeStats stats;
    if (milliseconds.empty())
        return stats;
    std::vector<double> sorted = milliseconds;
    std::sort(sorted.begin(), sorted.end());
    stats.count = int(sorted.size());
    stats.median = medianOf(sorted);
    stats.mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / double(sorted.size());
    stats.min = sorted.front();
    stats.max = sorted.back();
    stats.q1 = quantile(sorted, 0.25);
    stats.q3 = quantile(sorted, 0.75);
    for (double &value : sorted)
        value = std::abs(value - stats.median);
    stats.mad = medianOf(std::move(sorted));
    return stats;
}

int orderForLevel(int count, double level)
{
    const double tail = (1 - level) / 2;
    double probability = std::exp2(-count), sum = 0; // of exactly i of n
    int order = 0;
    for (int i = 0; i < count / 2; ++i) {
        sum += probability;
        if (sum > tail)
            break;
        order = i + 1;
        probability *= double(count - i) / double(i + 1);
    }
    return std::max(order, 1);
}

Ratio ratioFromLogs(std::vector<double> logs, double level)
{
    if (logs.empty())
        return {};
    std::sort(logs.begin(), logs.end());
    const auto order = static_cast<std::size_t>(orderForLevel(int(logs.size()), level));
    return {std::exp(medianOf(logs)), std::exp(logs[order - 1]), std::exp(logs[logs.size() - order])};
}

double lowerMedian(std::vector<double> values, double level)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(orderForLevel(int(values.size()), level)) - 1];
}

Verdict decide(const Ratio &ratio, double margin)
{
    if (ratio.low > 1 + margin)
        return Verdict::Improved;
    if (ratio.high < 1 / (1 + margin))
        return Verdict::Regressed;
    constexpr double largestSame = 0.1; // however large the noise: what may differ by more is not called the same
    const double within = std::min(margin, largestSame);
    if (ratio.low >= 1 - within && ratio.high <= 1 + within)
        return Verdict::Same;
    return Verdict::Ambiguous;
}

bool mayStop(int pairs, const Ratio &ratio, double margin)
{
    const bool isLook = std::find(std::begin(looks), std::end(looks), pairs) != std::end(looks);
    if (!isLook)
        return pairs >= looks[std::size(looks) - 1];
    if (pairs == looks[std::size(looks) - 1])
        return true;
    const Verdict verdict = decide(ratio, margin);
    if (verdict == Verdict::Ambiguous)
        return false;
    // A clear difference needs no narrow interval; "the same" is narrow by its definition.
    return verdict == Verdict::Same || halfWidth(ratio) < std::max(margin, std::abs(ratio.estimate - 1) / 4);
}

Ratio combinedRatio(const std::vector<WeightedLogs> &workloads, double level)
{
    if (workloads.empty())
        return {};
    if (workloads.size() == 1)
        return ratioFromLogs(workloads.front().logs, level);
    double totalWeight = 0, sum = 0;
    for (const WeightedLogs &workload : workloads) {
        totalWeight += workload.weight;
        sum += workload.weight * medianOf(workload.logs);
    }
    RandomStream random(0x5eed);
    std::vector<double> means(resamples);
    for (double &mean : means)
        mean = bootstrapMean(workloads, totalWeight, random);
    std::sort(means.begin(), means.end());
    const double tail = (1 - level) / 2;
    return {std::exp(sum / totalWeight), std::exp(quantile(means, tail)), std::exp(quantile(means, 1 - tail))};
}

double noiseOf(const std::vector<double> &logs, std::size_t perProcess)
{
    const Ratio ratio = ratioFromLogs(logs, noiseLevel);
    const double pooled = std::max(ratio.high - 1, 1 - ratio.low);
    // The pairs of one process are all off together, by where its memory happens to lie.
    double squares = 0;
    std::size_t processes = 0;
    for (std::size_t begin = 0; begin + perProcess <= logs.size(); begin += perProcess, ++processes) {
        const auto first = logs.begin() + std::ptrdiff_t(begin);
        const double median = medianOf({first, first + std::ptrdiff_t(perProcess)});
        squares += median * median;
    }
    return processes < 2 ? pooled : std::max(pooled, std::sqrt(squares) / double(processes)); // rms / sqrt(processes)
}

double marginFor(double noiseHalfWidth)
{
    return std::max(leastMargin, 2 * noiseHalfWidth);
}

double halfWidth(const Ratio &ratio)
{
    return (ratio.high - ratio.low) / 2;
}

} // namespace ako::eval
