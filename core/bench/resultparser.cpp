// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/resultparser.h"

#include "bench/jsonread.h"
#include "bench/resultjson.h"

#include <QCoreApplication>

#include <nlohmann/json.hpp>

namespace ako {

using nlohmann::json;
namespace read = jsonread;

namespace {

QString text(const char *source)
{
    return QCoreApplication::translate("BenchResult", source);
}

BenchResult notUnderstood(const QString &message)
{
    BenchResult result;
    result.status = QStringLiteral("NO_RESULT");
    result.message = message;
    return result;
}

ResultState stateOf(const QString &name)
{
    for (const auto state :
         {ResultState::Provisional, ResultState::Confirmed, ResultState::Quarantined, ResultState::Invalid}) {
        if (stateName(state) == name)
            return state;
    }
    return ResultState::Provisional;
}

Comparison comparisonOf(const QString &word)
{
    for (const auto comparison :
         {Comparison::Improved, Comparison::Same, Comparison::Regressed, Comparison::Ambiguous}) {
        if (comparisonName(comparison) == word.toLower())
            return comparison;
    }
    return Comparison::None;
}

// STATS where they are given, else the median alone (the form of an evaluator that reports no more).
std::optional<Timing> timing(const json &object, const char *key, const char *medianKey)
{
    if (const auto full = timingFromJson(read::at(object, key)))
        return full;
    const auto median = medianKey ? read::number(object, medianKey) : std::nullopt;
    return median ? std::optional(Timing{*median, *median, *median, *median}) : std::nullopt;
}

WorkloadResult workload(const json &object)
{
    WorkloadResult result;
    result.id = read::string(object, "id");
    result.weight = read::number(object, "weight").value_or(1.0);
    result.solution = timing(object, "sol", "sol_ms");
    result.reference = timing(object, "ref", "ref_ms");
    result.champion = timing(object, "best", "best_ms");
    result.speedupOverReference = intervalFromJson(read::at(object, "speedup_ref"));
    result.speedupOverChampion = intervalFromJson(read::at(object, "speedup_best"));
    result.floorMs = read::number(object, "floor_ms");
    result.practicalMs = read::number(object, "practical_ms");
    return result;
}

void readTimings(BenchResult &result, const json &timings)
{
    const json &workloads = read::at(timings, "workloads");
    if (workloads.is_array()) {
        for (const json &object : workloads)
            result.workloads << workload(object);
    }
    const json &total = read::at(timings, "total");
    result.solution = timing(total, "sol", nullptr);
    result.reference = timing(total, "ref", nullptr);
    result.speedupOverReference = intervalFromJson(read::at(total, "speedup_ref"));
    result.speedupOverChampion = intervalFromJson(read::at(total, "speedup_best"));
    result.worstWorkload = read::string(read::at(total, "worst"), "id");
    if (total.is_object() || result.workloads.size() != 1)
        return;
    const WorkloadResult &only = result.workloads.first();
    result.solution = only.solution;
    result.reference = only.reference;
    result.speedupOverReference = only.speedupOverReference;
    result.speedupOverChampion = only.speedupOverChampion;
}

void readDecision(BenchResult &result, const json &decision)
{
    result.margin = read::number(decision, "margin").value_or(0.0);
    const QString against = read::string(decision, "against");
    const bool isCompared = against.isEmpty() || against == QLatin1String("champion");
    if (isCompared)
        result.comparison = comparisonOf(read::string(decision, "vs_best"));
    else // a shape that is slower than the reference's keeps nothing from becoming champion
        result.flags.removeAll(QStringLiteral("SHAPE_REGRESSED"));
    if (result.worstWorkload.isEmpty())
        result.worstWorkload = read::string(decision, "worst_shape");
    if (const QString blocked = read::string(decision, "blocked_by"); isCompared && !blocked.isEmpty())
        result.extraColumns.insert(QStringLiteral("blocked by"), blocked);
}

} // namespace

BenchResult resultFromReport(const QByteArray &bytes)
{
    const json object = read::parse(bytes);
    if (!object.is_object() || !read::string(object, "schema").startsWith(QLatin1String("ako.result/")))
        return notUnderstood(text("result.json is not a report of the evaluator (ako.result/1)"));
    BenchResult result;
    result.mode = read::string(object, "mode") == QLatin1String("verdict") ? BenchMode::Verdict : BenchMode::Signal;
    result.status = read::string(object, "status");
    result.exitCode = read::integer(object, "exit", -1);
    result.state = stateOf(read::string(object, "state"));
    const json &correct = read::at(object, "correct");
    result.correct = read::boolean(correct, "pass");
    result.compiled = read::boolean(object, "compiled", result.correct);
    result.message = read::string(object, "message").section(QLatin1Char('\n'), 0, 0);
    result.flags = read::strings(object, "flags");
    result.compilerFlags = read::strings(read::at(object, "env"), "flags");
    result.problemHash = read::string(object, "problem_sha256");
    result.solutionHash = read::string(object, "solution_sha256");
    result.evaluatorHash = read::string(object, "evaluator_sha256");
    result.durationSeconds = read::number(object, "duration_s").value_or(0.0);
    readTimings(result, read::at(object, "timing"));
    readDecision(result, read::at(object, "decision"));
    return result;
}

namespace {

// The readers of a custom bench, in the order in which they are tried.
BenchResult customResult(const BenchEvidence &evidence)
{
    if (!evidence.reading.pattern
             .isEmpty()) { // a bench that calls its result wrong is believed whatever number it prints
        const BenchResult said = resultFromLines(evidence.output);
        const bool isRefused = said.status != QLatin1String("NO_RESULT") && !said.correct;
        return isRefused ? said : resultFromPattern(evidence.output, evidence.reading);
    }
    if (!evidence.resultJson.isEmpty())
        return resultFromUserJson(evidence.resultJson, evidence.reading);
    const BenchResult lines = resultFromLines(evidence.output);
    if (lines.status != QLatin1String("NO_RESULT"))
        return lines;
    const BenchResult fromJson = resultFromUserJson(evidence.output.toUtf8(), evidence.reading);
    return fromJson.status == QLatin1String("NO_RESULT") ? lines : fromJson;
}

bool isReport(const QByteArray &bytes)
{
    return read::string(read::parse(bytes), "schema").startsWith(QLatin1String("ako.result/"));
}

BenchResult understood(const BenchEvidence &evidence)
{
    if (isReport(evidence.resultJson))
        return resultFromReport(evidence.resultJson);
    BenchResult result = evidence.mode == BenchMode::Custom ? customResult(evidence) : resultFromLines(evidence.output);
    result.mode = evidence.mode;
    return result;
}

QString endOf(int exitCode)
{
    return exitCode < 0 ? text("The bench was ended by signal %1").arg(-exitCode)
                        : text("The bench ended with status %1").arg(exitCode);
}

} // namespace

BenchResult readBenchResult(const BenchEvidence &evidence)
{
    BenchResult result = understood(evidence);
    result.exitCode = evidence.exitCode;
    if (evidence.exitCode == 0)
        return result;
    if (result.status.isEmpty() || result.status == QLatin1String("OK") || result.status == QLatin1String("NO_RESULT"))
        result.status = QStringLiteral("FAILED");
    if (result.message.isEmpty() || result.status == QLatin1String("FAILED"))
        result.message = endOf(evidence.exitCode);
    result.correct = false;
    if (result.state == ResultState::Confirmed)
        result.state = ResultState::Provisional;
    return result;
}

} // namespace ako
