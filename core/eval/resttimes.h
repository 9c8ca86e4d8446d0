// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace ako::eval {

// What the runs of one contender took besides its calls, round by round.
struct RestTimes
{
    std::vector<double> waitedNs; // from the parent's start to the first call, and for parts of outputs
    std::vector<double> copyNs;   // from the last call until all outputs had come
    std::vector<double> readyNs;  // from the order until the inputs were there
};

inline constexpr int leastRestRounds = 24; // fewer cannot tell

// In the rounds of one session these are alike for all contenders, on a busy machine as well. Time that one of them
// keeps on spending there, and the other does not, is taken from its calls. It must do so in each of its processes,
// which were replaced every `perProcess` rounds: what only one of them shows is chance.
bool hidesTime(const RestTimes &one, const RestTimes &other, double callNs, double outputBytes, std::size_t perProcess);

} // namespace ako::eval
