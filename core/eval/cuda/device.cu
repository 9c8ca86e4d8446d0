// SPDX-License-Identifier: GPL-3.0-or-later
// The device side of a trial, see deviceapi.h. Compiled at run time with the nvcc that also compiles the kernels, with
// a CUDA runtime of its own inside (-cudart static), so that nothing a kernel's library exports can take its place.
#include "devicebasics.cuh"
#include "devicefill.cuh"
#include "devicehold.cuh"
#include "devicetraces.cuh"

#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr u64 page = 4096;

struct Place
{
    unsigned char *data = nullptr, *snapshot = nullptr;
    u64 bytes = 0, behindBytes = 0;
};

class Device
{
public:
    void open(AkoDeviceFacts *facts)
    {
        int count = 0;
        check(cudaGetDeviceCount(&count), "the CUDA driver");
        if (count == 0)
            throw Error{"there is no CUDA device"};
        check(cudaSetDeviceFlags(cudaDeviceScheduleSpin), "cudaSetDeviceFlags");
        check(cudaSetDevice(0), "cudaSetDevice");
        check(cudaStreamCreate(&m_stream), "cudaStreamCreate"); // ordered with the default stream
        for (cudaEvent_t *event : {&m_start, &m_end, &m_last})
            check(cudaEventCreate(event), "cudaEventCreate");
        check(cudaHostAlloc(reinterpret_cast<void **>(&m_hold), sizeof(Hold), cudaHostAllocMapped), "cudaHostAlloc");
        std::memset(m_hold, 0, sizeof *m_hold);
        check(cudaMalloc(&m_gate, sizeof(Gate)), "cudaMalloc");
        check(cudaMalloc(&m_sink, sizeof(unsigned)), "cudaMalloc");
        describe(*facts);
        // Whatever the driver wants to open or start, it does so now.
        holdWarmUp();
    }

    void shape(const AkoBuffer *buffers, u64 count, u64 slots, bool flushes)
    {
        release();
        m_buffers.assign(buffers, buffers + count);
        m_slotCount = slots;
        place();
        if (flushes && !m_flush) {
            m_flushCount = roundUp(2 * u64(m_cacheBytes), 4096) / sizeof(uint4);
            check(cudaMalloc(&m_flush, m_flushCount * sizeof(uint4)), "memory for the cache flush");
        }
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }

    void prepare(const AkoSlotOrder *orders, u64 count)
    {
        for (u64 i = 0; i < count; ++i)
            prepareSlot(orders[i]);
        check(cudaGetLastError(), "preparing the inputs");
        check(cudaDeviceSynchronize(), "preparing the inputs");
    }

    void run(const AkoRunOrder &order, void (*done)(void *), void *context, AkoRunReport &report)
    {
        report = {};
        report.guardBuffer = report.mutatedBuffer = report.changedBuffer = -1;
        clearPersistence();
        if (order.flush && m_flush) {
            writeAll<<<m_blocks, blockThreads, 0, m_stream>>>(m_flush, m_flushCount, ++m_ticket);
            readAll<<<m_blocks, blockThreads, 0, m_stream>>>(m_flush, m_flushCount, m_sink);
        }
        check(cudaMemsetAsync(m_gate, 0, sizeof(Gate), m_stream), "cudaMemset");
        check(cudaStreamSynchronize(m_stream), "the cache flush");
        m_hold->ended = 0;
        if (order.around) {
            order.around(context, 1);
            callPlainly(order, report);
            order.around(context, 0);
            snapshotAll(order);
            check(cudaDeviceSynchronize(), "the snapshot");
            done(context);
            look(order, report);
            return;
        }
        if (order.holdBack)
            beginHold();
        else
            stampOnly<<<1, 1, 0, m_stream>>>(m_hold, m_gate);
        callAll(order, report);
        waitForAll(order, report);
        done(context);
        look(order, report);
    }

    void fetch(u64 slot, u64 buffer, void *to)
    {
        const Place &place = m_places.at(slot * m_buffers.size() + buffer);
        check(cudaMemcpy(to, place.snapshot ? place.snapshot : place.data, place.bytes, cudaMemcpyDeviceToHost),
              "reading an output");
    }

    double measure(const std::string &what);

private:
    void describe(AkoDeviceFacts &facts)
    {
        cudaDeviceProp properties;
        check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
        std::snprintf(facts.name, sizeof facts.name, "%s", properties.name);
        const auto attribute = [](cudaDeviceAttr name) {
            int value = 0;
            if (cudaDeviceGetAttribute(&value, name, 0) != cudaSuccess)
                cudaGetLastError();
            return value;
        };
        facts.major = properties.major;
        facts.minor = properties.minor;
        facts.multiprocessors = properties.multiProcessorCount;
        cudaRuntimeGetVersion(&facts.runtimeVersion);
        cudaDriverGetVersion(&facts.driverVersion);
        facts.cacheBytes = properties.l2CacheSize;
        facts.persistingCacheBytes = attribute(cudaDevAttrMaxPersistingL2CacheSize);
        std::size_t free = 0, total = 0;
        check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
        facts.memoryBytes = i64(total);
        facts.freeBytes = i64(free);
        facts.sharedBytesPerBlock = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
        facts.memoryBusBits = attribute(cudaDevAttrGlobalMemoryBusWidth);
        facts.memoryClockKhz = attribute(cudaDevAttrMemoryClockRate);
        facts.clockKhz = attribute(cudaDevAttrClockRate);
        m_cacheBytes = facts.cacheBytes;
        m_persists = facts.persistingCacheBytes > 0;
        m_multiprocessors = facts.multiprocessors;
        m_blocks = unsigned(m_multiprocessors * 8);
        m_holdBlocks = unsigned(m_multiprocessors * (properties.maxThreadsPerMultiProcessor / holdThreads));
        m_memoryPeak = 2e3 * double(facts.memoryClockKhz) * double(facts.memoryBusBits) / 8;
    }

    void holdWarmUp()
    {
        check(cudaMemsetAsync(m_gate, 0, sizeof(Gate), m_stream), "cudaMemset");
        beginHold();
        endHold();
        stampEnd<<<m_holdBlocks, holdThreads, 0, m_stream>>>(m_hold, m_gate);
        check(cudaGetLastError(), "the first kernel");
        check(cudaDeviceSynchronize(), "the first kernel");
    }

    void release()
    {
        cudaFree(m_memory);
        cudaFree(m_traces);
        m_memory = nullptr;
        m_traces = nullptr;
        m_places.clear();
    }

    // Every buffer with a guard before it and one right behind its last byte.
    void place()
    {
        std::vector<u64> offsets, snapshots;
        u64 at = 0;
        for (u64 slot = 0; slot < m_slotCount; ++slot) {
            for (const AkoBuffer &buffer : m_buffers) {
                Place place;
                place.bytes = buffer.count * sizeOf(buffer.storage);
                place.behindBytes = roundUp(place.bytes, 256) - place.bytes + guardBytes;
                offsets.push_back(at + guardBytes);
                at = roundUp(at + guardBytes + place.bytes + place.behindBytes, page);
                snapshots.push_back(at);
                if (buffer.isOutput)
                    at += roundUp(place.bytes, page);
                m_places.push_back(place);
            }
        }
        check(cudaMalloc(&m_memory, at + page), "memory for inputs and outputs");
        check(cudaMalloc(&m_traces, m_places.size() * sizeof(Trace)), "memory for inputs and outputs");
        auto *base = reinterpret_cast<unsigned char *>(roundUp(reinterpret_cast<u64>(m_memory), page));
        for (std::size_t i = 0; i < m_places.size(); ++i) {
            m_places[i].data = base + offsets[i];
            if (m_buffers[i % m_buffers.size()].isOutput)
                m_places[i].snapshot = base + snapshots[i];
        }
        m_pointers.resize(m_places.size());
        for (std::size_t i = 0; i < m_places.size(); ++i)
            m_pointers[i] = m_places[i].data;
    }

    static bool hasNan(const AkoBuffer &buffer) { return buffer.isInput && isFloating(buffer.storage); }

    void prepareSlot(const AkoSlotOrder &order)
    {
        const std::size_t first = order.slot * m_buffers.size();
        check(cudaMemsetAsync(m_traces + first, 0, m_buffers.size() * sizeof(Trace), m_stream), "cudaMemset");
        for (std::size_t i = 0; i < m_buffers.size(); ++i) {
            const AkoBuffer &buffer = m_buffers[i];
            const Place &place = m_places.at(first + i);
            fillGuards<<<blocksFor(place.behindBytes), blockThreads, 0, m_stream>>>(
                place.data - guardBytes, place.data + place.bytes, place.behindBytes, order.guardKey + i,
                hasNan(buffer));
            if (place.snapshot)
                check(cudaMemsetAsync(place.snapshot, 0x5a, place.bytes, m_stream), "cudaMemset");
            if (!buffer.isInput) {
                check(cudaMemsetAsync(place.data, isFloating(buffer.storage) ? 0xff : 0xa5, place.bytes, m_stream),
                      "cudaMemset"); // 0xff…: NaN
                continue;
            }
            if (order.rules[i].stored)
                check(cudaMemcpyAsync(place.data, order.rules[i].stored, place.bytes, cudaMemcpyHostToDevice, m_stream),
                      "cudaMemcpy");
            else
                fillBuffer(buffer, order.rules[i], place.data, m_stream);
            if (!buffer.isOutput)
                digest<<<blocksFor(place.bytes / 8), blockThreads, 0, m_stream>>>(
                    place.data, place.bytes, order.guardKey, &m_traces[first + i].digestBefore);
        }
    }

    // Nothing may stay in the cache over the flush: no share set aside, no window on our stream, no line marked.
    void clearPersistence()
    {
        if (!m_persists)
            return;
        check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0), "cudaDeviceSetLimit");
        check(cudaDeviceGetLimit(&m_persistingLimit, cudaLimitPersistingL2CacheSize), "cudaDeviceGetLimit");
        cudaStreamAttrValue value = {};
        check(cudaStreamSetAttribute(m_stream, cudaStreamAttributeAccessPolicyWindow, &value),
              "cudaStreamSetAttribute");
        check(cudaCtxResetPersistingL2Cache(), "cudaCtxResetPersistingL2Cache");
    }

    void beginHold()
    {
        ++m_ticket;
        m_heldNs = now();
        holdBack<<<m_holdBlocks, holdThreads, 0, m_stream>>>(m_hold, m_gate, m_ticket, holdLimitNs);
        check(cudaGetLastError(), "the blocking kernel");
        while (volatileOf(m_hold->running) != m_ticket && now() - m_heldNs < holdLimitNs) {}
    }

    void endHold()
    {
        while (now() - m_heldNs < leastHoldNs) {}
        const_cast<volatile unsigned &>(m_hold->release) = m_ticket;
        __sync_synchronize();
    }

    static unsigned volatileOf(const unsigned &value) { return const_cast<const volatile unsigned &>(value); }

    void callAll(const AkoRunOrder &order, AkoRunReport &report)
    {
        check(cudaEventRecord(m_start, m_stream), "cudaEventRecord");
        const i64 cpuBegin = clockNs(CLOCK_PROCESS_CPUTIME_ID), begin = now();
        for (u64 i = 0; i < order.slotCount; ++i) {
            void *const *pointers = m_pointers.data() + order.slots[i] * m_buffers.size();
            const int error = order.entry(pointers, order.axes, order.scalars, m_stream);
            if (report.entryError == 0)
                report.entryError = error;
        }
        report.hostNs = now() - begin;
        report.cpuNs = clockNs(CLOCK_PROCESS_CPUTIME_ID) - cpuBegin;
        const cudaError_t recorded = cudaEventRecord(m_end, m_stream);
        stampEnd<<<m_holdBlocks, holdThreads, 0, m_stream>>>(m_hold, m_gate);
        if (order.snapshotFirst)
            snapshotAll(order);
        cudaEventRecord(m_last, m_stream);
        m_calledNs = begin;
        if (order.holdBack)
            endHold();
        check(recorded, "the call");
    }

    void callPlainly(const AkoRunOrder &order, AkoRunReport &report)
    {
        for (u64 i = 0; i < order.slotCount; ++i) {
            void *const *pointers = m_pointers.data() + order.slots[i] * m_buffers.size();
            report.entryError = order.entry(pointers, order.axes, order.scalars, m_stream);
        }
        check(cudaDeviceSynchronize(), "the call");
    }

    void snapshotAll(const AkoRunOrder &order)
    {
        for (u64 i = 0; i < order.slotCount; ++i) {
            for (std::size_t b = 0; b < m_buffers.size(); ++b) {
                const Place &place = m_places.at(order.slots[i] * m_buffers.size() + b);
                if (place.snapshot)
                    cudaMemcpyAsync(place.snapshot, place.data, place.bytes, cudaMemcpyDeviceToDevice, m_stream);
            }
        }
    }

    void waitForAll(const AkoRunOrder &order, AkoRunReport &report)
    {
        check(cudaEventSynchronize(m_last), "the call");
        const i64 ended = now();
        check(cudaDeviceSynchronize(), "the call");
        report.gapNs = now() - ended;
        report.waitNs = ended - m_calledNs;
        if (!order.snapshotFirst) {
            snapshotAll(order);
            check(cudaStreamSynchronize(m_stream), "the snapshot");
        }
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, m_start, m_end), "cudaEventElapsedTime");
        report.callNs = i64(double(milliseconds) * 1e6 + 0.5);
        report.heldBack = order.holdBack;
        report.launcherWaited = order.holdBack && volatileOf(m_hold->timedOut) == m_ticket;
        if (m_hold->ended && m_hold->endNs > m_hold->beginNs)
            report.clockMhz =
                1e3 * double(m_hold->endClock - m_hold->beginClock) / double(m_hold->endNs - m_hold->beginNs);
        if (m_persists) {
            std::size_t limit = 0;
            report.limitChanged =
                cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize) == cudaSuccess && limit != m_persistingLimit;
        }
        if (report.entryError >= 1'000'000) {
            const auto error = cudaError_t(report.entryError - 1'000'000);
            std::snprintf(report.cudaError, sizeof report.cudaError, "%s (%s)", cudaGetErrorName(error),
                          cudaGetErrorString(error));
        }
    }

    void look(const AkoRunOrder &order, AkoRunReport &report)
    {
        const std::size_t count = m_buffers.size();
        for (u64 s = 0; s < order.slotCount; ++s) {
            for (std::size_t i = 0; i < count; ++i)
                lookAtBuffer(order.slots[s] * count + i, m_buffers[i], order.guardKey + i, order.guardKey);
        }
        check(cudaGetLastError(), "looking at the buffers");
        std::vector<Trace> traces(m_places.size());
        check(cudaMemcpyAsync(traces.data(), m_traces, traces.size() * sizeof(Trace), cudaMemcpyDeviceToHost, m_stream),
              "looking at the buffers");
        check(cudaStreamSynchronize(m_stream), "looking at the buffers");
        for (u64 s = 0; s < order.slotCount; ++s) {
            for (std::size_t i = 0; i < count; ++i)
                judge(traces[order.slots[s] * count + i], m_buffers[i], int(i), report);
        }
    }

    void lookAtBuffer(std::size_t index, const AkoBuffer &buffer, u64 guardKey, u64 digestKey)
    {
        const Place &place = m_places.at(index);
        lookAtGuards<<<blocksFor(place.behindBytes), blockThreads, 0, m_stream>>>(
            place.data - guardBytes, place.data + place.bytes, place.behindBytes, guardKey, hasNan(buffer),
            m_traces + index);
        if (!buffer.isOutput)
            digest<<<blocksFor(place.bytes / 8), blockThreads, 0, m_stream>>>(place.data, place.bytes, digestKey,
                                                                              &m_traces[index].digestAfter);
        else
            findChanges<<<blocksFor(place.bytes / 8), blockThreads, 0, m_stream>>>(
                place.snapshot, place.data, place.bytes, &m_traces[index].changed);
    }

    static void judge(const Trace &trace, const AkoBuffer &buffer, int index, AkoRunReport &report)
    {
        if ((trace.damagedBefore || trace.damagedBehind) && report.guardBuffer < 0) {
            report.guardBuffer = index;
            report.guardBehind = trace.damagedBehind != 0;
        }
        if (!buffer.isOutput && trace.digestBefore != trace.digestAfter)
            report.mutatedBuffer = index;
        if (buffer.isOutput && trace.changed)
            report.changedBuffer = index;
    }

    template <typename Launch>
    double secondsOf(int repeats, Launch launch);
    double bandwidth(const std::string &what);
    double arithmetic(const std::string &what);
    double latency(const std::string &what);
    double flushRatio();

    cudaStream_t m_stream = nullptr;
    cudaEvent_t m_start = nullptr, m_end = nullptr, m_last = nullptr;
    Hold *m_hold = nullptr;
    Gate *m_gate = nullptr;
    unsigned *m_sink = nullptr;
    uint4 *m_flush = nullptr;
    void *m_memory = nullptr;
    Trace *m_traces = nullptr;
    u64 m_flushCount = 0, m_slotCount = 0;
    i64 m_cacheBytes = 0, m_heldNs = 0, m_calledNs = 0;
    std::size_t m_persistingLimit = 0;
    int m_multiprocessors = 1;
    unsigned m_blocks = 1, m_holdBlocks = 1, m_ticket = 0;
    double m_memoryPeak = 0;
    bool m_persists = false;
    std::vector<AkoBuffer> m_buffers;
    std::vector<Place> m_places;
    std::vector<void *> m_pointers;
};

} // namespace

#include "deviceprobe.cuh" // members of Device

namespace {

Device device;
std::string problem;

template <typename Action>
const char *guarded(Action action)
{
    try {
        action();
        return nullptr;
    } catch (const Error &error) {
        problem = error.text;
    } catch (const std::exception &error) {
        problem = error.what();
    }
    return problem.c_str();
}

const AkoDeviceApi api{
    sizeof(AkoDeviceApi),
    [](AkoDeviceFacts *facts) { return guarded([&] { device.open(facts); }); },
    [](const AkoBuffer *buffers, std::uint64_t count, std::uint64_t slots, int flushes) {
        return guarded([&] { device.shape(buffers, count, slots, flushes != 0); });
    },
    [](const AkoSlotOrder *orders, std::uint64_t count) { return guarded([&] { device.prepare(orders, count); }); },
    [](const AkoRunOrder *order, void (*done)(void *), void *context, AkoRunReport *report) {
        return guarded([&] { device.run(*order, done, context, *report); });
    },
    [](std::uint64_t slot, std::uint64_t buffer, void *to) { return guarded([&] { device.fetch(slot, buffer, to); }); },
    [](const char *what, double *value) { return guarded([&] { *value = device.measure(what); }); },
};

} // namespace

extern "C" const AkoDeviceApi *ako_device_api()
{
    return &api;
}
