// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/probe.h"

#include "eval/contender.h"
#include "eval/figurestore.h"
#include "eval/hash.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace ako::eval {

using nlohmann::json;

namespace {

constexpr const char *method = "2"; // a new one where older figures are not to be used any more
constexpr int repeats = 7;
constexpr std::size_t largestArray = std::size_t(1) << 30;
// The true limits lie above what a loop measures, the more so on a shared machine.
constexpr double memoryHeadroom = 1.5, arithmeticHeadroom = 1.25;
// Some kernels bring a process's CPU clock forward at their ticks only: it may be behind by that much, and a call of a
// few milliseconds seem to take none.
constexpr double clockStepNs = 4e6;

// Built with the compiler a kernel gets, so that its vectors are the machine's. axes: kind, elements, rounds, threads.
constexpr const char *source = R"(
#include <cstdint>
#include <thread>
#include <vector>
namespace {
#if defined(__AVX512F__)
constexpr int vectorBytes = 64;
#elif defined(__AVX__)
constexpr int vectorBytes = 32;
#else
constexpr int vectorBytes = 16;
#endif
template <typename T>
void multiplyAdd(double *sink, std::int64_t rounds)
{
    typedef T Vector __attribute__((vector_size(vectorBytes)));
    Vector sums[10] = {};
    const Vector factor = Vector{} + T(0.999), term = Vector{} + T(1e-3);
    for (std::int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 10
        for (int i = 0; i < 10; ++i)
            sums[i] = sums[i] * factor + term;
    }
    for (const Vector &sum : sums)
        *sink += double(sum[0]);
}
void read(double *data, std::int64_t count, std::int64_t rounds, double *sink)
{
    for (std::int64_t round = 0; round < rounds; ++round) {
        double sum = 0;
        for (std::int64_t i = 0; i < count; ++i)
            sum += data[i];
        *sink += sum;
    }
}
void triad(double *data, std::int64_t count)
{
    double *__restrict a = data, *__restrict b = data + count / 3, *__restrict c = data + 2 * (count / 3);
    for (std::int64_t i = 0; i < count / 3; ++i)
        a[i] = b[i] + 0.5 * c[i];
}
void part(std::int64_t kind, double *data, std::int64_t count, std::int64_t rounds, double *sink)
{
    if (kind == 0)
        read(data, count, rounds, sink);
    else if (kind == 1)
        triad(data, count);
    else if (kind == 2)
        multiplyAdd<float>(sink, rounds);
    else
        multiplyAdd<double>(sink, rounds);
}
}
extern "C" int ako_entry(void *const *buffers, const std::int64_t *axes, const unsigned char (*)[8])
{
    double *data = static_cast<double *>(buffers[0]);
    const std::int64_t share = axes[1] / axes[3];
    std::vector<std::thread> threads;
    std::vector<double> sinks(axes[3] * 16);
    for (std::int64_t t = 1; t < axes[3]; ++t)
        threads.emplace_back(part, axes[0], data + t * share, share, axes[2], &sinks[t * 16]);
    part(axes[0], data, share, axes[2], &sinks[0]);
    for (std::thread &thread : threads)
        thread.join();
    for (double sink : sinks)
        data[0] += sink * 1e-300;
    return 0;
}
)";

std::size_t vectorBytes()
{
    const std::string features = processorFeatures();
    if (features.find("avx512f") != std::string::npos)
        return 64;
    return features.find(" avx") != std::string::npos ? 32 : 16;
}

class Prober
{
public:
    Prober(const BuildCache &cache, const Machine &machine, const WorkerLimits &limits)
        : m_machine(machine)
        , m_threads(std::int64_t(std::max<std::size_t>(1, machine.cores.size())))
        , m_contender(Role::Golden, build(cache), entryName, withMemory(limits), {})
    {
        m_count =
            std::int64_t(std::clamp(4 * std::size_t(machine.cacheBytes), std::size_t(64) << 20, largestArray) / 8);
    }

    Peaks measure()
    {
        Peaks peaks;
        peaks.readBandwidth = std::max(best(0, m_count, 1, m_threads), best(0, m_count, 1, 1)) * double(m_count) * 8;
        peaks.triadBandwidth =
            std::max(best(1, m_count, 1, m_threads), best(1, m_count, 1, 1)) * double(m_count / 3 * 3) * 8;
        const std::int64_t cached = std::max<std::int64_t>(m_machine.cacheBytes / 4 / 8, 4096);
        peaks.cacheBandwidth =
            std::max(peaks.readBandwidth, double(m_threads) * best(0, cached, 8, 1) * double(cached) * 8 * 8);
        peaks.flops["fp32"] = arithmetic(2, 4);
        peaks.flops["fp64"] = arithmetic(3, 8);
        return peaks;
    }

private:
    static std::string build(const BuildCache &cache)
    {
        return cache
            .build({{{"probe.cpp", source}},
                    {},
                    {"-O3", "-march=native", "-ffast-math"},
                    Status::Infrastructure,
                    "machine probe",
                    60})
            .library;
    }

    static WorkerLimits withMemory(WorkerLimits limits)
    {
        limits.memoryBytes = 0;
        return limits;
    }

    // Runs per second of the fastest repeat.
    double best(std::int64_t kind, std::int64_t count, std::int64_t rounds, std::int64_t threads)
    {
        WorkloadLayout layout;
        BufferSpec data;
        data.name = "data";
        data.dtype = data.storage = DType::Float64;
        data.count = static_cast<std::size_t>(count);
        data.isInput = data.isOutput = false; // filled with the pattern of an unwritten output and never copied
        layout.buffers = {data};
        layout.axes = {kind, count, rounds, threads};
        m_contender.stop();
        m_contender.setLayout(layout, 0);
        m_contender.restart();
        double fastest = 0;
        for (int repeat = 0; repeat < repeats; ++repeat) {
            InputRule rule;
            rule.distribution = Distribution::Constant;
            PrepareOrder order;
            order.slots = {0};
            order.rules = {rule};
            if (repeat == 0)
                m_contender.prepare(order);
            const RunOutcome outcome = m_contender.worker().run({0}, 0, 60);
            // Waiting for a processor that others have is none of the machine's limits.
            const double ns = std::min(double(outcome.callNs), double(outcome.cpuNs) / double(threads) + clockStepNs);
            fastest = std::max(fastest, 1e9 / std::max(1.0, ns));
        }
        return fastest;
    }

    // One core times the number of cores: an upper bound that another program's load does not lower.
    double arithmetic(std::int64_t kind, std::size_t elementSize)
    {
        constexpr std::int64_t rounds = 40'000'000; // many ticks
        const double perRound = 10.0 * double(vectorBytes() / elementSize) * 2;
        return best(kind, 512, rounds, 1) * double(rounds) * perRound * double(m_threads);
    }

    const Machine &m_machine;
    std::int64_t m_threads, m_count = 0;
    Contender m_contender;
};

json peaksJson(const Peaks &peaks)
{
    return {{"read_bytes_per_s", peaks.readBandwidth},
            {"triad_bytes_per_s", peaks.triadBandwidth},
            {"cache_bytes_per_s", peaks.cacheBandwidth},
            {"flops", peaks.flops}};
}

// Far above what any core can do: figures beyond it come from a fault of some earlier measurement, and would let
// everything pass as possible for ever.
constexpr double mostPerCore = 4e12;

bool isPossible(double figure, double cores)
{
    return std::isfinite(figure) && figure > 0 && figure <= mostPerCore * cores;
}

// None where they are of another version or cannot be true: they are measured again.
std::optional<Peaks> peaksFrom(const json &object, double cores)
{
    Peaks peaks;
    try {
        peaks = Peaks{object.at("read_bytes_per_s"), object.at("triad_bytes_per_s"), object.at("cache_bytes_per_s"),
                      object.at("flops")};
    } catch (const json::exception &) {
        return std::nullopt;
    }
    for (const double bandwidth : {peaks.readBandwidth, peaks.triadBandwidth, peaks.cacheBandwidth}) {
        if (!isPossible(bandwidth, cores))
            return std::nullopt;
    }
    for (const auto &[kind, peak] : peaks.flops) {
        if (!isPossible(peak, cores))
            return std::nullopt;
    }
    return peaks;
}

Peaks higherOf(Peaks one, const Peaks &other)
{
    one.readBandwidth = std::max(one.readBandwidth, other.readBandwidth);
    one.triadBandwidth = std::max(one.triadBandwidth, other.triadBandwidth);
    one.cacheBandwidth = std::max(one.cacheBandwidth, other.cacheBandwidth);
    for (const auto &[kind, peak] : other.flops)
        one.flops[kind] = std::max(one.flops[kind], peak);
    return one;
}

} // namespace

Peaks probeMachine(const BuildCache &cache, const Machine &machine, const WorkerLimits &limits, bool fresh)
{
    const std::string key =
        sha256Hex(processorFeatures() + std::to_string(machine.cores.size()) + method + source).substr(0, 16);
    const std::string name = "probe-" + key + ".json";
    const std::optional<Peaks> stored = peaksFrom(storedFigures(cache, name), double(machine.cores.size()));
    if (stored && !fresh)
        return *stored;
    Peaks peaks = Prober(cache, machine, limits).measure();
    if (stored)
        peaks = higherOf(std::move(peaks), *stored); // whatever else ran only lowered them
    storeFigures(cache, name, peaksJson(peaks));
    return peaks;
}

json probeJson(const Peaks &peaks, const Machine &machine, const Compiler &compiler)
{
    json object = peaksJson(peaks);
    object["schema"] = "ako.probe/1";
    object["cpu"] = machine.cpu;
    object["cores"] = machine.cores.size();
    object["llc_bytes"] = machine.cacheBytes;
    object["memory_bytes"] = machine.memoryBytes;
    object["governor"] = machine.governor;
    object["load"] = machine.load;
    object["compiler"] = compiler.path;
    object["compiler_version"] = compiler.version;
    return object;
}

std::optional<Floor> floorOf(const Problem &problem, const Workload &workload, const Peaks &peaks,
                             const Machine &machine)
{
    if (!problem.work)
        return std::nullopt;
    const auto value = [&](const std::string &text) {
        return text.empty() ? 0.0 : double(evaluateExpression(text, workload.axes));
    };
    const double readBytes = value(problem.work->readBytes), writeBytes = value(problem.work->writeBytes);
    // What fits the last-level cache may still be there on a machine that reports less cache than it has.
    const bool fits = readBytes + writeBytes <= 2 * double(machine.cacheBytes);
    const double limit = std::max(fits ? peaks.cacheBandwidth : 0.0, peaks.readBandwidth) * memoryHeadroom;
    Floor floor{readBytes / limit, (readBytes + writeBytes) / peaks.triadBandwidth};
    for (const auto &[kind, text] : problem.work->flops) {
        const auto peak = peaks.flops.find(kind);
        if (peak == peaks.flops.end() || peak->second <= 0)
            continue;
        floor.floorMs = std::max(floor.floorMs, value(text) / (peak->second * arithmeticHeadroom));
        floor.practicalMs = std::max(floor.practicalMs, value(text) / peak->second);
    }
    floor.floorMs *= 1e3;
    floor.practicalMs *= 1e3;
    return floor;
}

} // namespace ako::eval
