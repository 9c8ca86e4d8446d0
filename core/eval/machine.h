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

// Time that the threads of a process have been on a processor or waiting for one, ns: what they wanted, however busy
// the machine is (proc(5), schedstat). Its CPU time where the kernel keeps no such record; -1 where the process is
// gone.
std::int64_t processRunnableNs(int process);

} // namespace ako::eval
