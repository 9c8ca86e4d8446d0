// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/cuda/ncurun.h"

#include "eval/childrun.h"
#include "eval/compilerplaces.h"
#include "eval/cuda/ncureport.h"
#include "eval/files.h"
#include "eval/landlock.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace ako::eval {

namespace fs = std::filesystem;

namespace {

constexpr int mostLaunches = 32;

// of a list with colons
std::vector<std::string> entriesOf(const std::string &list)
{
    std::vector<std::string> entries;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(':', begin), list.size());
        entries.push_back(list.substr(begin, end - begin));
        begin = end + 1;
    }
    return entries;
}

std::vector<fs::path> candidateFolders(const std::string &nvcc, const std::string &searchPath)
{
    std::vector<fs::path> folders{fs::path(nvcc).parent_path()};
    for (const std::string &entry : entriesOf(searchPath))
        folders.emplace_back(entry);
    std::vector<fs::path> versions;
    std::error_code error;
    for (auto item = fs::directory_iterator("/opt/nvidia/nsight-compute", error);
         !error && item != fs::directory_iterator(); item.increment(error))
        versions.push_back(item->path());
    std::sort(versions.rbegin(), versions.rend());
    folders.insert(folders.end(), versions.begin(), versions.end());
    return folders;
}

std::vector<std::string> environmentFor(const NcuRequest &request)
{
    std::vector<std::string> environment{"PATH=/usr/local/bin:/usr/bin:/bin",
                                         "LC_ALL=C",
                                         "HOME=" + request.folder,
                                         "TMPDIR=" + request.folder,
                                         "CUDA_CACHE_DISABLE=1",
                                         "CUDA_DEVICE_ORDER=PCI_BUS_ID",
                                         "CUDA_VISIBLE_DEVICES=" + request.uuid};
    if (const char *path = std::getenv("LD_LIBRARY_PATH"))
        environment.push_back(std::string("LD_LIBRARY_PATH=") + path);
    return environment;
}

std::vector<std::string> argumentsFor(const std::string &log, const std::string &self, const std::string &spec)
{
    std::vector<std::string> arguments{"--csv",
                                       "--page",
                                       "details",
                                       "--print-details",
                                       "all",
                                       "--print-units",
                                       "base",
                                       "--clock-control",
                                       "none", // the clocks stay as they are: they may be others' as well
                                       "--profile-from-start",
                                       "off",
                                       "--launch-count",
                                       std::to_string(mostLaunches),
                                       "--log-file",
                                       log};
    for (const std::string &section : ncuSections()) {
        arguments.emplace_back("--section");
        arguments.push_back(section);
    }
    arguments.insert(arguments.end(), {self, "--profile-child", spec});
    return arguments;
}

} // namespace

std::string findNcu(const std::string &nvcc, const std::string &searchPath)
{
    std::error_code error;
    const fs::path current = fs::current_path(error);
    for (const fs::path &folder : candidateFolders(nvcc, searchPath)) {
        const fs::path candidate = folder / "ncu";
        if (folder.is_absolute() && !isBelow(folder.lexically_normal().string(), current.string()) &&
            access(candidate.c_str(), X_OK) == 0 && !fs::is_directory(candidate, error))
            return candidate.string();
    }
    return {};
}

std::optional<SkippedLevel> runNcu(const NcuRequest &request, std::vector<KernelProfile> &kernels)
{
    const std::string spec = request.folder + "/call.json", log = request.folder + "/ncu.csv";
    nlohmann::json call{{"device", request.device},
                        {"library", request.solution},
                        {"layout", layoutToJson(request.layout)},
                        {"key", request.key},
                        {"rules", nlohmann::json::array()}};
    for (const InputRule &rule : request.rules)
        call["rules"].push_back(ruleToJson(rule));
    writePlainFile(spec, call.dump());
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    ChildCommand command{request.ncu, argumentsFor(log, self.string(), spec), environmentFor(request), request.folder,
                         request.timeoutSeconds};
    FileRules rules;
    for (const char *place :
         {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", "/sys", "/run", "/var"})
        rules.allowReading(place);
    rules.allowReading(fs::canonical(request.ncu, error).parent_path().parent_path().string());
    rules.allowReading(fs::path(request.ncu).parent_path().string());
    for (const std::string &file : {self.string(), request.solution, request.device})
        rules.allowReading(file);
    for (const std::string &place : {request.folder, std::string("/dev"), std::string("/proc"), std::string("/tmp")})
        rules.allowWriting(place);
    if (const char *path = std::getenv("LD_LIBRARY_PATH")) {
        for (const std::string &entry : entriesOf(path))
            rules.allowReading(entry);
    }
    command.fileRules = rules.descriptor();
    const ChildOutcome outcome = runChild(command);
    const std::string text =
        outcome.output + '\n' + (fs::exists(log, error) ? readFile(log, Status::Infrastructure) : std::string());
    if (outcome.timedOut)
        return SkippedLevel{"ncu", "it took longer than " + std::to_string(int(request.timeoutSeconds)) + " s", {}};
    kernels = parseNcuCsv(text);
    if (kernels.empty())
        return whyNoNcu(text);
    return std::nullopt;
}

} // namespace ako::eval
