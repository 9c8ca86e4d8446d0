// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/machine.h"

#include <sched.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

namespace ako::eval {

namespace {

std::string firstLine(const std::string &path)
{
    std::ifstream stream(path);
    std::string line;
    std::getline(stream, line);
    return line;
}

std::string fieldOf(const std::string &path, const std::string &key)
{
    std::ifstream stream(path);
    std::string line;
    while (std::getline(stream, line)) {
        const std::size_t colon = line.find(':');
        if (colon != std::string::npos && line.compare(0, key.size(), key) == 0)
            return colon + 2 <= line.size() ? line.substr(colon + 2) : std::string();
    }
    return {};
}

std::vector<int> usableCores()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    std::vector<int> cores;
    for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (CPU_ISSET(core, &set))
            cores.push_back(core);
    }
    return cores;
}

std::int64_t lastLevelCache(int core)
{
    const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(core) + "/cache/index";
    std::int64_t largest = 0;
    for (int index = 0; index < 8; ++index) {
        const std::string text = firstLine(folder + std::to_string(index) + "/size");
        std::int64_t bytes = std::atoll(text.c_str());
        if (!text.empty() && (text.back() == 'K' || text.back() == 'M'))
            bytes *= text.back() == 'K' ? 1024 : 1024 * 1024;
        largest = std::max(largest, bytes);
    }
    if (largest == 0)
        largest = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return largest > 0 ? largest : std::int64_t(32) << 20;
}

std::int64_t kibibytes(const std::string &key)
{
    return std::atoll(fieldOf("/proc/meminfo", key).c_str()) * 1024;
}

} // namespace

Machine inspectMachine()
{
    Machine machine;
    machine.cpu = fieldOf("/proc/cpuinfo", "model name");
    machine.cores = usableCores();
    const std::string core = std::to_string(machine.cores.empty() ? 0 : machine.cores.front());
    machine.governor = firstLine("/sys/devices/system/cpu/cpu" + core + "/cpufreq/scaling_governor");
    if (machine.governor.empty())
        machine.governor = "unknown";
    machine.cacheBytes = lastLevelCache(machine.cores.empty() ? 0 : machine.cores.front());
    machine.memoryBytes = kibibytes("MemTotal");
    machine.availableBytes = kibibytes("MemAvailable");
    double loads[1] = {0};
    if (getloadavg(loads, 1) == 1)
        machine.load = loads[0];
    return machine;
}

std::string processorFeatures()
{
    const std::string x86 = fieldOf("/proc/cpuinfo", "flags");
    return fieldOf("/proc/cpuinfo", "model name") + '\n' + (x86.empty() ? fieldOf("/proc/cpuinfo", "Features") : x86);
}

std::int64_t processCpuNs(int process)
{
    clockid_t clock;
    timespec time;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return -1;
    return std::int64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

ProcessorUse processorUse(int process)
{
    ProcessorUse use{0, 0};
    std::error_code error;
    const std::filesystem::path tasks = "/proc/" + std::to_string(process) + "/task";
    for (const auto &task : std::filesystem::directory_iterator(tasks, error)) {
        std::ifstream file(task.path() / "schedstat");
        std::int64_t running = 0, waiting = 0;
        if (!(file >> running >> waiting))
            continue;
        use.runningNs += running;
        use.runnableNs += running + waiting;
    }
    if (use.runnableNs == 0)
        use.runningNs = use.runnableNs = processCpuNs(process);
    return use;
}

} // namespace ako::eval
