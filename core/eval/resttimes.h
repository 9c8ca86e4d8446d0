// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace ako::eval {

// What the runs of one contender took besides its calls, round by round.
struct RestTimes
{
    std::vector<double> waitedNs; // from the parent's start to the first call, and for parts of outputs
    std::vector<double> copyNs;   // from the last call until all outputs had come
};

// In the rounds of one session these are alike for all contenders, on a busy machine as well. Time that one of them
// keeps on spending there, and the other does not, is taken from its calls.
bool hidesTime(const RestTimes &one, const RestTimes &other, double callNs, double outputBytes);

} // namespace ako::eval
