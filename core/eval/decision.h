// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/timing.h"

#include <optional>
#include <string>
#include <vector>

namespace ako::eval {

const char *verdictName(Verdict verdict); // IMPROVED, …

// Weighted geometric means over the workloads, and the worst one.
TotalTiming totalOf(const std::vector<TimedWorkload> &timed);

// Against the champion, or against the reference where there is none. A shape that got more than 3 % slower than the
// champion's turns IMPROVED into AMBIGUOUS and is named.
Decision decisionOf(const std::vector<TimedWorkload> &timed, const TotalTiming &total, double margin);

// What to say of a shape that is faster than 0.95 of its floor; empty: none is. Each shape counts by itself: one at
// almost nothing must not carry the mean.
std::string belowFloor(const std::vector<WorkloadTiming> &timings);

} // namespace ako::eval
