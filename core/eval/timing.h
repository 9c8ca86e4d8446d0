// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/correctness.h"
#include "eval/resttimes.h"
#include "eval/statistics.h"

#include <functional>
#include <optional>
#include <vector>

namespace ako::eval {

struct TimingSettings
{
    int maximumPairs = 160;
    int minimumPairs = 10;
    double capSeconds = 20; // soft: at least minimumPairs are taken
    std::size_t evictBytes = 0;
    double margin = 0.005;
    int threads = 1;                                  // of a worker
    bool checksAll = false;                           // every timed output instead of secretly chosen ones
    std::size_t memoryBytes = std::size_t(256) << 20; // for the slots of one contender
    std::function<void(double)> progress;             // fraction of the way
    int roundsPerGeneration = 20;
    double briefNs = 0;               // a call that takes less needs more processes:
    int briefRoundsPerGeneration = 0; // so many rounds in each
    double leastSampleNs = 200'000;   // calls are batched until a sample takes this long,
    double longEnoughNs = 200'000;    // unless a single one takes this long already
    int largestBatch = 256;
    std::size_t slotsPerCall = 1;    // of a batch: each sample then finds its data at other places
    std::function<bool()> throttled; // of a GPU: its clock is held down
};

inline constexpr int leastPairs = 10; // in any case

struct TimedWorkload
{
    WorkloadTiming timing;
    std::vector<double> referenceLogs, championLogs; // ln(other / candidate) per pair
    CheckOutcome check;                              // of the timed outputs that were looked at
    bool extraThread = false;
    double wallMs = 0, cpuMs = 0; // of all timed calls and copies: as reported, and CPU time as seen from outside
};

// Times candidate, reference and champion (the latter two may be null) on one workload: all of them once per round, in
// random order, each call on fresh content with cold caches, in workers that are replaced every 20 rounds. Outputs of
// secretly chosen timed calls are compared with the golden answer, on the CPU several of each batch; all outputs there
// are searched for what they were poisoned with.
class WorkloadTimer
{
public:
    WorkloadTimer(const Problem &problem, const Workload &workload, const TimingSettings &settings,
                  const SecretSeed &seed, GoldenSource *golden);
    TimedWorkload run(Contender &candidate, Contender *reference, Contender *champion);

private:
    struct Series
    {
        Contender *contender = nullptr;
        bool isReference = false;
        std::vector<double> milliseconds;
        RestTimes rest;
    };
    struct Batch
    {
        std::vector<std::size_t> slots;
        InputKey key = 0;
    };

    void chooseBatch();
    double timeOnce(Contender &contender, Batch &batch, RunOutcome &outcome);
    PrepareOrder draw(Batch &batch);
    std::vector<Contender *> contenders() const; // each once
    void startGeneration();
    void takeRound(bool keep);
    bool isSteady(const std::vector<double> &clocks);
    bool isLookedAt(bool chosen) const;
    bool verify(const Batch &batch);
    bool verifyUnanswered(const Batch &batch);
    bool verifyOutput(const Batch &batch, std::size_t position);
    bool finished() const;
    void watchClock(const RunOutcome &outcome);
    void watchDevice(const DeviceOutcome &outcome);
    void summariseDevice();
    void judgeClock() const;
    void judgeRest() const;
    void summarise();
    Ratio leadingRatio() const;

    const Problem &m_problem;
    const Workload &m_workload;
    TimingSettings m_settings;
    const SecretSeed &m_seed;
    GoldenSource *m_golden;
    RandomStream m_random;
    std::vector<Series> m_series; // candidate first
    int m_batch = 1;
    std::size_t m_slots = 1;
    std::uint64_t m_drawn = 0;
    std::int64_t m_beginNs = 0;
    std::vector<double> m_hiddenCpuNs, m_missingNs, m_reportedNs, m_cpuNs;
    std::vector<double> m_hostNs, m_gapNs, m_clockMhz; // on a GPU
    int m_droppedRounds = 0;
    bool m_heldBack = false;
    Batch m_lastBatch;
    TimedWorkload m_result;
};

} // namespace ako::eval
