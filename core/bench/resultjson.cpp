// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/resultjson.h"

#include "bench/jsonread.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

namespace ako {

using nlohmann::json;
namespace read = jsonread;

namespace {

template <typename Enum, size_t N>
using Names = std::array<std::pair<Enum, const char *>, N>;

constexpr Names<BenchMode, 3> modeNames{
    {{BenchMode::Signal, "signal"}, {BenchMode::Verdict, "verdict"}, {BenchMode::Custom, "custom"}}};
constexpr Names<ResultState, 4> stateNames{{{ResultState::Provisional, "provisional"},
                                            {ResultState::Confirmed, "confirmed"},
                                            {ResultState::Quarantined, "quarantined"},
                                            {ResultState::Invalid, "invalid"}}};
constexpr Names<Comparison, 5> comparisonNames{{{Comparison::None, "none"},
                                                {Comparison::Improved, "improved"},
                                                {Comparison::Same, "same"},
                                                {Comparison::Regressed, "regressed"},
                                                {Comparison::Ambiguous, "ambiguous"}}};

template <typename Enum, size_t N>
QString nameOf(Enum value, const Names<Enum, N> &names)
{
    for (const auto &[candidate, name] : names) {
        if (candidate == value)
            return QLatin1String(name);
    }
    return {};
}

template <typename Enum, size_t N>
Enum valueOf(const QString &name, const Names<Enum, N> &names, Enum fallback)
{
    for (const auto &[value, candidate] : names) {
        if (name == QLatin1String(candidate))
            return value;
    }
    return fallback;
}

template <typename T>
void put(json &object, const char *key, const std::optional<T> &value)
{
    if (!value)
        return;
    if constexpr (std::is_arithmetic_v<T>)
        object[key] = *value;
    else
        object[key] = toJson(*value);
}

void put(json &object, const char *key, const QString &value)
{
    if (!value.isEmpty())
        object[key] = value.toStdString();
}

json toJson(const WorkloadResult &workload)
{
    json object{{"id", workload.id.toStdString()}, {"weight", workload.weight}};
    put(object, "solution", workload.solution);
    put(object, "reference", workload.reference);
    put(object, "champion", workload.champion);
    put(object, "speedup_over_reference", workload.speedupOverReference);
    put(object, "speedup_over_champion", workload.speedupOverChampion);
    put(object, "floor_ms", workload.floorMs);
    put(object, "practical_ms", workload.practicalMs);
    return object;
}

WorkloadResult workloadFromJson(const json &object)
{
    WorkloadResult workload;
    workload.id = read::string(object, "id");
    workload.weight = read::number(object, "weight").value_or(1.0);
    workload.solution = timingFromJson(read::at(object, "solution"));
    workload.reference = timingFromJson(read::at(object, "reference"));
    workload.champion = timingFromJson(read::at(object, "champion"));
    workload.speedupOverReference = intervalFromJson(read::at(object, "speedup_over_reference"));
    workload.speedupOverChampion = intervalFromJson(read::at(object, "speedup_over_champion"));
    workload.floorMs = read::number(object, "floor_ms");
    workload.practicalMs = read::number(object, "practical_ms");
    return workload;
}

void putMeasurements(json &object, const BenchResult &result)
{
    put(object, "solution", result.solution);
    put(object, "reference", result.reference);
    put(object, "speedup_over_reference", result.speedupOverReference);
    put(object, "speedup_over_champion", result.speedupOverChampion);
    put(object, "speedup_over_baseline", result.speedupOverBaseline);
    put(object, "worst_workload", result.worstWorkload);
    for (const WorkloadResult &workload : result.workloads)
        object["workloads"].push_back(toJson(workload));
}

void readMeasurements(BenchResult &result, const json &object)
{
    result.solution = timingFromJson(read::at(object, "solution"));
    result.reference = timingFromJson(read::at(object, "reference"));
    result.speedupOverReference = intervalFromJson(read::at(object, "speedup_over_reference"));
    result.speedupOverChampion = intervalFromJson(read::at(object, "speedup_over_champion"));
    result.speedupOverBaseline = intervalFromJson(read::at(object, "speedup_over_baseline"));
    result.worstWorkload = read::string(object, "worst_workload");
    const json &workloads = read::at(object, "workloads");
    if (!workloads.is_array())
        return;
    for (const json &workload : workloads)
        result.workloads << workloadFromJson(workload);
}

void putExtraColumns(json &object, const QMap<QString, QString> &columns)
{
    for (auto column = columns.cbegin(); column != columns.cend(); ++column)
        object["extra_columns"][column.key().toStdString()] = column.value().toStdString();
}

QMap<QString, QString> readExtraColumns(const json &columns)
{
    QMap<QString, QString> result;
    if (!columns.is_object())
        return result;
    for (const auto &[name, value] : columns.items())
        result.insert(QString::fromStdString(name), read::string(value));
    return result;
}

} // namespace

QString modeName(BenchMode mode)
{
    return nameOf(mode, modeNames);
}

QString stateName(ResultState state)
{
    return nameOf(state, stateNames);
}

QString comparisonName(Comparison comparison)
{
    return nameOf(comparison, comparisonNames);
}

json toJson(const Interval &interval)
{
    return {{"est", interval.estimate}, {"lo", interval.low}, {"hi", interval.high}};
}

json toJson(const Timing &timing)
{
    return {{"median", timing.median}, {"mean", timing.mean}, {"min", timing.minimum}, {"max", timing.maximum}};
}

json toJson(const BenchResult &result)
{
    json object{{"mode", modeName(result.mode).toStdString()},
                {"state", stateName(result.state).toStdString()},
                {"exit", result.exitCode},
                {"compiled", result.compiled},
                {"correct", result.correct},
                {"comparison", comparisonName(result.comparison).toStdString()},
                {"margin", result.margin},
                {"duration_s", result.durationSeconds}};
    put(object, "status", result.status);
    put(object, "message", result.message);
    put(object, "problem_sha256", result.problemHash);
    put(object, "solution_sha256", result.solutionHash);
    put(object, "evaluator_sha256", result.evaluatorHash);
    if (!result.flags.isEmpty())
        object["flags"] = read::array(result.flags);
    if (!result.compilerFlags.isEmpty())
        object["compiler_flags"] = read::array(result.compilerFlags);
    putMeasurements(object, result);
    putExtraColumns(object, result.extraColumns);
    return object;
}

std::optional<Interval> intervalFromJson(const json &object)
{
    const auto estimate = read::number(object, "est");
    if (!estimate)
        return std::nullopt;
    return Interval{*estimate, read::number(object, "lo").value_or(*estimate),
                    read::number(object, "hi").value_or(*estimate)};
}

std::optional<Timing> timingFromJson(const json &object)
{
    const auto mean = read::number(object, "mean");
    const auto median = read::number(object, "median");
    if (!mean && !median)
        return std::nullopt;
    const double centre = median.value_or(mean.value_or(0.0));
    return Timing{centre, mean.value_or(centre), read::number(object, "min").value_or(centre),
                  read::number(object, "max").value_or(centre)};
}

BenchResult benchResultFromJson(const json &object)
{
    BenchResult result;
    result.mode = valueOf(read::string(object, "mode"), modeNames, BenchMode::Signal);
    result.state = valueOf(read::string(object, "state"), stateNames, ResultState::Provisional);
    result.status = read::string(object, "status");
    result.exitCode = read::integer(object, "exit", -1);
    result.compiled = read::boolean(object, "compiled");
    result.correct = read::boolean(object, "correct");
    result.comparison = valueOf(read::string(object, "comparison"), comparisonNames, Comparison::None);
    result.margin = read::number(object, "margin").value_or(0.0);
    result.durationSeconds = read::number(object, "duration_s").value_or(0.0);
    result.message = read::string(object, "message");
    result.problemHash = read::string(object, "problem_sha256");
    result.solutionHash = read::string(object, "solution_sha256");
    result.evaluatorHash = read::string(object, "evaluator_sha256");
    result.flags = read::strings(object, "flags");
    result.compilerFlags = read::strings(object, "compiler_flags");
    readMeasurements(result, object);
    result.extraColumns = readExtraColumns(read::at(object, "extra_columns"));
    return result;
}

} // namespace ako
