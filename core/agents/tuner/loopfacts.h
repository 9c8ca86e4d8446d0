// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/tuner/scope.h"

namespace ako::tuner {

// One element read or written.
struct Access
{
    std::string array;               // a parameter, a local array or a global
    std::optional<Polynomial> index; // nothing: not a polynomial
    bool isWrite = false;
    Range subscript; // as written
};

// A variable declared outside the loop that the loop only adds to, multiplies, or takes the extreme of.
struct Reduction
{
    std::string variable;
    std::string operation; // + * max min, as in an OpenMP clause
};

// Everything about a loop nest that decides what may be done with it.
struct LoopFacts
{
    std::string refusal; // why nothing may be shown about it; empty when all was understood
    std::vector<Access> accesses;
    std::vector<Reduction> reductions;
    std::set<std::string> outerNames;    // read here, declared outside
    std::vector<const Statement *> nest; // this loop first, then those inside
    bool callsMath = false;
};

LoopFacts collectFacts(const Scope &scope, const Statement &loop);

// Functions of <cmath> and <algorithm> that have no effect but their result.
bool isPureFunction(std::string_view name);

} // namespace ako::tuner
