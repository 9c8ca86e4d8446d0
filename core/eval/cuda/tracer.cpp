// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/cuda/tracer.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <filesystem>
#include <mutex>

namespace ako::eval {

namespace fs = std::filesystem;

namespace {

// Of cupti_activity.h.
constexpr int kindMemcpy = 1, kindMemset = 2, kindKernel = 3, kindConcurrentKernel = 10;
constexpr std::size_t startPlace = 16, endPlace = 24, kernelNamePlace = 104;
constexpr std::size_t bufferBytes = std::size_t(1) << 20;

using RequestBuffer = void (*)(std::uint8_t **, std::size_t *, std::size_t *);
using CompleteBuffer = void (*)(void *, std::uint32_t, std::uint8_t *, std::size_t, std::size_t);

// CUPTI's callbacks carry no context of ours, so what they fill is global to the worker.
struct State
{
    int (*next)(std::uint8_t *, std::size_t, void **) = nullptr;
    int (*flush)(std::uint32_t) = nullptr;
    std::mutex mutex;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> intervals;
    std::vector<std::string> names;
};

State &state()
{
    static State own;
    return own;
}

template <typename T>
T fieldAt(const void *record, std::size_t place)
{
    T value;
    std::memcpy(static_cast<void *>(&value), static_cast<const char *>(record) + place, sizeof value);
    return value;
}

std::string nameOf(const void *record, int kind)
{
    if (kind == kindMemcpy)
        return "memcpy";
    if (kind == kindMemset)
        return "memset";
    const char *name = fieldAt<const char *>(record, kernelNamePlace);
    if (!name)
        return "kernel";
    int status = 0;
    char *plain = abi::__cxa_demangle(name, nullptr, nullptr, &status);
    std::string text = status == 0 && plain ? plain : name;
    std::free(plain);
    return text;
}

void giveBuffer(std::uint8_t **buffer, std::size_t *size, std::size_t *records)
{
    *buffer = static_cast<std::uint8_t *>(std::aligned_alloc(8, bufferBytes));
    *size = bufferBytes;
    *records = 0;
}

void takeBuffer(void *, std::uint32_t, std::uint8_t *buffer, std::size_t, std::size_t valid)
{
    State &own = state();
    const std::lock_guard lock(own.mutex);
    void *record = nullptr;
    while (own.next(buffer, valid, &record) == 0) {
        const int kind = fieldAt<int>(record, 0);
        if (kind != kindMemcpy && kind != kindMemset && kind != kindKernel && kind != kindConcurrentKernel)
            continue;
        own.intervals.emplace_back(fieldAt<std::uint64_t>(record, startPlace),
                                   fieldAt<std::uint64_t>(record, endPlace));
        own.names.push_back(nameOf(record, kind));
    }
    std::free(buffer);
}

} // namespace

std::optional<std::string> Tracer::open(const std::string &library)
{
    void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return std::string(dlerror());
    State &own = state();
    const auto registerCallbacks =
        reinterpret_cast<int (*)(RequestBuffer, CompleteBuffer)>(dlsym(handle, "cuptiActivityRegisterCallbacks"));
    const auto enable = reinterpret_cast<int (*)(int)>(dlsym(handle, "cuptiActivityEnable"));
    own.next = reinterpret_cast<decltype(own.next)>(dlsym(handle, "cuptiActivityGetNextRecord"));
    own.flush = reinterpret_cast<decltype(own.flush)>(dlsym(handle, "cuptiActivityFlushAll"));
    if (!registerCallbacks || !enable || !own.next || !own.flush)
        return library + ": lacks the activity functions";
    int error = registerCallbacks(giveBuffer, takeBuffer);
    for (const int kind : {kindConcurrentKernel, kindMemcpy, kindMemset}) {
        if (error == 0)
            error = enable(kind);
    }
    return error == 0 ? std::nullopt : std::optional("CUPTI refused with error " + std::to_string(error));
}

void Tracer::begin()
{
    state().flush(1);
    const std::lock_guard lock(state().mutex);
    state().intervals.clear();
    state().names.clear();
}

TraceReport Tracer::end()
{
    state().flush(1);
    const std::lock_guard lock(state().mutex);
    return reportOf(state().intervals, state().names);
}

TraceReport reportOf(std::vector<std::pair<std::uint64_t, std::uint64_t>> intervals,
                     const std::vector<std::string> &names)
{
    TraceReport report;
    for (const std::string &name : names) {
        const auto known = std::find_if(report.kernels.begin(), report.kernels.end(),
                                        [&](const auto &kernel) { return kernel.first == name; });
        if (known == report.kernels.end())
            report.kernels.emplace_back(name, 1);
        else
            ++known->second;
    }
    if (intervals.empty())
        return report;
    std::sort(intervals.begin(), intervals.end());
    std::uint64_t end = intervals.front().first, busy = 0;
    for (const auto &[from, to] : intervals) {
        if (to > end)
            busy += to - std::max(from, end);
        end = std::max(end, to);
    }
    report.spanMs = double(end - intervals.front().first) * 1e-6;
    report.busyMs = double(busy) * 1e-6;
    return report;
}

std::string findCupti(const std::string &nvcc)
{
    std::error_code error;
    const fs::path toolkit = fs::canonical(nvcc, error).parent_path().parent_path();
    for (const char *folder : {"lib64", "extras/CUPTI/lib64", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"}) {
        const fs::path library = toolkit / folder / "libcupti.so";
        if (fs::exists(library, error))
            return library.string();
    }
    return {};
}

} // namespace ako::eval
