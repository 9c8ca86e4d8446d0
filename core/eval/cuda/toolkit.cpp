// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/cuda/toolkit.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <filesystem>
#include <sstream>

namespace ako::eval {

namespace fs = std::filesystem;

namespace {

constexpr int leastMajor = 12; // the first with C++20

std::vector<std::string> cudaEnvironment(const Compiler &compiler, const std::string &temporary)
{
    const std::string own = fs::path(compiler.path).parent_path().string();
    return {"PATH=" + own + ":/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "TMPDIR=" + temporary, "CCACHE_DISABLE=1"};
}

std::string releaseLine(const std::string &text)
{
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.find("release ") != std::string::npos)
            return line;
    }
    return {};
}

bool isProgram(const fs::path &path)
{
    std::error_code error;
    return access(path.c_str(), X_OK) == 0 && !fs::is_directory(path, error);
}

// Where nvcc may be, best first.
std::vector<fs::path> candidateFolders(const std::string &searchPath)
{
    std::vector<fs::path> folders;
    for (const char *name : {"CUDA_HOME", "CUDA_PATH"}) {
        if (const char *value = std::getenv(name); value && *value == '/')
            folders.emplace_back(fs::path(value) / "bin");
    }
    std::istringstream entries(searchPath);
    for (std::string entry; std::getline(entries, entry, ':');)
        folders.emplace_back(entry);
    folders.emplace_back("/usr/local/cuda/bin");
    std::error_code error;
    std::vector<fs::path> versions;
    for (auto item = fs::directory_iterator("/usr/local", error); !error && item != fs::directory_iterator();
         item.increment(error)) {
        if (item->path().filename().string().starts_with("cuda-"))
            versions.push_back(item->path() / "bin");
    }
    std::sort(versions.rbegin(), versions.rend());
    folders.insert(folders.end(), versions.begin(), versions.end());
    return folders;
}

bool isInWorkingFolder(const fs::path &folder)
{
    std::error_code error;
    const fs::path relative = folder.lexically_normal().lexically_relative(fs::current_path(error));
    return !relative.empty() && *relative.begin() != "..";
}

std::string demangled(const std::string &name)
{
    int status = 0;
    char *text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
    const std::string result = status == 0 && text ? text : name;
    std::free(text);
    return result;
}

int numberBefore(const std::string &line, const std::string &word)
{
    const std::size_t at = line.find(word);
    if (at == std::string::npos || at == 0)
        return 0;
    std::size_t begin = at;
    while (begin > 0 && (line[begin - 1] == ' ' || std::isdigit(static_cast<unsigned char>(line[begin - 1]))))
        --begin;
    return std::atoi(line.substr(begin, at - begin).c_str());
}

bool isResourceLine(const std::string &line)
{
    return line.find("ptxas info") != std::string::npos || line.find("bytes stack frame") != std::string::npos;
}

} // namespace

Compiler describeCudaCompiler(const std::string &path, const Compiler &hostCompiler, const std::string &architecture)
{
    Compiler compiler{path, {}, hostCompiler.path, architecture};
    const ChildOutcome outcome = runChild({path, {"--version"}, cudaEnvironment(compiler, "/tmp"), "/", 20});
    const std::string line = releaseLine(outcome.output);
    if (outcome.exitCode != 0 || line.empty())
        throw Failure(Status::NoCompiler, path + ": is no working nvcc (--version " + describeEnd(outcome) + ")");
    const int major = std::atoi(line.substr(line.find("release ") + 8).c_str());
    if (major < leastMajor)
        throw Failure(Status::NoCompiler,
                      path + ": is too old (" + line +
                          "); CUDA 12 or newer is needed. Install one and name it with CUDA_HOME or "
                          "--compiler.");
    compiler.version = "nvcc " + line.substr(line.find("release ")) + ", " + hostCompiler.version;
    return compiler;
}

Compiler findCudaCompiler(const std::string &searchPath, const Compiler &hostCompiler, const std::string &architecture)
{
    for (const fs::path &folder : candidateFolders(searchPath)) {
        if (folder.is_absolute() && !isInWorkingFolder(folder) && isProgram(folder / "nvcc"))
            return describeCudaCompiler((folder / "nvcc").string(), hostCompiler, architecture);
    }
    throw Failure(Status::NoCompiler,
                  "No nvcc was found (looked in CUDA_HOME, PATH and /usr/local/cuda*). Install the CUDA "
                  "toolkit, or name its folder with CUDA_HOME or its nvcc with --compiler.");
}

std::string architectureName(int major, int minor)
{
    return "sm_" + std::to_string(major * 10 + minor) + (major >= 9 ? "a" : "");
}

void prepareCudaCommand(const Compiler &compiler, const std::string &temporary, ChildCommand &command)
{
    const std::string number = compiler.architecture.substr(3);
    command.environment = cudaEnvironment(compiler, temporary);
    command.memoryBytes = 0; // its parts reserve more address space than they use
    command.arguments = {"-std=c++20",
                         "-shared",
                         "-cudart=static",
                         "-lineinfo",
                         "-ccbin=" + compiler.hostCompiler,
                         "-gencode=arch=compute_" + number + ",code=" + compiler.architecture,
                         "-Xptxas=-v",
                         "-Xcompiler=-fPIC,-Wall",
                         "-Xlinker=--no-undefined",
                         "-I."};
}

std::vector<KernelReport> parseResources(const std::string &log)
{
    std::vector<KernelReport> kernels;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        if (const std::size_t at = line.find("Compiling entry function '"); at != std::string::npos) {
            const std::size_t begin = at + 26;
            kernels.push_back({demangled(line.substr(begin, line.find('\'', begin) - begin))});
        } else if (kernels.empty()) {
            continue;
        } else if (line.find("bytes stack frame") != std::string::npos) {
            kernels.back().stackBytes = numberBefore(line, " bytes stack frame");
            kernels.back().spillStores = numberBefore(line, " bytes spill stores");
            kernels.back().spillLoads = numberBefore(line, " bytes spill loads");
        } else if (line.find("Used ") != std::string::npos) {
            kernels.back().registers = numberBefore(line, " registers");
            kernels.back().sharedBytes = numberBefore(line, " bytes smem");
        }
    }
    return kernels;
}

std::string withoutResources(const std::string &log)
{
    std::string rest;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        if (!isResourceLine(line))
            rest += line + '\n';
    }
    return rest;
}

std::optional<std::string> missingLauncher(const SourceList &sources, const std::string &symbol, const std::string &log)
{
    if (log.find("undefined reference to `" + symbol + "'") == std::string::npos &&
        log.find("undefined symbol: " + symbol) == std::string::npos)
        return std::nullopt;
    bool hasKernel = false;
    for (const auto &[path, content] : sources)
        hasKernel = hasKernel || content.find("__global__") != std::string::npos;
    if (!hasKernel)
        return std::nullopt;
    return "there are kernels (__global__), but no launcher: an extern \"C\" function " + symbol +
           " that runs on the host, takes the arguments of entry.args and starts them with <<<…>>> on its stream";
}

} // namespace ako::eval
