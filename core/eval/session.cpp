// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/session.h"

#include "eval/cuda/suspicion.h"
#include "eval/cuda/toolkit.h"
#include "eval/cuda/tracer.h"
#include "eval/decision.h"
#include "eval/examination.h"
#include "eval/flags.h"
#include "eval/hash.h"
#include "eval/interrupt.h"
#include "eval/progress.h"
#include "eval/shim.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace ako::eval {

namespace {

constexpr int noisePairs = 40, examinedPairs = 20;
constexpr double unknownNoise = 0.005; // half-width taken before any A/A comparison was made: a margin of 1 %
constexpr std::int64_t baseMemory = std::int64_t(4) << 30;
constexpr int enduranceCalls = 64;
constexpr std::uint64_t traceCallCount = 5;
constexpr double unusableHalfWidth = 0.5;

std::string hexNumber(std::uint64_t value)
{
    return sha256Hex(std::to_string(value)).substr(0, 16);
}

} // namespace

Session::Session(Options options)
    : m_options(std::move(options))
{
    m_result.mode = modeName(m_options.mode);
    m_result.cache = m_options.hotCache ? "hot" : "cold";
    m_result.level = lookLevel;
}

EvaluationResult Session::run()
{
    m_beginNs = monotonicNs();
    try {
        evaluate();
    } catch (const Failure &failure) {
        m_result.status = failure.status();
        m_result.message = failure.what();
        m_result.log = failure.log();
    } catch (const std::bad_alloc &) {
        m_result.status = Status::Infrastructure;
        m_result.message = "The evaluator itself ran out of memory; use smaller workloads.";
    } catch (const std::exception &error) {
        m_result.status = Status::Infrastructure;
        m_result.message = std::string("The evaluator failed: ") + error.what();
    }
    m_golden.reset();
    m_candidate.reset();
    if (m_result.status != Status::Ok && exitCodeOf(m_result.status) != 6)
        m_result.decision.verdict = Verdict::None;
    m_result.durationSeconds = double(monotonicNs() - m_beginNs) * 1e-9;
    return std::move(m_result);
}

void Session::evaluate()
{
    reportProgress("read", 0);
    m_seed.emplace();
    m_result.nonce = hexNumber(m_seed->derive("nonce"));
    describeMachine();
    readInputs();
    compileAll();
    startGolden();
    checkAnswers();
    measureNoise();
    timeAll();
    if (m_gpu && !isSignal())
        traceCalls();
    lookAtFiles();
    totals();
    if (m_options.verbose)
        m_result.log += m_candidate->worker().text();
    judge();
    reportProgress("done", 1);
}

void Session::describeMachine()
{
    m_machine = inspectMachine();
    EnvironmentReport &environment = m_result.environment;
    environment.cpu = m_machine.cpu;
    environment.governor = m_machine.governor;
    environment.cores = environment.threads = int(m_machine.cores.size());
    environment.cacheBytes = m_machine.cacheBytes;
    environment.load = m_machine.load;
    m_limits.cores = m_machine.cores;
    m_limits.threads = environment.threads;
    m_limits.cpuSeconds = std::int64_t(m_options.totalTimeout) * environment.threads;
    if (m_options.callTimeout > 0)
        m_timeouts = {m_options.callTimeout, m_options.callTimeout, m_timeouts.shape};
    m_result.evaluatorHash = sha256Hex(readFile("/proc/self/exe", Status::Infrastructure));
}

void Session::readInputs()
{
    m_problem = readProblem(m_options.problem);
    m_result.problem = m_problem.name;
    m_result.problemHash = m_problem.hash;
    if (!m_options.device.empty() && (m_options.device == "cpu") == m_problem.onGpu)
        throw Failure(Status::UsageError, "--device " + m_options.device + ": " + m_problem.path +
                                              " is for the device " + (m_problem.onGpu ? "cuda" : "cpu") + '.');
    const Reference declared = m_problem.reference.value_or(Reference{});
    m_referenceFlags = declared.flags;
    if (!m_options.reference.empty()) {
        m_referenceSources = readSources(m_options.reference, Status::ReferenceError);
    } else if (m_problem.reference) {
        for (const std::string &file : declared.sources)
            m_referenceSources.emplace_back(file, readFile(m_problem.folder + '/' + file, Status::ReferenceError));
    } else {
        throw Failure(Status::UsageError,
                      m_problem.path + ": names no reference; give one with --reference (the original kernel serves).");
    }
    // A reference given by hand need not have the golden entry of the problem's own.
    m_goldenSymbol = m_options.reference.empty() ? declared.golden : std::string();
    m_referenceSymbol = m_options.reference.empty() ? declared.symbol : m_problem.symbol;
    m_solutionSources = readSources(m_options.solution, Status::UsageError);
    if (!m_options.champion.empty())
        m_championSources = readSources(m_options.champion, Status::ChampionError);
    checkMemory();
}

void Session::checkMemory()
{
    std::int64_t largest = 0;
    for (const Workload &workload : m_problem.workloads)
        largest = std::max(largest, std::int64_t(makeLayout(m_problem, workload, true, 1).slotBytes()));
    m_limits.memoryBytes = baseMemory + 8 * largest + 2 * m_machine.cacheBytes;
    m_flushBytes = m_machine.cacheBytes;
    if (4 * largest > m_machine.availableBytes)
        throw Failure(Status::Infrastructure, "The largest workload needs about " +
                                                  std::to_string((4 * largest) >> 20) + " MiB, of which only " +
                                                  std::to_string(m_machine.availableBytes >> 20) + " MiB are free.");
}

void Session::findGpu()
{
    const char *path = std::getenv("PATH");
    m_gpu = std::make_unique<Gpu>(m_options.device.empty() ? 0 : std::atoi(m_options.device.c_str()),
                                  path ? path : "/usr/bin:/bin",
                                  m_options.compiler.empty() ? std::string() : makeAbsolute(m_options.compiler));
    const GpuIdentity &identity = m_gpu->nvml().identity();
    std::int64_t largest = 0;
    for (const Workload &workload : m_problem.workloads)
        largest = std::max(largest, std::int64_t(makeLayout(m_problem, workload, true, 1).slotBytes()));
    // Several workers hold their buffers and snapshots at the same time.
    if (identity.memoryBytes > 0 && 6 * largest > identity.memoryBytes)
        throw Failure(Status::Infrastructure, "The largest workload needs about " +
                                                  std::to_string((6 * largest) >> 20) + " MiB on the GPU, which has " +
                                                  std::to_string(identity.memoryBytes >> 20) + " MiB.");
    m_otherProcesses = m_gpu->nvml().processes().size(); // none of ours is running yet
    if (m_otherProcesses > 0 || m_gpu->nvml().state().busyPercent > 5)
        m_result.flags.emplace_back("GPU_BUSY");
}

// What a worker and the driver say of the GPU; the first worker is the golden's.
void Session::describeGpu()
{
    const GpuIdentity &identity = m_gpu->nvml().identity();
    const GpuState state = m_gpu->nvml().state();
    const AkoDeviceFacts &facts = *m_golden->worker().deviceFacts();
    GpuReport report{identity.name, identity.uuid, identity.driver, m_gpu->compiler().architecture};
    report.runtimeVersion = facts.runtimeVersion;
    report.multiprocessors = facts.multiprocessors;
    report.clockMhz = state.clockMhz;
    report.temperature = state.temperature;
    report.cacheBytes = facts.cacheBytes;
    report.memoryBytes = facts.memoryBytes;
    report.partitioned = identity.partitioned;
    report.otherProcesses = m_otherProcesses;
    m_flushBytes = facts.cacheBytes;
    m_result.environment.device = "cuda";
    m_result.environment.gpu = report;
}

Build Session::compile(const std::string &label, const SourceList &sources, const std::vector<std::string> &flags,
                       Status onError) const
{
    const bool isReference = label == "reference";
    BuildRequest request{sources, {}, flags, onError, label, m_options.compileTimeout};
    const std::string &symbol = isReference ? m_referenceSymbol : m_problem.symbol;
    const std::string extension = m_problem.onGpu ? ".cu" : ".cpp";
    request.shims.emplace_back("ako_shim" + extension, shimSource(m_problem, symbol, entryName, false));
    if (isReference && !m_goldenSymbol.empty())
        request.shims.emplace_back("ako_shim_golden" + extension,
                                   shimSource(m_problem, m_goldenSymbol, goldenName, true));
    try {
        return m_cache->build(request);
    } catch (const Failure &failure) {
        const auto launcher = m_problem.onGpu ? missingLauncher(sources, symbol, failure.log()) : std::nullopt;
        if (!launcher)
            throw;
        throw Failure(failure.status(), "The " + label + " cannot be called: " + *launcher + '.', failure.log());
    }
}

void Session::compileAll()
{
    reportProgress("compile", 0.02);
    EnvironmentReport &environment = m_result.environment;
    environment.flags = solutionFlags(m_options.solution, m_problem.onGpu);
    environment.referenceFlags = m_referenceFlags;
    const char *path = std::getenv("PATH");
    if (m_problem.onGpu)
        findGpu();
    const Compiler compiler = m_gpu                        ? m_gpu->compiler()
                              : m_options.compiler.empty() ? findCompiler(path ? path : "/usr/bin:/bin")
                                                           : describeCompiler(makeAbsolute(m_options.compiler));
    environment.compiler = compiler.path;
    environment.compilerVersion = compiler.version;
    m_cache.emplace(m_options.buildFolder.empty() ? defaultBuildFolder() : m_options.buildFolder, compiler);
    if (m_cache->canRead(m_problem.path))
        m_result.flags.emplace_back("COMPILER_UNCONFINED");
    if (m_gpu)
        m_gpu->prepare(*m_cache, m_limits);
    m_result.solutionHash = hashSources(m_solutionSources);
    m_result.referenceHash = hashSources(m_referenceSources);
    m_solutionBuild = compile("solution", m_solutionSources, environment.flags, Status::CompileError);
    m_result.compiled = true;
    m_result.log = m_gpu ? withoutResources(m_solutionBuild.log) : m_solutionBuild.log;
    if (m_gpu)
        m_result.kernels = parseResources(m_solutionBuild.log);
    m_referenceBuild = compile("reference", m_referenceSources, m_referenceFlags, Status::ReferenceError);
    if (!m_championSources.empty()) {
        environment.championFlags = solutionFlags(m_options.champion, m_problem.onGpu);
        m_result.championHash = hashSources(m_championSources);
        m_championBuild = compile("champion", m_championSources, *environment.championFlags, Status::ChampionError);
    }
    m_factsPath = factsPath(m_cache->folder(), m_problem.hash, m_result.referenceHash);
    m_facts = readFacts(m_factsPath);
}

Contender Session::contender(Role role, const Build &build, const std::string &symbol) const
{
    return {role, build.library, symbol, m_limits, m_timeouts};
}

std::unique_ptr<GoldenSource> Session::makeGolden() const
{
    std::optional<Contender> golden;
    if (!m_goldenSymbol.empty())
        golden = contender(Role::Golden, m_referenceBuild, goldenName);
    return std::make_unique<GoldenSource>(contender(Role::Reference, m_referenceBuild, entryName), std::move(golden));
}

void Session::startGolden()
{
    m_golden = makeGolden();
    m_result.environment.sandbox = m_golden->sandbox();
    m_result.environment.sandbox.compiler = m_cache->isConfined();
    if (m_gpu)
        describeGpu();
    m_golden->setWorkload(m_problem, primary());
    m_result.checkerSelfTest = "failed";
    m_result.checkerSelfTest = testChecker(m_problem, primary(), *m_seed, *m_golden);
}

const Workload &Session::primary() const
{
    return *std::find_if(m_problem.workloads.begin(), m_problem.workloads.end(),
                         [](const Workload &workload) { return workload.timed; });
}

std::vector<const Workload *> Session::checkedWorkloads() const
{
    std::vector<const Workload *> all;
    for (const Workload &workload : m_problem.workloads)
        all.push_back(&workload);
    if (!isSignal())
        return all;
    // The main shape and one odd one: the first that is not timed, else the next.
    std::vector<const Workload *> some{&primary()};
    const auto odd = std::find_if(all.begin(), all.end(), [](const Workload *workload) { return !workload->timed; });
    const auto next =
        std::find_if(all.begin(), all.end(), [&](const Workload *workload) { return workload != &primary(); });
    if (odd != all.end() || next != all.end())
        some.push_back(odd != all.end() ? *odd : *next);
    return some;
}

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

void Session::checkAnswers()
{
    m_candidate = std::make_unique<Contender>(contender(Role::Solution, m_solutionBuild, entryName));
    m_candidate->restart();
    CheckSettings settings;
    settings.seeds = m_options.seeds > 0 ? m_options.seeds : isSignal() ? 2 : 5;
    settings.declaredSeeds = isSignal() ? 1 : 2;
    settings.denormals = !flushesDenormals(m_result.environment.flags);
    m_result.seeds = settings.seeds;
    // The main shape comes last: its calls and the timed ones that follow are made in one process.
    std::vector<const Workload *> workloads = checkedWorkloads();
    std::stable_partition(workloads.begin(), workloads.end(),
                          [&](const Workload *workload) { return workload != &primary(); });
    for (const Workload *workload : workloads) {
        checkTime();
        reportProgress("check", 0.1 + 0.3 * double(m_result.checks.size()) / double(workloads.size()));
        settings.enduranceCalls = workload == &primary() && !isSignal() ? enduranceCalls : 0;
        m_golden->setWorkload(m_problem, *workload);
        m_candidate->setLayout(makeLayout(m_problem, *workload, false, 1), 0);
        const CheckOutcome outcome = checkWorkload(m_problem, *workload, settings, *m_seed, *m_golden, *m_candidate);
        m_result.checks.push_back(outcome.check);
        m_result.deterministic = m_result.deterministic && outcome.deterministic;
        if (outcome.status != Status::Ok)
            throw Failure(outcome.status, outcome.message);
    }
    if (!m_result.deterministic) {
        if (m_problem.demandsDeterminism)
            throw Failure(
                Status::Nondeterministic,
                "The solution gave different outputs for the same inputs, which this problem does not allow.");
        m_result.flags.emplace_back("NONDETERMINISTIC");
    }
    m_result.correct = true;
}

TimingSettings Session::timingSettings() const
{
    TimingSettings settings;
    settings.maximumPairs = m_options.maximumPairs > 0 ? std::max(m_options.maximumPairs, leastPairs)
                            : isSignal()               ? 40
                                                       : 160;
    settings.capSeconds = m_options.capSeconds > 0 ? m_options.capSeconds : isSignal() ? 1.5 : 20;
    settings.evictBytes = m_options.hotCache ? 0 : 2 * static_cast<std::size_t>(m_flushBytes);
    // A process is up to 15 % off for as long as it lives, by where its memory happens to lie: a signal, which takes
    // few pairs, must not take them all from one.
    if (isSignal())
        settings.roundsPerGeneration = 4;
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
        settings.margin = 0; // all pairs are taken
        Contender twin = contender(Role::Champion, m_solutionBuild, entryName);
        Contender own = contender(Role::Solution, m_solutionBuild, entryName);
        const TimedWorkload timed =
            WorkloadTimer(m_problem, primary(), settings, *m_seed, nullptr).run(own, nullptr, &twin);
        m_facts.noiseHalfWidth = halfWidth(ratioFromLogs(timed.championLogs, 0.95));
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
        champion = std::make_unique<Contender>(contender(Role::Champion, m_solutionBuild, entryName));
    else if (!m_championSources.empty())
        champion = std::make_unique<Contender>(contender(Role::Champion, m_championBuild, entryName));
    for (const Workload *workload : timedWorkloads()) {
        checkTime();
        timeWorkload(*workload, reference.get(),
                     m_options.oneProcess && m_options.mode == Mode::SelfComparison ? m_candidate.get()
                                                                                    : champion.get());
    }
    if (m_options.mode == Mode::SelfComparison) {
        m_facts.noiseHalfWidth = halfWidth(ratioFromLogs(m_timed.front().championLogs, 0.95));
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

// The worker cannot write files, but whoever else can may have changed what was read.
void Session::lookAtFiles() const
{
    if (sha256Hex(readFile(m_problem.path, Status::Integrity)) != m_problem.hash)
        throw Failure(Status::Integrity, m_problem.path + ": was changed while the solution was measured.");
    if (readSources(m_options.solution, Status::Integrity) != m_solutionSources)
        throw Failure(Status::Integrity, m_options.solution + ": was changed while it was measured.");
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

void Session::totals()
{
    m_result.total = totalOf(m_timed);
}

// More than 10 times faster than the reference: looked at again before it is believed.
void Session::examineSpeedup()
{
    reportProgress("examine", 0.95);
    m_candidate->stop();
    TimingSettings timing = timingSettings();
    timing.maximumPairs = std::min(timing.maximumPairs, examinedPairs);
    Examiner examiner({m_problem, timing, 2 * m_result.seeds, !flushesDenormals(m_result.environment.flags),
                       [this](Role role) {
                           return contender(role, role == Role::Reference ? m_referenceBuild : m_solutionBuild,
                                            entryName);
                       },
                       [this] { return makeGolden(); }, [this] { checkTime(); }});
    m_result.flags.emplace_back("SUSPICIOUS_10X"); // until it has been borne out
    try {
        m_result.examination = examiner.examine(m_result.timings);
    } catch (const Failure &failure) {
        m_result.correct = exitCodeOf(failure.status()) != 1;
        throw;
    }
    if (const std::string &objection = m_result.examination->objection; !objection.empty())
        throw Failure(Status::Suspicious, objection + " when it was examined; more than 10 times the reference is "
                                                      "believed only where a second look bears it out.");
    m_result.flags.back() = "EXAMINED_10X";
}

void Session::judge()
{
    m_result.decision = decisionOf(m_timed, *m_result.total, m_margin);
    if (!m_result.decision.blockedBy.empty())
        m_result.flags.emplace_back("SHAPE_REGRESSED");
    if (const std::string tooFast = belowFloor(m_result.timings); !tooFast.empty()) {
        m_result.flags.emplace_back("BELOW_FLOOR");
        throw Failure(Status::Suspicious, tooFast);
    }
    for (const WorkloadTiming &timing : m_result.timings) {
        if (const auto suspicion = deviceSuspicion(timing)) {
            m_result.flags.push_back(suspicion->flag);
            throw Failure(Status::Suspicious, suspicion->message);
        }
    }
    if (std::any_of(m_result.timings.begin(), m_result.timings.end(), isBeyondBelief))
        examineSpeedup();
    const auto &ratio = m_result.decision.ratio;
    if (m_options.mode == Mode::Verdict && ratio && halfWidth(*ratio) > unusableHalfWidth * ratio->estimate)
        throw Failure(
            Status::Unstable,
            "The times of this machine vary too much for any statement; end other work on it and measure again.");
}

void Session::checkTime() const
{
    throwIfInterrupted();
    if (double(monotonicNs() - m_beginNs) * 1e-9 > m_options.totalTimeout)
        throw Failure(Status::Timeout,
                      "The evaluation took longer than " + std::to_string(int(m_options.totalTimeout)) + " s in all.");
}

} // namespace ako::eval
