// SPDX-License-Identifier: GPL-3.0-or-later
// What an evaluation reads and compiles, and the device it is for.
#include "eval/cuda/launcher.h"
#include "eval/cuda/toolkit.h"
#include "eval/flags.h"
#include "eval/progress.h"
#include "eval/session.h"
#include "eval/shim.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace ako::eval {

namespace {

constexpr std::int64_t baseMemory = std::int64_t(4) << 30;

// A build.json that cannot be used is the mistake of whoever wrote those sources.
std::vector<std::string> flagsOf(const std::string &sources, bool cuda, Status onError)
{
    try {
        return solutionFlags(sources, cuda);
    } catch (const Failure &failure) {
        throw Failure(onError, failure.what());
    }
}

} // namespace

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
    readStoredInputs();
}

// After the sources: what is cheap to find wrong is found first.
void Session::readStoredInputs()
{
    m_storedInputs.emplace(m_problem);
    m_limits.storedInputs = m_storedInputs->descriptor();
    if (m_limits.storedInputs >= 0)
        mapStoredInputs(m_limits.storedInputs, m_storedInputs->bytes());
    // What only moves in a circle can be recognised.
    const bool isWeak =
        std::any_of(m_problem.workloads.begin(), m_problem.workloads.end(), [](const Workload &workload) {
            return workload.timed && std::any_of(workload.inputs.begin(), workload.inputs.end(), [](const auto &input) {
                       return input.second.distribution == Distribution::Stored && input.second.fresh != Fresh::Jitter;
                   });
        });
    if (isWeak)
        m_result.flags.emplace_back("SAME_INPUTS");
}

void Session::checkMemory()
{
    const std::int64_t stored = std::int64_t(storedBytes(m_problem));
    std::int64_t largest = 0;
    for (const Workload &workload : m_problem.workloads)
        largest = std::max(largest, std::int64_t(makeLayout(m_problem, workload, true, 1).slotBytes()));
    m_limits.memoryBytes = baseMemory + 8 * largest + 2 * m_machine.cacheBytes + stored;
    m_flushBytes = m_machine.cacheBytes;
    if (4 * largest + stored > m_machine.availableBytes)
        throw Failure(Status::Infrastructure,
                      "The largest workload needs about " + std::to_string((4 * largest + stored) >> 20) +
                          " MiB, of which only " + std::to_string(m_machine.availableBytes >> 20) + " MiB are free.");
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
}

// The driver's figure is of the last second: after an evaluation it still tells of that one's own work, so that only
// what lasts counts.
bool Session::isGpuBusy() const
{
    constexpr int tries = 8, pauseMs = 150, busyPercent = 5;
    if (m_otherProcesses > 0)
        return true;
    for (int look = 0; look < tries; ++look) {
        if (m_gpu->nvml().state().busyPercent <= busyPercent)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(pauseMs));
    }
    return true;
}

// A fault may leave the device unusable; whatever ran on it next would be blamed for it.
void Session::probeAfterFault()
{
    constexpr double patience = 20; // s
    const Status status = m_result.status;
    const bool isFault = status == Status::RuntimeError || status == Status::Timeout || status == Status::CrashNoReport;
    if (!m_gpu || m_limits.deviceLibrary.empty() || !isFault)
        return;
    try {
        WorkerProcess(Role::Golden, m_limits).measure("null", patience);
    } catch (const Failure &failure) {
        if (failure.status() == Status::Interrupted)
            return;
        m_result.status = Status::Infrastructure;
        m_result.message += std::string(" Since then the GPU does not answer: ") + failure.what() +
                            " End what else runs on it, or restart the machine, before anything is measured.";
    }
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
        const GeneratedLauncher made = launcherFor(m_problem, sources);
        throw Failure(failure.status(),
                      "The " + label + " cannot be called: " + *launcher +
                          (made.text.empty()
                               ? ". None could be generated: " + made.reason + '.'
                               : ". One that may fit is written to " + made.file + " by: ako-bench --problem " +
                                     m_options.problem + " --solution " +
                                     (isReference ? m_options.reference : m_options.solution) + " --add-launcher"),
                      failure.log() + made.text);
    }
}

void Session::compileAll()
{
    reportProgress("compile", 0.02);
    EnvironmentReport &environment = m_result.environment;
    environment.flags = flagsOf(m_options.solution, m_problem.onGpu, Status::CompileError);
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
    if (m_options.mode == Mode::Profile)
        return;
    m_referenceBuild = compile("reference", m_referenceSources, m_referenceFlags, Status::ReferenceError);
    if (!m_championSources.empty()) {
        environment.championFlags = flagsOf(m_options.champion, m_problem.onGpu, Status::ChampionError);
        m_result.championHash = hashSources(m_championSources);
        m_championBuild = compile("champion", m_championSources, *environment.championFlags, Status::ChampionError);
    }
    if (m_gpu && isGpuBusy())
        m_result.flags.emplace_back("GPU_BUSY");
    m_factsPath = factsPath(m_cache->folder(), m_problem.hash, m_result.referenceHash);
    m_facts = readFacts(m_factsPath);
}

} // namespace ako::eval
