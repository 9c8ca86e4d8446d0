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
    Frame last; // it may have said why, before we came to speak to it
    while (receiveFrame(m_control.get(), last, false) == ReceiveResult::Frame) {
        FaultReport report;
        if (last.header.type != FrameType::Fault || last.payload.size() != sizeof report)
            continue;
        std::memcpy(&report, last.payload.data(), sizeof report);
        failFrom(report);
    }
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

WorkerProcess::Wait WorkerProcess::send(const json &order, double timeoutSeconds)
{
    const Wait wait{secretNumber(), monotonicNs() + std::int64_t(timeoutSeconds * 1e9), timeoutSeconds};
    const std::string payload = order.dump();
    if (!sendFrame(m_control.get(), {frameMagic, FrameType::Request, wait.token}, payload.data(), payload.size()))
        failEnded();
    return wait;
}

void WorkerProcess::say(FrameType type, const Wait &wait)
{
    if (!sendFrame(m_control.get(), {frameMagic, type, wait.token}, nullptr, 0))
        failEnded();
}

void WorkerProcess::takeStamps()
{
    if (!m_stamps.take())
        fail(Status::Integrity, "wrote to the evaluator's clock channel.");
}

std::optional<Frame> WorkerProcess::next(const Wait &wait, bool takesOutputs)
{
    while (monotonicNs() < wait.deadlineNs) {
        throwIfInterrupted();
        if (takesOutputs) {
            takeStamps();
            if (m_stamps.isComplete())
                return std::nullopt;
        }
        std::array<pollfd, 3> entries{pollfd{m_control.get(), POLLIN, 0}, pollfd{m_output.get(), POLLIN, 0},
                                      pollfd{takesOutputs ? m_stamps.descriptor() : -1, POLLIN, 0}};
        if (poll(entries.data(), entries.size(), 50) <= 0) {
            takeStamps(); // of a system that lets few of them wait
            continue;
        }
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
        if (received == ReceiveResult::Malformed || frame.header.token != wait.token)
            fail(Status::Integrity, "wrote to the evaluator's report channel.");
        if (frame.header.type == FrameType::Fault && frame.payload.size() == sizeof(FaultReport)) {
            FaultReport report;
            std::memcpy(&report, frame.payload.data(), sizeof report);
            failFrom(report);
        }
        return frame;
    }
    end();
    readRest();
    fail(Status::Timeout, "did not finish within " + std::to_string(std::lround(wait.seconds)) + " s and was ended.");
}

json WorkerProcess::replyIn(const Frame &frame)
{
    const json reply = json::parse(frame.payload, nullptr, false);
    if (frame.header.type != FrameType::Reply || !reply.is_object())
        fail(Status::Integrity, "wrote to the evaluator's report channel.");
    if (reply.contains("error"))
        fail(reply.contains("memory") ? Status::OutOfMemory : Status::RuntimeError,
             reply.at("error").is_string() ? reply.at("error").get<std::string>() : reply.at("error").dump());
    return reply;
}

json WorkerProcess::awaitReply(const Wait &wait)
{
    return replyIn(next(wait).value_or(Frame{}));
}

void WorkerProcess::awaitFrame(FrameType type, const Wait &wait)
{
    const Frame frame = next(wait).value_or(Frame{});
    if (frame.header.type == type)
        return;
    replyIn(frame); // of an error
    fail(Status::Integrity, "wrote to the evaluator's report channel.");
}

json WorkerProcess::request(const json &order, double timeoutSeconds)
{
    return awaitReply(send(order, timeoutSeconds));
}

void WorkerProcess::load(const std::string &library, const std::string &symbol, double timeoutSeconds)
{
    if (!m_facts)
        calibrate(timeoutSeconds); // as long as nothing of the kernel's is in there
    request({{"command", "load"}, {"library", library}, {"symbol", symbol}}, timeoutSeconds);
}

void WorkerProcess::shape(const WorkloadLayout &layout, std::size_t evictBytes, double timeoutSeconds)
{
    m_evictBytes = evictBytes;
    m_layout = layout;
    if (m_facts) {
        shareMemory(layout.sharedBytes());
    } else if (layout.sharedBytes() > m_receivedBytes) {
        m_received.reset();
        m_received = std::make_unique_for_overwrite<unsigned char[]>(layout.sharedBytes());
        m_receivedBytes = layout.sharedBytes();
        m_outputs = m_received.get();
    }
    request({{"command", "shape"}, {"layout", layoutToJson(layout)}, {"evict_bytes", evictBytes}}, timeoutSeconds);
}

json WorkerProcess::prepareToJson(const PrepareOrder &order) const
{
    json rules = json::array();
    for (const InputRule &rule : order.rules)
        rules.push_back(ruleToJson(rule));
    json message{{"command", "prepare"}, {"slots", order.slots},    {"position", order.firstPosition},
                 {"key", order.key},     {"guard", order.guardKey}, {"rules", rules},
                 {"evict", order.evict}};
    if (order.nudgedInput)
        message["nudge"] = {{"input", *order.nudgedInput}, {"index", order.nudgedIndex}};
    return message;
}

// On the CPU the worker learns it with the order to run: there it comes last, and the kernel has no turn in between.
void WorkerProcess::prepare(const PrepareOrder &order, double timeoutSeconds)
{
    if (m_facts) {
        request(prepareToJson(order), timeoutSeconds);
        return;
    }
    m_prepare = order;
    m_prepareSeconds = timeoutSeconds;
}

} // namespace ako::eval
