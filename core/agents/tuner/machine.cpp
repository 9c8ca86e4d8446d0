// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/machine.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <thread>

namespace ako::tuner {
namespace {

std::string firstBytes(const std::string &path)
{
    std::ifstream file(path);
    std::string text(16 * 1024, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
    return text;
}

void readCaches(Machine &machine)
{
    for (int index = 0; index < 8; ++index) {
        const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
        const std::string type = firstBytes(folder + "type");
        const std::string level = firstBytes(folder + "level");
        const long long bytes = cacheBytesOf(firstBytes(folder + "size"));
        if (bytes <= 0 || type.starts_with("Instruction"))
            continue;
        if (level.starts_with("1"))
            machine.level1Bytes = bytes;
        else if (level.starts_with("2"))
            machine.level2Bytes = bytes;
        else if (level.starts_with("3"))
            machine.level3Bytes = bytes;
    }
}

} // namespace

std::string Machine::summary() const
{
    std::ostringstream text;
    text << cores << " cores, " << vectorBytes * 8 << "-bit vectors, caches " << level1Bytes / 1024 << " KiB, "
         << level2Bytes / 1024 << " KiB";
    if (level3Bytes > 0)
        text << ", " << level3Bytes / 1024 << " KiB";
    return text.str();
}

int vectorBytesOf(const std::string &cpuinfo)
{
    std::istringstream lines(cpuinfo);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("flags") && !line.starts_with("Features"))
            continue;
        if (line.find(" avx512f") != std::string::npos)
            return 64;
        return line.find(" avx2") != std::string::npos ? 32 : 16;
    }
    return 16;
}

long long cacheBytesOf(const std::string &text)
{
    std::istringstream stream(text);
    long long value = 0;
    char unit = ' ';
    if (!(stream >> value))
        return 0;
    stream >> unit;
    return value * (unit == 'K' ? 1024 : unit == 'M' ? 1024 * 1024 : 1);
}

Machine readMachine(int logicalCores)
{
    Machine machine;
    machine.cores =
        logicalCores > 0 ? logicalCores : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    machine.vectorBytes = vectorBytesOf(firstBytes("/proc/cpuinfo"));
    readCaches(machine);
    return machine;
}

} // namespace ako::tuner
