// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/boundedtext.h"
#include "eval/files.h"
#include "eval/flags.h"
#include "eval/hash.h"
#include "eval/jsonreader.h"
#include "eval/problem.h"
#include "eval/workloadreader.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

namespace ako::eval {

namespace {

// Far beyond any kernel's; the keys of inputs are made for as many (keyOfInput()).
constexpr std::size_t namesLimit = 64, rankLimit = 16, argumentsLimit = 256, workloadsLimit = 1000;
constexpr std::size_t nameLimit = 100;

bool isIdentifier(const std::string &name)
{
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())))
        return false;
    return std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

void checkIdentifier(const JsonReader &reader, const std::string &name)
{
    if (!isIdentifier(name))
        reader.fail(inQuotes(name) + " is no C identifier");
    if (name.size() > nameLimit)
        reader.fail(inQuotes(name) + " is longer than " + std::to_string(nameLimit) + " characters");
}

std::string identifier(const JsonReader &reader)
{
    const std::string name = reader.string();
    checkIdentifier(reader, name);
    return name;
}

DType readDType(const JsonReader &reader, bool onGpu)
{
    const std::optional<DType> type = dtypeFromName(reader.string());
    if (!type || (isSmallFloat(*type) && !onGpu))
        reader.fail("dtype " + inQuotes(reader.string()) + " is not known on the " + (onGpu ? "GPU" : "CPU") +
                    "; known: float64 float32 " + (onGpu ? "float16 bfloat16 float8_e4m3fn float8_e5m2 " : "") +
                    "int64 int32 int16 int8 uint8 bool");
    return *type;
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
        m_problem.name = m_root.at("name").printable();
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
        checkIdentifier(reader, name);
        if (!m_names.insert(name).second)
            reader.fail("the name " + inQuotes(name) + " is used twice");
    }

    void readAxes()
    {
        m_root.at("axes").allowAtMost(namesLimit, "axes");
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
                axis.expression = expressionText(reader.at("expression"));
            } else if (type != "var") {
                reader.at("type").fail("expected var, const or expr");
            }
            m_problem.axes.push_back(axis);
        }
    }

    void readTensors(const char *group, bool isInput)
    {
        m_root.at(group).allowAtMost(namesLimit, group);
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
            reader.at("shape").allowAtMost(rankLimit, "dimensions");
            for (const JsonReader &extent : reader.at("shape").elements())
                tensor.shape.push_back(expressionText(extent));
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
        scalars->allowAtMost(namesLimit, "scalars");
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
        entry.at("args").allowAtMost(argumentsLimit, "arguments");
        for (const JsonReader &argument : entry.at("args").elements()) {
            const std::string name = argument.string();
            if (name == streamArgument && !m_problem.onGpu)
                argument.fail("@stream exists on a GPU only");
            if (name != streamArgument && !m_names.contains(name))
                argument.fail(inQuotes(name) + " is no input, output, axis or scalar");
            seen.insert(name);
            m_problem.arguments.push_back(name);
        }
        for (const Tensor &tensor : m_problem.tensors) {
            if (tensor.isOutput && !seen.contains(tensor.name))
                entry.at("args").fail("the output " + inQuotes(tensor.name) + " is not passed");
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

    std::vector<std::string> readFlags(const JsonReader &reader) const
    {
        for (const JsonReader &flag : reader.elements()) {
            if (!isAllowedFlag(flag.string(), m_problem.onGpu))
                flag.fail("the flag " + inQuotes(flag.string()) + " is not on the allow-list");
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

    void readWorkloads()
    {
        std::set<std::string> ids;
        m_root.at("workloads").allowAtMost(workloadsLimit, "workloads");
        const WorkloadReader workloads(m_root, m_problem, m_tolerance);
        for (const JsonReader &reader : m_root.at("workloads").elements()) {
            Workload workload = workloads.read(reader);
            if (!ids.insert(workload.id).second)
                reader.at("id").fail("the workload " + inQuotes(workload.id) + " stands twice");
            m_problem.workloads.push_back(std::move(workload));
        }
        if (std::none_of(m_problem.workloads.begin(), m_problem.workloads.end(),
                         [](const Workload &w) { return w.timed; }))
            m_root.at("workloads").fail("no workload is timed");
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
