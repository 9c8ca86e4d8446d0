// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/boundedtext.h"
#include "eval/cuda/deviceapi.h"
#include "eval/cuda/tracer.h"
#include "eval/descriptor.h"
#include "eval/layout.h"
#include "eval/machine.h"
#include "eval/processtree.h"
#include "eval/protocol.h"
#include "eval/result.h"
#include "eval/stampreader.h"
#include "eval/status.h"
#include "eval/threadwatch.h"
#include "eval/trial.h"

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ako::eval {

enum class Role { Golden, Reference, Solution, Champion };
const char *roleName(Role role);

struct WorkerLimits
{
    std::int64_t memoryBytes = 0, cpuSeconds = 3600;
    int threads = 1;
    std::vector<int> cores;
    std::string deviceLibrary, deviceUuid; // of a GPU; empty: the CPU
    std::string cupti;                     // traces what the device does, where it is set
    int storedInputs = -1;                 // descriptor of a StoredInputs that outlives the worker's start
};

// The parent's handle on one worker: a session of its own, a control channel, a channel for times and outputs, its
// captured output. Everything that goes wrong in there becomes a Failure whose status fits the role: a crash of the
// solution is RUNTIME_ERROR, one of the reference REFERENCE_ERROR, one of the champion CHAMPION_ERROR.
class WorkerProcess
{
public:
    // Started, and open where `opens`; else open() follows before all else. It may be called in another thread, but a
    // worker dies with the thread that started it.
    WorkerProcess(Role role, const WorkerLimits &limits, bool opens = true);
    void open(const WorkerLimits &limits);
    ~WorkerProcess();
    WorkerProcess(const WorkerProcess &) = delete;
    WorkerProcess &operator=(const WorkerProcess &) = delete;

    void load(const std::string &library, const std::string &symbol, double timeoutSeconds);
    void shape(const WorkloadLayout &layout, std::size_t evictBytes, double timeoutSeconds);
    void prepare(const PrepareOrder &order, double timeoutSeconds);
    // Before prepare(): waits until no other thread of it runs; run() says whether it stayed so.
    void awaitQuiet();
    RunOutcome run(const std::vector<std::size_t> &slots, std::int64_t settleMicroseconds, double timeoutSeconds);

    // Bytes of an output as the last run left them: received at once, or on a GPU in memory shared with the worker.
    const unsigned char *output(std::size_t slot, std::size_t buffer) const
    {
        return m_outputs + m_layout.outputOffset(slot, buffer);
    }
    bool holdsPoison(std::size_t slot) const;            // some output of the slot, after a run on the CPU
    void fetch(std::size_t slot, double timeoutSeconds); // on a GPU: before output()
    TraceReport trace(const std::vector<std::size_t> &slots, double timeoutSeconds);
    const std::string &traceProblem() const { return m_traceProblem; } // why there is no trace, empty: there is one
    double measure(const std::string &what, double timeoutSeconds);
    bool onGpu() const { return m_facts.has_value(); }
    const std::optional<AkoDeviceFacts> &deviceFacts() const { return m_facts; }
    const WorkloadLayout &layout() const { return m_layout; }
    const SandboxReport &sandbox() const { return m_sandbox; }
    // Of the last run as seen from here: until its outputs had come, on a GPU until its Done frame came.
    std::int64_t wallNs() const { return m_wallNs; }
    std::int64_t runCpuNs() const { return m_runCpuNs; }
    std::int64_t cpuNs() const;                      // used by the process so far
    ProcessorUse processorUse() const;               // by its threads so far
    bool markThreads() { return m_threads->mark(); } // see ThreadWatch
    bool sleptSinceMark() const { return m_threads->sleptSinceMark(); }
    std::string text() const { return m_text.text(); }
    [[noreturn]] void fail(Status status, const std::string &what) const; // with the role's status

private:
    void start(const WorkerLimits &limits);
    void openDevice(const WorkerLimits &limits);
    // An answer that is waited for.
    struct Wait
    {
        std::uint64_t token = 0;
        std::int64_t deadlineNs = 0;
        double seconds = 0;
    };
    nlohmann::json prepareToJson(const PrepareOrder &order) const;
    nlohmann::json request(const nlohmann::json &order, double timeoutSeconds);
    Wait send(const nlohmann::json &order, double timeoutSeconds);
    void say(FrameType type, const Wait &wait);
    // The next frame; while outputs come, none once they are complete.
    std::optional<Frame> next(const Wait &wait, bool takesOutputs = false);
    void awaitFrame(FrameType type, const Wait &wait);
    nlohmann::json replyIn(const Frame &frame);
    nlohmann::json awaitReply(const Wait &wait);
    void takeStamps();
    void calibrate(double timeoutSeconds);
    RunOutcome runOnDevice(const std::vector<std::size_t> &slots, double timeoutSeconds);
    void readTimes(const Instant &begin, const Instant &end, RunOutcome &outcome);
    std::int64_t cpuAfterReturn(std::int64_t settleMicroseconds) const;
    std::string changedOutput(const RunOrder &order, const std::vector<std::uint64_t> &hashes) const;
    void shareMemory(std::size_t bytes);
    bool readOutput();
    void readRest();
    [[noreturn]] void failFrom(const FaultReport &report);
    [[noreturn]] void failEnded();
    void end();
    pid_t process() const { return m_tree ? m_tree->child() : -1; }

    Role m_role;
    std::unique_ptr<ProcessTree> m_tree;
    Descriptor m_control, m_output, m_memory;
    StampReader m_stamps;
    unsigned char *m_outputs = nullptr, *m_shared = nullptr;
    std::size_t m_sharedBytes = 0, m_receivedBytes = 0;
    std::unique_ptr<unsigned char[]> m_received;
    std::unique_ptr<ThreadWatch> m_threads;
    bool m_quiet = true;
    double m_stampNs = 0; // what one stamp takes
    std::size_t m_evictBytes = 0;
    std::optional<PrepareOrder> m_prepare; // goes with the next run; on the CPU
    double m_prepareSeconds = 0;
    WorkloadLayout m_layout;
    SandboxReport m_sandbox;
    std::optional<AkoDeviceFacts> m_facts;
    std::string m_traceProblem;
    BoundedText m_text;
    std::int64_t m_wallNs = 0, m_runCpuNs = 0;
    int m_status = 0;
};

} // namespace ako::eval
