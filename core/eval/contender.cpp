// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/contender.h"

#include <algorithm>
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
// On a GPU: after our stream has ended, the whole device may take this long to be idle (1 us is usual, measured on an
// H200), plus a share of the run. One late wake-up of the host accuses nobody.
constexpr std::int64_t gapLimitNs = 10'000;
constexpr double gapShare = 0.02, gapRunsShare = 0.2;
constexpr int gapRunsLeast = 3;

} // namespace

Contender::Contender(Role role, std::string library, std::string symbol, WorkerLimits limits, Timeouts timeouts)
    : m_role(role)
    , m_library(std::move(library))
    , m_symbol(std::move(symbol))
    , m_limits(std::move(limits))
    , m_timeouts(timeouts)
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
    m_usedBeforeIdle = {};
}

bool Contender::computedWhileIdle() const
{
    // On a GPU the pauses are so short that going to sleep is a good part of them.
    if (m_worker && m_worker->onGpu())
        return m_idleUse.runningNs > idleWantedLeastNs &&
               double(m_idleUse.runningNs) > idleWantedLimit * double(m_idleNs);
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

RunOutcome Contender::runOnce(const std::vector<std::size_t> &slots, std::int64_t settleMicroseconds)
{
    const double each = m_timeouts.call * double(std::max<std::size_t>(1, slots.size() / 16));
    const RunOutcome outcome =
        m_worker->run(slots, settleMicroseconds, m_called ? each : std::max(each, m_timeouts.load));
    if (!m_called)
        m_firstCallMs = double(outcome.device ? outcome.device->hostNs : outcome.callNs) * 1e-6 / double(slots.size());
    m_called = true;
    watchThreads(outcome);
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
