// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/tuner/syntax.h"

#include <optional>
#include <string>
#include <vector>

namespace ako::tuner {

// Where a function of a .cu file runs.
enum class RunsOn { Host, Device, Kernel };
RunsOn runsOn(const Source &source, const Function &function);

// kernel<<<grid, block, ...>>>(arguments)
struct Launch
{
    const Function *caller = nullptr;
    int kernel = -1; // token of the kernel's name
    Range grid;
    Range block;
    int open = -1; // the parenthesis before the arguments
};

// Every launch in the file, in order; one whose brackets cannot be followed is left out.
std::vector<Launch> launchesIn(const Source &source, const std::vector<Function> &functions);

// The threads of a block as an expression that is constant at compile time and may stand before the function's name:
// 256, BLOCK, TILE * LINES. Nothing where launches differ, or where it cannot be told.
struct BlockSize
{
    std::string expression;
    std::optional<long long> threads; // where all its parts are plain numbers
};
std::optional<BlockSize> blockSizeOf(const Source &source, const std::vector<Launch> &launches,
                                     const Function &function);

// The token __launch_bounds__ in front of the function's name, -1 for none.
int launchBounds(const Source &source, const Function &function);

} // namespace ako::tuner
