// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ako::eval {

struct ChildCommand
{
    std::string program; // absolute
    std::vector<std::string> arguments;
    std::vector<std::string> environment; // NAME=value, nothing is inherited
    std::string folder;                   // working directory
    double timeoutSeconds = 120;
    std::int64_t memoryBytes = 0;                   // address space of each process, 0: unlimited
    std::int64_t fileBytes = std::int64_t(1) << 30; // the largest file it may write
    int fileRules = -1; // FileRules::descriptor() of what it may read and write, -1: everything
};

struct ChildOutcome
{
    bool timedOut = false;
    int exitCode = -1; // -1: ended by `signal`
    int signal = 0;
    std::string output; // stdout and stderr together, bounded
};

// Runs a program in a process group of its own and waits for it; all it started is gone when this returns or throws
// (Failure(Infrastructure) where it cannot start, Failure(Interrupted)).
ChildOutcome runChild(const ChildCommand &command);

// What a limit of that kind (RLIMIT_…) can be for a child: `bytes`, or less where this process's own is lower.
std::int64_t withinOwnLimit(int resource, std::int64_t bytes);

std::string describeEnd(const ChildOutcome &outcome);

} // namespace ako::eval
