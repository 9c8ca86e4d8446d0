// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of a worker: on the CPU by the parent's own watch.
#include "eval/hash.h"
#include "eval/machine.h"
#include "eval/poison.h"
#include "eval/random.h"
#include "eval/runreporter.h"
#include "eval/statistics.h"
#include "eval/workerprocess.h"

#include <nlohmann/json.hpp>
#include <time.h>

#include <algorithm>
#include <utility>

namespace ako::eval {

using nlohmann::json;

namespace {

constexpr int calibrations = 16;
constexpr std::int64_t quietLimitNs = 50'000'000; // a thread pool may spin a little before it sleeps
constexpr std::int64_t escapeWindowMicroseconds = 3000, escapeEnoughNs = 1'500'000;
constexpr std::size_t mostThreads = 512;
constexpr int escapeWindows = 100; // at most, on a busy machine
constexpr std::int64_t longestRestNs = 1'000'000;

void sleepMicroseconds(std::int64_t count)
{
    timespec rest{time_t(count / 1'000'000), long(count % 1'000'000 * 1000)};
    while (nanosleep(&rest, &rest) != 0) {}
}

// Looking at many threads takes longer. All workers rest as long before they start: a processor that has slept longer
// wakes up more slowly.
void restAsLongAsOthers(std::int64_t sinceNs)
{
    static std::int64_t longest = 0;
    longest = std::min(std::max(longest, monotonicNs() - sinceNs), longestRestNs);
    while (monotonicNs() - sinceNs < longest) {}
}

} // namespace

void WorkerProcess::calibrate(double timeoutSeconds)
{
    std::vector<double> times;
    for (int round = 0; round < calibrations; ++round) {
        const Wait wait = send({{"command", "calibrate"}}, timeoutSeconds);
        m_stamps.expectPairs(emptyPairs, wait.token);
        awaitReply(wait);
        takeStamps();
        for (const std::int64_t time : m_stamps.pairs())
            times.push_back(double(time));
    }
    m_sandbox.stamped = m_stamps.isStamped();
    m_stampNs = std::max(0.0, medianOf(std::move(times)));
}

void WorkerProcess::awaitQuiet()
{
    m_quiet = m_facts || m_threads->note(quietLimitNs); // the driver of a GPU has threads of its own
    // Looking at thousands takes so long that one could work behind the look.
    if (!m_facts && m_threads->count() > mostThreads)
        fail(Status::ExtraThread, "keeps " + std::to_string(m_threads->count()) + " threads; at most " +
                                      std::to_string(mostThreads) + " are allowed.");
}

RunOutcome WorkerProcess::run(const std::vector<std::size_t> &slots, std::int64_t settleMicroseconds,
                              double timeoutSeconds)
{
    if (m_facts)
        return runOnDevice(slots, timeoutSeconds);
    RunOrder order{slots, std::nullopt, secretNumber()};
    if (slots.size() > 1 && !secretPart(m_layout, slots.front(), order.snapshotKey).empty())
        order.pausedAt = randomAt(order.snapshotKey, slots.size()) % slots.size();
    if (!m_stamps.isQuiet())
        fail(Status::Integrity, "wrote to the evaluator's clock channel.");
    if (m_prepare && m_prepare->evict)
        request({{"command", "evict"}, {"bytes", m_evictBytes}}, m_prepareSeconds);
    json message{{"command", "run"}, {"slots", slots}, {"snapshot_key", order.snapshotKey}};
    if (order.pausedAt)
        message["pause"] = *order.pausedAt;
    if (const auto prepare = std::exchange(m_prepare, std::nullopt))
        message["prepare"] = prepareToJson(*prepare);
    const std::int64_t ordered = monotonicNs();
    Wait wait = send(message, timeoutSeconds + std::exchange(m_prepareSeconds, 0));
    m_stamps.expectRun(m_layout, order, wait.token, m_outputs);
    awaitFrame(FrameType::Ready, wait);
    wait.seconds = timeoutSeconds; // from here on for the calls alone
    wait.deadlineNs = monotonicNs() + std::int64_t(timeoutSeconds * 1e9);

    RunOutcome outcome;
    const std::int64_t ready = monotonicNs();
    outcome.readyNs = ready - ordered;
    outcome.disturbed = !m_quiet || !m_threads->sleptSince();
    restAsLongAsOthers(ready);
    const std::int64_t cpuBefore = cpuNs();
    const Instant begin = Instant::now();
    say(FrameType::Start, wait);
    awaitFrame(FrameType::Done, wait);
    if (const auto frame = next(wait, true)) {
        replyIn(*frame); // of an error
        fail(Status::Integrity, "wrote to the evaluator's report channel.");
    }
    const Instant end = Instant::now();
    m_runCpuNs = cpuNs() - cpuBefore;
    readTimes(begin, end, outcome);
    outcome.escapedNs = settleMicroseconds > 0 ? cpuAfterReturn(settleMicroseconds) : 0;
    say(FrameType::GoOn, wait);
    const json reply = awaitReply(wait);
    try {
        outcome.cpuNs = reply.at("cpu_ns");
        outcome.threads = reply.at("threads");
        outcome.entryError = reply.at("entry_error");
        outcome.guard = reply.at("guard");
        outcome.mutated = reply.at("mutated");
        outcome.pagesMade = reply.at("pages");
        outcome.hashes = reply.at("hashes").get<std::vector<std::uint64_t>>();
    } catch (const json::exception &) {
        fail(Status::Integrity, "sent a report that is not the evaluator's.");
    }
    outcome.changed = changedOutput(order, outcome.hashes);
    return outcome;
}

void WorkerProcess::readTimes(const Instant &begin, const Instant &end, RunOutcome &outcome)
{
    const bool stamped = m_stamps.isStamped();
    const std::int64_t start = stamped ? begin.stampedNs : begin.rawNs;
    const std::int64_t first = m_stamps.at(StampType::Begin), last = m_stamps.at(StampType::End);
    // The system's own stamps are out of order only where its clock was set.
    const bool inOrder = first >= start && m_stamps.goesForward();
    outcome.clockMoved = stamped && (!inOrder || !end.agreesWith(begin));
    if (!stamped && !inOrder)
        fail(Status::Integrity, "reports times that do not agree with the evaluator's own clock.");
    const std::int64_t paused = m_stamps.pausedNs();
    const double stamps = m_stampNs * (m_stamps.at(StampType::Pause) > 0 ? 2 : 1);
    outcome.callNs = std::max<std::int64_t>(1, last - first - paused - std::int64_t(stamps));
    outcome.waitedNs = first - start + paused + m_stamps.lingeredNs();
    outcome.copyNs = m_stamps.at(StampType::Taken) - last;
    m_wallNs = m_stamps.at(StampType::Taken) - start;
}

// Of the other threads: the first one waits for us. A pool's thread that still waits for its turn to fall asleep gets
// the time for it, and one that computes is given the time to show it.
std::int64_t WorkerProcess::cpuAfterReturn(std::int64_t settleMicroseconds) const
{
    sleepMicroseconds(settleMicroseconds);
    const std::int64_t before = cpuNs();
    for (int window = 1;; ++window) {
        sleepMicroseconds(escapeWindowMicroseconds);
        const std::int64_t used = cpuNs() - before;
        if (used > escapeEnoughNs || window == escapeWindows || m_threads->allSleep())
            return used;
    }
}

bool WorkerProcess::holdsPoison(std::size_t slot) const
{
    for (std::size_t buffer = 0; buffer < m_layout.buffers.size(); ++buffer) {
        const BufferSpec &spec = m_layout.buffers[buffer];
        if (spec.isOutput && !spec.isInput && eval::holdsPoison(spec, output(slot, buffer)))
            return true;
    }
    return false;
}

// What came at once against what the worker finds in its memory afterwards; empty: the same.
std::string WorkerProcess::changedOutput(const RunOrder &order, const std::vector<std::uint64_t> &hashes) const
{
    if (const std::optional<Piece> piece = m_stamps.changed())
        return m_layout.buffers[piece->buffer].name;
    for (std::size_t buffer = 0; buffer < m_layout.buffers.size(); ++buffer) {
        const BufferSpec &spec = m_layout.buffers[buffer];
        if (!spec.isOutput)
            continue;
        std::uint64_t hash = 0;
        for (const std::size_t slot : order.slots)
            hash = quickHash(output(slot, buffer), spec.bytes(), hash);
        if (buffer >= hashes.size() || hashes[buffer] != hash)
            return spec.name;
    }
    return {};
}

} // namespace ako::eval
