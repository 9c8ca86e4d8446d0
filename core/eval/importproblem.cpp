// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/importproblem.h"

#include "eval/arrayfile.h"
#include "eval/boundedtext.h"
#include "eval/files.h"
#include "eval/jsonreader.h"
#include "eval/report.h"
#include "eval/shim.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace ako::eval {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

namespace {

constexpr std::size_t mostWorkloads = 16, mostTimed = 4; // a verdict times each of them
constexpr const char *elsewhere = "The Python evaluator measures such a problem as it is: open the folder in ako4all, "
                                  "or run bench/kernelbench/bench.py.";

std::string identifierFrom(const std::string &name)
{
    std::string text;
    for (const unsigned char c : name)
        text += std::isalnum(c) || c == '_' ? char(c) : '_';
    return text.empty() || std::isdigit(static_cast<unsigned char>(text.front())) ? "k_" + text : text;
}

// A line of workload.jsonl is a workload, or holds one.
ordered_json workloadIn(const ordered_json &line)
{
    return line.is_object() && line.contains("workload") && line["workload"].is_object() ? line["workload"] : line;
}

class Importer
{
public:
    Importer(const std::string &definition, bool onGpu, const std::string &folder)
        : m_definition(parseStrictJson(definition, "definition.json"))
        , m_folder(folder)
        , m_onGpu(onGpu)
    {
    }

    ImportedProblem run(const std::string &workloads)
    {
        const JsonReader root(m_definition, "definition.json");
        m_problem = {
            {"schema", "ako.problem/1"}, {"name", root.at("name").printable()}, {"device", m_onGpu ? "cuda" : "cpu"}};
        readAxes(root.at("axes"));
        readInputs(root.at("inputs"));
        readOutputs(root.at("outputs"));
        m_problem["entry"] = {{"symbol", identifierFrom(root.at("name").string()) + "_run"}, {"args", m_arguments}};
        for (const auto &axis : m_problem["axes"].items())
            m_problem["entry"]["args"].push_back(axis.key());
        if (m_onGpu)
            m_problem["entry"]["args"].push_back(streamArgument);
        readWorkloads(workloads);
        noteRest(root);
        ImportedProblem result{m_problem.dump(1) + '\n', {}, m_leftOut};
        result.declaration = entryDeclaration(parseProblem(result.text, "problem.json"));
        return result;
    }

private:
    void leaveOut(const std::string &sentence) { m_leftOut.push_back(sentence); }

    void readAxes(const JsonReader &axes)
    {
        m_problem["axes"] = ordered_json::object();
        for (const auto &[name, axis] : axes.members()) {
            const std::string type = axis.at("type").string();
            ordered_json &made = m_problem["axes"][name];
            if (type == "const")
                made = {{"type", "const"}, {"value", axis.at("value").integer()}};
            else if (type == "expr" || type == "expression")
                made = {{"type", "expr"}, {"expression", axis.at("expression").string()}};
            else if (type == "var")
                made = {{"type", "var"}};
            else
                axis.at("type").fail("expected const, var or expr");
        }
    }

    // Names of axes, numbers, or numbers in quotes.
    static ordered_json shapeFrom(const JsonReader &shape)
    {
        ordered_json extents = ordered_json::array();
        for (const JsonReader &extent : shape.elements()) {
            if (extent.isNumber())
                extents.push_back(extent.integer());
            else if (const std::string text = extent.string();
                     !text.empty() && text.find_first_not_of("0123456789") == std::string::npos && text.size() < 18)
                extents.push_back(std::stoll(text));
            else
                extents.push_back(text);
        }
        return extents;
    }

    std::string dtypeFrom(const JsonReader &tensor) const
    {
        const JsonReader type = tensor.at("dtype");
        const auto known = dtypeFromName(type.string());
        if (!known)
            type.fail("the type " + inQuotes(type.string()) + " is not known here. " + elsewhere);
        if (isSmallFloat(*known) && !m_onGpu)
            type.fail("the type " + inQuotes(type.string()) +
                      " is known on a GPU only: import it without --device cpu");
        return type.string();
    }

    static bool isScalar(const ordered_json &tensor) { return !tensor.contains("shape") || tensor["shape"].is_null(); }

    void readInputs(const JsonReader &inputs)
    {
        m_problem["inputs"] = ordered_json::object();
        for (const auto &[name, input] : inputs.members()) {
            const ordered_json &own = m_definition["inputs"][name];
            m_arguments.push_back(name);
            if (own.is_object() && isScalar(own)) {
                m_problem["scalars"][name] = {{"dtype", dtypeFrom(input)}};
                m_scalars.insert(name);
            } else {
                m_problem["inputs"][name] = {{"shape", shapeFrom(input.at("shape"))}, {"dtype", dtypeFrom(input)}};
            }
        }
    }

    void readOutputs(const JsonReader &outputs)
    {
        m_problem["outputs"] = ordered_json::object();
        for (const auto &[name, output] : outputs.members()) {
            const ordered_json &own = m_definition["outputs"][name];
            const bool single = own.is_object() && isScalar(own);
            m_arguments.push_back(name);
            m_problem["outputs"][name] = {{"shape", single ? ordered_json::array({1}) : shapeFrom(output.at("shape"))},
                                          {"dtype", dtypeFrom(output)}};
            if (single)
                leaveOut("The output " + name + " is a number that run() returns; here the kernel writes it to " +
                         name + "[0].");
        }
    }

    void readWorkloads(const std::string &text)
    {
        std::istringstream lines(text);
        std::size_t number = 0, beyond = 0;
        m_problem["workloads"] = ordered_json::array();
        for (std::string line; std::getline(lines, line);) {
            ++number;
            if (line.find_first_not_of(" \t\r") == std::string::npos)
                continue;
            const std::string place = "workload.jsonl, line " + std::to_string(number);
            const ordered_json workload = workloadIn(parseStrictJson(line, place));
            if (m_problem["workloads"].size() == mostWorkloads)
                ++beyond;
            else
                readWorkload(JsonReader(workload, place), workload, number);
        }
        for (const auto &[reason, lineNumbers] : m_dropped)
            leaveOut("Workload " + lineNumbers + ": " + reason + '.');
        if (beyond > 0)
            leaveOut(std::to_string(beyond) + " more workloads: the first " + std::to_string(mostWorkloads) +
                     " were taken. Choose others by their axes.");
        if (m_problem["workloads"].empty())
            throw Failure(Status::ProblemError, "workload.jsonl: no workload is left that could be measured here" +
                                                    (m_leftOut.empty() ? std::string(".") : ". " + m_leftOut.front()) +
                                                    ' ' + elsewhere);
    }

    // The file of an input, relative to the folder; empty: it is not there.
    std::string storedPath(const ordered_json &source) const
    {
        if (m_folder.empty() || !source.contains("path") || !source["path"].is_string())
            return {};
        const fs::path path = fs::path(source["path"].get<std::string>()).lexically_normal();
        std::error_code error;
        const bool isInside = path.is_relative() && std::find(path.begin(), path.end(), "..") == path.end();
        return isInside && isArrayFileName(path.string()) && fs::is_regular_file(m_folder / path, error)
                   ? path.string()
                   : std::string();
    }

    // Why an input cannot be made here; empty: it can.
    std::string obstacle(const std::string &name, const ordered_json &source) const
    {
        const std::string type = source.is_object() && source.contains("type") && source["type"].is_string()
                                     ? source["type"].get<std::string>()
                                     : std::string();
        if (m_scalars.contains(name))
            return type == "scalar" ? std::string() : "the number " + name + " has no value";
        if (type == "random")
            return {};
        if (type == "safetensors")
            return storedPath(source).empty() ? "the .safetensors file of its input " + name + " is not in the folder"
                                              : std::string();
        if (type == "custom")
            return "its input " + name + " is made by Python code of the definition";
        return "its input " + name + " is of the unknown type " + inQuotes(type);
    }

    void readWorkload(const JsonReader &reader, const ordered_json &workload, std::size_t number)
    {
        static const ordered_json none = ordered_json::object();
        reader.requireObject();
        const ordered_json &inputs = workload.contains("inputs") ? workload["inputs"] : none;
        ordered_json made{{"id", "w" + std::to_string(number)}, {"axes", ordered_json::object()}};
        for (const auto &[name, value] : reader.at("axes").members()) {
            if (m_problem["axes"].contains(name) && m_problem["axes"][name]["type"] == "var")
                made["axes"][name] = value.integer();
        }
        for (const std::string &name : m_arguments) {
            if (m_problem["outputs"].contains(name))
                continue;
            const ordered_json source = inputs.is_object() && inputs.contains(name) ? inputs[name] : none;
            if (const std::string why = obstacle(name, source); !why.empty()) {
                std::string &lines = m_dropped[why];
                lines += (lines.empty() ? "" : ", ") + std::to_string(number);
                return;
            }
            if (m_scalars.contains(name)) {
                const ordered_json &value = source.contains("value") ? source["value"] : none;
                made["scalars"][name] = value.is_boolean() ? ordered_json(int(value.get<bool>())) : value;
            } else if (const std::string path = storedPath(source); !path.empty()) {
                made["inputs"][name] = {{"type", "file"}, {"path", path}};
                if (source.contains("tensor_key") && source["tensor_key"].is_string())
                    made["inputs"][name]["key"] = source["tensor_key"];
            }
        }
        if (m_problem["workloads"].size() >= mostTimed)
            made["time"] = false;
        readTolerance(workload, made);
        m_problem["workloads"].push_back(made);
    }

    static void readTolerance(const ordered_json &workload, ordered_json &made)
    {
        if (!workload.contains("tolerance") || !workload["tolerance"].is_object())
            return;
        const std::map<std::string, const char *> names{{"atol", "atol"},
                                                        {"max_atol", "atol"},
                                                        {"rtol", "rtol"},
                                                        {"max_rtol", "rtol"},
                                                        {"matched_ratio", "matched_ratio"},
                                                        {"required_matched_ratio", "matched_ratio"}};
        for (const auto &member : workload["tolerance"].items()) {
            const auto known = names.find(member.key());
            if (known != names.end() && member.value().is_number())
                made["tolerance"][known->second] = member.value();
        }
    }

    void noteRest(const JsonReader &root)
    {
        if (root.has("reference"))
            leaveOut(
                std::string("The reference is Python. Write it in ") + (m_onGpu ? "CUDA" : "C++") +
                " and name it under \"reference\", best with a golden entry in double; until then the original kernel "
                "is the reference. " +
                elsewhere);
        if (root.has("constraints") && !m_definition["constraints"].empty())
            leaveOut("Constraints between axes are not checked.");
        if (root.has("custom_inputs_entrypoint"))
            leaveOut("Inputs that Python code makes (custom_inputs_entrypoint).");
        if (m_problem["workloads"].size() > mostTimed)
            leaveOut("Only the first " + std::to_string(mostTimed) +
                     " workloads are timed, the others are checked; set \"time\" to choose.");
    }

    ordered_json m_definition, m_problem;
    fs::path m_folder;
    bool m_onGpu;
    std::vector<std::string> m_arguments, m_leftOut;
    std::set<std::string> m_scalars;
    std::map<std::string, std::string> m_dropped; // reason -> line numbers
};

constexpr const char *usage = "Usage: ako-bench import FOLDER [--device cpu|cuda] [--output FILE]";

struct ImportOptions
{
    std::string folder, output;
    bool onGpu = true;
};

ImportOptions optionsFrom(const std::vector<std::string> &arguments)
{
    ImportOptions options;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string &argument = arguments[i];
        const bool takesValue = argument == "--device" || argument == "--output";
        if (takesValue && i + 1 == arguments.size())
            throw Failure(Status::UsageError, argument + " needs a value.");
        if (argument == "--output") {
            options.output = arguments[++i];
        } else if (argument == "--device") {
            const std::string &device = arguments[++i];
            if (device != "cpu" && device != "cuda")
                throw Failure(Status::UsageError, "--device " + inQuotes(device) + ": expected cpu or cuda.");
            options.onGpu = device == "cuda";
        } else if (argument.starts_with("-") || !options.folder.empty()) {
            throw Failure(Status::UsageError, inQuotes(argument) + " is not known. " + usage);
        } else {
            options.folder = argument;
        }
    }
    if (options.folder.empty())
        throw Failure(Status::UsageError,
                      std::string(usage) + ", where FOLDER holds definition.json and workload.jsonl.");
    if (options.output.empty())
        options.output = options.folder + "/problem.json";
    return options;
}

} // namespace

ImportedProblem importProblem(const std::string &definition, const std::string &workloads, bool onGpu,
                              const std::string &folder)
{
    return Importer(definition, onGpu, folder).run(workloads);
}

int runImport(const std::vector<std::string> &arguments)
{
    if (std::any_of(arguments.begin(), arguments.end(),
                    [](const std::string &word) { return word == "--help" || word == "-h"; })) {
        std::printf(
            "%s\n"
            "FOLDER holds definition.json and workload.jsonl of FlashInfer-Bench or SOL-ExecBench. What they ask\n"
            "is written as a problem.json (FILE, else FOLDER/problem.json; never over one that is there), and\n"
            "what cannot be carried over is said.\n",
            usage);
        return 0;
    }
    const ImportOptions options = optionsFrom(arguments);
    std::error_code error;
    if (fs::exists(options.output, error))
        throw Failure(Status::UsageError,
                      options.output + ": exists already and is left alone. Name another file with --output.");
    const std::string definition = readFile(options.folder + "/definition.json", Status::ProblemError);
    std::string workloads = options.folder + "/workload.jsonl";
    if (!fs::exists(workloads, error) && fs::exists(options.folder + "/workloads.jsonl", error))
        workloads = options.folder + "/workloads.jsonl";
    const ImportedProblem imported =
        importProblem(definition, readFile(workloads, Status::ProblemError), options.onGpu, options.folder);
    writeFileAtomically(options.output, imported.text);
    std::printf("Written: %s\nThe kernel is to export:\n\n%s\n\n", options.output.c_str(),
                imported.declaration.c_str());
    for (const std::string &sentence : imported.leftOut)
        std::printf("Not carried over: %s\n", sentence.c_str());
    return 0;
}

} // namespace ako::eval
