// SPDX-License-Identifier: GPL-3.0-or-later
// Never ends.
#include <cstdint>
#include <cuda_runtime.h>

__global__ void work(const float *x, float *y, std::int64_t n)
{
    const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2 * x[i] + 1;
}

__global__ void forever(const volatile float *x)
{
    while (x[0] < 1e30f) {}
}

extern "C" void affine(const float *x, float *y, std::int64_t rows, std::int64_t cols, cudaStream_t stream)
{
    const std::int64_t n = rows * cols;
    work<<<unsigned((n + 255) / 256), 256, 0, stream>>>(x, y, n);
    forever<<<1, 1, 0, stream>>>(x);
}
