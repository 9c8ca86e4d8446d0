// SPDX-License-Identifier: GPL-3.0-or-later
// What an evaluation times.
#include "eval/cacheflush.h"
#include "eval/cuda/toolkit.h"
#include "eval/cuda/tracer.h"
#include "eval/progress.h"
#include "eval/session.h"

#include <algorithm>

namespace ako::eval {

namespace {

constexpr int noisePairs = 40;
constexpr double unknownNoise = 0.005; // half-width taken before any A/A comparison was made: a margin of 1 %
constexpr std::uint64_t traceCallCount = 5;

} // namespace

std::vector<const Workload *> Session::timedWorkloads() const
{
    if (isSignal() || m_options.mode == Mode::SelfComparison)
        return {&primary()};
    std::vector<const Workload *> timed;
    for (const Workload &workload : m_problem.workloads) {
        if (workload.timed)
            timed.push_back(&workload);
    }
    return timed;
}

TimingSettings Session::timingSettings() const
{
    TimingSettings settings;
    settings.maximumPairs = m_options.maximumPairs > 0 ? std::max(m_options.maximumPairs, leastPairs)
                            : isSignal()               ? 40
                                                       : 160;
    settings.capSeconds = m_options.capSeconds > 0 ? m_options.capSeconds : isSignal() ? 1.5 : 20;
    settings.evictBytes = m_options.hotCache ? 0 : evictionBytes(static_cast<std::size_t>(m_flushBytes));
    // A process is up to 15 % off for as long as it lives, by where its memory happens to lie: pairs must not all come
    // from one, and a signal takes few.
    if (isSignal())
        settings.roundsPerGeneration = m_gpu ? 10 : 4;
    else if (!m_gpu)
        settings.roundsPerGeneration = 8;
    if (!m_gpu && (m_options.mode == Mode::Verdict || m_options.mode == Mode::NoReference))
        settings.minimumPairs = leastRestRounds;
    settings.margin = m_margin;
    settings.threads = m_limits.threads;
    if (m_gpu) {
        // Below 30 us a sample is made of several calls, each on data of its own.
        settings.leastSampleNs = 100'000;
        settings.longEnoughNs = 30'000;
        settings.largestBatch = 64;
        // Where its memory happens to lie makes two processes with the same 6 us kernel differ by up to 2 % (H200):
        // many places in each, and several processes.
        settings.slotsPerCall = 8;
        settings.briefNs = 12'000;
        settings.briefRoundsPerGeneration = isSignal() ? 4 : 8;
        settings.memoryBytes = std::size_t(std::min(std::int64_t(4) << 30, m_result.environment.gpu->memoryBytes / 16));
        settings.throttled = [this] { return m_gpu->nvml().state().isThrottled(); };
    }
    return settings;
}

// The candidate against itself on the main shape. A signal takes what the last verdict found.
void Session::measureNoise()
{
    if (m_options.mode == Mode::Verdict || m_options.mode == Mode::NoReference) {
        reportProgress("noise", 0.4);
        TimingSettings settings = timingSettings();
        settings.maximumPairs = std::min(noisePairs, settings.maximumPairs);
        settings.capSeconds = std::min(settings.capSeconds, 3.0);
        settings.minimumPairs = std::min(settings.minimumPairs, 2 * settings.roundsPerGeneration);
        settings.margin = 0; // all pairs are taken
        Contender twin = contender(Role::Solution, m_solutionBuild, entryName);
        Contender own = contender(Role::Solution, m_solutionBuild, entryName);
        for (Contender *contender : {&twin, &own})
            contender->limitCalls(m_golden->referenceMs(primary().id));
        const TimedWorkload timed =
            WorkloadTimer(m_problem, primary(), settings, *m_seed, nullptr).run(own, nullptr, &twin);
        m_facts.noiseHalfWidth = noiseOf(timed.championLogs, std::size_t(settings.roundsPerGeneration));
    }
    m_margin = marginFor(m_facts.noiseHalfWidth.value_or(unknownNoise));
    if (m_facts.noiseHalfWidth)
        m_result.noisePercent = 100 * *m_facts.noiseHalfWidth;
    m_result.decision.margin = m_margin;
}

void Session::timeAll()
{
    if (!isSignal() && m_problem.work) {
        reportProgress("probe", 0.5);
        if (m_gpu)
            m_gpuPeaks = m_gpu->peaks(*m_cache, m_limits, false);
        else
            m_peaks = probeMachine(*m_cache, m_machine, m_limits, false);
    }
    std::unique_ptr<Contender> reference, champion;
    if (timesReference())
        reference = std::make_unique<Contender>(contender(Role::Reference, m_referenceBuild, entryName));
    if (m_options.mode == Mode::SelfComparison)
        champion = std::make_unique<Contender>(contender(Role::Solution, m_solutionBuild, entryName));
    else if (!m_championSources.empty())
        champion = std::make_unique<Contender>(contender(Role::Champion, m_championBuild, entryName));
    for (const Workload *workload : timedWorkloads()) {
        checkTime();
        timeWorkload(*workload, reference.get(),
                     m_options.oneProcess && m_options.mode == Mode::SelfComparison ? m_candidate.get()
                                                                                    : champion.get());
    }
    if (m_options.mode == Mode::SelfComparison) {
        m_facts.noiseHalfWidth =
            noiseOf(m_timed.front().championLogs, std::size_t(timingSettings().roundsPerGeneration));
        m_result.noisePercent = 100 * *m_facts.noiseHalfWidth;
    }
    if (!isSignal())
        writeFacts(m_factsPath, m_facts);
}

void Session::timeWorkload(const Workload &workload, Contender *reference, Contender *champion)
{
    TimingSettings settings = timingSettings();
    if (m_options.mode == Mode::SelfComparison)
        settings.margin = 0;
    settings.progress = [&](double fraction) { reportProgress("time-" + workload.id, 0.5 + 0.5 * fraction); };
    m_golden->setWorkload(m_problem, workload);
    for (Contender *contender : {m_candidate.get(), champion}) {
        if (contender)
            contender->limitCalls(m_golden->referenceMs(workload.id));
    }
    TimedWorkload timed =
        WorkloadTimer(m_problem, workload, settings, *m_seed, champion == m_candidate.get() ? nullptr : m_golden.get())
            .run(*m_candidate, reference, champion);
    if (timed.check.status != Status::Ok) {
        m_result.correct = false;
        m_result.checks.push_back(timed.check.check);
        throw Failure(timed.check.status, timed.check.message);
    }
    if (timed.extraThread)
        throw Failure(Status::ExtraThread,
                      "The solution's process used the CPU while others were measured: it keeps a thread running.");
    noteReferenceDrift(timed.timing);
    if (timed.timing.reference)
        m_facts.referenceMs[workload.id] = timed.timing.reference->median;
    else if (const auto known = m_facts.referenceMs.find(workload.id); known != m_facts.referenceMs.end())
        timed.timing.cachedReferenceMs = known->second;
    addFloor(workload, timed.timing);
    m_result.pairs = std::max(m_result.pairs, timed.timing.pairs);
    m_result.timings.push_back(timed.timing);
    m_timed.push_back(std::move(timed));
}

void Session::addFloor(const Workload &workload, WorkloadTiming &timing) const
{
    std::optional<Floor> floor;
    if (m_gpuPeaks)
        floor = floorOf(m_problem, workload, *m_gpuPeaks, m_options.hotCache, m_flushBytes);
    else if (m_peaks)
        floor = floorOf(m_problem, workload, *m_peaks, m_machine);
    if (!floor)
        return;
    timing.floorMs = floor->floorMs;
    timing.practicalMs = floor->practicalMs;
    timing.percentOfFloor = 100 * floor->floorMs / timing.solution->median;
}

// Peaks that were measured while others had the machine are too low, and so are kernels that seem too fast.
void Session::renewFloors()
{
    checkTime();
    reportProgress("probe", 0.95);
    m_candidate->stop();
    m_peaks = probeMachine(*m_cache, m_machine, m_limits, true);
    for (std::size_t index = 0; index < m_result.timings.size(); ++index)
        addFloor(*timedWorkloads().at(index), m_result.timings[index]);
}

// A reference slower than in earlier verdicts: the machine changed, or something holds it back.
void Session::noteReferenceDrift(const WorkloadTiming &timing)
{
    const auto known = m_facts.referenceMs.find(timing.id);
    if (!timing.reference || known == m_facts.referenceMs.end())
        return;
    const double allowed = std::max(0.03, 2 * m_facts.noiseHalfWidth.value_or(0));
    const bool noted = std::find(m_result.flags.begin(), m_result.flags.end(), "REF_SLOWER") != m_result.flags.end();
    if (timing.reference->median > known->second * (1 + allowed) && !noted)
        m_result.flags.emplace_back("REF_SLOWER");
}

// What the device did, as another witness sees it: in a worker of its own, because tracing costs time.
void Session::traceCalls()
{
    WorkerLimits limits = m_limits;
    limits.cupti = findCupti(m_gpu->compiler().path);
    std::string &state = m_result.environment.gpu->trace;
    state = "libcupti.so is not part of the CUDA toolkit";
    if (limits.cupti.empty())
        return;
    reportProgress("trace", 0.95);
    Contender traced(Role::Solution, m_solutionBuild.library, entryName, limits, m_timeouts);
    traced.restart();
    state = traced.worker().traceProblem();
    if (!state.empty())
        return;
    state = "ok";
    for (WorkloadTiming &timing : m_result.timings) {
        const auto workload = std::find_if(m_problem.workloads.begin(), m_problem.workloads.end(),
                                           [&](const Workload &one) { return one.id == timing.id; });
        traced.setLayout(makeLayout(m_problem, *workload, false, 1), timingSettings().evictBytes);
        TraceReport report;
        std::vector<double> busy, span;
        for (std::uint64_t call = 0; call < traceCallCount; ++call) {
            PrepareOrder order = orderFor(CaseMaker(m_problem, *m_seed).declared(*workload, 2000 + call),
                                          m_seed->derive("trace guard", call));
            order.evict = !m_options.hotCache;
            traced.prepare(order);
            report = traced.worker().trace({0}, m_timeouts.call);
            busy.push_back(report.busyMs);
            span.push_back(report.spanMs);
        }
        timing.device->busyMs = medianOf(busy);
        timing.device->spanMs = medianOf(span);
        timing.device->kernels = report.kernels;
    }
}

} // namespace ako::eval
