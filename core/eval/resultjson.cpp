// SPDX-License-Identifier: GPL-3.0-or-later
// The result as ako.result/1.
#include "eval/decision.h"
#include "eval/report.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace ako::eval {

using nlohmann::json;

namespace {

// JSON has no NaN or infinity; a number that is none becomes null.
json number(double value)
{
    return std::isfinite(value) ? json(value) : json(nullptr);
}

json statsJson(const TimeStats &stats)
{
    return {{"median", number(stats.median)}, {"mean", number(stats.mean)},
            {"min", number(stats.min)},       {"max", number(stats.max)},
            {"q1", number(stats.q1)},         {"q3", number(stats.q3)},
            {"mad", number(stats.mad)},       {"n", stats.count}};
}

json totalStatsJson(const TimeStats &stats)
{
    return {{"median", number(stats.median)},
            {"mean", number(stats.mean)},
            {"min", number(stats.min)},
            {"max", number(stats.max)}};
}

json ratioJson(const Ratio &ratio)
{
    return {{"est", number(ratio.estimate)}, {"lo", number(ratio.low)}, {"hi", number(ratio.high)}};
}

void put(json &object, const char *key, const std::optional<double> &value)
{
    if (value)
        object[key] = number(*value);
}

void put(json &object, const char *key, const std::optional<Ratio> &value)
{
    if (value)
        object[key] = ratioJson(*value);
}

void put(json &object, const char *key, const char *medianKey, const std::optional<TimeStats> &value)
{
    if (!value)
        return;
    object[key] = statsJson(*value);
    object[medianKey] = number(value->median);
}

void putGpu(json &object, const GpuReport &gpu)
{
    object["gpu"] = gpu.name;
    object["uuid"] = gpu.uuid;
    object["driver"] = gpu.driver;
    object["architecture"] = gpu.architecture;
    object["cuda_runtime"] = gpu.runtimeVersion;
    object["multiprocessors"] = gpu.multiprocessors;
    object["l2_bytes"] = gpu.cacheBytes;
    object["gpu_memory_bytes"] = gpu.memoryBytes;
    object["clock_mhz"] = gpu.clockMhz;
    object["temperature_c"] = gpu.temperature;
    object["mig"] = gpu.partitioned;
    object["other_processes"] = gpu.otherProcesses;
    object["cupti"] = gpu.trace;
}

json kernelsJson(const std::vector<KernelReport> &kernels)
{
    json list = json::array();
    for (const KernelReport &kernel : kernels)
        list.push_back({{"name", kernel.name},
                        {"registers", kernel.registers},
                        {"shared_bytes", kernel.sharedBytes},
                        {"stack_bytes", kernel.stackBytes},
                        {"spill_stores", kernel.spillStores},
                        {"spill_loads", kernel.spillLoads}});
    return list;
}

void putDevice(json &object, const DeviceTiming &device)
{
    object["host_ms"] = number(device.hostMs);
    object["gap_us"] = number(device.gapUs);
    object["sm_clock_mhz"] = {number(device.lowClockMhz), number(device.clockMhz), number(device.highClockMhz)};
    object["dropped_rounds"] = device.droppedRounds;
    object["held_back"] = device.heldBack;
    put(object, "cupti_span_ms", device.spanMs);
    put(object, "cupti_busy_ms", device.busyMs);
    if (!device.kernels.empty())
        object["kernels"] = device.kernels;
}

json environmentJson(const EnvironmentReport &environment)
{
    const SandboxReport &sandbox = environment.sandbox;
    json object{{"device", environment.device},
                {"cpu", environment.cpu},
                {"cores", environment.cores},
                {"threads", environment.threads},
                {"llc_bytes", environment.cacheBytes},
                {"governor", environment.governor},
                {"load", number(environment.load)},
                {"compiler", environment.compiler},
                {"compiler_version", environment.compilerVersion},
                {"flags", environment.flags},
                {"reference_flags", environment.referenceFlags},
                {"sandbox",
                 {{"level", sandbox.level()},
                  {"landlock", sandbox.landlock},
                  {"seccomp", sandbox.seccomp},
                  {"rlimits", sandbox.limits},
                  {"mseal", sandbox.sealed},
                  {"compiler", sandbox.compiler},
                  {"stamped", sandbox.stamped}}}};
    if (environment.championFlags)
        object["champion_flags"] = *environment.championFlags;
    if (environment.gpu)
        putGpu(object, *environment.gpu);
    return object;
}

json checkJson(const WorkloadCheck &check)
{
    json object{{"id", check.id},
                {"pass", check.pass},
                {"checks", check.checks},
                {"max_abs", number(check.maxAbs)},
                {"max_rel", number(check.maxRel)},
                {"rms_ratio", number(check.rmsRatio)},
                {"cosine", number(check.cosine)},
                {"matched_ratio", number(check.matchedRatio)}};
    put(object, "ulp_max", check.ulpMax);
    if (check.firstBad) {
        object["first_bad"] = {{"output", check.firstBad->output},
                               {"index", check.firstBad->index},
                               {"got", number(check.firstBad->got)},
                               {"expected", number(check.firstBad->expected)}};
    }
    if (check.worstRow)
        object["worst_row"] = {
            {"output", check.worstRow->output}, {"row", check.worstRow->row}, {"bad", check.worstRow->bad}};
    if (!check.skippedDistributions.empty())
        object["skipped_distributions"] = check.skippedDistributions;
    return object;
}

json correctJson(const EvaluationResult &result)
{
    json workloads = json::array();
    for (const WorkloadCheck &check : result.checks)
        workloads.push_back(checkJson(check));
    return {{"pass", result.correct},
            {"seeds", result.seeds},
            {"checker_selftest", result.checkerSelfTest},
            {"deterministic", result.deterministic},
            {"workloads", workloads}};
}

json timingJson(const WorkloadTiming &timing)
{
    json object{{"id", timing.id},
                {"weight", number(timing.weight)},
                {"axes", timing.axes},
                {"pairs", timing.pairs},
                {"batch", timing.batch},
                {"first_call_ms", number(timing.firstCallMs)},
                {"cpu_ms", number(timing.cpuMs)}};
    if (timing.device)
        putDevice(object, *timing.device);
    put(object, "sol", "sol_ms", timing.solution);
    put(object, "ref", "ref_ms", timing.reference);
    put(object, "best", "best_ms", timing.champion);
    put(object, "ref_cached_ms", timing.cachedReferenceMs);
    put(object, "speedup_ref", timing.speedupReference);
    put(object, "speedup_best", timing.speedupChampion);
    put(object, "floor_ms", timing.floorMs);
    put(object, "practical_ms", timing.practicalMs);
    put(object, "pct_of_floor", timing.percentOfFloor);
    return object;
}

json totalJson(const TotalTiming &total)
{
    json object = json::object();
    if (total.solution)
        object["sol"] = totalStatsJson(*total.solution);
    if (total.reference)
        object["ref"] = totalStatsJson(*total.reference);
    if (total.champion)
        object["best"] = totalStatsJson(*total.champion);
    put(object, "speedup_ref", total.speedupReference);
    put(object, "speedup_best", total.speedupChampion);
    if (!total.worstId.empty())
        object["worst"] = {{"id", total.worstId}, {"est", number(total.worstEstimate)}};
    return object;
}

json timingsJson(const EvaluationResult &result)
{
    json workloads = json::array();
    for (const WorkloadTiming &timing : result.timings)
        workloads.push_back(timingJson(timing));
    json object{{"method", result.environment.gpu ? "cuda-events" : "cpu-monotonic-raw"},
                {"cache", result.cache},
                {"level", result.level},
                {"pairs", result.pairs},
                {"workloads", workloads}};
    put(object, "aa_noise_pct", result.noisePercent);
    if (result.total)
        object["total"] = totalJson(*result.total);
    return object;
}

json decisionJson(const Decision &decision)
{
    json object{
        {"against", decision.against}, {"vs_best", verdictName(decision.verdict)}, {"margin", number(decision.margin)}};
    if (decision.ratio) {
        object["est"] = number(decision.ratio->estimate);
        object["lo"] = number(decision.ratio->low);
        object["hi"] = number(decision.ratio->high);
        if (decision.against == "champion")
            object["geomean_best"] = number(decision.ratio->estimate);
    }
    if (!decision.worstShape.empty())
        object["worst_shape"] = decision.worstShape;
    if (!decision.blockedBy.empty())
        object["blocked_by"] = decision.blockedBy;
    if (!decision.uneven.empty())
        object["uneven"] = decision.uneven;
    return object;
}

json examinedJson(const ExaminedWorkload &workload)
{
    const bool isReference = workload.against == "reference";
    json object{{"id", workload.id},
                {"against", workload.against},
                {isReference ? "speedup_ref" : "speedup_best", ratioJson(workload.first)},
                {isReference ? "speedup_ref_again" : "speedup_best_again", ratioJson(workload.again)},
                {"sol_ms", number(workload.solutionMs)},
                {"samples", workload.samples},
                {"outputs_checked", workload.outputsChecked},
                {"wall_ms", number(workload.wallMs)},
                {"cpu_ms", number(workload.cpuMs)},
                {"threads", workload.threads}};
    put(object, "floor_ms", workload.floorMs);
    return object;
}

json examinationJson(const Examination &examination)
{
    json workloads = json::array();
    for (const ExaminedWorkload &workload : examination.workloads)
        workloads.push_back(examinedJson(workload));
    return {{"passed", examination.objection.empty()},
            {"objection", examination.objection},
            {"shapes", examination.shapes},
            {"cases", examination.cases},
            {"workloads", workloads}};
}

std::string stateName(const EvaluationResult &result)
{
    switch (exitCodeOf(result.status)) {
    case 0:
        return result.mode == "verdict" ? "confirmed" : "provisional";
    case 6:
        return "quarantined";
    case 7:
    case 8:
    case 9:
        return "invalid";
    default:
        return "provisional";
    }
}

json profileJson(const DeviceProfile &profile)
{
    json kernels = json::array(), skipped = json::array();
    for (const KernelProfile &kernel : profile.kernels) {
        json object{{"name", kernel.name}, {"calls", kernel.calls}};
        const auto add = [&object](const char *name, const auto &value) {
            if (value)
                object[name] = number(double(*value));
        };
        add("grid", kernel.grid > 0 ? std::optional(kernel.grid) : std::nullopt);
        add("block", kernel.block > 0 ? std::optional(kernel.block) : std::nullopt);
        add("registers", kernel.registers > 0 ? std::optional(kernel.registers) : std::nullopt);
        object["shared_bytes"] = kernel.sharedBytes;
        add("profiler_us", kernel.microseconds);
        add("compute_pct", kernel.compute);
        add("memory_pct", kernel.memory);
        add("dram_pct", kernel.dram);
        add("bytes", kernel.bytes);
        add("l1_hit_pct", kernel.hitsL1);
        add("l2_hit_pct", kernel.hitsL2);
        add("occupancy_pct", kernel.occupancy);
        add("possible_occupancy_pct", kernel.possibleOccupancy);
        add("waves", kernel.waves);
        if (!kernel.limiter.empty())
            object["occupancy_limiter"] = kernel.limiter;
        for (const Stall &stall : kernel.stalls)
            object["stalls"].push_back({stall.reason, number(stall.share)});
        kernels.push_back(object);
    }
    for (const SkippedLevel &level : profile.skipped)
        skipped.push_back({{"level", level.level}, {"reason", level.reason}, {"remedy", level.remedy}});
    return {{"level", profile.level},
            {"workload", profile.workload},
            {"skipped", skipped},
            {"kernels", kernels},
            {"summary", profile.summary}};
}

} // namespace

json toJson(const EvaluationResult &result)
{
    json object{{"schema", "ako.result/1"},
                {"mode", result.mode},
                {"status", statusName(result.status)},
                {"exit", exitCodeOf(result.status)},
                {"state", stateName(result)},
                {"message", result.message},
                {"log", result.log},
                {"problem", result.problem},
                {"problem_sha256", result.problemHash},
                {"reference_sha256", result.referenceHash},
                {"solution_sha256", result.solutionHash},
                {"evaluator_sha256", result.evaluatorHash},
                {"nonce", result.nonce},
                {"compiled", result.compiled},
                {"duration_s", number(result.durationSeconds)},
                {"flags", result.flags},
                {"env", environmentJson(result.environment)},
                {"correct", correctJson(result)},
                {"timing", timingsJson(result)},
                {"decision", decisionJson(result.decision)}};
    if (result.examination)
        object["examination"] = examinationJson(*result.examination);
    if (!result.kernels.empty())
        object["kernels"] = kernelsJson(result.kernels);
    if (result.profile) {
        object["profile"] = profileJson(*result.profile);
        for (const char *name : {"correct", "timing", "decision"}) // none of it was asked
            object.erase(name);
    }
    if (!result.championHash.empty())
        object["champion_sha256"] = result.championHash;
    return object;
}

} // namespace ako::eval
