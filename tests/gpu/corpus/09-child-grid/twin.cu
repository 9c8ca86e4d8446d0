// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel starts another one as its tail.
#include <cstdint>
#include <cuda_runtime.h>

__global__ void work(const float *x, float *y, std::int64_t n)
{
    const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2 * x[i] + 1;
}

__global__ void start(const float *x, float *y, std::int64_t n)
{
    work<<<unsigned((n + 255) / 256), 256, 0, cudaStreamTailLaunch>>>(x, y, n);
}

extern "C" void affine(const float *x, float *y, std::int64_t rows, std::int64_t cols, cudaStream_t stream)
{
    start<<<1, 1, 0, stream>>>(x, y, rows * cols);
}
