// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/workerprocess.h"

#include <memory>
#include <string>

namespace ako::eval {

struct Timeouts
{
    double load = 60, firstCall = 60, call = 10, shape = 60; // s
};

// A built library together with the worker that runs it; the worker can be replaced by a fresh one at any time.
class Contender
{
public:
    Contender(Role role, std::string library, std::string symbol, WorkerLimits limits, Timeouts timeouts);

    Role role() const { return m_role; }
    WorkerProcess &worker() { return *m_worker; }
    bool isRunning() const { return m_worker != nullptr; }
    bool isOnGpu() const { return !m_limits.deviceLibrary.empty(); }
    void setLayout(const WorkloadLayout &layout,
                   std::size_t evictBytes); // shapes the running worker, or remembers for restart
    void restart();                         // a fresh process, loaded and shaped
    // The same for several; on a GPU, where the driver takes its time, at once.
    static void restartAll(const std::vector<Contender *> &contenders);
    void stop() { m_worker.reset(); }

    void prepare(const PrepareOrder &order);
    // Throws the Failure that fits where the run left traces (guards, inputs, work after the return, an entry error).
    // Repeats it with the same inputs where it must be repeated.
    RunOutcome run(const std::vector<std::size_t> &slots, std::int64_t settleMicroseconds = 0);
    // The same once, for a timed run: it may have to be repeated, with fresh inputs.
    RunOutcome attempt(const std::vector<std::size_t> &slots);
    // Outputs of one slot of the last run.
    std::vector<std::vector<unsigned char>> outputs(std::size_t slot);
    const WorkloadLayout &layout() const { return m_layout; }
    double firstCallMs() const { return m_firstCallMs; }
    // A call may take a hundred times what the reference took, and what the timeouts say in any case.
    void limitCalls(double referenceMs);
    const WorkerProcess &worker() const { return *m_worker; }
    // The worker used the processors while nothing was asked of it. Waiting alone is no proof: on a busy machine an
    // honest worker waits for its turn to go to sleep. One that slept and wakes up again and again has something to do:
    // it could be in the way of those that are measured.
    bool computedWhileIdle() const;

private:
    void beginRestart();
    void finishRestart();
    RunOutcome runWithin(double seconds, const std::vector<std::size_t> &slots, std::int64_t settleMicroseconds);
    RunOutcome runOnce(const std::vector<std::size_t> &slots, std::int64_t settleMicroseconds);
    void watchThreads(const RunOutcome &outcome);
    void watchOutputs(const RunOutcome &outcome, std::size_t slots);
    void judge(const RunOutcome &outcome);
    void judgeDevice(const DeviceOutcome &outcome);
    void beginIdle();
    void endIdle();

    Role m_role;
    std::string m_library, m_symbol;
    WorkerLimits m_limits;
    Timeouts m_timeouts;
    WorkloadLayout m_layout;
    std::size_t m_evictBytes = 0;
    PrepareOrder m_lastOrder;
    std::unique_ptr<WorkerProcess> m_worker;
    bool m_called = false;
    std::int64_t m_idleSinceNs = 0, m_idleNs = 0;
    ProcessorUse m_usedBeforeIdle, m_idleUse{0, 0};
    bool m_asleep = false;         // all its threads, as the pause began
    int m_pauses = 0, m_woken = 0; // pauses that began so, and those in which a thread woke up
    int m_read = 0, m_late = 0; // runs with outputs of several pages, and those whose pages were made as they were read
    double m_firstCallMs = 0, m_referenceMs = 0, m_callSeconds;
    int m_samples = 0, m_disturbed = 0, m_disturbedInARow = 0, m_movedInARow = 0;
    int m_runs = 0, m_gaps = 0; // on a GPU: runs, and those after which the device worked on
};

} // namespace ako::eval
