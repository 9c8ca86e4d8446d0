// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/goldensource.h"
#include "eval/random.h"

#include <functional>

namespace ako::eval {

// Draws the cases of a workload from the secret seed: declared distributions first, then rotated ones.
class CaseMaker
{
public:
    CaseMaker(const Problem &problem, const SecretSeed &seed, bool denormals = true)
        : m_problem(problem)
        , m_seed(seed)
        , m_denormals(denormals)
    {
    }
    Case declared(const Workload &workload, std::uint64_t index) const;
    Case rotated(const Workload &workload, std::uint64_t index) const;
    Case nudged(const Workload &workload, const Case &original) const; // one element changed

private:
    const Problem &m_problem;
    const SecretSeed &m_seed;
    bool m_denormals;
};

struct CheckSettings
{
    int seeds = 5, declaredSeeds = 2;
    int enduranceCalls = 0; // more calls in the same process, the last of them checked
    bool denormals = true;  // among the distributions drawn; -ffast-math takes them for 0
};

struct CheckOutcome
{
    WorkloadCheck check;
    bool deterministic = true;
    Status status = Status::Ok; // Incorrect, Precision
    std::string message;
};

// Runs the candidate on all cases of a workload and compares. Throws where it crashes or leaves traces, and
// Failure(ReferenceError) where the reference is not valid on the declared distribution.
CheckOutcome checkWorkload(const Problem &problem, const Workload &workload, const CheckSettings &settings,
                           const SecretSeed &seed, GoldenSource &golden, Contender &candidate);

// Compares one set of outputs with its answer and adds what was found to `outcome`; false: not correct.
bool compareCase(const GoldenAnswer &answer, const std::vector<std::vector<unsigned char>> &outputs,
                 const Workload &workload, const std::string &label, CheckOutcome &outcome);

// Whether the check would refuse answers that are plainly wrong: zeros, a shuffled output, another seed's output, a
// copy of an input. Returns "ok"; throws Failure(ProblemWeak) naming what would pass.
std::string testChecker(const Problem &problem, const Workload &workload, const SecretSeed &seed, GoldenSource &golden);

} // namespace ako::eval
