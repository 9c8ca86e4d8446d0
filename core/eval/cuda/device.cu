// SPDX-License-Identifier: GPL-3.0-or-later
// The device side of a trial, see deviceapi.h. Compiled at run time with the nvcc that also compiles the kernels, with a
// CUDA runtime of its own inside (-cudart static), so that nothing a kernel's library exports can take its place.
#include "deviceapi.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace {

// As in dtype.h and problem.h; checked by static_assert in cudatrial.cpp.
enum DType { Float64, Float32, Int64, Int32, Int16, Int8, UInt8, Bool, Float16, BFloat16, Float8E4M3, Float8E5M2 };
enum Distribution { Normal, Uniform, SignedUniform, Constant, Tiny, Large, Sparse, OneHot, Sorted, Denormals };

using u64 = unsigned long long;
using i64 = long long;

constexpr u64 guardBytes = 4096, nanBytes = 1024, page = 4096;
constexpr int blockThreads = 256;
constexpr int holdThreads = 512; // divides the threads of every multiprocessor so far: 1024, 1536, 2048
constexpr i64 holdLimitNs = 200'000'000, leastHoldNs = 60'000;

struct Error
{
    std::string text;
};

void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    cudaGetLastError();
    const std::string kind = error == cudaErrorMemoryAllocation ? "memory: " : "";
    throw Error{kind + what + ": " + cudaGetErrorName(error) + " (" + cudaGetErrorString(error) + ")"};
}

i64 clockNs(clockid_t clock)
{
    timespec time;
    syscall(SYS_clock_gettime, clock, &time); // not the function, which a kernel's library can replace
    return i64(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

i64 now()
{
    return clockNs(CLOCK_MONOTONIC_RAW);
}

// ---- inputs: any element from key and index alone (random.h and inputs.cpp have the same functions for the CPU)

__host__ __device__ u64 mixed(u64 value)
{
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
    return value ^ (value >> 31);
}

__host__ __device__ u64 randomAt(u64 key, u64 index)
{
    return mixed(key + (index + 1) * 0x9e3779b97f4a7c15ULL);
}

__device__ double unitAt(u64 key, u64 index)
{
    return double(randomAt(key, index) >> 11) * 0x1p-53;
}

__device__ double normalAt(u64 key, u64 index)
{
    return normcdfinv(fmin(fmax(unitAt(key, index), 2e-5), 1 - 2e-5));
}

struct Fill
{
    AkoRule rule;
    u64 count, rowLength;
    double low, span, high, smallest; // smallest: least normal number of the type
    i64 lowest, highest;              // integers: range to draw from
    i64 typeLow, typeHigh;
};

__device__ bool isHot(const Fill &fill, u64 index)
{
    return index % fill.rowLength == randomAt(fill.rule.key, index / fill.rowLength) % fill.rowLength;
}

__device__ double floatingAt(const Fill &fill, u64 i)
{
    const AkoRule &rule = fill.rule;
    const u64 key = rule.key;
    switch (rule.distribution) {
    case Normal:
        return rule.mean + rule.std * normalAt(key, i);
    case Uniform:
        return fill.low + fill.span * unitAt(key, i);
    case SignedUniform:
        return fill.high * (2 * unitAt(key, i) - 1);
    case Constant:
        return rule.value;
    case Tiny:
        return 1e-4 * rule.std * normalAt(key, i);
    case Large:
        return 1e3 * rule.std * normalAt(key, i);
    case Sparse:
        return unitAt(~key, i) < rule.density ? rule.mean + rule.std * normalAt(key, i) : 0.0;
    case OneHot:
        return isHot(fill, i) ? rule.value : 0.0;
    case Sorted:
        return fill.low + fill.span * (double(i) + unitAt(key, i)) / double(fill.count);
    default:
        return (2 * unitAt(key, i) - 1) * fill.smallest;
    }
}

__device__ double nudgedFloating(const Fill &fill, double element)
{
    double middle = fill.rule.mean, step = 2 * fmax(fill.rule.std, 1e-30);
    if (fill.rule.distribution == Uniform || fill.rule.distribution == Sorted) {
        step = fill.span / 2;
        middle = fill.low + step;
    } else if (fill.rule.distribution == SignedUniform) {
        middle = 0;
        step = fill.high;
    }
    return element > middle ? element - step : element + step;
}

__device__ i64 uniformInteger(const Fill &fill, u64 i)
{
    const u64 size = u64(fill.highest - fill.lowest) + 1;
    const u64 drawn = randomAt(fill.rule.key, i);
    return fill.lowest + i64(size == 0 ? drawn : drawn % size);
}

__device__ i64 clamped(double value, const Fill &fill)
{
    return value <= double(fill.typeLow) ? fill.typeLow : value >= double(fill.typeHigh) ? fill.typeHigh : llrint(value);
}

__device__ i64 integerAt(const Fill &fill, u64 i)
{
    const AkoRule &rule = fill.rule;
    switch (rule.distribution) {
    case Constant:
        return clamped(rule.value, fill);
    case Normal:
        return clamped(rule.mean + rule.std * normalAt(rule.key, i), fill);
    case Sparse:
        return unitAt(~rule.key, i) < rule.density ? uniformInteger(fill, i) : 0;
    case OneHot:
        return isHot(fill, i) ? clamped(rule.value, fill) : 0;
    case Sorted:
        return fill.lowest +
               i64(double(fill.highest - fill.lowest) * ((double(i) + unitAt(rule.key, i)) / double(fill.count)));
    default:
        return uniformInteger(fill, i);
    }
}

__device__ bool booleanAt(const Fill &fill, u64 i)
{
    switch (fill.rule.distribution) {
    case Constant:
        return fill.rule.value != 0;
    case Sparse:
        return unitAt(fill.rule.key, i) < fill.rule.density;
    case OneHot:
        return isHot(fill, i);
    case Sorted:
        return i >= fill.count / 2;
    default:
        return (randomAt(fill.rule.key, i) & 1) != 0;
    }
}

template <typename T>
struct Narrow // to the input's type and back: the golden gets the very numbers the kernel gets
{
    static __device__ T from(double value) { return T(value); }
    static __device__ double back(T value) { return double(value); }
};
template <>
struct Narrow<__half>
{
    static __device__ __half from(double value) { return __double2half(value); }
    static __device__ double back(__half value) { return double(__half2float(value)); }
};
template <>
struct Narrow<__nv_bfloat16>
{
    static __device__ __nv_bfloat16 from(double value) { return __double2bfloat16(value); }
    static __device__ double back(__nv_bfloat16 value) { return double(__bfloat162float(value)); }
};
template <>
struct Narrow<__nv_fp8_e4m3>
{
    static __device__ __nv_fp8_e4m3 from(double value) { return __nv_fp8_e4m3(value); }
    static __device__ double back(__nv_fp8_e4m3 value) { return double(float(value)); }
};
template <>
struct Narrow<__nv_fp8_e5m2>
{
    static __device__ __nv_fp8_e5m2 from(double value) { return __nv_fp8_e5m2(value); }
    static __device__ double back(__nv_fp8_e5m2 value) { return double(float(value)); }
};

template <typename T>
__global__ void fillFloating(Fill fill, void *data, bool widened)
{
    for (u64 i = blockIdx.x * u64(blockDim.x) + threadIdx.x; i < fill.count; i += u64(gridDim.x) * blockDim.x) {
        T value = Narrow<T>::from(floatingAt(fill, i));
        if (fill.rule.nudge >= 0 && u64(fill.rule.nudge) % fill.count == i)
            value = Narrow<T>::from(nudgedFloating(fill, Narrow<T>::back(value)));
        if (widened)
            static_cast<double *>(data)[i] = Narrow<T>::back(value);
        else
            static_cast<T *>(data)[i] = value;
    }
}

template <typename T>
__global__ void fillIntegers(Fill fill, T *data)
{
    for (u64 i = blockIdx.x * u64(blockDim.x) + threadIdx.x; i < fill.count; i += u64(gridDim.x) * blockDim.x) {
        i64 value = integerAt(fill, i);
        const u64 size = u64(fill.highest - fill.lowest) + 1;
        if (fill.rule.nudge >= 0 && u64(fill.rule.nudge) % fill.count == i && size > 1)
            value = fill.lowest + i64((u64(value - fill.lowest) + size / 2) % size);
        data[i] = T(value);
    }
}

__global__ void fillBooleans(Fill fill, bool *data)
{
    for (u64 i = blockIdx.x * u64(blockDim.x) + threadIdx.x; i < fill.count; i += u64(gridDim.x) * blockDim.x) {
        const bool nudged = fill.rule.nudge >= 0 && u64(fill.rule.nudge) % fill.count == i;
        data[i] = booleanAt(fill, i) != nudged;
    }
}

unsigned blocksFor(u64 count)
{
    const u64 blocks = (count + blockThreads - 1) / blockThreads;
    return unsigned(blocks < 1 ? 1 : blocks > 8192 ? 8192 : blocks);
}

template <typename T>
void launchIntegers(Fill fill, void *data, cudaStream_t stream, double typeLow, double typeHigh, i64 low, i64 high)
{
    const AkoRule &rule = fill.rule;
    const double fallback = rule.distribution == Large ? typeHigh / 2 : 1024;
    const auto toRange = [&](double value) {
        return value <= typeLow ? low : value >= typeHigh ? high : i64(std::llround(value));
    };
    fill.typeLow = low;
    fill.typeHigh = high;
    fill.lowest = toRange(std::isnan(rule.low) ? -fallback : rule.low);
    fill.highest = toRange(std::isnan(rule.high) ? fallback : rule.high);
    if (fill.highest < fill.lowest)
        fill.highest = fill.lowest;
    fillIntegers<T><<<blocksFor(fill.count), blockThreads, 0, stream>>>(fill, static_cast<T *>(data));
}

template <typename T>
void launchFloating(Fill fill, void *data, bool widened, cudaStream_t stream, double smallest)
{
    fill.smallest = smallest;
    fillFloating<T><<<blocksFor(fill.count), blockThreads, 0, stream>>>(fill, data, widened);
}

void fillBuffer(const AkoBuffer &buffer, const AkoRule &rule, void *data, cudaStream_t stream)
{
    Fill fill{};
    fill.rule = rule;
    fill.count = buffer.count;
    fill.rowLength = buffer.rowLength;
    fill.low = std::isnan(rule.low) ? (rule.distribution == Sorted ? -1.0 : 0.0) : rule.low;
    fill.high = std::isnan(rule.high) ? 1.0 : rule.high;
    fill.span = fill.high - fill.low;
    const bool widened = buffer.storage != buffer.dtype;
    switch (buffer.dtype) {
    case Float64:
        return launchFloating<double>(fill, data, false, stream, 0x1p-1022);
    case Float32:
        return launchFloating<float>(fill, data, widened, stream, 0x1p-126);
    case Float16:
        return launchFloating<__half>(fill, data, widened, stream, 0x1p-14);
    case BFloat16:
        return launchFloating<__nv_bfloat16>(fill, data, widened, stream, 0x1p-126);
    case Float8E4M3:
        return launchFloating<__nv_fp8_e4m3>(fill, data, widened, stream, 0x1p-6);
    case Float8E5M2:
        return launchFloating<__nv_fp8_e5m2>(fill, data, widened, stream, 0x1p-14);
    case Int64:
        return launchIntegers<i64>(fill, data, stream, double(INT64_MIN), double(INT64_MAX), INT64_MIN, INT64_MAX);
    case Int32:
        return launchIntegers<std::int32_t>(fill, data, stream, INT32_MIN, INT32_MAX, INT32_MIN, INT32_MAX);
    case Int16:
        return launchIntegers<std::int16_t>(fill, data, stream, INT16_MIN, INT16_MAX, INT16_MIN, INT16_MAX);
    case Int8:
        return launchIntegers<std::int8_t>(fill, data, stream, INT8_MIN, INT8_MAX, INT8_MIN, INT8_MAX);
    case UInt8:
        return launchIntegers<std::uint8_t>(fill, data, stream, 0, UINT8_MAX, 0, UINT8_MAX);
    case Bool:
        fillBooleans<<<blocksFor(fill.count), blockThreads, 0, stream>>>(fill, static_cast<bool *>(data));
        return;
    }
}

// ---- traces: guards around each buffer, digests of the inputs, writes after the snapshot

__host__ __device__ unsigned char guardByte(u64 key, u64 index)
{
    return (unsigned char)(randomAt(key, index / 8) >> (8 * (index % 8)));
}

// Behind floating inputs stand NaNs first: what reads too far gets a wrong answer.
__device__ unsigned char expectedGuard(u64 key, u64 index, bool nan)
{
    return nan && index < nanBytes ? 0xff : guardByte(key, index);
}

__global__ void fillGuards(unsigned char *before, unsigned char *behind, u64 behindBytes, u64 key, bool nan)
{
    const u64 i = blockIdx.x * u64(blockDim.x) + threadIdx.x;
    if (i < guardBytes) // counted away from the data on both sides
        before[guardBytes - 1 - i] = expectedGuard(~key, i, nan);
    if (i < behindBytes)
        behind[i] = expectedGuard(key, i, nan);
}

struct Trace
{
    u64 digestBefore, digestAfter;
    unsigned damagedBefore, damagedBehind, changed, padding;
};

__global__ void lookAtGuards(const unsigned char *before, const unsigned char *behind, u64 behindBytes, u64 key,
                             bool nan, Trace *trace)
{
    const u64 i = blockIdx.x * u64(blockDim.x) + threadIdx.x;
    if (i < guardBytes && before[guardBytes - 1 - i] != expectedGuard(~key, i, nan))
        trace->damagedBefore = 1;
    if (i < behindBytes && behind[i] != expectedGuard(key, i, nan))
        trace->damagedBehind = 1;
}

__device__ u64 wordAt(const unsigned char *data, u64 bytes, u64 word)
{
    if ((word + 1) * 8 <= bytes)
        return reinterpret_cast<const u64 *>(data)[word];
    u64 value = 0;
    for (u64 i = word * 8; i < bytes; ++i)
        value |= u64(data[i]) << (8 * (i % 8));
    return value;
}

__global__ void digest(const unsigned char *data, u64 bytes, u64 key, u64 *result)
{
    u64 sum = 0;
    const u64 words = (bytes + 7) / 8;
    for (u64 i = blockIdx.x * u64(blockDim.x) + threadIdx.x; i < words; i += u64(gridDim.x) * blockDim.x)
        sum += mixed(wordAt(data, bytes, i) ^ mixed(key + i));
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (threadIdx.x % 32 == 0)
        atomicAdd(result, sum);
}

__global__ void findChanges(const unsigned char *a, const unsigned char *b, u64 bytes, unsigned *changed)
{
    bool differs = false;
    const u64 words = (bytes + 7) / 8;
    for (u64 i = blockIdx.x * u64(blockDim.x) + threadIdx.x; i < words; i += u64(gridDim.x) * blockDim.x)
        differs |= wordAt(a, bytes, i) != wordAt(b, bytes, i);
    if (differs)
        *changed = 1;
}

// ---- the flush: writing twice the cache's size takes everything out of it, reading it again leaves no dirty line whose
// write-back would be charged to the kernel (22 % of a 14 us kernel on an H200)

__global__ void writeAll(uint4 *data, u64 count, unsigned value)
{
    for (u64 i = blockIdx.x * u64(blockDim.x) + threadIdx.x; i < count; i += u64(gridDim.x) * blockDim.x)
        data[i] = make_uint4(value, value, value, value);
}

__global__ void readAll(const uint4 *data, u64 count, unsigned *sink)
{
    unsigned sum = 0;
    for (u64 i = blockIdx.x * u64(blockDim.x) + threadIdx.x; i < count; i += u64(gridDim.x) * blockDim.x) {
        const uint4 value = __ldcg(data + i);
        sum += value.x ^ value.y ^ value.z ^ value.w;
    }
    if (sum == 0x12345678u)
        *sink = sum;
}

// ---- holding the stream back until the whole call is queued, so that the host's launch gaps do not count

struct Hold // in host memory that the device sees
{
    unsigned running, release, timedOut, padding;
    u64 beginClock, beginNs, endClock, endNs;
    unsigned multiprocessor, ended;
};

__device__ u64 globalNs()
{
    u64 value;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(value));
    return value;
}

__device__ unsigned multiprocessorId()
{
    unsigned value;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(value));
    return value;
}

__device__ void stampBegin(volatile Hold *hold)
{
    hold->multiprocessor = multiprocessorId();
    hold->beginNs = globalNs();
    hold->beginClock = clock64();
}

struct Gate // in device memory
{
    unsigned arrived, open, multiprocessor, stamped;
};

// Takes every thread slot of the device: work that a launcher puts on another stream cannot run meanwhile, when no event
// has been recorded yet, and so escape the clock.
__global__ void __launch_bounds__(holdThreads, 4) holdBack(volatile Hold *hold, Gate *gate, unsigned ticket, u64 limitNs)
{
    if (threadIdx.x == 0) {
        const bool leads = blockIdx.x == 0;
        const u64 begin = globalNs();
        if (leads) {
            stampBegin(hold);
            gate->multiprocessor = hold->multiprocessor;
            __threadfence();
        }
        if (atomicAdd(&gate->arrived, 1u) + 1 == gridDim.x) {
            hold->running = ticket;
            __threadfence_system();
        }
        volatile unsigned *open = &gate->open;
        while (*open == 0) {
            const bool late = globalNs() - begin > limitNs;
            if (leads && (late || hold->release == ticket)) {
                if (late)
                    hold->timedOut = ticket;
                *open = 1;
                __threadfence();
                break;
            }
            if (globalNs() - begin > 2 * limitNs)
                break;
            __nanosleep(leads ? 50 : 200);
        }
    }
    __syncthreads();
}

__global__ void stampOnly(volatile Hold *hold, Gate *gate)
{
    stampBegin(hold);
    gate->multiprocessor = hold->multiprocessor;
}

__global__ void __launch_bounds__(holdThreads, 4) stampEnd(volatile Hold *hold, Gate *gate)
{
    if (threadIdx.x != 0 || multiprocessorId() != gate->multiprocessor || atomicExch(&gate->stamped, 1u) != 0)
        return;
    hold->endNs = globalNs();
    hold->endClock = clock64();
    hold->ended = 1;
}

// ---- the trial

struct Place
{
    unsigned char *data = nullptr, *snapshot = nullptr;
    u64 bytes = 0, behindBytes = 0;
};

u64 roundUp(u64 value, u64 unit)
{
    return (value + unit - 1) / unit * unit;
}

u64 sizeOf(int dtype)
{
    switch (dtype) {
    case Float64:
    case Int64:
        return 8;
    case Float32:
    case Int32:
        return 4;
    case Int16:
    case Float16:
    case BFloat16:
        return 2;
    default:
        return 1;
    }
}

bool isFloating(int dtype)
{
    return dtype == Float64 || dtype == Float32 || dtype >= Float16;
}

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
            fillBuffer(buffer, order.rules[i], place.data, m_stream);
            if (!buffer.isOutput)
                digest<<<blocksFor(place.bytes / 8), blockThreads, 0, m_stream>>>(place.data, place.bytes, order.guardKey,
                                                                                &m_traces[first + i].digestBefore);
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
        check(cudaStreamSetAttribute(m_stream, cudaStreamAttributeAccessPolicyWindow, &value), "cudaStreamSetAttribute");
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

// ---- the probe

template <typename Launch>
double Device::secondsOf(int repeats, Launch launch)
{
    double best = 1e30;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        check(cudaEventRecord(m_start, m_stream), "cudaEventRecord");
        launch();
        check(cudaEventRecord(m_end, m_stream), "cudaEventRecord");
        check(cudaGetLastError(), "the probe");
        check(cudaEventSynchronize(m_end), "the probe");
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, m_start, m_end), "cudaEventElapsedTime");
        best = std::fmin(best, double(milliseconds) * 1e-3);
    }
    return best;
}

__global__ void readMany(const uint4 *data, u64 count, int rounds, unsigned *sink)
{
    unsigned sum = 0;
    const u64 stride = u64(gridDim.x) * blockDim.x;
    for (int round = 0; round < rounds; ++round) {
        u64 i = blockIdx.x * u64(blockDim.x) + threadIdx.x;
        for (; i + 3 * stride < count; i += 4 * stride) { // four loads in flight
            const uint4 a = __ldcg(data + i), b = __ldcg(data + i + stride), c = __ldcg(data + i + 2 * stride),
                        d = __ldcg(data + i + 3 * stride);
            sum += (a.x ^ a.y ^ a.z ^ a.w) + (b.x ^ b.y ^ b.z ^ b.w) + (c.x ^ c.y ^ c.z ^ c.w) + (d.x ^ d.y ^ d.z ^ d.w);
        }
        for (; i < count; i += stride)
            sum += __ldcg(data + i).x;
    }
    if (sum == 0x12345678u)
        *sink = sum;
}

__global__ void copyAll(const uint4 *from, uint4 *to, u64 count)
{
    for (u64 i = blockIdx.x * u64(blockDim.x) + threadIdx.x; i < count; i += u64(gridDim.x) * blockDim.x)
        to[i] = from[i];
}

template <typename T>
__global__ void multiplyAdd(T *sink, int rounds)
{
    T sums[8];
    for (int i = 0; i < 8; ++i)
        sums[i] = T(threadIdx.x + i);
    const T factor = T(0.999), term = T(1e-3);
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int i = 0; i < 8; ++i)
            sums[i] = sums[i] * factor + term;
    }
    T total = T(0);
    for (int i = 0; i < 8; ++i)
        total += sums[i];
    if (total == T(12345))
        *sink = total;
}

enum TensorKind { TensorHalf, TensorBFloat, TensorTf32, TensorInt8 };

template <int Kind>
__device__ void tensorStep(unsigned (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2])
{
#if __CUDA_ARCH__ >= 800
    if (Kind == TensorHalf)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                     : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    if (Kind == TensorBFloat)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                     : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    if (Kind == TensorTf32)
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                     : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    if (Kind == TensorInt8)
        asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                     : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

template <int Kind>
__global__ void tensorMany(unsigned *sink, int rounds)
{
    unsigned sums[4][4] = {};
    const unsigned a[4] = {0x3c003c00u + threadIdx.x, 0x3c003c01u, 0x3c003c02u, 0x3c003c03u};
    const unsigned b[2] = {0x3c003c00u, 0x3c003c04u + threadIdx.x};
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            tensorStep<Kind>(sums[i], a, b);
    }
    unsigned total = 0;
    for (int i = 0; i < 4; ++i)
        total ^= sums[i][0] ^ sums[i][1] ^ sums[i][2] ^ sums[i][3];
    if (total == 0x12345678u)
        *sink = total;
}

__global__ void nothing() {}

class Scratch
{
public:
    explicit Scratch(u64 bytes) { check(cudaMalloc(&m_data, bytes), "memory for the probe"); }
    ~Scratch() { cudaFree(m_data); }
    uint4 *get() const { return static_cast<uint4 *>(m_data); }

private:
    void *m_data = nullptr;
};

double Device::bandwidth(const std::string &what)
{
    const u64 large = roundUp(8 * u64(m_cacheBytes) < (u64(512) << 20) ? u64(512) << 20 : 8 * u64(m_cacheBytes), 1 << 20);
    const unsigned blocks = unsigned(m_multiprocessors * 16);
    if (what == "l2") {
        const u64 bytes = roundUp(u64(m_cacheBytes) / 4, 1 << 16);
        const Scratch data(bytes);
        check(cudaMemsetAsync(data.get(), 1, bytes, m_stream), "cudaMemset");
        return 64 * double(bytes) / secondsOf(5, [&] {
                   readMany<<<blocks, blockThreads, 0, m_stream>>>(data.get(), bytes / 16, 64, m_sink);
               });
    }
    const Scratch from(large), to(what == "read" || what == "write" ? 16 : large);
    check(cudaMemsetAsync(from.get(), 1, large, m_stream), "cudaMemset");
    if (what == "read")
        return double(large) / secondsOf(7, [&] {
                   readMany<<<blocks, blockThreads, 0, m_stream>>>(from.get(), large / 16, 1, m_sink);
               });
    if (what == "write")
        return double(large) /
               secondsOf(7, [&] { writeAll<<<blocks, blockThreads, 0, m_stream>>>(from.get(), large / 16, 7); });
    if (what == "copy")
        return 2 * double(large) /
               secondsOf(7, [&] { copyAll<<<blocks, blockThreads, 0, m_stream>>>(from.get(), to.get(), large / 16); });
    return 2 * double(large) / secondsOf(7, [&] {
               cudaMemcpyAsync(to.get(), from.get(), large, cudaMemcpyDeviceToDevice, m_stream);
           });
}

double Device::arithmetic(const std::string &what)
{
    constexpr int rounds = 4096, threads = 256;
    const unsigned blocks = unsigned(m_multiprocessors * 8);
    const double lanes = double(blocks) * threads;
    const Scratch sink(64);
    void *out = sink.get();
    const auto scalar = [&](auto launch, double perRound) { return lanes * rounds * perRound / secondsOf(4, launch); };
    if (what == "fp32")
        return scalar([&] { multiplyAdd<float><<<blocks, threads, 0, m_stream>>>(static_cast<float *>(out), rounds); }, 16);
    if (what == "fp64")
        return scalar([&] { multiplyAdd<double><<<blocks, threads, 0, m_stream>>>(static_cast<double *>(out), rounds); }, 16);
    const double warps = lanes / 32;
    const auto tensor = [&](auto launch, double perStep) { return warps * rounds * 4 * perStep / secondsOf(4, launch); };
    auto *words = static_cast<unsigned *>(out);
    if (what == "tensor_fp16")
        return tensor([&] { tensorMany<TensorHalf><<<blocks, threads, 0, m_stream>>>(words, rounds); }, 2.0 * 16 * 8 * 16);
    if (what == "tensor_bf16")
        return tensor([&] { tensorMany<TensorBFloat><<<blocks, threads, 0, m_stream>>>(words, rounds); }, 2.0 * 16 * 8 * 16);
    if (what == "tensor_tf32")
        return tensor([&] { tensorMany<TensorTf32><<<blocks, threads, 0, m_stream>>>(words, rounds); }, 2.0 * 16 * 8 * 8);
    return tensor([&] { tensorMany<TensorInt8><<<blocks, threads, 0, m_stream>>>(words, rounds); }, 2.0 * 16 * 8 * 32);
}

double Device::latency(const std::string &what)
{
    if (what == "null" || what == "empty") { // what an empty kernel takes between the events; the events alone
        double best = 1e30;
        for (int i = 0; i < 20; ++i) {
            check(cudaMemsetAsync(m_gate, 0, sizeof(Gate), m_stream), "cudaMemset");
            check(cudaStreamSynchronize(m_stream), "the probe");
            beginHold();
            check(cudaEventRecord(m_start, m_stream), "cudaEventRecord");
            if (what == "null")
                nothing<<<1, 1, 0, m_stream>>>();
            check(cudaEventRecord(m_end, m_stream), "cudaEventRecord");
            endHold();
            check(cudaEventSynchronize(m_end), "the probe");
            float milliseconds = 0;
            check(cudaEventElapsedTime(&milliseconds, m_start, m_end), "cudaEventElapsedTime");
            best = std::fmin(best, double(milliseconds) * 1e-3);
        }
        return best;
    }
    if (what == "launch") { // the host's time for a launch
        const i64 begin = now();
        for (int i = 0; i < 500; ++i)
            nothing<<<1, 1, 0, m_stream>>>();
        const double seconds = double(now() - begin) * 1e-9 / 500;
        check(cudaDeviceSynchronize(), "the probe");
        return seconds;
    }
    // the smallest step between two distinct event times
    double smallest = 1, last = -1;
    for (int i = 0; i < 200; ++i) {
        const double seconds = secondsOf(1, [&] { nothing<<<1, 1, 0, m_stream>>>(); });
        if (last >= 0 && std::fabs(seconds - last) > 1e-12)
            smallest = std::fmin(smallest, std::fabs(seconds - last));
        last = seconds;
    }
    return smallest;
}

// Reading an array of a quarter of the cache's size: warm over flushed. Where the flush works this is well above 1.
double Device::flushRatio()
{
    const u64 bytes = roundUp(u64(m_cacheBytes) / 4, 4096); // a far part of a large cache is no faster than memory
    const Scratch data(bytes), flush(2 * u64(m_cacheBytes));
    const auto read = [&] {
        readMany<<<unsigned(m_multiprocessors * 8), blockThreads, 0, m_stream>>>(data.get(), bytes / 16, 1, m_sink);
    };
    check(cudaMemsetAsync(data.get(), 1, bytes, m_stream), "cudaMemset");
    read();
    const double warm = secondsOf(7, read);
    double cold = 1e30;
    for (int i = 0; i < 5; ++i) {
        writeAll<<<m_blocks, blockThreads, 0, m_stream>>>(flush.get(), u64(m_cacheBytes) / 8, 3);
        readAll<<<m_blocks, blockThreads, 0, m_stream>>>(flush.get(), u64(m_cacheBytes) / 8, m_sink);
        cold = std::fmin(cold, secondsOf(1, read));
    }
    return cold / warm;
}

double Device::measure(const std::string &what)
{
    if (what == "read" || what == "write" || what == "copy" || what == "memcpy" || what == "l2")
        return bandwidth(what);
    if (what == "flush_ratio")
        return flushRatio();
    if (what == "memory_peak")
        return m_memoryPeak;
    if (what == "null" || what == "empty" || what == "launch" || what == "step")
        return latency(what);
    return arithmetic(what);
}

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
