// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ako::eval {

// What a multiprocessor holds at once, by the CUDA C++ Programming Guide's table of compute capabilities.
struct MultiprocessorLimits
{
    int threads = 0, blocks = 0, registers = 0;
    std::int64_t sharedBytes = 0;
};
std::optional<MultiprocessorLimits> limitsOf(int major, int minor);

struct Occupancy
{
    int blocks = 0;      // on a multiprocessor at once
    double percent = 0;  // of its threads
    std::string limiter; // registers, shared memory, warps, blocks
};

// The occupancy that a kernel's resources allow. Registers are given out per warp in units of 256; a block of shared
// memory costs 1 KiB more than it asks for, from compute capability 8.0 on.
Occupancy occupancyOf(const MultiprocessorLimits &limits, int threads, int registers, std::int64_t sharedBytes);

} // namespace ako::eval
