// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ako::eval {

// Why the warps of a kernel waited, as a share of the cycles between two instructions of a warp.
struct Stall
{
    std::string reason; // as ncu names it, without "Stall": Long Scoreboard
    double share = 0;   // 0 to 1
};

// One kernel of a call. Percentages are 0 to 100; what the level cannot tell is absent.
struct KernelProfile
{
    std::string name;
    int calls = 1;
    std::int64_t grid = 0, block = 0;   // blocks, threads of a block
    int registers = 0;                  // of a thread
    std::int64_t sharedBytes = 0;       // of a block, static and dynamic
    std::optional<double> microseconds; // under the profiler, whose clocks and caches are its own: never a bench result
    std::optional<double> compute, memory, dram; // throughput in percent of what the device can do
    std::optional<double> bytes;                 // moved between the device's memory and its cache, by one launch
    std::optional<double> hitsL1, hitsL2;        // percent
    std::optional<double> occupancy, possibleOccupancy, waves;
    std::string limiter;       // of the possible occupancy: registers, shared memory, warps, blocks, barriers
    std::vector<Stall> stalls; // the largest first
};

struct SkippedLevel
{
    std::string level, reason, remedy; // remedy may be empty
};

// What was found out about a solution's kernels beyond their time: by ncu (hardware counters), by CUPTI (which kernels
// ran), from the compiler's report, or nothing.
struct DeviceProfile
{
    std::string level = "none"; // ncu, cupti, compiler, none
    std::vector<SkippedLevel> skipped;
    std::string workload;
    std::vector<KernelProfile> kernels;
    std::vector<std::string> summary; // a line for each kernel, and what it points to
};

// Sentences for a person or an agent.
std::vector<std::string> describe(const DeviceProfile &profile);

} // namespace ako::eval
