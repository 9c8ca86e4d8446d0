// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/cuda/ncureport.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

namespace ako::eval {

namespace {

using Row = std::map<std::string, std::string>;

// The cells of a line in which all are quoted; a quote inside is written twice.
std::vector<std::string> cellsOf(const std::string &line)
{
    std::vector<std::string> cells;
    std::string cell;
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
            cell += line[i++];
        else if (line[i] == '"')
            quoted = !quoted;
        else if (line[i] == ',' && !quoted)
            cells.push_back(std::exchange(cell, {}));
        else
            cell += line[i];
    }
    cells.push_back(cell);
    return cells;
}

// 3,689,235,993.83 or 12; nothing for words.
std::optional<double> valueOf(std::string text)
{
    std::erase(text, ',');
    char *end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return end == text.c_str() || *end != '\0' ? std::nullopt : std::optional(value);
}

// ncu scales its units unless told not to, and has called them differently: byte/s, Gbyte/second, usecond.
double factorOf(const std::string &unit)
{
    for (const char *base : {"byte", "second", "s"}) {
        const std::size_t at = unit.find(base);
        if (at == std::string::npos)
            continue;
        switch (at == 1 ? unit[0] : ' ') {
        case 'n':
            return 1e-9;
        case 'u':
            return 1e-6;
        case 'm':
            return 1e-3;
        case 'K':
            return 1e3;
        case 'M':
            return 1e6;
        case 'G':
            return 1e9;
        case 'T':
            return 1e12;
        default:
            return 1;
        }
    }
    return 1;
}

// (4096, 1, 1): the product.
std::int64_t productOf(const std::string &text)
{
    std::int64_t product = 1;
    bool any = false;
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] < '0' || text[i] > '9') {
            ++i;
            continue;
        }
        char *end = nullptr;
        product *= std::strtoll(text.c_str() + i, &end, 10);
        i = std::size_t(end - text.c_str());
        any = true;
    }
    return any ? product : 0;
}

// One launch, metric by metric.
struct Launch
{
    KernelProfile kernel;
    double seconds = 0, bytesPerSecond = 0, fewestBlocks = 0, allStalls = 0;
};

void readOccupancy(Launch &launch, const std::string &metric, double value)
{
    static const std::map<std::string, const char *> limits{{"Block Limit Registers", "registers"},
                                                            {"Block Limit Shared Mem", "shared memory"},
                                                            {"Block Limit Warps", "warps"},
                                                            {"Block Limit SM", "blocks"},
                                                            {"Block Limit Barriers", "barriers"}};
    if (metric == "Theoretical Occupancy")
        launch.kernel.possibleOccupancy = value;
    else if (metric == "Achieved Occupancy")
        launch.kernel.occupancy = value;
    const auto limit = limits.find(metric);
    if (limit != limits.end() && (launch.kernel.limiter.empty() || value < launch.fewestBlocks)) {
        launch.kernel.limiter = limit->second;
        launch.fewestBlocks = value;
    }
}

void readLaunch(KernelProfile &kernel, const std::string &metric, double value)
{
    if (metric == "Registers Per Thread")
        kernel.registers = int(value);
    else if (metric == "Static Shared Memory Per Block" || metric == "Dynamic Shared Memory Per Block")
        kernel.sharedBytes += std::int64_t(value);
    else if (metric == "Waves Per SM")
        kernel.waves = value;
}

void readStalls(Launch &launch, const std::string &metric, double value)
{
    launch.allStalls += value;
    if (metric.starts_with("Stall ") && value > 0)
        launch.kernel.stalls.push_back({metric.substr(6), value});
}

void readThroughput(Launch &launch, const std::string &metric, double value, const std::string &unit)
{
    KernelProfile &kernel = launch.kernel;
    if (metric == "Duration")
        launch.seconds = value * factorOf(unit);
    else if (metric == "Memory Throughput" && unit == "%")
        kernel.memory = value;
    else if (metric == "Compute (SM) Throughput")
        kernel.compute = value;
    else if (metric == "DRAM Throughput")
        kernel.dram = value;
    else if (metric == "Memory Throughput")
        launch.bytesPerSecond = value * factorOf(unit);
    else if (metric == "L1/TEX Hit Rate")
        kernel.hitsL1 = value;
    else if (metric == "L2 Hit Rate")
        kernel.hitsL2 = value;
}

void readRow(Launch &launch, const Row &row)
{
    const auto at = [&](const char *name) {
        const auto found = row.find(name);
        return found == row.end() ? std::string() : found->second;
    };
    const std::string section = at("Section Name"), metric = at("Metric Name"), item = at("Body Item Label");
    if (const std::string name = at("Kernel Name"); !name.empty()) { // a line may be cut short
        launch.kernel.name = name;
        launch.kernel.block = productOf(at("Block Size"));
        launch.kernel.grid = productOf(at("Grid Size"));
    }
    const auto value = valueOf(at("Metric Value"));
    if (!value)
        return;
    if (item.starts_with("Warp State"))
        readStalls(launch, metric, *value);
    if (!item.empty())
        return; // the bars of a chart
    if (section == "Occupancy")
        readOccupancy(launch, metric, *value);
    else if (section == "Launch Statistics")
        readLaunch(launch.kernel, metric, *value);
    else
        readThroughput(launch, metric, *value, at("Metric Unit"));
}

KernelProfile finished(Launch launch)
{
    KernelProfile &kernel = launch.kernel;
    if (launch.seconds > 0)
        kernel.microseconds = 1e6 * launch.seconds;
    if (launch.seconds > 0 && launch.bytesPerSecond > 0)
        kernel.bytes = launch.seconds * launch.bytesPerSecond;
    for (Stall &stall : kernel.stalls)
        stall.share /= launch.allStalls;
    std::stable_sort(kernel.stalls.begin(), kernel.stalls.end(),
                     [](const Stall &a, const Stall &b) { return a.share > b.share; });
    return kernel;
}

bool isProgram(const char *path)
{
    return access(path, X_OK) == 0;
}

std::string permissionRemedy()
{
    if (access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0)
        return "Start the container with --cap-add=SYS_ADMIN, or open the counters to all users on its host.";
    const std::string renew = isProgram("/usr/sbin/update-initramfs") ? "sudo update-initramfs -u"
                              : isProgram("/usr/bin/dracut")          ? "sudo dracut --force"
                              : isProgram("/usr/bin/mkinitcpio")      ? "sudo mkinitcpio -P"
                                                                      : "rebuild the initial RAM disk";
    return "Either run as root, or open the counters to all users for good: echo 'options nvidia "
           "NVreg_RestrictProfilingToAdminUsers=0' | sudo tee /etc/modprobe.d/nvidia-profiling.conf && " +
           renew + " && sudo reboot";
}

} // namespace

std::vector<std::string> ncuSections()
{
    return {"SpeedOfLight", "MemoryWorkloadAnalysis", "LaunchStats", "Occupancy", "WarpStateStats"};
}

std::vector<KernelProfile> parseNcuCsv(const std::string &text)
{
    std::vector<std::string> header;
    std::vector<std::pair<std::string, Launch>> launches; // by the number that ncu gives each
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with('"'))
            continue;
        const std::vector<std::string> cells = cellsOf(line);
        if (header.empty()) {
            header = cells;
            continue;
        }
        Row row;
        for (std::size_t i = 0; i < std::min(cells.size(), header.size()); ++i)
            row[header[i]] = cells[i];
        const std::string id = row["ID"];
        if (launches.empty() || launches.back().first != id)
            launches.emplace_back(id, Launch{});
        readRow(launches.back().second, row);
    }
    std::vector<KernelProfile> kernels;
    for (const auto &[id, launch] : launches) {
        const auto same = std::find_if(kernels.begin(), kernels.end(), [&](const KernelProfile &kernel) {
            return kernel.name == launch.kernel.name && kernel.grid == launch.kernel.grid &&
                   kernel.block == launch.kernel.block;
        });
        if (same != kernels.end())
            ++same->calls;
        else if (!launch.kernel.name.empty())
            kernels.push_back(finished(launch));
    }
    return kernels;
}

SkippedLevel whyNoNcu(const std::string &text)
{
    if (text.find("ERR_NVGPUCTRPERM") != std::string::npos)
        return {"ncu", "the driver lets only administrators read the performance counters (ERR_NVGPUCTRPERM)",
                permissionRemedy()};
    if (text.find("No kernels were profiled") != std::string::npos)
        return {"ncu", "it saw no kernel start", {}};
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        for (const char *mark : {"==ERROR== ", "ako-bench: "}) {
            if (const std::size_t at = line.find(mark); at != std::string::npos)
                return {"ncu", line.substr(at + std::string_view(mark).size()), {}};
        }
    }
    return {"ncu", "it gave no figures", {}};
}

} // namespace ako::eval
