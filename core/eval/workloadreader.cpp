// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/workloadreader.h"

#include "eval/arrayfile.h"
#include "eval/boundedtext.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

namespace ako::eval {

namespace {

constexpr std::int64_t bytesLimit = std::int64_t(1) << 36; // one tensor; catches typing errors, memory is checked later
constexpr double leastWeight = 1e-6, largestWeight = 1e6;
constexpr double wholeLimit = 9e18; // numbers that an int64 holds

std::int64_t evaluate(const JsonReader &place, const std::string &text, const AxisValues &axes)
{
    try {
        return evaluateExpression(text, axes);
    } catch (const std::invalid_argument &error) {
        place.fail(error.what());
    }
}

void checkFits(const JsonReader &value, DType dtype)
{
    if (!canHold(dtype, value.number()))
        value.fail("the number does not fit " + std::string(dtypeName(dtype)));
}

// What elements are drawn from; they are cut off at the limits of an integer's type.
void checkRange(const JsonReader &value, DType dtype)
{
    if (isFloating(dtype))
        checkFits(value, dtype);
    else if (std::abs(value.number()) > wholeLimit)
        value.fail("the number does not fit int64");
}

InputRule defaultRule(const Tensor &tensor)
{
    InputRule rule;
    if (!isFloating(tensor.dtype))
        rule.distribution = Distribution::Uniform;
    return rule;
}

void readRuleNumbers(const JsonReader &reader, DType dtype, InputRule &rule)
{
    for (const char *name : {"mean", "std", "low", "high"}) {
        if (const auto value = reader.find(name))
            checkRange(*value, dtype);
    }
    if (const auto value = reader.find("value"); value && dtype != DType::Bool)
        checkFits(*value, dtype);
    if (const auto value = reader.find("mean"))
        rule.mean = value->number();
    if (const auto value = reader.find("std"))
        rule.std = value->nonNegative();
    if (const auto value = reader.find("low"))
        rule.low = value->number();
    if (const auto value = reader.find("high"))
        rule.high = value->number();
    if (const auto value = reader.find("value"))
        rule.value = value->number();
    if (const auto value = reader.find("density"))
        rule.density = value->nonNegative();
    if (rule.low && rule.high && *rule.low > *rule.high)
        reader.fail("low lies above high");
    if (rule.low && rule.high && !std::isfinite(*rule.high - *rule.low))
        reader.fail("low and high lie too far apart");
}

InputRule readStoredRule(const JsonReader &reader, const Tensor &tensor)
{
    reader.allowOnly({"type", "path", "key", "fresh"});
    InputRule rule;
    rule.distribution = Distribution::Stored;
    rule.fresh = isFloating(tensor.dtype) && tensor.vary ? Fresh::Jitter : Fresh::None;
    rule.file = readRelativePath(reader.at("path"));
    if (!isArrayFileName(rule.file))
        reader.at("path").fail("expected a .npy, .npz, .safetensors or .bin file");
    if (const auto key = reader.find("key"))
        rule.key = key->printable();
    if (const auto fresh = reader.find("fresh")) {
        const std::string how = fresh->string();
        if (how != "jitter" && how != "rows" && how != "none")
            fresh->fail("expected jitter, rows or none");
        if (how == "jitter" && !isFloating(tensor.dtype))
            fresh->fail("jitter is for floating inputs only; rows moves the rows in a circle");
        rule.fresh = how == "jitter" ? Fresh::Jitter : how == "rows" ? Fresh::Rows : Fresh::None;
    }
    return rule;
}

InputRule readRule(const JsonReader &reader, const Tensor &tensor)
{
    const std::string type = reader.at("type").string();
    if (type == "file")
        return readStoredRule(reader, tensor);
    reader.allowOnly({"type", "dist", "mean", "std", "low", "high", "value", "density"});
    InputRule rule = defaultRule(tensor);
    if (type == "constant")
        rule.distribution = Distribution::Constant;
    else if (type != "random")
        reader.at("type").fail("expected random, constant or file");
    if (const auto dist = reader.find("dist")) {
        const auto known = distributionFromName(dist->string());
        if (!known)
            dist->fail("unknown distribution " + inQuotes(dist->string()) +
                       "; known: normal uniform signed_uniform constant tiny large sparse one_hot sorted denormals");
        rule.distribution = *known;
    }
    if (!isFloating(tensor.dtype) &&
        (rule.distribution == Distribution::Denormals || rule.distribution == Distribution::Tiny))
        reader.fail("this distribution exists for floating inputs only");
    readRuleNumbers(reader, tensor.dtype, rule);
    return rule;
}

} // namespace

std::string readRelativePath(const JsonReader &reader)
{
    const std::filesystem::path path = reader.string();
    if (path.empty() || path.is_absolute() || std::find(path.begin(), path.end(), "..") != path.end())
        reader.fail("expected a path inside the problem's folder");
    return path.string();
}

Tolerance readTolerance(const JsonReader &reader, Tolerance tolerance)
{
    reader.allowOnly({"rtol", "atol", "atol_rms", "matched_ratio", "rms_factor"});
    if (const auto value = reader.find("rtol"))
        tolerance.rtol = value->nonNegative();
    if (const auto value = reader.find("atol"))
        tolerance.atol = value->nonNegative();
    if (const auto value = reader.find("atol_rms"))
        tolerance.atolRms = value->nonNegative();
    if (const auto value = reader.find("matched_ratio")) {
        tolerance.matchedRatio = value->number();
        if (!(tolerance.matchedRatio > 0.5 && tolerance.matchedRatio <= 1))
            value->fail("expected a number above 0.5 and up to 1");
    }
    if (const auto value = reader.find("rms_factor")) {
        tolerance.rmsFactor = value->number();
        if (!(tolerance.rmsFactor >= 1))
            value->fail("expected a number of at least 1");
    }
    return tolerance;
}

WorkloadReader::WorkloadReader(JsonReader root, const Problem &problem, const Tolerance &tolerance)
    : m_root(std::move(root))
    , m_problem(problem)
    , m_tolerance(tolerance)
{
}

Workload WorkloadReader::read(const JsonReader &reader) const
{
    reader.allowOnly({"id", "axes", "weight", "time", "inputs", "scalars", "tolerance", "description"});
    Workload workload;
    workload.place = reader.place();
    workload.id = reader.at("id").printable();
    workload.tolerance = m_tolerance;
    if (const auto weight = reader.find("weight")) {
        workload.weight = weight->number();
        // More apart, and the largest would be all that counts.
        if (!(workload.weight >= leastWeight && workload.weight <= largestWeight))
            weight->fail("expected a number from 1e-6 to 1e6");
    }
    if (const auto time = reader.find("time"))
        workload.timed = time->boolean();
    if (const auto tolerance = reader.find("tolerance"))
        workload.tolerance = readTolerance(*tolerance, m_tolerance);
    readAxisValues(reader, workload);
    readInputRules(reader, workload);
    readScalarValues(reader, workload);
    checkShapes(reader, workload);
    checkWork(reader, workload);
    return workload;
}

void WorkloadReader::readAxisValues(const JsonReader &reader, Workload &workload) const
{
    const auto given = reader.find("axes");
    for (const auto &[name, value] : given ? given->members() : std::vector<std::pair<std::string, JsonReader>>{}) {
        const Axis *axis = m_problem.axis(name);
        if (!axis || axis->kind != Axis::Kind::Variable)
            value.fail(inQuotes(name) + " is no axis of type var");
        workload.axes[name] = value.integer();
    }
    for (const Axis &axis : m_problem.axes) {
        if (axis.kind == Axis::Kind::Variable && !workload.axes.contains(axis.name))
            reader.fail("the axis " + inQuotes(axis.name) + " has no value");
        if (axis.kind == Axis::Kind::Constant)
            workload.axes[axis.name] = axis.value;
        if (axis.kind == Axis::Kind::Expression) // in order: an expression may use those before it
            workload.axes[axis.name] =
                evaluate(m_root.at("axes").at(axis.name).at("expression"), axis.expression, workload.axes);
    }
}

void WorkloadReader::readInputRules(const JsonReader &reader, Workload &workload) const
{
    const auto given = reader.find("inputs");
    for (const auto &[name, rule] : given ? given->members() : std::vector<std::pair<std::string, JsonReader>>{}) {
        const Tensor *tensor = m_problem.tensor(name);
        if (!tensor || !tensor->isInput)
            rule.fail(inQuotes(name) + " is no input");
        workload.inputs[name] = readRule(rule, *tensor);
    }
    for (const Tensor &tensor : m_problem.tensors) {
        if (tensor.isInput && !workload.inputs.contains(tensor.name))
            workload.inputs[tensor.name] = defaultRule(tensor);
    }
}

void WorkloadReader::readScalarValues(const JsonReader &reader, Workload &workload) const
{
    const auto given = reader.find("scalars");
    for (const auto &[name, value] : given ? given->members() : std::vector<std::pair<std::string, JsonReader>>{}) {
        if (!m_problem.scalar(name))
            value.fail(inQuotes(name) + " is no scalar");
        checkFits(value, m_problem.scalar(name)->dtype);
        workload.scalars[name] = value.number();
    }
    for (const Scalar &scalar : m_problem.scalars) {
        if (!workload.scalars.contains(scalar.name))
            reader.fail("the scalar " + inQuotes(scalar.name) + " has no value");
    }
}

void WorkloadReader::checkShapes(const JsonReader &reader, const Workload &workload) const
{
    for (const Tensor &tensor : m_problem.tensors) {
        const JsonReader place = m_root.at(tensor.isInput ? "inputs" : "outputs").at(tensor.name).at("shape");
        std::int64_t bytes = std::int64_t(sizeOf(tensor.dtype));
        for (const std::string &extent : tensor.shape) {
            const std::int64_t value = evaluate(place, extent, workload.axes);
            if (value < 1)
                reader.fail(inQuotes(tensor.name) + " would have no elements (" + extent + " = " +
                                std::to_string(value) + ")",
                            Status::BadShape);
            if (__builtin_mul_overflow(bytes, value, &bytes) || bytes > bytesLimit)
                reader.fail(inQuotes(tensor.name) + " would have more than 64 GiB", Status::BadShape);
        }
    }
}

void WorkloadReader::checkWork(const JsonReader &reader, const Workload &workload) const
{
    if (!m_problem.work)
        return;
    const JsonReader work = m_root.at("work");
    const auto check = [&](const JsonReader &place, const std::string &text) {
        if (evaluate(place, text, workload.axes) < 0)
            place.fail("it is negative for the workload at " + reader.place());
    };
    if (!m_problem.work->readBytes.empty())
        check(work.at("read_bytes"), m_problem.work->readBytes);
    if (!m_problem.work->writeBytes.empty())
        check(work.at("write_bytes"), m_problem.work->writeBytes);
    for (const auto &[kind, text] : m_problem.work->flops)
        check(work.at("flops").at(kind), text);
}

} // namespace ako::eval
