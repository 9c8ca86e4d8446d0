// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/correctness.h"
#include "eval/timing.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ako::eval {

// A speedup that is hard to believe is looked at again in fresh processes with a fresh secret seed: all shapes, every
// timed output, the floor, and the CPU time against the time that passed.
class Examiner
{
public:
    struct Means
    {
        const Problem &problem;
        TimingSettings timing;
        int seeds = 10;
        bool denormals = true;                    // see CheckSettings
        std::function<Contender(Role)> contender; // a new one: Reference, Champion or Solution
        std::function<std::unique_ptr<GoldenSource>()> golden;
        std::function<void()> checkTime; // throws when there is none left
    };
    explicit Examiner(Means means);

    // The workloads of `timings` that are beyond belief. Throws what a check or a measurement of its own throws.
    Examination examine(const std::vector<WorkloadTiming> &timings);

private:
    void checkShapes(Contender &candidate);
    // Against those of the others that it left so far behind.
    std::vector<ExaminedWorkload> measureAgain(const WorkloadTiming &first, Contender &candidate);
    Contender *opponent(std::optional<Contender> &contender, Role role, const std::optional<Ratio> &speedup) const;

    Means m_means;
    SecretSeed m_seed;
    std::unique_ptr<GoldenSource> m_golden;
    std::optional<Contender> m_reference, m_champion;
    Examination m_result;
};

bool isBeyondBelief(const WorkloadTiming &timing); // more than 10 times faster than the reference or the champion

// The second look leaves open how much faster it is for certain.
bool isUnclear(const ExaminedWorkload &workload);

// Why the second look does not bear out the first; empty: it does.
std::string objectionTo(const ExaminedWorkload &workload);

} // namespace ako::eval
