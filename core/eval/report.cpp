// SPDX-License-Identifier: GPL-3.0-or-later
// The result in the lines that a person and AKO-style wrappers read.
#include "eval/report.h"
#include "eval/decision.h"

#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace ako::eval {

namespace {

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
                 workload.id + ' ' + format("%.4gx", workload.first.estimate) + " the " + workload.against +
                 ", again " + ratioText(workload.again) + ", " + std::to_string(workload.outputsChecked) +
                 " timed outputs and " + std::to_string(examination.cases) + " cases right, CPU " +
                 format("%.4g ms in ", workload.cpuMs) + format("%.4g ms x ", workload.wallMs) +
                 std::to_string(workload.threads) + " threads, " +
                 (workload.floorMs ? format("floor %.4g ms", *workload.floorMs) : "no floor declared") + '\n';
    }
    return lines;
}

std::string profileLines(const DeviceProfile &profile)
{
    std::string lines = "PROFILE_LEVEL: " + profile.level + '\n';
    for (const SkippedLevel &level : profile.skipped)
        lines += "PROFILE_SKIPPED: " +
                 singleLine(level.level + ": " + level.reason + (level.remedy.empty() ? "" : ". " + level.remedy)) +
                 '\n';
    for (const std::string &line : profile.summary)
        lines += "PROFILE: " + singleLine(line) + '\n';
    return lines;
}

} // namespace

std::string humanLines(const EvaluationResult &result, const std::string &jsonPath)
{
    if (result.profile) {
        std::string lines = "COMPILED: True\n" + profileLines(*result.profile);
        lines += "STATUS: " + std::string(statusName(result.status)) + '\n';
        return lines + (jsonPath.empty() ? std::string() : "RESULT_JSON: " + jsonPath + '\n');
    }
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
