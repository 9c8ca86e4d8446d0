// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/resttimes.h"

#include "eval/statistics.h"

#include <algorithm>
#include <utility>

namespace ako::eval {

namespace {

// An honest kernel is asked this some times in every evaluation, and a busy machine makes any single round late.
constexpr double level = 0.999999, share = 0.02, leastNs = 1e4;
constexpr std::size_t leastRounds = 24; // fewer cannot tell at this level
// Outputs that the kernel left outside the caches are sent more slowly.
constexpr double copyLeastNs = 1e5, slowNsPerByte = 0.5;

// What `own` takes more, for certain.
double excess(const std::vector<double> &own, const std::vector<double> &others)
{
    std::vector<double> differences;
    differences.reserve(own.size());
    for (std::size_t round = 0; round < std::min(own.size(), others.size()); ++round)
        differences.push_back(own[round] - others[round]);
    return differences.size() < leastRounds ? 0 : lowerMedian(std::move(differences), level);
}

} // namespace

bool hidesTime(const RestTimes &one, const RestTimes &other, double callNs, double outputBytes)
{
    const double most = std::max(share * callNs, leastNs);
    return excess(one.waitedNs, other.waitedNs) > most ||
           excess(one.copyNs, other.copyNs) > most + copyLeastNs + slowNsPerByte * outputBytes;
}

} // namespace ako::eval
