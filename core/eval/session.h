// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/build.h"
#include "eval/cuda/gpu.h"
#include "eval/facts.h"
#include "eval/machine.h"
#include "eval/options.h"
#include "eval/probe.h"
#include "eval/result.h"
#include "eval/storedinputs.h"
#include "eval/timing.h"

#include <memory>
#include <optional>

namespace ako::eval {

// One evaluation in the order of measurement: read, compile, test the checker, check the answers, time, look again,
// decide. run() never throws: whatever ends it early stands in the result.
class Session
{
public:
    explicit Session(Options options);
    EvaluationResult run();

private:
    void evaluate();
    void describeMachine();
    void readInputs();
    void findGpu();
    void describeGpu();
    bool isGpuBusy() const;
    void probeAfterFault();
    void readStoredInputs();
    void checkMemory();
    void compileAll();
    std::unique_ptr<GoldenSource> makeGolden() const;
    void startGolden();
    void checkAnswers();
    void measureNoise();
    void timeAll();
    void timeWorkload(const Workload &workload, Contender *reference, Contender *champion);
    void noteReferenceDrift(const WorkloadTiming &timing);
    void totals();
    void examineSpeedup();
    void judge();
    void lookAtFiles() const;
    void checkTime() const;

    Build compile(const std::string &label, const SourceList &sources, const std::vector<std::string> &flags,
                  Status onError) const;
    Contender contender(Role role, const Build &build, const std::string &symbol) const;
    std::vector<const Workload *> checkedWorkloads() const;
    std::vector<const Workload *> timedWorkloads() const;
    const Workload &primary() const;
    bool isSignal() const { return m_options.mode == Mode::Signal; }
    bool timesReference() const { return m_options.mode == Mode::Verdict; }
    TimingSettings timingSettings() const;
    void traceCalls();
    void profile();
    bool profileByCounters();
    bool profileByTrace();
    void profileByCompiler();
    void addResources(KernelProfile &kernel) const;
    void addFloor(const Workload &workload, WorkloadTiming &timing) const;
    void renewFloors();

    Options m_options;
    EvaluationResult m_result;
    Machine m_machine;
    WorkerLimits m_limits;
    Timeouts m_timeouts;
    std::optional<SecretSeed> m_seed;
    std::optional<BuildCache> m_cache;
    Problem m_problem;
    std::optional<StoredInputs> m_storedInputs;
    SourceList m_referenceSources, m_solutionSources, m_championSources;
    std::vector<std::string> m_referenceFlags;
    std::string m_referenceSymbol, m_goldenSymbol;
    Build m_referenceBuild, m_solutionBuild, m_championBuild;
    std::unique_ptr<GoldenSource> m_golden;
    std::unique_ptr<Contender> m_candidate;
    std::unique_ptr<Gpu> m_gpu;
    std::optional<GpuPeaks> m_gpuPeaks;
    std::size_t m_otherProcesses = 0; // that compute on the GPU
    std::int64_t m_flushBytes = 0;    // of the last-level cache that is emptied before a timed call
    std::optional<Peaks> m_peaks;
    Facts m_facts;
    std::string m_factsPath;
    double m_margin = 0.005;
    std::vector<TimedWorkload> m_timed;
    std::int64_t m_beginNs = 0;
};

} // namespace ako::eval
