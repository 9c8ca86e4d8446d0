// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/contender.h"

#include <algorithm>

namespace ako::eval {

namespace {

// CPU time in a window of 3 ms that starts when a thread pool has had 5 ms to fall asleep.
constexpr std::int64_t escapedLimitNs = 1'000'000;
// Shares of the time in which nothing was asked. A thread that spins wants a whole processor and gets at least its fair
// part of one, also beside ten others; a worker on its way to sleep wants one for as long as its turn takes to come.
constexpr double idleWantedLimit = 0.3, idleRunningLimit = 0.05;
constexpr std::int64_t idleWantedLeastNs = 20'000'000;

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
    m_usedBeforeIdle = {};
    m_worker.reset(); // before the new one takes its memory
    m_worker = std::make_unique<WorkerProcess>(m_role, m_limits);
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
    return m_idleUse.runnableNs > idleWantedLeastNs &&
           double(m_idleUse.runnableNs) > idleWantedLimit * double(m_idleNs) &&
           double(m_idleUse.runningNs) > idleRunningLimit * double(m_idleNs);
}

void Contender::prepare(const PrepareOrder &order)
{
    endIdle();
    m_worker->prepare(order, m_timeouts.shape);
}

RunOutcome Contender::run(const std::vector<std::size_t> &slots, std::int64_t settleMicroseconds)
{
    const double each = m_timeouts.call * double(std::max<std::size_t>(1, slots.size() / 16));
    const RunOutcome outcome =
        m_worker->run(slots, settleMicroseconds, m_called ? each : std::max(each, m_timeouts.load));
    if (!m_called)
        m_firstCallMs = double(outcome.callNs) * 1e-6 / double(slots.size());
    m_called = true;
    beginIdle();
    judge(outcome);
    return outcome;
}

void Contender::judge(const RunOutcome &outcome) const
{
    if (!outcome.guard.empty())
        m_worker->fail(Status::GuardHit, "wrote " + outcome.guard + '.');
    if (!outcome.mutated.empty())
        m_worker->fail(Status::InputMutated, "changed its input " + outcome.mutated + ", which is not declared inout.");
    if (!outcome.changed.empty())
        m_worker->fail(Status::EscapedWork, "went on writing to " + outcome.changed + " after its call had returned.");
    if (outcome.escapedNs > escapedLimitNs)
        m_worker->fail(Status::EscapedWork, "went on computing after its call had returned.");
    if (outcome.entryError != 0)
        m_worker->fail(Status::RuntimeError, "returned the error " + std::to_string(outcome.entryError) + '.');
}

std::vector<std::vector<unsigned char>> Contender::outputs(std::size_t slot) const
{
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
