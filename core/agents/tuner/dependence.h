// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/tuner/contract.h"
#include "agents/tuner/loopfacts.h"

namespace ako::tuner {

// The answer to "may this be done?": allowed, or refused with the reason. When in doubt it is refused.
struct Permission
{
    bool allowed = false;
    std::string reason; // of a refusal
};

// Decides from indices and bounds what may be done with the loops of one function. Dimensions that stand as plain
// names are taken to be at least zero; two pointers are distinct when one that is written is restrict, or when both are
// arguments of the entry function that problem.json promises to be separate buffers.
class Dependence
{
public:
    Dependence(const Scope &scope, const Contract &contract);

    // May the passes of this loop run in any order, at the same time (reductions apart)?
    Permission parallel(const Statement &loop) const;
    // The same for a loop whose passes become lanes of a vector: step 1, and no loop of unknown length inside.
    Permission vectorise(const Statement &loop) const;
    // May the loop and the one that is its whole body change places?
    Permission interchange(const Statement &outer, const Statement &inner) const;
    // Does the loop run equally often in every call, as far as its bounds say?
    bool hasFixedLength(const Statement &loop) const;
    // Are the pointer parameters of the function known to be distinct?
    Permission distinctParameters() const;

private:
    Permission disjoint(const Statement &loop, const LoopFacts &facts, const std::string &array) const;
    Permission noAlias(const LoopFacts &facts, const std::string &array) const;
    std::set<std::string> written(const LoopFacts &facts) const;
    std::set<std::string> derivedFrom(const Statement &loop, const LoopFacts &facts) const;
    std::optional<Polynomial> stepOf(const Statement &loop) const;
    bool isWithin(const Polynomial &rest, const Polynomial &stride, const std::vector<const Statement *> &loops) const;
    bool isProvably(const Polynomial &value, long long minimum, const std::vector<const Statement *> &loops,
                    int depth) const;
    bool isProvablyIn(const Statement &loop, const Polynomial &factor, const Polynomial &value, long long minimum,
                      const std::vector<const Statement *> &loops, int depth) const;

    const Scope &m_scope;
    const Contract &m_contract;
    mutable int m_steps = 0; // of the proof under way
};

} // namespace ako::tuner
