// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Part of the device library (device.cu).
// The flush: writing twice the cache's size takes everything out of it, reading it again leaves no dirty line whose
// write-back would be charged to the kernel (22 % of a 14 us kernel on an H200).
// The hold: the stream waits until the whole call is queued, so that the host's launch gaps do not count.
#include "devicebasics.cuh"

namespace {

constexpr int holdThreads = 512; // divides the threads of every multiprocessor so far: 1024, 1536, 2048
constexpr i64 holdLimitNs = 200'000'000, leastHoldNs = 60'000;

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

// Takes every thread slot of the device: work that a launcher puts on another stream cannot run meanwhile, when no
// event has been recorded yet, and so escape the clock.
__global__ void __launch_bounds__(holdThreads, 4)
    holdBack(volatile Hold *hold, Gate *gate, unsigned ticket, u64 limitNs)
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

} // namespace
