// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Part of the device library (device.cu).
// Inputs: any element from key and index alone; random.h and inputs.cpp have the same functions for the CPU.
#include "devicebasics.cuh"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cmath>

namespace {

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
    return value <= double(fill.typeLow)    ? fill.typeLow
           : value >= double(fill.typeHigh) ? fill.typeHigh
                                            : llrint(value);
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

} // namespace
