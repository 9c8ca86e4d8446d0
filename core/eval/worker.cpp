// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/worker.h"

#include "eval/cuda/cudatrial.h"
#include "eval/protocol.h"
#include "eval/runreporter.h"
#include "eval/sandbox.h"
#include "eval/storedinputs.h"
#include "eval/trial.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>

namespace ako::eval {

using nlohmann::json;

namespace {

constexpr int faultStatus = 111;

// Read by the signal handler, so plain globals.
volatile std::uint64_t currentToken = 0;
const Trial *volatile currentTrial = nullptr;
std::uint64_t memoryLimit = 0;

std::uint64_t usedAddressSpace()
{
    std::array<char, 64> text{};
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    const ssize_t count = read(file, text.data(), text.size() - 1);
    close(file);
    return count > 0 ? std::strtoull(text.data(), nullptr, 10) * 4096 : 0;
}

void reportFault(int signal, siginfo_t *info, void *)
{
    FaultReport report;
    report.signal = signal;
    report.address = reinterpret_cast<std::uint64_t>(info->si_addr);
    if (signal == SIGSYS)
        report.call = info->si_syscall;
    if (const Trial *trial = currentTrial; trial && (signal == SIGSEGV || signal == SIGBUS))
        trial->findGuard(reinterpret_cast<std::uintptr_t>(info->si_addr), report.buffer, report.behind);
    report.usedBytes = usedAddressSpace();
    report.limitBytes = memoryLimit;
    const FrameHeader header{frameMagic, FrameType::Fault, currentToken};
    sendFrame(controlDescriptor, header, &report, sizeof report);
    _exit(faultStatus);
}

void catchFaults()
{
    static std::array<unsigned char, 65536> stack; // a kernel may have used up its own
    stack_t alternative = {};
    alternative.ss_sp = stack.data();
    alternative.ss_size = stack.size();
    sigaltstack(&alternative, nullptr);
    struct sigaction action = {};
    action.sa_sigaction = reportFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS})
        sigaction(signal, &action, nullptr);
}

class Server
{
public:
    json handle(const json &request)
    {
        const std::string command = request.at("command");
        if (command == "device")
            return device(request);
        if (command == "fetch")
            return fetch(request);
        if (command == "measure")
            return measure(request);
        if (command == "trace")
            return trace(request);
        if (command == "sandbox")
            return sandbox(request);
        if (command == "load")
            return load(request);
        if (command == "shape")
            return shape(request);
        if (command == "prepare")
            return prepare(request);
        if (command == "evict")
            return evict(request);
        if (command == "calibrate")
            return calibrate();
        if (command == "run")
            return m_cudaTrial ? runOnDevice(request) : run(request);
        throw std::runtime_error("unknown command " + command);
    }

private:
    json device(const json &request)
    {
        m_device = std::make_unique<DeviceLibrary>();
        std::string traceProblem;
        if (const std::string cupti = request.at("cupti"); !cupti.empty()) {
            m_tracer = std::make_unique<Tracer>();
            traceProblem = m_tracer->open(cupti).value_or(std::string());
        }
        const AkoDeviceFacts facts = m_device->load(request.at("library"));
        return {{"name", facts.name},
                {"major", facts.major},
                {"minor", facts.minor},
                {"multiprocessors", facts.multiprocessors},
                {"runtime", facts.runtimeVersion},
                {"driver", facts.driverVersion},
                {"l2_bytes", facts.cacheBytes},
                {"persisting_l2_bytes", facts.persistingCacheBytes},
                {"memory_bytes", facts.memoryBytes},
                {"free_bytes", facts.freeBytes},
                {"shared_bytes", facts.sharedBytesPerBlock},
                {"bus_bits", facts.memoryBusBits},
                {"memory_clock_khz", facts.memoryClockKhz},
                {"clock_khz", facts.clockKhz},
                {"trace_problem", traceProblem}};
    }

    json fetch(const json &request)
    {
        m_cudaTrial->fetch(request.at("slot"));
        return json::object();
    }

    json trace(const json &request)
    {
        TraceReport report;
        const RunOutcome outcome =
            m_cudaTrial->trace(request.at("slots").get<std::vector<std::size_t>>(), *m_tracer, report);
        return {{"entry_error", outcome.entryError},
                {"span_ms", report.spanMs},
                {"busy_ms", report.busyMs},
                {"kernels", report.kernels}};
    }

    json measure(const json &request)
    {
        double value = 0;
        if (const char *problem = m_device->api().measure(request.at("what").get<std::string>().c_str(), &value))
            throw std::runtime_error(problem);
        return {{"value", value}};
    }

    json sandbox(const json &request)
    {
        const SandboxLimits limits{request.at("memory_bytes").get<std::int64_t>(),
                                   request.at("cpu_seconds").get<std::int64_t>(), m_device != nullptr};
        const SandboxState state = enterSandbox(limits);
        memoryLimit = state.memoryLimited ? std::uint64_t(limits.memoryBytes) : 0;
        return {{"landlock", state.landlock},
                {"seccomp", state.seccomp},
                {"rlimits", state.limits},
                {"mseal", state.sealed}};
    }

    json load(const json &request)
    {
        const std::int64_t begin = monotonicNs();
        void *library = dlopen(request.at("library").get<std::string>().c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library)
            throw std::runtime_error(std::string("cannot be loaded: ") + dlerror());
        m_entry = dlsym(library, request.at("symbol").get<std::string>().c_str());
        m_holdsBack = false;
        if (!m_entry)
            throw std::runtime_error(std::string("has no entry: ") + dlerror());
        return {{"ms", double(monotonicNs() - begin) * 1e-6}, {"threads", threadCount()}};
    }

    json shape(const json &request)
    {
        currentTrial = nullptr;
        m_trial.reset();
        m_cudaTrial.reset();
        WorkloadLayout layout = layoutFromJson(request.at("layout"));
        const std::size_t evictBytes = request.at("evict_bytes");
        if (m_device) {
            mapShared(layout.sharedBytes());
            m_cudaTrial = std::make_unique<CudaTrial>(
                *m_device, std::move(layout), reinterpret_cast<AkoCudaEntry>(m_entry), m_shared, evictBytes > 0);
            return json::object();
        }
        m_trial = std::make_unique<Trial>(std::move(layout), reinterpret_cast<EntryFunction>(m_entry), evictBytes);
        currentTrial = m_trial.get();
        return json::object();
    }

    void mapShared(std::size_t bytes)
    {
        if (m_shared)
            munmap(m_shared, m_sharedBytes);
        m_sharedBytes = bytes;
        void *memory = mmap(nullptr, m_sharedBytes, PROT_READ | PROT_WRITE, MAP_SHARED, sharedDescriptor, 0);
        m_shared = memory == MAP_FAILED ? nullptr : static_cast<unsigned char *>(memory);
        if (!m_shared)
            throw std::runtime_error("the shared memory cannot be mapped");
    }

    static PrepareOrder prepareOrderOf(const json &request)
    {
        PrepareOrder order;
        order.slots = request.at("slots").get<std::vector<std::size_t>>();
        order.firstPosition = request.at("position");
        order.key = request.at("key");
        order.guardKey = request.at("guard");
        for (const json &rule : request.at("rules"))
            order.rules.push_back(ruleFromJson(rule));
        if (request.contains("nudge")) {
            order.nudgedInput = request.at("nudge").at("input").get<std::size_t>();
            order.nudgedIndex = request.at("nudge").at("index");
        }
        order.evict = request.at("evict");
        return order;
    }

    json prepare(const json &request)
    {
        m_cudaTrial->prepare(prepareOrderOf(request));
        return json::object();
    }

    json evict(const json &request)
    {
        m_trial->evictCaches(request.at("bytes"));
        return json::object();
    }

    json calibrate()
    {
        sendEmptyPairs(currentToken);
        return json::object();
    }

    RunOutcome runTrial(const RunOrder &order)
    {
        try {
            return m_trial->run(order, RunReporter(currentToken));
        } catch (const std::bad_alloc &) {
            throw;
        } catch (const UnreadableOutput &) {
            throw;
        } catch (const TouchedEvaluator &) {
            throw;
        } catch (const std::exception &error) {
            throw std::runtime_error(std::string("threw an exception: ") + error.what());
        }
    }

    json run(const json &request)
    {
        RunOrder order;
        order.slots = request.at("slots").get<std::vector<std::size_t>>();
        order.snapshotKey = request.at("snapshot_key");
        if (request.contains("pause"))
            order.pausedAt = request.at("pause").get<std::size_t>();
        if (request.contains("prepare"))
            order.prepare = prepareOrderOf(request.at("prepare"));
        const RunOutcome outcome = runTrial(order);
        return {{"cpu_ns", outcome.cpuNs},   {"threads", outcome.threads}, {"entry_error", outcome.entryError},
                {"guard", outcome.guard},    {"mutated", outcome.mutated}, {"hashes", outcome.hashes},
                {"pages", outcome.pagesMade}};
    }

    // The parent may come to reading the CPU clock late; until then this thread must not use any.
    static void announce(const FrameHeader &done)
    {
        Frame answer;
        if (!sendFrame(controlDescriptor, done, nullptr, 0) ||
            receiveFrame(controlDescriptor, answer, true) != ReceiveResult::Frame ||
            answer.header.type != FrameType::GoOn)
            _exit(0);
    }

    json runOnDevice(const json &request)
    {
        const FrameHeader done{frameMagic, FrameType::Done, currentToken};
        const RunOutcome outcome =
            m_cudaTrial->run(request.at("slots").get<std::vector<std::size_t>>(), m_holdsBack && !m_launcherWaits,
                             request.at("snapshot_first"), [&] { announce(done); });
        const DeviceOutcome device = outcome.device.value_or(DeviceOutcome{});
        m_launcherWaits = m_launcherWaits || device.launcherWaited;
        m_holdsBack = true; // from the second call on
        return {{"ns", outcome.callNs},
                {"copy_ns", outcome.copyNs},
                {"cpu_ns", outcome.cpuNs},
                {"threads", outcome.threads},
                {"entry_error", outcome.entryError},
                {"guard", outcome.guard},
                {"mutated", outcome.mutated},
                {"changed", outcome.changed},
                {"device",
                 {{"host_ns", device.hostNs},
                  {"wait_ns", device.waitNs},
                  {"gap_ns", device.gapNs},
                  {"mhz", device.clockMhz},
                  {"held", device.heldBack},
                  {"waited", device.launcherWaited},
                  {"limit", device.limitChanged},
                  {"error", device.error}}}};
    }

    void *m_entry = nullptr;
    std::unique_ptr<DeviceLibrary> m_device;
    std::unique_ptr<Tracer> m_tracer;
    std::unique_ptr<CudaTrial> m_cudaTrial;
    bool m_holdsBack = false, m_launcherWaits = false;
    std::unique_ptr<Trial> m_trial;
    unsigned char *m_shared = nullptr;
    std::size_t m_sharedBytes = 0;
};

json answerTo(Server &server, const std::string &payload)
{
    try {
        return server.handle(json::parse(payload));
    } catch (const std::bad_alloc &) {
        return {{"error", "needs more memory for its buffers than there is."}, {"memory", true}};
    } catch (const std::exception &error) {
        return {{"error", error.what()}};
    }
}

} // namespace

void serveAsWorker()
{
    catchFaults();
    struct stat stored = {};
    if (fstat(storedDescriptor, &stored) == 0) {
        mapStoredInputs(storedDescriptor, std::size_t(stored.st_size));
        close(storedDescriptor);
    }
    Server server;
    Frame request;
    while (receiveFrame(controlDescriptor, request, true) == ReceiveResult::Frame) {
        currentToken = request.header.token;
        const std::string reply =
            answerTo(server, request.payload).dump(-1, ' ', false, json::error_handler_t::replace);
        std::fflush(stdout); // not all: a stream of the kernel's own may call it
        std::fflush(stderr);
        if (!sendFrame(controlDescriptor, {frameMagic, FrameType::Reply, currentToken}, reply.data(), reply.size()))
            break;
    }
    _exit(0);
}

} // namespace ako::eval
