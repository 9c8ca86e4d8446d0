// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/cuda/gpu.h"

#include "eval/cuda/devicelibrary.h"
#include "eval/cuda/toolkit.h"
#include "eval/figurestore.h"
#include "eval/hash.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace ako::eval {

using nlohmann::json;

namespace {

constexpr std::array measuredNames{"read",  "write",       "copy",        "memcpy",      "l2",          "fp32",
                                   "fp64",  "tensor_fp16", "tensor_bf16", "tensor_tf32", "tensor_int8", "null",
                                   "empty", "launch",      "step",        "flush_ratio"};
constexpr double measureSeconds = 30;
// What a simple loop reaches is not all; beyond this nothing is believed where no bound is known.
constexpr double unknownHeadroom = 2;

// The measured peak that a kind of operation in the work model means.
std::string measuredFor(const std::string &kind)
{
    if (kind == "fp16" || kind == "bf16" || kind == "tf32" || kind == "int8")
        return "tensor_" + kind;
    return kind;
}

Compiler cudaCompiler(const std::string &searchPath, const std::string &path, const GpuIdentity &gpu)
{
    const std::string architecture = architectureName(gpu.major, gpu.minor);
    const Compiler host = findCompiler(searchPath);
    return path.empty() ? findCudaCompiler(searchPath, host, architecture)
                        : describeCudaCompiler(path, host, architecture);
}

std::optional<GpuPeaks> peaksFrom(const json &object)
{
    try {
        return GpuPeaks{object.at("measured"), object.at("memory_peak"), object.at("bounds")};
    } catch (const json::exception &) {
        return std::nullopt; // none, or from another version; measured again
    }
}

json peaksJson(const GpuPeaks &peaks)
{
    return {{"measured", peaks.measured}, {"memory_peak", peaks.memoryPeak}, {"bounds", peaks.bounds}};
}

} // namespace

Gpu::Gpu(int ordinal, const std::string &searchPath, const std::string &compilerPath)
    : m_nvml(ordinal)
    , m_compiler(cudaCompiler(searchPath, compilerPath, m_nvml.identity()))
{
}

void Gpu::prepare(const BuildCache &cache, WorkerLimits &limits)
{
    m_library = buildDeviceLibrary(cache);
    limits.deviceLibrary = m_library;
    limits.deviceUuid = m_nvml.identity().uuid;
    limits.memoryBytes = 0; // the driver reserves address space for all of the device's memory and more
}

GpuPeaks Gpu::peaks(const BuildCache &cache, const WorkerLimits &limits, bool fresh) const
{
    const GpuIdentity &gpu = m_nvml.identity();
    const std::string library = std::filesystem::path(m_library).lexically_relative(cache.folder()).string();
    const std::string name =
        "probe-gpu-" + sha256Hex(gpu.uuid + ' ' + gpu.driver + ' ' + library).substr(0, 16) + ".json";
    if (!fresh) {
        if (const auto stored = peaksFrom(storedFigures(cache, name)))
            return *stored;
    }
    WorkerProcess worker(Role::Golden, limits);
    const AkoDeviceFacts facts = worker.deviceFacts().value_or(AkoDeviceFacts{});
    GpuPeaks peaks;
    for (const char *what : measuredNames)
        peaks.measured[what] = worker.measure(what, measureSeconds);
    peaks.memoryPeak = worker.measure("memory_peak", measureSeconds);
    const double clock = 1e6 * std::max(gpu.maxClockMhz, int(facts.clockKhz / 1000));
    for (const auto &[kind, operations] : operationsPerClock(gpu.major, gpu.minor))
        peaks.bounds[kind] = operations * double(facts.multiprocessors) * clock;
    storeFigures(cache, name, peaksJson(peaks));
    return peaks;
}

json Gpu::probeJson(const GpuPeaks &peaks) const
{
    const GpuIdentity &gpu = m_nvml.identity();
    const GpuState state = m_nvml.state();
    json object = peaksJson(peaks);
    object["name"] = gpu.name;
    object["uuid"] = gpu.uuid;
    object["driver"] = gpu.driver;
    object["architecture"] = m_compiler.architecture;
    object["compiler"] = m_compiler.path;
    object["compiler_version"] = m_compiler.version;
    object["memory_bytes"] = gpu.memoryBytes;
    object["max_clock_mhz"] = gpu.maxClockMhz;
    object["max_memory_clock_mhz"] = gpu.maxMemoryClockMhz;
    object["mig"] = gpu.partitioned;
    if (gpu.errorCorrection)
        object["ecc"] = *gpu.errorCorrection;
    object["now"] = {{"clock_mhz", state.clockMhz},
                     {"memory_clock_mhz", state.memoryClockMhz},
                     {"temperature_c", state.temperature},
                     {"watts", state.watts},
                     {"throttle_reasons", state.throttleReasons},
                     {"busy_percent", state.busyPercent},
                     {"processes", m_nvml.processes().size()}};
    return object;
}

std::map<std::string, double> operationsPerClock(int major, int minor)
{
    // Dense, as the makers' tables give them per multiprocessor: two operations per multiply-add.
    switch (major * 10 + minor) {
    case 80:
        return {{"fp32", 128}, {"fp64", 128}, {"tf32", 1024}, {"fp16", 2048}, {"bf16", 2048}, {"int8", 4096}};
    case 86:
        return {{"fp32", 256}, {"fp64", 4}, {"tf32", 512}, {"fp16", 1024}, {"bf16", 1024}, {"int8", 2048}};
    case 89:
        return {{"fp32", 256},  {"fp64", 4},   {"tf32", 512}, {"fp16", 1024},
                {"bf16", 1024}, {"fp8", 2048}, {"int8", 2048}};
    case 90:
        return {{"fp32", 256},  {"fp64", 256}, {"tf32", 2048}, {"fp16", 4096},
                {"bf16", 4096}, {"fp8", 8192}, {"int8", 8192}};
    default:
        return {};
    }
}

std::optional<Floor> floorOf(const Problem &problem, const Workload &workload, const GpuPeaks &peaks, bool hot,
                             std::int64_t cacheBytes)
{
    if (!problem.work)
        return std::nullopt;
    const auto value = [&](const std::string &text) {
        return text.empty() ? 0.0 : double(evaluateExpression(text, workload.axes));
    };
    const double readBytes = value(problem.work->readBytes), writeBytes = value(problem.work->writeBytes);
    // Outputs may stay in the cache when a kernel ends; inputs too, where nothing takes them out.
    const bool cached = hot && readBytes + writeBytes <= double(cacheBytes);
    const auto measured = [&](const std::string &name) {
        const auto found = peaks.measured.find(name);
        return found == peaks.measured.end() ? 0.0 : found->second;
    };
    const double practical = cached ? measured("l2") : std::max(measured("copy"), measured("memcpy"));
    Floor floor{cached || peaks.memoryPeak <= 0 ? 0 : readBytes / peaks.memoryPeak,
                practical > 0 ? (readBytes + writeBytes) / practical : 0};
    for (const auto &[kind, text] : problem.work->flops) {
        const double reached = measured(measuredFor(kind));
        const auto bound = peaks.bounds.find(kind);
        const double limit = bound != peaks.bounds.end() ? std::max(bound->second, reached) : unknownHeadroom * reached;
        if (limit > 0)
            floor.floorMs = std::max(floor.floorMs, value(text) / limit);
        if (reached > 0)
            floor.practicalMs = std::max(floor.practicalMs, value(text) / reached);
    }
    floor.practicalMs = std::max({floor.practicalMs, floor.floorMs, measured("null")});
    floor.floorMs *= 1e3;
    floor.practicalMs *= 1e3;
    return floor;
}

} // namespace ako::eval
