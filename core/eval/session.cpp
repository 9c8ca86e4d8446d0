// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/session.h"

#include "eval/cuda/suspicion.h"
#include "eval/decision.h"
#include "eval/examination.h"
#include "eval/flags.h"
#include "eval/hash.h"
#include "eval/interrupt.h"
#include "eval/progress.h"

#include <algorithm>

namespace ako::eval {

namespace {

constexpr int examinedPairs = leastRestRounds;
constexpr int enduranceCalls = 64;
constexpr double patience = 60; // s
constexpr double unusableHalfWidth = 0.5;
constexpr int probesBeforeAccusing = 2;
constexpr double busyShare = 1.5; // of the processors; the evaluation itself wants one of each at most

// Where others use the processors, times and measured peaks say too little to suspect anybody; nor are they believed.
Status onDoubt()
{
    const Machine machine = inspectMachine();
    return machine.load > busyShare * double(machine.cores.size()) + 1 ? Status::Unstable : Status::Suspicious;
}

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
    probeAfterFault();
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
    if (m_options.mode == Mode::Profile)
        return profile();
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
        m_timeouts = {m_options.callTimeout, m_options.callTimeout, m_options.callTimeout, m_timeouts.shape};
    m_result.evaluatorHash = sha256Hex(readFile("/proc/self/exe", Status::Infrastructure));
}

Contender Session::contender(Role role, const Build &build, const std::string &symbol) const
{
    Timeouts timeouts = m_timeouts;
    const bool isTrusted = role == Role::Golden || role == Role::Reference;
    if (m_options.callTimeout <= 0 && isTrusted)
        timeouts.call = patience;                  // what the others are measured by
    else if (m_options.callTimeout <= 0 && !m_gpu) // there is nothing to be compiled for a device
        timeouts = {20, 15, 5, timeouts.shape};
    return {role, build.library, symbol, m_limits, timeouts};
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

// The worker cannot write files, but whoever else can may have changed what was read.
void Session::lookAtFiles() const
{
    if (sha256Hex(readFile(m_problem.path, Status::Integrity)) != m_problem.hash)
        throw Failure(Status::Integrity, m_problem.path + ": was changed while the solution was measured.");
    if (readSources(m_options.solution, Status::Integrity) != m_solutionSources)
        throw Failure(Status::Integrity, m_options.solution + ": was changed while it was measured.");
}

void Session::totals()
{
    m_result.total = totalOf(m_timed);
}

// More than 10 times faster than the reference or the champion: looked at again before it is believed.
void Session::examineSpeedup()
{
    reportProgress("examine", 0.95);
    m_candidate->stop();
    TimingSettings timing = timingSettings();
    timing.maximumPairs = std::min(timing.maximumPairs, examinedPairs);
    Examiner examiner({m_problem, timing, 2 * m_result.seeds, !flushesDenormals(m_result.environment.flags),
                       [this](Role role) {
                           return contender(role,
                                            role == Role::Reference  ? m_referenceBuild
                                            : role == Role::Champion ? m_championBuild
                                                                     : m_solutionBuild,
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
        throw Failure(onDoubt(), objection + " when it was examined; more than 10 times the reference or "
                                             "the champion is believed only where a second look bears it out.");
    m_result.flags.back() = "EXAMINED_10X";
}

void Session::judge()
{
    m_result.decision = decisionOf(m_timed, *m_result.total, m_margin);
    if (!m_result.decision.blockedBy.empty() && m_result.decision.ratio->estimate > 1)
        m_result.flags.emplace_back("SHAPE_REGRESSED");
    if (!m_result.decision.uneven.empty())
        m_result.flags.emplace_back("UNEVEN_TIMES");
    for (int times = 0; m_peaks && times < probesBeforeAccusing && !belowFloor(m_result.timings).empty(); ++times)
        renewFloors();
    if (const std::string tooFast = belowFloor(m_result.timings); !tooFast.empty()) {
        m_result.flags.emplace_back("BELOW_FLOOR");
        throw Failure(onDoubt(), tooFast);
    }
    for (const WorkloadTiming &timing : m_result.timings) {
        if (const auto suspicion = deviceSuspicion(timing)) {
            m_result.flags.push_back(suspicion->flag);
            throw Failure(Status::Suspicious, suspicion->message);
        }
    }
    const bool isBelieved = m_options.mode == Mode::Verdict || m_options.mode == Mode::NoReference;
    if (isBelieved && std::any_of(m_result.timings.begin(), m_result.timings.end(), isBeyondBelief))
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
