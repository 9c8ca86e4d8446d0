// SPDX-License-Identifier: GPL-3.0-or-later
// A device library that needs no device: host memory, the host's clock, and a kernel that may say through an exported
// function how the device is to have behaved.
#include "deviceapi.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

std::vector<AkoBuffer> buffers;
std::vector<std::vector<unsigned char>> memory, snapshots;
std::vector<std::vector<unsigned char>> inputs;
constexpr std::size_t guard = 4096;

std::size_t sizeOf(int type)
{
    static constexpr std::size_t sizes[]{8, 4, 8, 4, 2, 1, 1, 1, 2, 2, 1, 1};
    return sizes[type];
}

std::uint64_t mixed(std::uint64_t value)
{
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
}

std::int64_t now()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

unsigned char *dataOf(std::size_t slot, std::size_t buffer)
{
    return memory[slot * buffers.size() + buffer].data() + guard;
}

std::size_t bytesOf(const AkoBuffer &buffer)
{
    return buffer.count * sizeOf(buffer.storage);
}

// A device that fails once it was opened so often: the file "fails-after" beside the driver's library says how often,
// and "opens" counts.
bool hasFailed()
{
    const char *folder = std::getenv("LD_LIBRARY_PATH");
    FILE *limit = folder ? std::fopen((std::string(folder) + "/fails-after").c_str(), "r") : nullptr;
    if (!limit)
        return false;
    int most = 0;
    const bool known = std::fscanf(limit, "%d", &most) == 1;
    std::fclose(limit);
    FILE *opens = std::fopen((std::string(folder) + "/opens").c_str(), "a");
    if (!known || !opens)
        return false;
    std::fputc('x', opens);
    const long count = std::ftell(opens);
    std::fclose(opens);
    return count > most;
}

const char *open(AkoDeviceFacts *facts)
{
    if (hasFailed())
        return "cudaErrorDevicesUnavailable";
    std::snprintf(facts->name, sizeof facts->name, "Fake GPU");
    facts->major = 9;
    facts->multiprocessors = 4;
    facts->cacheBytes = 1 << 20;
    facts->memoryBytes = facts->freeBytes = std::int64_t(8) << 30;
    facts->clockKhz = 1000000;
    return nullptr;
}

const char *shape(const AkoBuffer *given, std::uint64_t count, std::uint64_t slots, int)
{
    buffers.assign(given, given + count);
    memory.clear();
    for (std::uint64_t slot = 0; slot < slots; ++slot) {
        for (const AkoBuffer &buffer : buffers)
            memory.emplace_back(bytesOf(buffer) + 2 * guard);
    }
    snapshots = inputs = memory;
    return nullptr;
}

double valueAt(const AkoRule &rule, std::uint64_t i)
{
    const double unit = double(mixed(rule.key + i * 0x9e3779b97f4a7c15) >> 11) * 0x1p-53;
    if (rule.distribution == 3)
        return rule.value;
    const double value = rule.mean + 3 * rule.std * (unit - 0.5);
    return rule.nudge == std::int64_t(i) ? value + 1 : value;
}

const char *prepare(const AkoSlotOrder *orders, std::uint64_t count)
{
    for (std::uint64_t o = 0; o < count; ++o) {
        for (std::size_t b = 0; b < buffers.size(); ++b) {
            unsigned char *data = dataOf(orders[o].slot, b);
            std::memset(data - guard, 0x77, bytesOf(buffers[b]) + 2 * guard);
            std::memset(data, 0xff, bytesOf(buffers[b]));
            for (std::uint64_t i = 0; buffers[b].isInput && i < buffers[b].count; ++i) {
                const float value = float(valueAt(orders[o].rules[b], i));
                if (buffers[b].storage == 0)
                    reinterpret_cast<double *>(data)[i] = value;
                else if (buffers[b].storage == 1)
                    reinterpret_cast<float *>(data)[i] = value;
                else
                    std::memset(data + i * sizeOf(buffers[b].storage), int(mixed(i)), sizeOf(buffers[b].storage));
            }
            inputs[orders[o].slot * buffers.size() + b] = memory[orders[o].slot * buffers.size() + b];
        }
    }
    return nullptr;
}

void look(std::size_t slot, AkoRunReport &report)
{
    for (std::size_t b = 0; b < buffers.size(); ++b) {
        const std::size_t at = slot * buffers.size() + b;
        const unsigned char *data = dataOf(slot, b);
        if (data[bytesOf(buffers[b])] != 0x77 || data[-1] != 0x77) {
            report.guardBuffer = int(b);
            report.guardBehind = data[bytesOf(buffers[b])] != 0x77;
        }
        if (!buffers[b].isOutput && memory[at] != inputs[at])
            report.mutatedBuffer = int(b);
        snapshots[at] = memory[at];
    }
}

const char *run(const AkoRunOrder *order, void (*done)(void *), void *context, AkoRunReport *report)
{
    *report = {};
    report->guardBuffer = report->mutatedBuffer = report->changedBuffer = -1;
    int stream = 0; // a kernel writes here what the device is to report: 1 limit changed, 2 late work, 4 waited
    if (order->around)
        order->around(context, 1);
    const std::int64_t begin = now();
    for (std::uint64_t i = 0; i < order->slotCount; ++i) {
        std::vector<void *> pointers;
        for (std::size_t b = 0; b < buffers.size(); ++b)
            pointers.push_back(dataOf(order->slots[i], b));
        const int error = order->entry(pointers.data(), order->axes, order->scalars, &stream);
        report->entryError = report->entryError ? report->entryError : error;
    }
    report->callNs = report->hostNs = report->waitNs = now() - begin;
    report->cpuNs = report->callNs;
    report->gapNs = stream & 2 ? 50'000'000 : 1000;
    report->limitChanged = stream & 1;
    report->heldBack = order->holdBack;
    report->launcherWaited = order->holdBack && (stream & 4);
    if (report->launcherWaited)
        report->callNs = 200'000'000;
    report->clockMhz = 1000;
    if (report->entryError >= 1000000)
        std::snprintf(report->cudaError, sizeof report->cudaError, "cudaErrorFake%d", report->entryError - 1000000);
    if (order->around)
        order->around(context, 0);
    done(context);
    for (std::uint64_t i = 0; i < order->slotCount; ++i)
        look(order->slots[i], *report);
    return nullptr;
}

const char *fetch(std::uint64_t slot, std::uint64_t buffer, void *to)
{
    std::memcpy(to, snapshots[slot * buffers.size() + buffer].data() + guard, bytesOf(buffers[buffer]));
    return nullptr;
}

const char *measure(const char *what, double *value)
{
    *value = std::string(what) == "memory_peak" ? 1e12 : 1e11;
    return nullptr;
}

const AkoDeviceApi api{sizeof(AkoDeviceApi), open, shape, prepare, run, fetch, measure};

} // namespace

extern "C" const AkoDeviceApi *ako_device_api()
{
    return &api;
}
