// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/resttimes.h"

#include "eval/statistics.h"

#include <algorithm>
#include <utility>

namespace ako::eval {

namespace {

// An honest kernel is asked this some times in every evaluation, and a busy machine makes any single round late.
constexpr double level = 0.999999, share = 0.02, leastNs = 1e4;
// Outputs that the kernel left outside the caches are sent more slowly.
constexpr double readyLeastNs = 2e4, copyLeastNs = 1e5, slowNsPerByte = 0.5;

constexpr double readyShare = 0.1; // making the inputs depends on where they lie

// Whether `own` takes so much more, for certain and in each process.
bool exceeds(const std::vector<double> &own, const std::vector<double> &others, double most, std::size_t perProcess)
{
    std::vector<double> differences;
    differences.reserve(own.size());
    for (std::size_t round = 0; round < std::min(own.size(), others.size()); ++round)
        differences.push_back(own[round] - others[round]);
    if (differences.size() < std::size_t(leastRestRounds))
        return false;
    for (std::size_t begin = 0; begin < differences.size(); begin += perProcess) {
        const auto first = differences.begin() + std::ptrdiff_t(begin);
        const std::size_t count = std::min(perProcess, differences.size() - begin);
        if (medianOf({first, first + std::ptrdiff_t(count)}) <= most)
            return false;
    }
    return lowerMedian(std::move(differences), level) > most;
}

} // namespace

bool hidesTime(const RestTimes &one, const RestTimes &other, double callNs, double outputBytes, std::size_t perProcess)
{
    const double most = std::max(share * callNs, leastNs);
    return exceeds(one.waitedNs, other.waitedNs, most, perProcess) ||
           exceeds(one.copyNs, other.copyNs, most + copyLeastNs + slowNsPerByte * outputBytes, perProcess) ||
           exceeds(one.readyNs, other.readyNs, most + readyLeastNs + readyShare * medianOf(other.readyNs), perProcess);
}

} // namespace ako::eval
