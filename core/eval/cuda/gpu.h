// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/build.h"
#include "eval/cuda/nvml.h"
#include "eval/probe.h"
#include "eval/workerprocess.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <memory>
#include <string>

namespace ako::eval {

// What the probe of a GPU found: measured peaks, and the bounds that nothing passes.
struct GpuPeaks
{
    std::map<std::string, double> measured; // bytes/s, operations/s, seconds; see measuredNames in gpu.cpp
    double memoryPeak = 0;                  // bytes/s by clock and bus width
    std::map<std::string, double> bounds;   // operations/s by kind, from architecture, multiprocessors and clock
};

// The GPU of one evaluation: who it is, the compiler for it, and the device library that workers load.
class Gpu
{
public:
    // `compilerPath` may be empty. Throws Failure(Infrastructure, NoCompiler).
    Gpu(int ordinal, const std::string &searchPath, const std::string &compilerPath);

    const Nvml &nvml() const { return m_nvml; }
    const Compiler &compiler() const { return m_compiler; }
    // Builds the device library; from then on limits() makes workers use the GPU.
    void prepare(const BuildCache &cache, WorkerLimits &limits);
    const std::string &library() const { return m_library; }

    // Measured in a worker (some seconds) or taken from an earlier run with this GPU and driver.
    GpuPeaks peaks(const BuildCache &cache, const WorkerLimits &limits, bool fresh) const;
    nlohmann::json probeJson(const GpuPeaks &peaks) const;

private:
    Nvml m_nvml;
    Compiler m_compiler;
    std::string m_library;
};

std::optional<Floor> floorOf(const Problem &problem, const Workload &workload, const GpuPeaks &peaks, bool hot,
                             std::int64_t cacheBytes);

// Dense operations per multiprocessor and clock of an architecture by kind; empty where it is not known.
std::map<std::string, double> operationsPerClock(int major, int minor);

} // namespace ako::eval
