// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/cuda/deviceprofile.h"

#include <algorithm>
#include <cstdio>

namespace ako::eval {

namespace {

constexpr double busyPercent = 60;               // of a resource: it decides
constexpr double stallShare = 0.15;              // worth telling
constexpr double lowOccupancy = 50, full = 99.5; // percent
constexpr std::size_t stallsTold = 3;

std::string number(double value, int digits = 3)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    return text;
}

std::string percent(double value)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.0f %%", value);
    return text;
}

void add(std::string &line, const std::string &part)
{
    line += (line.empty() ? "" : ", ") + part;
}

std::string throughputOf(const KernelProfile &kernel)
{
    std::string line;
    if (kernel.memory)
        add(line, "memory " + percent(*kernel.memory) + " of its peak");
    if (kernel.compute)
        add(line, "arithmetic " + percent(*kernel.compute));
    if (kernel.bytes)
        add(line, number(*kernel.bytes / 1e6, 4) + " MB moved");
    if (kernel.hitsL1)
        add(line, "L1 hits " + percent(*kernel.hitsL1));
    if (kernel.hitsL2)
        add(line, "L2 hits " + percent(*kernel.hitsL2));
    return line;
}

std::string launchOf(const KernelProfile &kernel)
{
    std::string line;
    if (kernel.block > 0)
        add(line, std::to_string(kernel.grid) + " blocks of " + std::to_string(kernel.block) + " threads");
    if (kernel.registers > 0)
        add(line, std::to_string(kernel.registers) + " registers a thread");
    if (kernel.sharedBytes > 0)
        add(line, std::to_string(kernel.sharedBytes) + " bytes of shared memory a block");
    if (kernel.occupancy)
        add(line, "occupancy " + percent(*kernel.occupancy));
    if (kernel.possibleOccupancy)
        add(line,
            percent(*kernel.possibleOccupancy) + " possible" +
                (kernel.limiter.empty() || *kernel.possibleOccupancy >= full ? "" : ", limited by " + kernel.limiter));
    if (kernel.waves)
        add(line, number(*kernel.waves) + " waves");
    return line;
}

std::string stallsOf(const KernelProfile &kernel)
{
    std::string line;
    for (std::size_t i = 0; i < std::min(stallsTold, kernel.stalls.size()); ++i) {
        if (kernel.stalls[i].share >= stallShare)
            add(line, kernel.stalls[i].reason + " " + percent(100 * kernel.stalls[i].share));
    }
    return line;
}

// What the figures point to; empty where they point nowhere.
std::string meaningOf(const KernelProfile &kernel)
{
    if (!kernel.memory || !kernel.compute)
        return {};
    if (*kernel.memory >= busyPercent && *kernel.memory >= *kernel.compute)
        return "Memory decides: move fewer bytes, or reuse them from registers and shared memory.";
    if (*kernel.compute >= busyPercent)
        return "Arithmetic and instructions decide: fewer or cheaper instructions, wider loads, matrix units.";
    if (kernel.occupancy && *kernel.occupancy < lowOccupancy && !kernel.limiter.empty())
        return "Waiting decides: more work in flight, by more independent loads in a thread or by more warps (now "
               "limited by " +
               kernel.limiter + ").";
    if (kernel.waves && *kernel.waves < 1)
        return "The grid does not fill the device: smaller blocks of work, or a split of the long loop.";
    return "Waiting decides: more independent loads in flight, fewer barriers.";
}

} // namespace

std::vector<std::string> describe(const DeviceProfile &profile)
{
    std::vector<std::string> lines;
    for (const KernelProfile &kernel : profile.kernels) {
        std::string head = kernel.name;
        if (kernel.calls > 1)
            head += " (" + std::to_string(kernel.calls) + " launches)";
        if (kernel.microseconds)
            head += ": " + number(*kernel.microseconds, 4) + " us under the profiler";
        lines.push_back(head);
        for (const std::string &part : {throughputOf(kernel), launchOf(kernel)}) {
            if (!part.empty())
                lines.push_back("  " + part);
        }
        if (const std::string stalls = stallsOf(kernel); !stalls.empty())
            lines.push_back("  warps wait for: " + stalls);
        if (const std::string meaning = meaningOf(kernel); !meaning.empty())
            lines.push_back("  " + meaning);
    }
    return lines;
}

} // namespace ako::eval
