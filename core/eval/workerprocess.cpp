// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/workerprocess.h"

#include "eval/interrupt.h"
#include "eval/machine.h"
#include "eval/protocol.h"
#include "eval/random.h"

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace ako::eval {

using nlohmann::json;

namespace {

constexpr std::uint64_t outputLimit = std::uint64_t(2) << 30; // a worker that prints more is ended
constexpr std::size_t outputKept = 64 << 10;

std::uint64_t freshToken()
{
    std::uint64_t token = 0;
    if (getrandom(&token, sizeof token, 0) != sizeof token)
        throw Failure(Status::Infrastructure, "The kernel's random source failed (getrandom).");
    return token;
}

std::vector<std::string> workerEnvironment(const WorkerLimits &limits)
{
    const std::string count = std::to_string(limits.threads);
    std::vector<std::string> environment{"PATH=/usr/bin:/bin",       "LC_ALL=C",
                                         "OMP_NUM_THREADS=" + count, "OMP_DYNAMIC=false",
                                         "GOMP_SPINCOUNT=10000",     "KMP_BLOCKTIME=1"};
    if (const char *path = std::getenv("LD_LIBRARY_PATH"))
        environment.push_back(std::string("LD_LIBRARY_PATH=") + path);
    if (!limits.deviceLibrary.empty()) {
        // Kernels are loaded with their library: loading one later may wait for a stream that is being held back.
        for (const char *variable :
             {"CUDA_MODULE_LOADING=EAGER", "CUDA_CACHE_DISABLE=1", "CUDA_DEVICE_ORDER=PCI_BUS_ID"})
            environment.emplace_back(variable);
        environment.push_back("CUDA_VISIBLE_DEVICES=" + limits.deviceUuid);
    }
    return environment;
}

struct ChildSetup
{
    std::array<char *, 3> arguments;
    std::vector<char *> environment;
    cpu_set_t cores;
    int control, memory, output;
    pid_t parent;
};

// Should the machine run out of memory, the kernel under test goes first, not the evaluator or the user's programs.
void preferForKilling()
{
    const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    [[maybe_unused]] const ssize_t written = write(file, "1000", 4);
    close(file);
}

// After fork: only async-signal-safe calls.
[[noreturn]] void becomeWorker(const ChildSetup &setup)
{
    setsid(); // nothing typed at the terminal reaches it, nor it the terminal
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != setup.parent)
        _exit(126);
    preferForKilling();
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE})
        std::signal(signal, SIG_DFL);
    sched_setaffinity(0, sizeof setup.cores, &setup.cores);
    // First out of the way of the numbers that are given away below.
    const int control = fcntl(setup.control, F_DUPFD, 10), memory = fcntl(setup.memory, F_DUPFD, 10),
              output = fcntl(setup.output, F_DUPFD, 10);
    const int input = open("/dev/null", O_RDONLY);
    if (control < 0 || memory < 0 || output < 0 || input < 0)
        _exit(126);
    dup2(input, 0);
    dup2(output, 1);
    dup2(output, 2);
    dup2(control, controlDescriptor);
    dup2(memory, sharedDescriptor);
    syscall(SYS_close_range, sharedDescriptor + 1, ~0U, 0);
    execve("/proc/self/exe", setup.arguments.data(), setup.environment.data());
    _exit(127);
}

// By a signal that a user or a system sends to end a program.
bool endsPrograms(int status)
{
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGKILL;
}

std::string describeSignal(int signal)
{
    return "signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
}

} // namespace

const char *roleName(Role role)
{
    switch (role) {
    case Role::Golden:
        return "golden";
    case Role::Reference:
        return "reference";
    case Role::Champion:
        return "champion";
    case Role::Solution:
        break;
    }
    return "solution";
}

WorkerProcess::WorkerProcess(Role role, const WorkerLimits &limits, bool opens)
    : m_role(role)
    , m_text(outputKept)
{
    start(limits);
    if (opens)
        open(limits);
}

void WorkerProcess::open(const WorkerLimits &limits)
{
    if (!limits.deviceLibrary.empty())
        openDevice(limits);
    const json reply =
        request({{"command", "sandbox"}, {"memory_bytes", limits.memoryBytes}, {"cpu_seconds", limits.cpuSeconds}}, 30);
    m_sandbox.landlock = reply.value("landlock", 0);
    m_sandbox.seccomp = reply.value("seccomp", false);
    m_sandbox.limits = reply.value("rlimits", false);
    m_sandbox.sealed = reply.value("mseal", false);
}

WorkerProcess::~WorkerProcess()
{
    end();
    if (m_shared)
        munmap(m_shared, m_sharedBytes);
}

void WorkerProcess::start(const WorkerLimits &limits)
{
    std::array<int, 2> control{}, output{};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control.data()) != 0)
        throw Failure(Status::Infrastructure, std::string("No worker can be started: ") + std::strerror(errno));
    m_control = Descriptor(control[0]);
    const Descriptor theirControl(control[1]);
    if (pipe2(output.data(), O_CLOEXEC) != 0)
        throw Failure(Status::Infrastructure, std::string("No worker can be started: ") + std::strerror(errno));
    m_output = Descriptor(output[0]);
    const Descriptor theirOutput(output[1]);
    fcntl(m_output.get(), F_SETFL, O_NONBLOCK);
    m_memory = Descriptor(memfd_create("ako-outputs", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    // Without this seal a worker could shrink the memory under the parent's hands.
    if (m_memory.get() < 0 || fcntl(m_memory.get(), F_ADD_SEALS, F_SEAL_SHRINK) != 0)
        throw Failure(Status::Infrastructure, std::string("No shared memory can be made: ") + std::strerror(errno));

    std::string name = "ako-bench", mode = "--worker";
    std::vector<std::string> environment = workerEnvironment(limits);
    ChildSetup setup{
        {name.data(), mode.data(), nullptr}, {}, {}, theirControl.get(), m_memory.get(), theirOutput.get(), getpid()};
    for (std::string &variable : environment)
        setup.environment.push_back(variable.data());
    setup.environment.push_back(nullptr);
    CPU_ZERO(&setup.cores);
    for (const int core : limits.cores)
        CPU_SET(core, &setup.cores);
    const pid_t process = fork();
    if (process < 0)
        throw Failure(Status::Infrastructure, std::string("No worker can be started: ") + std::strerror(errno));
    if (process == 0)
        becomeWorker(setup);
    m_tree = std::make_unique<ProcessTree>(process);
}

void WorkerProcess::end()
{
    if (process() <= 0)
        return;
    m_tree->kill();
    m_status = m_tree->wait();
}

std::int64_t WorkerProcess::cpuNs() const
{
    return processCpuNs(process());
}

ProcessorUse WorkerProcess::processorUse() const
{
    return eval::processorUse(process());
}

void WorkerProcess::fail(Status status, const std::string &what) const
{
    throwIfInterrupted(); // what stops us may have ended the worker first
    if (m_role == Role::Golden || m_role == Role::Reference)
        status = Status::ReferenceError;
    else if (m_role == Role::Champion)
        status = Status::ChampionError;
    throw Failure(status, "The " + std::string(roleName(m_role)) + ' ' + what, m_text.text());
}

bool WorkerProcess::readOutput()
{
    std::array<char, 65536> buffer;
    const ssize_t count = read(m_output.get(), buffer.data(), buffer.size());
    if (count > 0)
        m_text.append({buffer.data(), static_cast<std::size_t>(count)});
    return count > 0;
}

void WorkerProcess::readRest()
{
    for (int round = 0; round < 64 && readOutput(); ++round) {}
}

void WorkerProcess::failFrom(const FaultReport &report)
{
    end();
    readRest();
    if (report.signal == SIGSYS)
        fail(Status::ExtraProcess,
             "tried to start a process (system call " + std::to_string(report.call) + "), which is not allowed.");
    if (report.buffer >= 0 && std::size_t(report.buffer) < m_layout.buffers.size())
        fail(Status::GuardHit, std::string("touched memory ") +
                                   (report.behind ? "behind the end of " : "before the beginning of ") +
                                   m_layout.buffers[std::size_t(report.buffer)].name + '.');
    if (report.limitBytes > 0 && report.usedBytes > report.limitBytes / 10 * 8)
        fail(Status::OutOfMemory, "used up its " + std::to_string(report.limitBytes >> 20) +
                                      " MiB of memory and crashed with " + describeSignal(report.signal) + '.');
    fail(Status::RuntimeError,
         "crashed with " + describeSignal(report.signal) + " at address " + std::to_string(report.address) + '.');
}

void WorkerProcess::failEnded()
{
    // It has closed its channel; a moment to leave by itself tells an exit from a kill.
    for (int round = 0; round < 200; ++round) {
        readRest();
        if (m_tree->hasEnded(m_status))
            break;
        const timespec pause{0, 5'000'000};
        nanosleep(&pause, nullptr);
    }
    end();
    readRest();
    // Whoever stops us may stop all our processes, one after the other.
    for (int round = 0; round < 20 && endsPrograms(m_status) && interruptSignal() == 0; ++round) {
        const timespec pause{0, 5'000'000};
        nanosleep(&pause, nullptr);
    }
    if (WIFSIGNALED(m_status) && WTERMSIG(m_status) == SIGKILL)
        fail(Status::OutOfMemory, "was killed from outside (signal 9); most likely the machine ran out of memory.");
    if (WIFSIGNALED(m_status) && WTERMSIG(m_status) == SIGSYS) // posix_spawn() blocks the signal first
        fail(Status::ExtraProcess, "tried to start a process, which is not allowed.");
    if (WIFSIGNALED(m_status))
        fail(Status::RuntimeError, "was ended by " + describeSignal(WTERMSIG(m_status)) + '.');
    fail(Status::CrashNoReport,
         "left its process with status " + std::to_string(WEXITSTATUS(m_status)) + " instead of reporting.");
}

json WorkerProcess::request(json order, double timeoutSeconds)
{
    const FrameHeader header{frameMagic, FrameType::Request, freshToken()};
    const std::string payload = order.dump();
    const std::int64_t deadline = monotonicNs() + std::int64_t(timeoutSeconds * 1e9);
    m_sentNs = monotonicNs();
    m_sentCpuNs = cpuNs();
    m_wallNs = 0;
    if (!sendFrame(m_control.get(), header, payload.data(), payload.size()))
        failEnded();
    while (monotonicNs() < deadline) {
        throwIfInterrupted();
        std::array<pollfd, 2> entries{pollfd{m_control.get(), POLLIN, 0}, pollfd{m_output.get(), POLLIN, 0}};
        if (poll(entries.data(), entries.size(), 50) <= 0)
            continue;
        if (entries[1].revents & POLLIN)
            readOutput();
        if (m_text.total() > outputLimit)
            fail(Status::RuntimeError, "printed more than 2 GiB.");
        if (!(entries[0].revents & (POLLIN | POLLHUP | POLLERR)))
            continue;
        Frame frame;
        const ReceiveResult received = receiveFrame(m_control.get(), frame, false);
        if (received == ReceiveResult::Empty)
            continue;
        if (received == ReceiveResult::Closed)
            failEnded();
        if (received == ReceiveResult::Malformed || frame.header.token != header.token)
            fail(Status::Integrity, "wrote to the evaluator's report channel.");
        if (frame.header.type == FrameType::Done && m_wallNs == 0 && order.at("command") == "run") {
            m_wallNs = monotonicNs() - m_sentNs;
            m_runCpuNs = cpuNs() - m_sentCpuNs;
            if (!sendFrame(m_control.get(), {frameMagic, FrameType::GoOn, header.token}, nullptr, 0))
                failEnded();
            continue;
        }
        if (frame.header.type == FrameType::Fault && frame.payload.size() == sizeof(FaultReport)) {
            FaultReport report;
            std::memcpy(&report, frame.payload.data(), sizeof report);
            failFrom(report);
        }
        const json reply = json::parse(frame.payload, nullptr, false);
        if (frame.header.type != FrameType::Reply || !reply.is_object())
            fail(Status::Integrity, "wrote to the evaluator's report channel.");
        if (reply.contains("error"))
            fail(reply.contains("memory") ? Status::OutOfMemory : Status::RuntimeError,
                 reply.at("error").is_string() ? reply.at("error").get<std::string>() : reply.at("error").dump());
        return reply;
    }
    end();
    readRest();
    fail(Status::Timeout, "did not finish within " + std::to_string(std::lround(timeoutSeconds)) + " s and was ended.");
}

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

void WorkerProcess::load(const std::string &library, const std::string &symbol, double timeoutSeconds)
{
    request({{"command", "load"}, {"library", library}, {"symbol", symbol}}, timeoutSeconds);
}

void WorkerProcess::shape(const WorkloadLayout &layout, std::size_t evictBytes, double timeoutSeconds)
{
    if (m_shared)
        munmap(m_shared, m_sharedBytes);
    m_shared = nullptr;
    m_layout = layout;
    const std::size_t needed = std::max(layout.sharedBytes(), m_sharedBytes);
    if (ftruncate(m_memory.get(), off_t(needed)) != 0)
        throw Failure(Status::Infrastructure,
                      std::string("There is not enough memory for the outputs: ") + std::strerror(errno));
    void *memory = mmap(nullptr, needed, PROT_READ, MAP_SHARED, m_memory.get(), 0);
    if (memory == MAP_FAILED)
        throw Failure(Status::Infrastructure, std::string("The outputs cannot be mapped: ") + std::strerror(errno));
    m_shared = static_cast<unsigned char *>(memory);
    m_sharedBytes = needed;
    request({{"command", "shape"}, {"layout", layoutToJson(layout)}, {"evict_bytes", evictBytes}}, timeoutSeconds);
}

void WorkerProcess::prepare(const PrepareOrder &order, double timeoutSeconds)
{
    json rules = json::array();
    for (const InputRule &rule : order.rules)
        rules.push_back(ruleToJson(rule));
    json message{{"command", "prepare"}, {"slots", order.slots},    {"position", order.firstPosition},
                 {"key", order.key},     {"guard", order.guardKey}, {"rules", rules},
                 {"evict", order.evict}};
    if (order.nudgedInput)
        message["nudge"] = {{"input", *order.nudgedInput}, {"index", order.nudgedIndex}};
    request(message, timeoutSeconds);
}

RunOutcome WorkerProcess::run(const std::vector<std::size_t> &slots, std::int64_t settleMicroseconds,
                              double timeoutSeconds)
{
    // On a GPU secretly either of two orders: what is written late then misses the snapshot, or the wait is seen.
    const bool snapshotFirst = m_facts && (freshToken() & 1) != 0;
    const json reply = request(
        {{"command", "run"}, {"slots", slots}, {"settle_us", settleMicroseconds}, {"snapshot_first", snapshotFirst}},
        timeoutSeconds);
    RunOutcome outcome;
    try {
        outcome.callNs = reply.at("ns");
        outcome.copyNs = reply.at("copy_ns");
        outcome.cpuNs = reply.at("cpu_ns");
        outcome.escapedNs = reply.at("escaped_ns");
        outcome.threads = reply.at("threads");
        outcome.entryError = reply.at("entry_error");
        outcome.guard = reply.at("guard");
        outcome.mutated = reply.at("mutated");
        outcome.changed = reply.at("changed");
        if (m_facts) {
            const json &device = reply.at("device");
            outcome.device =
                DeviceOutcome{device.at("host_ns"), device.at("wait_ns"), device.at("gap_ns"), device.at("mhz"),
                              device.at("held"),    device.at("waited"),  device.at("limit"),  device.at("error")};
        }
    } catch (const json::exception &) {
        fail(Status::Integrity, "sent a report that is not the evaluator's.");
    }
    return outcome;
}

} // namespace ako::eval
