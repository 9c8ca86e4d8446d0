// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/contender.h"

#include <algorithm>
#include <cstdio>
#include <future>

namespace ako::eval {

namespace {

// CPU time in a window of 3 ms that starts when a thread pool has had 5 ms to fall asleep.
constexpr std::int64_t escapedLimitNs = 1'000'000;
// A virtual machine's clock may count what its host took away; a kernel that goes on computing does so each time.
constexpr int escapedAttempts = 3;
// Runs during whose preparation a thread was awake. A pool's thread may be late once in a while.
constexpr int disturbedLeast = 6, disturbedInARow = 12;
constexpr double disturbedShare = 1.0 / 3;

bool onlyEscaped(const RunOutcome &outcome)
{
    return outcome.escapedNs > escapedLimitNs && outcome.changed.empty() && outcome.guard.empty() &&
           outcome.mutated.empty() && outcome.entryError == 0;
}
// Shares of the time in which nothing was asked. A thread that spins wants a whole processor and gets at least its fair
// part of one, also beside ten others; a worker on its way to sleep wants one for as long as its turn takes to come.
constexpr double idleWantedLimit = 0.3, idleRunningLimit = 0.05;
constexpr std::int64_t idleWantedLeastNs = 20'000'000;
constexpr std::size_t leastPages = 8;
constexpr double latePages = 0.2, lateShare = 0.5; // of the pages, and of the runs
constexpr int lateLeast = 6;
// On a GPU: after our stream has ended, the whole device may take this long to be idle (1 us is usual, measured on an
// H200), plus a share of the run. One late wake-up of the host accuses nobody.
constexpr std::int64_t gapLimitNs = 10'000;
constexpr double gapShare = 0.02, gapRunsShare = 0.2;
constexpr int gapRunsLeast = 3;
constexpr double callShare = 100; // of the reference's time

} // namespace

Contender::Contender(Role role, std::string library, std::string symbol, WorkerLimits limits, Timeouts timeouts)
    : m_role(role)
    , m_library(std::move(library))
    , m_symbol(std::move(symbol))
    , m_limits(std::move(limits))
    , m_timeouts(timeouts)
    , m_callSeconds(timeouts.call)
{
}

void Contender::setLayout(const WorkloadLayout &layout, std::size_t evictBytes)
{
    endIdle();
    m_layout = layout;
    m_evictBytes = evictBytes;
    if (m_worker)
        m_worker->shape(m_layout, m_evictBytes, m_timeouts.shape);
}

void Contender::restart()
{
    beginRestart();
    finishRestart();
}

void Contender::restartAll(const std::vector<Contender *> &contenders)
{
    for (Contender *contender : contenders)
        contender->beginRestart();
    std::vector<std::future<void>> others;
    for (Contender *contender : contenders) {
        const auto policy = contender->m_limits.deviceLibrary.empty() ? std::launch::deferred : std::launch::async;
        others.push_back(std::async(policy, [contender] { contender->finishRestart(); }));
    }
    for (std::future<void> &other : others)
        other.get();
}

void Contender::beginRestart()
{
    m_usedBeforeIdle = {};
    m_worker.reset(); // before the new one takes its memory
    m_worker = std::make_unique<WorkerProcess>(m_role, m_limits, false);
}

void Contender::finishRestart()
{
    m_worker->open(m_limits);
    m_worker->load(m_library, m_symbol, m_timeouts.load);
    m_called = false;
    if (!m_layout.buffers.empty())
        m_worker->shape(m_layout, m_evictBytes, m_timeouts.shape);
}

void Contender::beginIdle()
{
    m_idleSinceNs = monotonicNs();
    m_usedBeforeIdle = m_worker->processorUse();
    m_asleep = !m_worker->onGpu() && m_worker->markThreads(); // the driver of a GPU has threads of its own
}

void Contender::endIdle()
{
    if (m_usedBeforeIdle.runnableNs < 0)
        return;
    // A thread that has ended since takes its record with it.
    const ProcessorUse used = m_worker->processorUse() - m_usedBeforeIdle;
    m_idleUse.runningNs += std::max<std::int64_t>(0, used.runningNs);
    m_idleUse.runnableNs += std::max<std::int64_t>(0, used.runnableNs);
    m_idleNs += monotonicNs() - m_idleSinceNs;
    if (m_asleep) {
        ++m_pauses;
        m_woken += !m_worker->sleptSinceMark();
    }
    m_usedBeforeIdle = {};
}

bool Contender::computedWhileIdle() const
{
    // On a GPU the pauses are so short that going to sleep is a good part of them.
    if (m_worker && m_worker->onGpu())
        return m_idleUse.runningNs > idleWantedLeastNs &&
               double(m_idleUse.runningNs) > idleWantedLimit * double(m_idleNs);
    if (m_woken >= disturbedLeast && m_woken > disturbedShare * m_pauses)
        return true;
    return m_idleUse.runnableNs > idleWantedLeastNs &&
           double(m_idleUse.runnableNs) > idleWantedLimit * double(m_idleNs) &&
           double(m_idleUse.runningNs) > idleRunningLimit * double(m_idleNs);
}

void Contender::prepare(const PrepareOrder &order)
{
    endIdle();
    m_lastOrder = order;
    m_worker->awaitQuiet();
    m_worker->prepare(order, m_timeouts.shape);
}

RunOutcome Contender::run(const std::vector<std::size_t> &slots, std::int64_t settleMicroseconds)
{
    RunOutcome outcome = runOnce(slots, settleMicroseconds);
    for (int escaped = 1; outcome.disturbed || outcome.clockMoved || onlyEscaped(outcome);) {
        if (!outcome.disturbed && !outcome.clockMoved && ++escaped > escapedAttempts)
            break;
        prepare(m_lastOrder);
        outcome = runOnce(slots, settleMicroseconds);
    }
    judge(outcome);
    return outcome;
}

RunOutcome Contender::attempt(const std::vector<std::size_t> &slots)
{
    const RunOutcome outcome = runOnce(slots, 0);
    judge(outcome);
    return outcome;
}

void Contender::limitCalls(double referenceMs)
{
    m_referenceMs = referenceMs;
    m_callSeconds = std::max(m_timeouts.call, callShare * referenceMs * 1e-3);
}

RunOutcome Contender::runWithin(double seconds, const std::vector<std::size_t> &slots, std::int64_t settleMicroseconds)
{
    try {
        return m_worker->run(slots, settleMicroseconds, seconds);
    } catch (const Failure &failure) {
        if (failure.status() != Status::Timeout || m_referenceMs <= 0)
            throw;
        char text[64];
        std::snprintf(text, sizeof text, " The reference took %.3g ms.", m_referenceMs);
        throw Failure(Status::Timeout, failure.what() + std::string(text), failure.log());
    }
}

RunOutcome Contender::runOnce(const std::vector<std::size_t> &slots, std::int64_t settleMicroseconds)
{
    const double each = m_callSeconds * double(std::max<std::size_t>(1, slots.size() / 16));
    const RunOutcome outcome =
        runWithin(m_called ? each : std::max(each, m_timeouts.firstCall), slots, settleMicroseconds);
    if (!m_called)
        m_firstCallMs = double(outcome.device ? outcome.device->hostNs : outcome.callNs) * 1e-6 / double(slots.size());
    m_called = true;
    watchThreads(outcome);
    watchOutputs(outcome, slots.size());
    beginIdle();
    return outcome;
}

// Whoever is awake while the inputs are being made can compute before the clock starts.
void Contender::watchThreads(const RunOutcome &outcome)
{
    ++m_samples;
    m_disturbed += outcome.disturbed;
    m_disturbedInARow = outcome.disturbed ? m_disturbedInARow + 1 : 0;
    m_movedInARow = outcome.clockMoved ? m_movedInARow + 1 : 0;
    if (m_disturbedInARow >= disturbedInARow ||
        (m_disturbed >= disturbedLeast && m_disturbed > disturbedShare * m_samples))
        m_worker->fail(Status::ExtraThread, "had a thread running while its inputs were being made ready, in " +
                                                std::to_string(m_disturbed) + " of " + std::to_string(m_samples) +
                                                " runs; between calls its threads must sleep.");
    if (m_movedInARow >= disturbedInARow)
        throw Failure(Status::Infrastructure, "The system's clock is set again and again; measure when it is steady.");
}

// The pages of all outputs were there before the call. Who gives them back, or has others stand in for them, leaves the
// work to whoever reads them. A system that moves pages about does so now and then.
void Contender::watchOutputs(const RunOutcome &outcome, std::size_t slots)
{
    std::size_t bytes = 0;
    for (const BufferSpec &spec : m_layout.buffers)
        bytes += spec.isOutput ? slots * spec.bytes() : 0;
    const std::size_t pages = bytes / 4096;
    if (pages < leastPages || m_worker->onGpu())
        return;
    ++m_read;
    m_late += double(outcome.pagesMade) > latePages * double(pages);
    if (m_late >= lateLeast && m_late > lateShare * m_read)
        m_worker->fail(Status::EscapedWork, "leaves its outputs to be made when they are read, in " +
                                                std::to_string(m_late) + " of " + std::to_string(m_read) + " runs.");
}

void Contender::judge(const RunOutcome &outcome)
{
    if (!outcome.guard.empty())
        m_worker->fail(Status::GuardHit, "wrote " + outcome.guard + '.');
    if (!outcome.mutated.empty())
        m_worker->fail(Status::InputMutated, "changed its input " + outcome.mutated + ", which is not declared inout.");
    if (!outcome.changed.empty())
        m_worker->fail(Status::EscapedWork, "went on writing to " + outcome.changed + " after its call had returned.");
    if (outcome.escapedNs > escapedLimitNs)
        m_worker->fail(Status::EscapedWork, "went on computing after its call had returned.");
    if (outcome.device)
        judgeDevice(*outcome.device);
    if (outcome.device && !outcome.device->error.empty())
        m_worker->fail(Status::RuntimeError, "left a CUDA error: " + outcome.device->error + '.');
    if (outcome.entryError != 0)
        m_worker->fail(Status::RuntimeError, "returned the error " + std::to_string(outcome.entryError) + '.');
}

void Contender::judgeDevice(const DeviceOutcome &outcome)
{
    if (outcome.limitChanged)
        m_worker->fail(Status::LimitChanged,
                       "set cache of the device aside for itself (cudaLimitPersistingL2CacheSize).");
    ++m_runs;
    m_gaps += double(outcome.gapNs) > double(gapLimitNs) + gapShare * double(outcome.waitNs);
    if (m_gaps >= gapRunsLeast && m_gaps > gapRunsShare * m_runs)
        m_worker->fail(Status::EscapedWork, "kept the device working after its own stream had ended.");
}

std::vector<std::vector<unsigned char>> Contender::outputs(std::size_t slot)
{
    if (m_worker->onGpu()) {
        endIdle();
        m_worker->fetch(slot, m_timeouts.shape);
        beginIdle();
    }
    std::vector<std::vector<unsigned char>> result;
    for (std::size_t i = 0; i < m_layout.buffers.size(); ++i) {
        if (!m_layout.buffers[i].isOutput)
            continue;
        const unsigned char *begin = m_worker->output(slot, i);
        result.emplace_back(begin, begin + m_layout.buffers[i].bytes());
    }
    return result;
}

} // namespace ako::eval
