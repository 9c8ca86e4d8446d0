// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/report.h"

#include <cstdio>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>

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

const char *verdictName(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Improved:
        return "IMPROVED";
    case Verdict::Regressed:
        return "REGRESSED";
    case Verdict::Same:
        return "SAME";
    case Verdict::Ambiguous:
        return "AMBIGUOUS";
    case Verdict::None:
        break;
    }
    return "NONE";
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
    return object;
}

json examinedJson(const ExaminedWorkload &workload)
{
    json object{{"id", workload.id},
                {"speedup_ref", ratioJson(workload.first)},
                {"speedup_ref_again", ratioJson(workload.again)},
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

std::string format(const char *pattern, double value)
{
    char text[64];
    std::snprintf(text, sizeof text, pattern, value);
    return text;
}

std::string ratioText(const Ratio &ratio)
{
    return format("%.4gx", ratio.estimate) + " [" + format("%.4g", ratio.low) + ", " + format("%.4g", ratio.high) + "]";
}

std::string joined(const std::vector<std::string> &words)
{
    std::string text;
    for (const std::string &word : words)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

// A message may quote untrusted text: one line, no control characters.
std::string singleLine(std::string text)
{
    for (char &character : text) {
        if (static_cast<unsigned char>(character) < 0x20 || character == 0x7f)
            character = ' ';
    }
    return text;
}

std::string deviationText(const std::vector<WorkloadCheck> &checks)
{
    for (const WorkloadCheck &check : checks) {
        if (!check.pass)
            return "DEVIATION: " + check.id + " max_abs " + format("%.6g", check.maxAbs) + " max_rel " +
                   format("%.6g", check.maxRel) + " matched " + format("%.6g", check.matchedRatio) + '\n';
    }
    return {};
}

std::string timeLines(const EvaluationResult &result)
{
    std::string lines;
    if (!result.total || !result.total->solution)
        return lines;
    const TotalTiming &total = *result.total;
    lines += "RUNTIME: " + format("%.6g", total.solution->median) + '\n';
    lines += "RUNTIME_STATS: mean " + format("%.6g", total.solution->mean) + " min " +
             format("%.6g", total.solution->min) + " max " + format("%.6g", total.solution->max) + '\n';
    if (total.reference)
        lines += "REF_RUNTIME: " + format("%.6g", total.reference->median) + '\n';
    else
        lines += "REF_RUNTIME: -1\n";
    if (total.speedupReference)
        lines += "SPEEDUP: " + format("%.6gx", total.speedupReference->estimate) + '\n';
    lines += result.environment.gpu ? "BACKEND: cuda\n" : "BACKEND: cpp\n";
    if (total.champion)
        lines += "BEST_RUNTIME: " + format("%.6g", total.champion->median) + '\n';
    if (total.speedupReference)
        lines += "SPEEDUP_CI: " + ratioText(*total.speedupReference) + '\n';
    return lines;
}

std::string decisionLines(const EvaluationResult &result)
{
    std::string lines;
    const Decision &decision = result.decision;
    if (decision.verdict != Verdict::None && decision.ratio) {
        const char *label = decision.against == "champion" ? "VS_BEST: " : "VS_REF: ";
        lines += label + std::string(verdictName(decision.verdict)) + ' ' + ratioText(*decision.ratio) + '\n';
    }
    if (result.noisePercent)
        lines += "NOISE: " + format("%.3g%%", *result.noisePercent) + '\n';
    const std::optional<double> ofFloor = result.timings.empty() ? std::nullopt : result.timings.front().percentOfFloor;
    if (ofFloor)
        lines += "FLOOR_PCT: " + format("%.3g", *ofFloor) + '\n';
    if (!result.timings.empty())
        lines += "CACHE: " + result.cache + '\n';
    if (!decision.worstShape.empty())
        lines += "WORST_SHAPE: " + decision.worstShape + '\n';
    return lines;
}

std::string examinationLines(const Examination &examination)
{
    std::string lines;
    for (const ExaminedWorkload &workload : examination.workloads) {
        lines += std::string("EXAMINED: ") + (examination.objection.empty() ? "believed " : "not believed ") +
                 workload.id + ' ' + format("%.4gx, again ", workload.first.estimate) + ratioText(workload.again) +
                 ", " + std::to_string(workload.outputsChecked) + " timed outputs and " +
                 std::to_string(examination.cases) + " cases right, CPU " + format("%.4g ms in ", workload.cpuMs) +
                 format("%.4g ms x ", workload.wallMs) + std::to_string(workload.threads) + " threads, " +
                 (workload.floorMs ? format("floor %.4g ms", *workload.floorMs) : "no floor declared") + '\n';
    }
    return lines;
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
    if (!result.championHash.empty())
        object["champion_sha256"] = result.championHash;
    return object;
}

std::string humanLines(const EvaluationResult &result, const std::string &jsonPath)
{
    std::string lines = std::string("COMPILED: ") + (result.compiled ? "True" : "False") + '\n';
    lines += std::string("CORRECT: ") + (result.correct ? "True" : "False") + '\n';
    lines += timeLines(result) + decisionLines(result);
    if (result.examination)
        lines += examinationLines(*result.examination);
    if (!result.flags.empty())
        lines += "FLAGS: " + joined(result.flags) + '\n';
    lines += deviationText(result.checks);
    lines += "STATUS: " + std::string(statusName(result.status)) + '\n';
    if (!result.message.empty())
        lines += "MESSAGE: " + singleLine(result.message) + '\n';
    if (!jsonPath.empty())
        lines += "RESULT_JSON: " + jsonPath + '\n';
    return lines;
}

void writeFileAtomically(const std::string &path, const std::string &text)
{
    std::string temporary = path + ".XXXXXX";
    const int file = mkostemp(temporary.data(), O_CLOEXEC);
    if (file < 0)
        throw Failure(Status::Infrastructure, path + ": cannot be written: " + std::strerror(errno) +
                                                  ". Choose a folder that can be written to.");
    std::size_t done = 0;
    int error = 0;
    while (done < text.size() && error == 0) {
        const ssize_t count = write(file, text.data() + done, text.size() - done);
        if (count > 0)
            done += static_cast<std::size_t>(count);
        else if (errno != EINTR)
            error = errno;
    }
    fchmod(file, 0644);
    if (close(file) != 0 && error == 0)
        error = errno;
    if (error == 0 && std::rename(temporary.c_str(), path.c_str()) == 0)
        return;
    error = error == 0 ? errno : error;
    unlink(temporary.c_str());
    throw Failure(Status::Infrastructure,
                  path + ": cannot be written: " + std::strerror(error) + ". Free some space or choose another place.");
}

} // namespace ako::eval
