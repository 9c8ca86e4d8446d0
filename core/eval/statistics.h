// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/result.h"

#include <span>
#include <vector>

namespace ako::eval {

double medianOf(std::vector<double> values);

// Of logarithms of ratios, their median above 0: whether the mean of all but the outermost twentieth (one at least) at
// each end lies below 0, as where most calls are fast and the others so slow that nothing is won.
bool isUneven(std::vector<double> logs);
TimeStats statsOf(const std::vector<double> &milliseconds);

// Ratio of two contenders from log ratios of pairs: exp of the median, with the sign test's exact interval from order
// statistics: the k-th smallest and largest, k the largest with P(Binomial(n, 1/2) < k) <= (1 - level) / 2. Where n is
// too small for the level, the interval is that of the smallest and largest.
Ratio ratioFromLogs(std::vector<double> logs, double level);
int orderForLevel(int count, double level);                   // k, at least 1
double lowerMedian(std::vector<double> values, double level); // low end of the median's interval

// Decision at a look: IMPROVED where low > 1 + margin, REGRESSED where high < 1 / (1 + margin), SAME where the whole
// interval lies within the margin and within 10 %, else AMBIGUOUS.
Verdict decide(const Ratio &ratio, double margin);

// The looks: after 24, 40, 80 and 160 pairs, each at the tightened level.
inline constexpr double lookLevel = 0.99;
inline constexpr int looks[] = {24, 40, 80, 160};

// Whether sampling may end at this number of pairs: at a look, once the question is answered and the interval is narrow
// enough for the margin, or it will not be answered any better.
bool mayStop(int pairs, const Ratio &ratio, double margin);

struct WeightedLogs
{
    double weight = 1;
    std::vector<double> logs;
};

// Weighted geometric mean over workloads. One workload: ratioFromLogs; several: bootstrap of the medians, stratified by
// workload (2,000 resamples, fixed seed).
Ratio combinedRatio(const std::vector<WeightedLogs> &workloads, double level);

// What two equal contenders may differ by (a fraction), from log ratios of one with itself: how far the interval at 95
// % reaches from 1, and what processes differ by that were replaced every `perProcess` pairs.
double noiseOf(const std::vector<double> &logs, std::size_t perProcess);
double marginFor(double noiseHalfWidth); // max(0.5 %, 2 x A/A half-width)
double halfWidth(const Ratio &ratio);

} // namespace ako::eval
