// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Part of the device library (device.cu).
// Traces: guards around each buffer, digests of the inputs, writes after the snapshot.
#include "devicefill.cuh"

namespace {

constexpr u64 guardBytes = 4096, nanBytes = 1024;

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

} // namespace
