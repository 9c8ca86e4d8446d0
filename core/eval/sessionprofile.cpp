// SPDX-License-Identifier: GPL-3.0-or-later
// What can be found out about a solution besides its time: the best level that works here, and why better ones do not.
#include "eval/cuda/ncurun.h"
#include "eval/cuda/occupancy.h"
#include "eval/cuda/tracer.h"
#include "eval/progress.h"
#include "eval/session.h"

#include <algorithm>
#include <cstdlib>

namespace ako::eval {

namespace {

constexpr int assumedThreads = 256; // of a block, where nothing tells

} // namespace

void Session::profile()
{
    m_result.profile.emplace();
    m_result.profile->workload = primary().id;
    if (!m_gpu) {
        m_result.profile->skipped = {
            {"ncu", "the kernel runs on the CPU; only its time and its work model are known", {}}};
        return;
    }
    if (!profileByCounters() && !profileByTrace())
        profileByCompiler();
    m_result.profile->summary = describe(*m_result.profile);
}

bool Session::profileByCounters()
{
    reportProgress("profile", 0.5);
    DeviceProfile &profile = *m_result.profile;
    const char *path = std::getenv("PATH");
    NcuRequest request;
    request.ncu = findNcu(m_gpu->compiler().path, path ? path : "");
    if (request.ncu.empty()) {
        profile.skipped.push_back({"ncu", "it was not found beside nvcc, on PATH or in /opt/nvidia/nsight-compute",
                                   "Install Nsight Compute (package cuda-nsight-compute, or nsight-compute)."});
        return false;
    }
    const ScratchFolder folder(m_cache->folder());
    request.solution = m_solutionBuild.library;
    request.device = m_limits.deviceLibrary;
    request.uuid = m_gpu->nvml().identity().uuid;
    request.folder = folder.path();
    request.layout = makeLayout(m_problem, primary(), false, 1);
    const Case declared = CaseMaker(m_problem, *m_seed).declared(primary(), 3000);
    request.rules = declared.rules;
    request.key = declared.key;
    if (auto skipped = runNcu(request, profile.kernels)) {
        profile.skipped.push_back(*skipped);
        return false;
    }
    profile.level = "ncu";
    return true;
}

// Which kernels ran, from CUPTI, with what the compiler says of each.
bool Session::profileByTrace()
{
    DeviceProfile &profile = *m_result.profile;
    WorkerLimits limits = m_limits;
    limits.cupti = findCupti(m_gpu->compiler().path);
    std::string problem = "libcupti.so is not part of the CUDA toolkit";
    TraceReport report;
    if (!limits.cupti.empty()) {
        Contender traced(Role::Solution, m_solutionBuild.library, entryName, limits, m_timeouts);
        traced.restart();
        problem = traced.worker().traceProblem();
        if (problem.empty()) {
            traced.setLayout(makeLayout(m_problem, primary(), false, 1), std::size_t(m_flushBytes));
            PrepareOrder order =
                orderFor(CaseMaker(m_problem, *m_seed).declared(primary(), 3000), m_seed->derive("profile guard"));
            order.evict = true;
            for (int call = 0; call < 2; ++call) { // the first loads everything
                traced.prepare(order);
                report = traced.worker().trace({0}, m_timeouts.call);
            }
            if (report.kernels.empty())
                problem = "no kernel was seen to start";
        }
    }
    if (!problem.empty()) {
        profile.skipped.push_back({"cupti", problem, {}});
        return false;
    }
    profile.level = "cupti";
    for (const auto &[name, calls] : report.kernels) {
        KernelProfile kernel;
        kernel.name = name;
        kernel.calls = calls;
        if (report.kernels.size() == 1)
            kernel.microseconds = 1e3 * report.busyMs / std::max(1, calls);
        addResources(kernel);
        profile.kernels.push_back(kernel);
    }
    return true;
}

void Session::profileByCompiler()
{
    DeviceProfile &profile = *m_result.profile;
    for (const KernelReport &report : m_result.kernels) {
        KernelProfile kernel;
        kernel.name = report.name;
        addResources(kernel);
        profile.kernels.push_back(kernel);
    }
    if (!profile.kernels.empty())
        profile.level = "compiler";
    else
        profile.skipped.push_back({"compiler", "it reports no kernel", {}});
}

// Registers and shared memory as the compiler reports them, and the occupancy that they allow.
void Session::addResources(KernelProfile &kernel) const
{
    const auto report = std::find_if(m_result.kernels.begin(), m_result.kernels.end(),
                                     [&](const KernelReport &each) { return each.name == kernel.name; });
    if (report == m_result.kernels.end())
        return;
    kernel.registers = report->registers;
    kernel.sharedBytes = report->sharedBytes;
    const GpuIdentity &gpu = m_gpu->nvml().identity();
    const auto limits = limitsOf(gpu.major, gpu.minor);
    if (!limits)
        return;
    const Occupancy occupancy = occupancyOf(*limits, assumedThreads, kernel.registers, kernel.sharedBytes);
    kernel.possibleOccupancy = occupancy.percent;
    kernel.limiter = occupancy.limiter + " (at " + std::to_string(assumedThreads) + " threads a block)";
}

} // namespace ako::eval
