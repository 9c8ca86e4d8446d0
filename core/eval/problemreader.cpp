// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/files.h"
#include "eval/flags.h"
#include "eval/hash.h"
#include "eval/jsonreader.h"
#include "eval/problem.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

namespace ako::eval {

namespace {

constexpr std::int64_t bytesLimit = std::int64_t(1) << 36; // one tensor; catches typing errors, memory is checked later

bool isIdentifier(const std::string &name)
{
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())))
        return false;
    return std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

std::string identifier(const JsonReader &reader)
{
    const std::string name = reader.string();
    if (!isIdentifier(name))
        reader.fail("\"" + name + "\" is no C identifier");
    return name;
}

DType readDType(const JsonReader &reader, bool onGpu)
{
    const std::optional<DType> type = dtypeFromName(reader.string());
    if (!type || (isSmallFloat(*type) && !onGpu))
        reader.fail("dtype \"" + reader.string() + "\" is not known on the " + (onGpu ? "GPU" : "CPU") +
                    "; known: float64 float32 " + (onGpu ? "float16 bfloat16 float8_e4m3fn float8_e5m2 " : "") +
                    "int64 int32 int16 int8 uint8 bool");
    return *type;
}

// A name that goes into printed lines, and so could hold a line of its own.
std::string printable(const JsonReader &reader)
{
    const std::string text = reader.string();
    if (text.empty() || text.size() > 200 ||
        std::any_of(text.begin(), text.end(), [](unsigned char letter) { return letter < 0x20 || letter == 0x7f; }))
        reader.fail("expected a name of 1 to 200 bytes without control characters");
    return text;
}

class ProblemReader
{
public:
    explicit ProblemReader(JsonReader root)
        : m_root(std::move(root))
    {
    }

    Problem read()
    {
        m_root.allowOnly({"schema", "name", "description", "device", "axes", "inputs", "scalars", "outputs", "entry",
                          "reference", "work", "tolerance", "deterministic", "selftest_skip", "workloads"});
        readHead();
        readAxes();
        readTensors("inputs", true);
        readTensors("outputs", false);
        readScalars();
        readEntry();
        readReference();
        readWork();
        readWorkloads();
        return std::move(m_problem);
    }

private:
    void readHead()
    {
        if (m_root.at("schema").string() != "ako.problem/1")
            m_root.at("schema").fail("expected \"ako.problem/1\"");
        m_problem.name = printable(m_root.at("name"));
        if (const auto device = m_root.find("device")) {
            if (device->string() != "cpu" && device->string() != "cuda")
                device->fail("expected \"cpu\" or \"cuda\"");
            m_problem.onGpu = device->string() == "cuda";
        }
        if (const auto skip = m_root.find("selftest_skip"))
            readSelfTestSkip(*skip);
        if (const auto deterministic = m_root.find("deterministic"))
            m_problem.demandsDeterminism = deterministic->boolean();
        if (const auto tolerance = m_root.find("tolerance"))
            m_tolerance = readTolerance(*tolerance, m_tolerance);
    }

    void readSelfTestSkip(const JsonReader &reader)
    {
        static const std::set<std::string> known{"zeros", "shuffled", "other_seed", "input_copy"};
        for (const JsonReader &element : reader.elements()) {
            if (!known.contains(element.string()))
                element.fail("expected zeros, shuffled, other_seed or input_copy");
            m_problem.selfTestSkip.push_back(element.string());
        }
    }

    void claimName(const JsonReader &reader, const std::string &name)
    {
        if (!isIdentifier(name))
            reader.fail("\"" + name + "\" is no C identifier");
        if (!m_names.insert(name).second)
            reader.fail("the name \"" + name + "\" is used twice");
    }

    void readAxes()
    {
        for (const auto &[name, reader] : m_root.at("axes").members()) {
            claimName(reader, name);
            reader.allowOnly({"type", "value", "expression", "description"});
            Axis axis{name, Axis::Kind::Variable, 0, {}};
            const std::string type = reader.at("type").string();
            if (type == "const") {
                axis.kind = Axis::Kind::Constant;
                axis.value = reader.at("value").integer();
            } else if (type == "expr") {
                axis.kind = Axis::Kind::Expression;
                axis.expression = reader.at("expression").string();
            } else if (type != "var") {
                reader.at("type").fail("expected var, const or expr");
            }
            m_problem.axes.push_back(axis);
        }
    }

    void readTensors(const char *group, bool isInput)
    {
        for (const auto &[name, reader] : m_root.at(group).members()) {
            claimName(reader, name);
            reader.allowOnly({"shape", "dtype", "align", "inout", "vary", "description"});
            Tensor tensor;
            tensor.name = name;
            tensor.dtype = readDType(reader.at("dtype"), m_problem.onGpu);
            tensor.isInput = isInput;
            tensor.isOutput = !isInput || (reader.has("inout") && reader.at("inout").boolean());
            if (!isInput && reader.has("inout"))
                reader.at("inout").fail("an inout tensor stands under inputs");
            for (const JsonReader &extent : reader.at("shape").elements())
                tensor.shape.push_back(extent.isNumber() ? std::to_string(extent.integer()) : extent.string());
            if (const auto align = reader.find("align"))
                tensor.align = readAlignment(*align, tensor);
            if (const auto vary = reader.find("vary"))
                tensor.vary = vary->boolean();
            m_problem.tensors.push_back(tensor);
        }
        if (!isInput && std::none_of(m_problem.tensors.begin(), m_problem.tensors.end(),
                                     [](const Tensor &t) { return t.isOutput; }))
            m_root.at(group).fail("the problem has no output");
    }

    static std::size_t readAlignment(const JsonReader &reader, const Tensor &tensor)
    {
        const std::int64_t align = reader.integer();
        if (align < std::int64_t(sizeOf(tensor.dtype)) || align > 4096 || (align & (align - 1)) != 0)
            reader.fail("expected a power of two from the element's size to 4096");
        return static_cast<std::size_t>(align);
    }

    void readScalars()
    {
        const auto scalars = m_root.find("scalars");
        if (!scalars)
            return;
        for (const auto &[name, reader] : scalars->members()) {
            claimName(reader, name);
            reader.allowOnly({"dtype", "description"});
            m_problem.scalars.push_back({name, readDType(reader.at("dtype"), m_problem.onGpu)});
        }
    }

    void readEntry()
    {
        const JsonReader entry = m_root.at("entry");
        entry.allowOnly({"symbol", "args", "returns"});
        m_problem.symbol = identifier(entry.at("symbol"));
        if (const auto returns = entry.find("returns")) {
            if (returns->string() != "void" && returns->string() != "int")
                returns->fail("expected \"void\" or \"int\"");
            m_problem.returnsInt = returns->string() == "int";
        }
        std::set<std::string> seen;
        for (const JsonReader &argument : entry.at("args").elements()) {
            const std::string name = argument.string();
            if (name == streamArgument && !m_problem.onGpu)
                argument.fail("@stream exists on a GPU only");
            if (name != streamArgument && !m_names.contains(name))
                argument.fail("\"" + name + "\" is no input, output, axis or scalar");
            seen.insert(name);
            m_problem.arguments.push_back(name);
        }
        for (const Tensor &tensor : m_problem.tensors) {
            if (tensor.isOutput && !seen.contains(tensor.name))
                entry.at("args").fail("the output \"" + tensor.name + "\" is not passed");
        }
    }

    void readReference()
    {
        const auto reader = m_root.find("reference");
        if (!reader)
            return;
        reader->allowOnly({"source", "golden", "symbol", "flags"});
        Reference reference;
        reference.flags = defaultFlags(m_problem.onGpu);
        const JsonReader source = reader->at("source");
        for (const JsonReader &file : source.isString() ? std::vector{source} : source.elements())
            reference.sources.push_back(readRelativePath(file));
        reference.symbol = reader->has("symbol") ? identifier(reader->at("symbol")) : m_problem.symbol;
        if (const auto golden = reader->find("golden"))
            reference.golden = identifier(*golden);
        if (const auto flags = reader->find("flags"))
            reference.flags = readFlags(*flags);
        m_problem.reference = reference;
    }

    static std::string readRelativePath(const JsonReader &reader)
    {
        const std::filesystem::path path = reader.string();
        if (path.empty() || path.is_absolute() || std::find(path.begin(), path.end(), "..") != path.end())
            reader.fail("expected a path inside the problem's folder");
        return path.string();
    }

    std::vector<std::string> readFlags(const JsonReader &reader) const
    {
        for (const JsonReader &flag : reader.elements()) {
            if (!isAllowedFlag(flag.string(), m_problem.onGpu))
                flag.fail("the flag \"" + flag.string() + "\" is not on the allow-list");
        }
        return reader.strings();
    }

    void readWork()
    {
        const auto reader = m_root.find("work");
        if (!reader)
            return;
        reader->allowOnly({"read_bytes", "write_bytes", "flops"});
        Work work;
        if (const auto bytes = reader->find("read_bytes"))
            work.readBytes = expressionText(*bytes);
        if (const auto bytes = reader->find("write_bytes"))
            work.writeBytes = expressionText(*bytes);
        if (const auto flops = reader->find("flops")) {
            if (m_problem.onGpu)
                flops->allowOnly({"fp32", "fp64", "int", "fp16", "bf16", "tf32", "fp8", "int8"});
            else
                flops->allowOnly({"fp32", "fp64", "int"});
            for (const auto &[kind, value] : flops->members())
                work.flops[kind] = expressionText(value);
        }
        m_problem.work = work;
    }

    static std::string expressionText(const JsonReader &reader)
    {
        return reader.isNumber() ? std::to_string(reader.integer()) : reader.string();
    }

    static double nonNegative(const JsonReader &reader)
    {
        if (!(reader.number() >= 0))
            reader.fail("expected a number of at least 0");
        return reader.number();
    }

    static Tolerance readTolerance(const JsonReader &reader, Tolerance tolerance)
    {
        reader.allowOnly({"rtol", "atol", "atol_rms", "matched_ratio", "rms_factor"});
        if (const auto value = reader.find("rtol"))
            tolerance.rtol = nonNegative(*value);
        if (const auto value = reader.find("atol"))
            tolerance.atol = nonNegative(*value);
        if (const auto value = reader.find("atol_rms"))
            tolerance.atolRms = nonNegative(*value);
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

    void readWorkloads()
    {
        std::set<std::string> ids;
        for (const JsonReader &reader : m_root.at("workloads").elements()) {
            Workload workload = readWorkload(reader);
            if (!ids.insert(workload.id).second)
                reader.at("id").fail("the workload \"" + workload.id + "\" stands twice");
            m_problem.workloads.push_back(std::move(workload));
        }
        if (std::none_of(m_problem.workloads.begin(), m_problem.workloads.end(),
                         [](const Workload &w) { return w.timed; }))
            m_root.at("workloads").fail("no workload is timed");
    }

    Workload readWorkload(const JsonReader &reader)
    {
        reader.allowOnly({"id", "axes", "weight", "time", "inputs", "scalars", "tolerance", "description"});
        Workload workload;
        workload.place = reader.place();
        workload.id = printable(reader.at("id"));
        workload.tolerance = m_tolerance;
        if (const auto weight = reader.find("weight")) {
            workload.weight = weight->number();
            if (!(workload.weight > 0) || !std::isfinite(workload.weight))
                weight->fail("expected a number above 0");
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

    void readAxisValues(const JsonReader &reader, Workload &workload)
    {
        const auto given = reader.find("axes");
        for (const auto &[name, value] : given ? given->members() : std::vector<std::pair<std::string, JsonReader>>{}) {
            const Axis *axis = m_problem.axis(name);
            if (!axis || axis->kind != Axis::Kind::Variable)
                value.fail("\"" + name + "\" is no axis of type var");
            workload.axes[name] = value.integer();
        }
        for (const Axis &axis : m_problem.axes) {
            if (axis.kind == Axis::Kind::Variable && !workload.axes.contains(axis.name))
                reader.fail("the axis \"" + axis.name + "\" has no value");
            if (axis.kind == Axis::Kind::Constant)
                workload.axes[axis.name] = axis.value;
            if (axis.kind == Axis::Kind::Expression) // in order: an expression may use those before it
                workload.axes[axis.name] =
                    evaluate(m_root.at("axes").at(axis.name).at("expression"), axis.expression, workload.axes);
        }
    }

    static std::int64_t evaluate(const JsonReader &place, const std::string &text, const AxisValues &axes)
    {
        try {
            return evaluateExpression(text, axes);
        } catch (const std::invalid_argument &error) {
            place.fail(error.what());
        }
    }

    void readInputRules(const JsonReader &reader, Workload &workload)
    {
        const auto given = reader.find("inputs");
        for (const auto &[name, rule] : given ? given->members() : std::vector<std::pair<std::string, JsonReader>>{}) {
            const Tensor *tensor = m_problem.tensor(name);
            if (!tensor || !tensor->isInput)
                rule.fail("\"" + name + "\" is no input");
            workload.inputs[name] = readRule(rule, *tensor);
        }
        for (const Tensor &tensor : m_problem.tensors) {
            if (tensor.isInput && !workload.inputs.contains(tensor.name))
                workload.inputs[tensor.name] = defaultRule(tensor);
        }
    }

    static InputRule defaultRule(const Tensor &tensor)
    {
        InputRule rule;
        if (!isFloating(tensor.dtype))
            rule.distribution = Distribution::Uniform;
        return rule;
    }

    static InputRule readRule(const JsonReader &reader, const Tensor &tensor)
    {
        reader.allowOnly({"type", "dist", "mean", "std", "low", "high", "value", "density"});
        InputRule rule = defaultRule(tensor);
        const std::string type = reader.at("type").string();
        if (type == "constant")
            rule.distribution = Distribution::Constant;
        else if (type != "random")
            reader.at("type").fail("expected random or constant");
        if (const auto dist = reader.find("dist")) {
            const auto known = distributionFromName(dist->string());
            if (!known)
                dist->fail(
                    "unknown distribution \"" + dist->string() +
                    "\"; known: normal uniform signed_uniform constant tiny large sparse one_hot sorted denormals");
            rule.distribution = *known;
        }
        if (!isFloating(tensor.dtype) &&
            (rule.distribution == Distribution::Denormals || rule.distribution == Distribution::Tiny))
            reader.fail("this distribution exists for floating inputs only");
        readRuleNumbers(reader, rule);
        return rule;
    }

    static void readRuleNumbers(const JsonReader &reader, InputRule &rule)
    {
        if (const auto value = reader.find("mean"))
            rule.mean = value->number();
        if (const auto value = reader.find("std"))
            rule.std = nonNegative(*value);
        if (const auto value = reader.find("low"))
            rule.low = value->number();
        if (const auto value = reader.find("high"))
            rule.high = value->number();
        if (const auto value = reader.find("value"))
            rule.value = value->number();
        if (const auto value = reader.find("density"))
            rule.density = nonNegative(*value);
        if (rule.low && rule.high && *rule.low > *rule.high)
            reader.fail("low lies above high");
    }

    void readScalarValues(const JsonReader &reader, Workload &workload)
    {
        const auto given = reader.find("scalars");
        for (const auto &[name, value] : given ? given->members() : std::vector<std::pair<std::string, JsonReader>>{}) {
            if (!m_problem.scalar(name))
                value.fail("\"" + name + "\" is no scalar");
            workload.scalars[name] = value.number();
        }
        for (const Scalar &scalar : m_problem.scalars) {
            if (!workload.scalars.contains(scalar.name))
                reader.fail("the scalar \"" + scalar.name + "\" has no value");
        }
    }

    void checkShapes(const JsonReader &reader, const Workload &workload)
    {
        for (const Tensor &tensor : m_problem.tensors) {
            const JsonReader place = m_root.at(tensor.isInput ? "inputs" : "outputs").at(tensor.name).at("shape");
            std::int64_t bytes = std::int64_t(sizeOf(tensor.dtype));
            for (const std::string &extent : tensor.shape) {
                const std::int64_t value = evaluate(place, extent, workload.axes);
                if (value < 1)
                    reader.fail("\"" + tensor.name + "\" would have no elements (" + extent + " = " +
                                    std::to_string(value) + ")",
                                Status::BadShape);
                if (__builtin_mul_overflow(bytes, value, &bytes) || bytes > bytesLimit)
                    reader.fail("\"" + tensor.name + "\" would have more than 64 GiB", Status::BadShape);
            }
        }
    }

    void checkWork(const JsonReader &reader, const Workload &workload) const
    {
        if (!m_problem.work)
            return;
        for (const std::string *text : {&m_problem.work->readBytes, &m_problem.work->writeBytes}) {
            if (!text->empty() && evaluate(m_root.at("work"), *text, workload.axes) < 0)
                m_root.at("work").fail("the work of " + reader.place() + " is negative");
        }
        for (const auto &[kind, text] : m_problem.work->flops)
            evaluate(m_root.at("work").at("flops").at(kind), text, workload.axes);
    }

    JsonReader m_root;
    Problem m_problem;
    Tolerance m_tolerance;
    std::set<std::string> m_names;
};

} // namespace

Problem parseProblem(const std::string &text, const std::string &path)
{
    const nlohmann::ordered_json value = parseStrictJson(text, path);
    Problem problem = ProblemReader(JsonReader(value, path)).read();
    problem.path = path;
    problem.folder = std::filesystem::path(path).parent_path().string();
    if (problem.folder.empty())
        problem.folder = ".";
    problem.hash = sha256Hex(text);
    return problem;
}

Problem readProblem(const std::string &path)
{
    return parseProblem(readFile(path, Status::ProblemError), path);
}

} // namespace ako::eval
