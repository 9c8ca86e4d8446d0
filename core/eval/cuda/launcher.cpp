// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/cuda/launcher.h"

#include "eval/shim.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <stdexcept>
#include <vector>

namespace ako::eval {

namespace {

struct KernelParameter
{
    std::string type, name;
    bool isPointer() const { return type.find('*') != std::string::npos; }
};

struct BareKernel
{
    std::string file, name, body;
    std::vector<KernelParameter> parameters;
    bool isTemplate = false;
};

bool isWord(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Comments and literals become blanks; every place stays where it is.
std::string blanked(const std::string &text)
{
    std::string result = text;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i + 1;
        if (text.compare(i, 2, "//") == 0) {
            end = std::min(text.find('\n', i), text.size());
        } else if (text.compare(i, 2, "/*") == 0) {
            const std::size_t close = text.find("*/", i + 2);
            end = close == std::string::npos ? text.size() : close + 2;
        } else if (text[i] == '"' || (text[i] == '\'' && (i == 0 || !isWord(text[i - 1])))) {
            while (end < text.size() && text[end] != text[i] && text[end] != '\n')
                end += text[end] == '\\' ? 2 : 1;
            end = std::min(end + 1, text.size());
        } else {
            ++i;
            continue;
        }
        for (; i < end; ++i)
            result[i] = text[i] == '\n' ? '\n' : ' ';
    }
    return result;
}

// The bracket that belongs to the one at `open`; npos: none.
std::size_t partnerOf(const std::string &text, std::size_t open)
{
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        depth += text[i] == '(' || text[i] == '{' ? 1 : text[i] == ')' || text[i] == '}' ? -1 : 0;
        if (depth == 0)
            return i;
    }
    return std::string::npos;
}

std::string trimmed(const std::string &text)
{
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    return begin == std::string::npos ? std::string()
                                      : text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::string withoutWord(std::string text, const std::string &word)
{
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word))
        text.erase(at, word.size());
    return text;
}

std::vector<KernelParameter> parametersIn(const std::string &list)
{
    std::vector<KernelParameter> parameters;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        const std::string one = trimmed(list.substr(begin, end - begin));
        begin = end + 1;
        std::size_t name = one.size();
        while (name > 0 && isWord(one[name - 1]))
            --name;
        if (!one.empty())
            parameters.push_back({trimmed(withoutWord(withoutWord(one.substr(0, name), "__restrict__"), "__restrict")),
                                  one.substr(name)});
    }
    return parameters;
}

bool hasWord(const std::string &text, const std::string &word)
{
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const bool begins = at == 0 || !isWord(text[at - 1]);
        if (begins && (at + word.size() >= text.size() || !isWord(text[at + word.size()])))
            return true;
    }
    return false;
}

std::vector<BareKernel> kernelsIn(const std::string &file, const std::string &source)
{
    static const std::string mark = "__global__", bounds = "__launch_bounds__";
    const std::string text = blanked(source);
    std::vector<BareKernel> kernels;
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
        std::size_t open = text.find('(', at);
        while (open != std::string::npos) { // not that of __launch_bounds__(256)
            const std::string before = trimmed(text.substr(at, open - at));
            if (!before.ends_with(bounds))
                break;
            const std::size_t close = partnerOf(text, open);
            open = close == std::string::npos ? close : text.find('(', close);
        }
        const std::size_t close = open == std::string::npos ? open : partnerOf(text, open);
        const std::size_t brace = close == std::string::npos ? close : text.find_first_not_of(" \t\r\n", close + 1);
        if (brace == std::string::npos || text[brace] != '{')
            continue; // a declaration
        const std::size_t end = partnerOf(text, brace);
        std::size_t last = open;
        while (last > 0 && !isWord(text[last - 1]))
            --last;
        std::size_t first = last;
        while (first > 0 && isWord(text[first - 1]))
            --first;
        BareKernel kernel{
            file, text.substr(first, last - first), {}, parametersIn(text.substr(open + 1, close - open - 1))};
        kernel.body = text.substr(brace, end == std::string::npos ? end : end - brace);
        const std::size_t statement = text.find_last_of(";}{", at);
        kernel.isTemplate = hasWord(text.substr(statement == std::string::npos ? 0 : statement,
                                                at - (statement == std::string::npos ? 0 : statement)),
                                    "template");
        kernels.push_back(kernel);
    }
    return kernels;
}

// An extent or a size as C++ over the arguments of the entry. Throws std::invalid_argument where it cannot be said so.
std::string inCode(const Problem &problem, const std::string &expression, int depth = 0)
{
    std::string code;
    for (std::size_t i = 0; i < expression.size();) {
        if (!isWord(expression[i])) {
            code += expression[i++];
            if (code.ends_with("//"))
                code.pop_back();
            continue;
        }
        std::size_t end = i;
        while (end < expression.size() && isWord(expression[end]))
            ++end;
        const std::string word = expression.substr(i, end - i);
        i = end;
        const Axis *axis = problem.axis(word);
        const bool isArgument =
            std::find(problem.arguments.begin(), problem.arguments.end(), word) != problem.arguments.end();
        if (!axis && !std::isdigit(static_cast<unsigned char>(word.front())))
            throw std::invalid_argument("its size uses " + word + "()");
        if (!axis || isArgument)
            code += word;
        else if (axis->kind == Axis::Kind::Constant)
            code += std::to_string(axis->value);
        else if (axis->kind == Axis::Kind::Expression && depth < 8)
            code += "(" + inCode(problem, axis->expression, depth + 1) + ")";
        else
            throw std::invalid_argument("the axis " + word + " is no argument of the entry");
    }
    return code;
}

std::string productOf(const Problem &problem, const std::vector<std::string> &extents)
{
    std::string product;
    for (const std::string &extent : extents) {
        const std::string code = inCode(problem, extent);
        const bool single = std::all_of(code.begin(), code.end(), isWord) ||
                            (code.front() == '(' && partnerOf(code, 0) == code.size() - 1);
        product += (product.empty() ? "" : " * ") + (single ? code : "(" + code + ")");
    }
    return product.empty() ? "1" : product;
}

struct Geometry
{
    std::string grid, block, words;
};

Geometry geometryOf(const Problem &problem, const BareKernel &kernel)
{
    const auto output = std::find_if(problem.tensors.begin(), problem.tensors.end(),
                                     [](const Tensor &tensor) { return tensor.isOutput; });
    const auto uses = [&](const char *what) { return kernel.body.find(what) != std::string::npos; };
    if (uses("blockIdx.z") || uses("threadIdx.z"))
        throw std::invalid_argument("it uses three dimensions of blocks or threads");
    if (!uses("blockIdx.x"))
        throw std::invalid_argument("it does not say which block it is (blockIdx.x)");
    const std::vector<std::string> &shape = output->shape;
    if (uses("blockIdx.y") || uses("threadIdx.y")) {
        if (shape.size() < 2 || !uses("blockDim.x") || !uses("blockDim.y"))
            throw std::invalid_argument("it uses two dimensions in another way than one thread for each element");
        const std::string across = productOf(problem, {shape.back()}),
                          down = productOf(problem, {shape.begin(), shape.end() - 1});
        return {"dim3(unsigned((" + across + " + 15) / 16), unsigned((" + down + " + 15) / 16))", "dim3(16, 16)",
                "one thread for each element of " + output->name + ", x along its rows"};
    }
    if (uses("blockDim.x"))
        return {"unsigned((" + productOf(problem, shape) + " + 255) / 256)", "256",
                "one thread for each element of " + output->name};
    if (shape.empty())
        throw std::invalid_argument("how many blocks it needs cannot be told");
    return {"unsigned(" + productOf(problem, {shape.begin(), shape.end() - 1}) + ")", "256",
            "one block of 256 threads for each row of " + output->name};
}

// Whether every parameter is an argument of the entry of the same kind.
bool fits(const Problem &problem, const BareKernel &kernel)
{
    return std::all_of(kernel.parameters.begin(), kernel.parameters.end(), [&](const KernelParameter &parameter) {
        const bool isArgument =
            std::find(problem.arguments.begin(), problem.arguments.end(), parameter.name) != problem.arguments.end();
        return isArgument && parameter.isPointer() == (problem.tensor(parameter.name) != nullptr);
    });
}

std::string textFor(const Problem &problem, const BareKernel &kernel)
{
    const Geometry geometry = geometryOf(problem, kernel);
    std::string arguments;
    for (const KernelParameter &parameter : kernel.parameters) {
        const bool cast = problem.axis(parameter.name) != nullptr;
        arguments += (arguments.empty() ? "" : ", ") +
                     (cast ? "static_cast<" + withoutWord(parameter.type, "const ") + ">(" + parameter.name + ")"
                           : parameter.name);
    }
    const bool hasStream =
        std::find(problem.arguments.begin(), problem.arguments.end(), streamArgument) != problem.arguments.end();
    return "\n// Generated by ako-bench: " + geometry.words +
           ". Change it where the kernel wants it otherwise.\n"
           "#include <cstdint>\n#include <cuda_runtime.h>\n\n" +
           entryDeclaration(problem) + "\n{\n    " + kernel.name + "<<<" + geometry.grid + ", " + geometry.block +
           ", 0, " + (hasStream ? "stream" : "nullptr") + ">>>(" + arguments + ");\n" +
           (problem.returnsInt ? "    return int(cudaGetLastError());\n" : "") + "}\n";
}

} // namespace

GeneratedLauncher launcherFor(const Problem &problem, const SourceList &sources)
{
    std::vector<BareKernel> all, fitting;
    for (const auto &[file, text] : sources) {
        for (const BareKernel &kernel : kernelsIn(file, text))
            all.push_back(kernel);
    }
    for (const BareKernel &kernel : all) {
        if (!kernel.isTemplate && fits(problem, kernel))
            fitting.push_back(kernel);
    }
    if (all.empty())
        return {{}, {}, {}, "no __global__ function was found"};
    if (fitting.empty())
        return {{},
                all.front().name,
                {},
                "no kernel has only parameters that are named as arguments in entry.args, with pointers for tensors"};
    if (fitting.size() > 1)
        return {{}, {}, {}, "several kernels would fit: " + fitting[0].name + " and " + fitting[1].name};
    const BareKernel &kernel = fitting.front();
    if (kernel.name == problem.symbol)
        return {kernel.file,
                kernel.name,
                {},
                "the kernel has the name of the entry, " + problem.symbol +
                    ", which its launcher is to have: give the kernel another"};
    for (const auto &[file, text] : sources) {
        if (hasWord(blanked(text), problem.symbol))
            return {file, kernel.name, {}, file + " mentions " + problem.symbol + " already"};
    }
    try {
        return {kernel.file, kernel.name, textFor(problem, kernel), {}};
    } catch (const std::invalid_argument &error) {
        return {kernel.file, kernel.name, {}, kernel.name + ": " + error.what()};
    }
}

} // namespace ako::eval
