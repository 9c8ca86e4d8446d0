// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/compare.h"
#include "eval/contender.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ako::eval {

// One set of inputs: everything that decides their content.
struct Case
{
    InputKey key = 0;
    std::size_t position = 0; // in the batch it was drawn in
    std::vector<InputRule> rules;
    std::optional<std::size_t> nudgedInput;
    std::uint64_t nudgedIndex = 0;
    std::string label; // for messages: "seed 2, sparse"
};

struct GoldenAnswer
{
    std::vector<GoldenOutput> outputs;
    bool referenceValid = true; // the reference passes its own check and everything is finite
    std::string whyInvalid;
};

// Computes golden answers by running the reference, and its golden entry where there is one, in workers of their own.
class GoldenSource
{
public:
    GoldenSource(Contender reference, std::optional<Contender> golden);

    void setWorkload(const Problem &problem, const Workload &workload);
    GoldenAnswer answer(const Case &what, std::uint64_t guardKey);
    // The longest that a call of the reference took for that workload; 0: it has not been called.
    double referenceMs(const std::string &workload) const;
    const WorkerProcess &worker() { return m_reference.worker(); }
    const SandboxReport &sandbox() { return m_reference.worker().sandbox(); }

private:
    std::vector<std::vector<unsigned char>> compute(Contender &contender, const Case &what, std::uint64_t guardKey);

    Contender m_reference;
    std::optional<Contender> m_golden;
    const Problem *m_problem = nullptr;
    const Workload *m_workload = nullptr;
    std::map<std::string, double> m_referenceMs; // by workload
};

// The order for a single case in slot 0; the worker draws the very inputs of the case.
PrepareOrder orderFor(const Case &what, std::uint64_t guardKey);

} // namespace ako::eval
