// SPDX-License-Identifier: GPL-3.0-or-later
// As much of CUDA as clang needs to check a kernel's source where there is no toolkit: names and types, nothing that
// runs.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define INFINITY __builtin_inff()

using cudaStream_t = struct CUstream_st *;
using cudaError_t = int;

struct dim3
{
    unsigned x, y, z;
    __host__ __device__ dim3(unsigned first = 1, unsigned second = 1, unsigned third = 1)
        : x(first)
        , y(second)
        , z(third)
    {
    }
};
struct uint3
{
    unsigned x, y, z;
};
extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;

extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, unsigned long shared = 0,
                                                void *stream = nullptr);
extern "C" int cudaConfigureCall(dim3 grid, dim3 block, unsigned long shared = 0, cudaStream_t stream = nullptr);

__device__ float __shfl_xor_sync(unsigned mask, float value, int lanes);
__device__ void __syncthreads();
__device__ float fmaxf(float a, float b);
__device__ float expf(float value);
__device__ float rsqrtf(float value);
