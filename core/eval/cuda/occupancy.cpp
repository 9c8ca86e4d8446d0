// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/cuda/occupancy.h"

#include <algorithm>
#include <array>

namespace ako::eval {

namespace {

constexpr int warp = 32, registerUnit = 256;
constexpr std::int64_t sharedOverhead = 1024;

std::int64_t roundedUp(std::int64_t value, std::int64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

} // namespace

std::optional<MultiprocessorLimits> limitsOf(int major, int minor)
{
    constexpr std::int64_t kib = 1024;
    switch (major * 10 + minor) {
    case 75:
        return MultiprocessorLimits{1024, 16, 65536, 64 * kib};
    case 80:
        return MultiprocessorLimits{2048, 32, 65536, 164 * kib};
    case 86:
        return MultiprocessorLimits{1536, 16, 65536, 100 * kib};
    case 87:
        return MultiprocessorLimits{1536, 16, 65536, 164 * kib};
    case 89:
        return MultiprocessorLimits{1536, 24, 65536, 100 * kib};
    case 90:
    case 100:
        return MultiprocessorLimits{2048, 32, 65536, 228 * kib};
    case 120:
        return MultiprocessorLimits{1536, 24, 65536, 100 * kib};
    default:
        return std::nullopt;
    }
}

Occupancy occupancyOf(const MultiprocessorLimits &limits, int threads, int registers, std::int64_t sharedBytes)
{
    const std::int64_t warps = std::max<std::int64_t>(1, roundedUp(threads, warp) / warp);
    const std::int64_t ofWarp = roundedUp(std::int64_t(std::max(registers, 1)) * warp, registerUnit);
    const std::array<std::pair<std::int64_t, const char *>, 4> bounds{
        {{limits.threads / warp / warps, "warps"},
         {limits.registers / ofWarp / warps, "registers"},
         {limits.blocks, "blocks"},
         {sharedBytes > 0 ? limits.sharedBytes / (sharedBytes + sharedOverhead) : limits.blocks, "shared memory"}}};
    const auto least =
        std::min_element(bounds.begin(), bounds.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    return {int(least->first), 100.0 * double(least->first * warps * warp) / double(limits.threads), least->second};
}

} // namespace ako::eval
