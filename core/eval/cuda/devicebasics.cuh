// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Part of the device library (device.cu): its types, errors and clock.
#include "deviceapi.h"

#include <cuda_runtime.h>

#include <ctime>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

// As in dtype.h and problem.h; checked by static_assert in cudatrial.cpp.
enum DType { Float64, Float32, Int64, Int32, Int16, Int8, UInt8, Bool, Float16, BFloat16, Float8E4M3, Float8E5M2 };
enum Distribution { Normal, Uniform, SignedUniform, Constant, Tiny, Large, Sparse, OneHot, Sorted, Denormals };

using u64 = unsigned long long;
using i64 = long long;

constexpr int blockThreads = 256;

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

} // namespace
