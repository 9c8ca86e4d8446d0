// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/cuda/deviceprofile.h"
#include "eval/status.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ako::eval {

// Milliseconds of one contender over all its samples.
struct TimeStats
{
    double median = 0, mean = 0, min = 0, max = 0, q1 = 0, q3 = 0, mad = 0;
    int count = 0;
};

// A ratio and its interval; above 1: the candidate is faster.
struct Ratio
{
    double estimate = 0, low = 0, high = 0;
};

struct FirstBad
{
    std::string output;
    std::vector<std::int64_t> index;
    double got = 0, expected = 0;
};

struct WorstRow
{
    std::string output;
    std::int64_t row = 0, bad = 0;
};

// What comparing the candidate's outputs with the golden said about one workload, over all its checks.
struct WorkloadCheck
{
    std::string id;
    bool pass = true;
    int checks = 0;
    double maxAbs = 0, maxRel = 0;
    double rmsRatio = 0; // rms of the candidate's error over the allowed base (the reference's own error)
    double cosine = 1, matchedRatio = 1;
    std::optional<double> ulpMax; // for float32 and float64 outputs
    std::optional<FirstBad> firstBad;
    std::optional<WorstRow> worstRow;
    std::vector<std::string> skippedDistributions; // those for which the reference itself is not valid
};

// What else was seen of the timed calls on a GPU.
struct DeviceTiming
{
    double hostMs = 0; // median of the host's time in a call
    double gapUs = 0;  // median of what the device went on working after the stream's end
    double clockMhz = 0, lowClockMhz = 0, highClockMhz = 0;
    int droppedRounds = 0;        // because the clock moved or was held down
    bool heldBack = false;        // the stream, until a whole call was queued; not where its launcher waits
    std::optional<double> busyMs; // with anything running, as CUPTI saw it
    std::optional<double> spanMs; // from the first to the last activity as CUPTI saw it
    std::vector<std::pair<std::string, int>> kernels; // and how often each ran in one call
};

struct WorkloadTiming
{
    std::string id;
    double weight = 1;
    std::map<std::string, std::int64_t> axes;
    int pairs = 0, batch = 1;
    std::optional<TimeStats> solution, reference, champion;
    std::optional<double> cachedReferenceMs;
    std::optional<Ratio> speedupReference, speedupChampion;
    double firstCallMs = 0, cpuMs = 0;
    std::optional<DeviceTiming> device; // on a GPU
    std::optional<double> floorMs, practicalMs, percentOfFloor;
};

struct TotalTiming
{
    std::optional<TimeStats> solution, reference, champion;
    std::optional<Ratio> speedupReference, speedupChampion;
    std::string worstId;
    double worstEstimate = 0;
};

enum class Verdict { None, Improved, Regressed, Same, Ambiguous };

struct Decision
{
    std::string against = "none"; // champion, reference, none
    Verdict verdict = Verdict::None;
    std::optional<Ratio> ratio;
    double margin = 0;
    std::string worstShape, blockedBy, uneven; // ids of workloads, empty: none
};

// A second look at a workload whose speedup is beyond belief.
struct ExaminedWorkload
{
    std::string id, against = "reference"; // or the champion
    Ratio first, again;                    // over that one
    double solutionMs = 0, fastestMs = 0;
    std::optional<double> floorMs;
    int samples = 0;
    int outputsChecked = 0;       // timed ones; all of them
    double wallMs = 0, cpuMs = 0; // of the calls and the copies of their outputs; CPU time as the parent sees it
    int threads = 1;
    bool extraThread = false;
    bool sameInputs = false; // in every call: one that keeps its answer cannot be told from one that is that fast
};

struct Examination
{
    int shapes = 0, cases = 0; // that were right in fresh processes with a fresh seed
    std::vector<ExaminedWorkload> workloads;
    std::string objection; // empty: it is believed
};

struct SandboxReport
{
    int landlock = 0; // ABI version, 0: not there
    bool seccomp = false, limits = false;
    bool sealed = false;   // the evaluator's mappings by mseal, which older kernels lack
    bool compiler = false; // whether it could read only what it needs
    bool stamped = true;   // the system itself says when a call began and ended; on the CPU
    std::string level() const
    {
        return landlock > 0 && seccomp && limits && stamped ? "full" : (limits ? "partial" : "none");
    }
};

// The GPU of an evaluation.
struct GpuReport
{
    std::string name, uuid, driver, architecture;
    int runtimeVersion = 0, multiprocessors = 0, clockMhz = 0, temperature = 0;
    std::int64_t cacheBytes = 0, memoryBytes = 0;
    std::size_t otherProcesses = 0; // that compute on it besides ours
    bool partitioned = false;
    std::string trace = "not asked for"; // ok, or why CUPTI saw nothing
};

// Of one kernel of the solution, as the compiler says.
struct KernelReport
{
    std::string name;
    int registers = 0, sharedBytes = 0, stackBytes = 0, spillStores = 0, spillLoads = 0;
};

struct EnvironmentReport
{
    std::string device = "cpu", cpu, governor, compiler, compilerVersion;
    int cores = 0, threads = 0;
    std::int64_t cacheBytes = 0;
    double load = 0;
    std::vector<std::string> flags, referenceFlags;
    std::optional<std::vector<std::string>> championFlags;
    SandboxReport sandbox;
    std::optional<GpuReport> gpu;
};

// Everything one run of ako-bench found out; report.h turns it into ako.result/1 and lines.
struct EvaluationResult
{
    std::string mode = "verdict";
    Status status = Status::Ok;
    std::string message, log;
    std::string problem, problemHash, referenceHash, solutionHash, championHash, evaluatorHash, nonce;
    bool compiled = false, correct = false, deterministic = true;
    double durationSeconds = 0;
    int seeds = 0, pairs = 0;
    std::string checkerSelfTest = "not run";
    std::string cache = "cold";
    double level = 0.99;
    std::optional<double> noisePercent;
    EnvironmentReport environment;
    std::vector<KernelReport> kernels;
    std::optional<DeviceProfile> profile; // with --profile, which does nothing else
    std::vector<WorkloadCheck> checks;
    std::vector<WorkloadTiming> timings;
    std::optional<TotalTiming> total;
    std::optional<Examination> examination;
    Decision decision;
    std::vector<std::string> flags;
};

} // namespace ako::eval
