// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ako::eval {

struct Machine
{
    std::string cpu, governor;
    std::vector<int> cores;      // those this process may use
    std::int64_t cacheBytes = 0; // last-level cache
    std::int64_t memoryBytes = 0, availableBytes = 0;
    double load = 0; // 1 minute
};

Machine inspectMachine();

// Model and feature flags of the processor as one text; decides what -march=native builds.
std::string processorFeatures();

// CPU time a process has used, ns; -1 where it is gone.
std::int64_t processCpuNs(int process);

// What the threads of a process had of the processors and what they wanted, ns (proc(5), schedstat). Where the kernel
// keeps no such record both are its CPU time; -1 where the process is gone.
struct ProcessorUse
{
    std::int64_t runningNs = -1;
    std::int64_t runnableNs = -1; // running, or waiting for a processor

    ProcessorUse operator-(const ProcessorUse &from) const
    {
        return {runningNs - from.runningNs, runnableNs - from.runnableNs};
    }
};
ProcessorUse processorUse(int process);

} // namespace ako::eval
