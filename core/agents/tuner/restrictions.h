// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>

namespace ako::tuner {

// What HINTS.md rules out, as far as the tuner understands it: plain sentences such as "do not use OpenMP",
// "no fast-math", "do not change tile.h", "avoid -funroll-loops".
struct Restrictions
{
    bool noThreads = false; // OpenMP, threads, parallelism
    bool noSimd = false;
    bool noFastMath = false;
    bool noRestrict = false;
    bool noUnroll = false;
    bool noFlags = false;
    bool noInterchange = false;
    std::set<std::string> flags; // single flags
    std::string forbiddenText;   // lower case: the sentences that forbid something; file names are looked up here

    bool forbidsFile(const std::string &path) const;
    std::string summary() const; // for the transcript; empty when nothing is ruled out
};

Restrictions parseRestrictions(const std::string &hints);

} // namespace ako::tuner
