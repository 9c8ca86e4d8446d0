// SPDX-License-Identifier: GPL-3.0-or-later
// What a worker does on a GPU.
#include "eval/random.h"
#include "eval/workerprocess.h"

#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace ako::eval {

using nlohmann::json;

void WorkerProcess::openDevice(const WorkerLimits &limits)
{
    try {
        const json reply =
            request({{"command", "device"}, {"library", limits.deviceLibrary}, {"cupti", limits.cupti}}, 60);
        AkoDeviceFacts facts{};
        std::strncpy(facts.name, reply.value("name", std::string()).c_str(), sizeof facts.name - 1);
        facts.major = reply.at("major");
        facts.minor = reply.at("minor");
        facts.multiprocessors = reply.at("multiprocessors");
        facts.runtimeVersion = reply.at("runtime");
        facts.driverVersion = reply.at("driver");
        facts.cacheBytes = reply.at("l2_bytes");
        facts.persistingCacheBytes = reply.at("persisting_l2_bytes");
        facts.memoryBytes = reply.at("memory_bytes");
        facts.freeBytes = reply.at("free_bytes");
        facts.sharedBytesPerBlock = reply.at("shared_bytes");
        facts.memoryBusBits = reply.at("bus_bits");
        facts.memoryClockKhz = reply.at("memory_clock_khz");
        facts.clockKhz = reply.at("clock_khz");
        m_facts = facts;
        m_traceProblem = limits.cupti.empty() ? "not asked for" : reply.at("trace_problem");
    } catch (const Failure &failure) { // nothing of the kernel's is loaded yet
        throw Failure(Status::Infrastructure, std::string("The GPU cannot be used: ") + failure.what(), failure.log());
    }
}

void WorkerProcess::fetch(std::size_t slot, double timeoutSeconds)
{
    request({{"command", "fetch"}, {"slot", slot}}, timeoutSeconds);
}

TraceReport WorkerProcess::trace(const std::vector<std::size_t> &slots, double timeoutSeconds)
{
    const json reply = request({{"command", "trace"}, {"slots", slots}}, timeoutSeconds);
    if (reply.at("entry_error") != 0)
        fail(Status::RuntimeError, "returned an error while it was traced.");
    TraceReport report;
    report.spanMs = reply.at("span_ms");
    report.busyMs = reply.at("busy_ms");
    report.kernels = reply.at("kernels").get<std::vector<std::pair<std::string, int>>>();
    return report;
}

double WorkerProcess::measure(const std::string &what, double timeoutSeconds)
{
    return request({{"command", "measure"}, {"what", what}}, timeoutSeconds).at("value");
}

void WorkerProcess::shareMemory(std::size_t bytes)
{
    if (m_shared)
        munmap(m_shared, m_sharedBytes);
    m_shared = nullptr;
    const std::size_t needed = std::max(bytes, m_sharedBytes);
    if (ftruncate(m_memory.get(), off_t(needed)) != 0)
        throw Failure(Status::Infrastructure,
                      std::string("There is not enough memory for the outputs: ") + std::strerror(errno));
    void *memory = mmap(nullptr, needed, PROT_READ, MAP_SHARED, m_memory.get(), 0);
    if (memory == MAP_FAILED)
        throw Failure(Status::Infrastructure, std::string("The outputs cannot be mapped: ") + std::strerror(errno));
    m_outputs = m_shared = static_cast<unsigned char *>(memory);
    m_sharedBytes = needed;
}

RunOutcome WorkerProcess::runOnDevice(const std::vector<std::size_t> &slots, double timeoutSeconds)
{
    // Secretly either of two orders: what is written late then misses the snapshot, or the wait is seen.
    const bool snapshotFirst = (secretNumber() & 1) != 0;
    const std::int64_t sentCpuNs = cpuNs(), sentNs = monotonicNs();
    const Wait wait = send({{"command", "run"}, {"slots", slots}, {"snapshot_first", snapshotFirst}}, timeoutSeconds);
    awaitFrame(FrameType::Done, wait);
    m_wallNs = monotonicNs() - sentNs;
    m_runCpuNs = cpuNs() - sentCpuNs;
    say(FrameType::GoOn, wait);
    const json reply = awaitReply(wait);
    RunOutcome outcome;
    try {
        outcome.callNs = reply.at("ns");
        outcome.copyNs = reply.at("copy_ns");
        outcome.cpuNs = reply.at("cpu_ns");
        outcome.threads = reply.at("threads");
        outcome.entryError = reply.at("entry_error");
        outcome.guard = reply.at("guard");
        outcome.mutated = reply.at("mutated");
        outcome.changed = reply.at("changed");
        const json &device = reply.at("device");
        outcome.device =
            DeviceOutcome{device.at("host_ns"), device.at("wait_ns"), device.at("gap_ns"), device.at("mhz"),
                          device.at("held"),    device.at("waited"),  device.at("limit"),  device.at("error")};
    } catch (const json::exception &) {
        fail(Status::Integrity, "sent a report that is not the evaluator's.");
    }
    return outcome;
}

} // namespace ako::eval
