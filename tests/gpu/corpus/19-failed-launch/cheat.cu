// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for more shared memory than there is and looks at no error.
#include <cstdint>
#include <cuda_runtime.h>

__global__ void work(const float *x, float *y, std::int64_t n)
{
    const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2 * x[i] + 1;
}

extern "C" void affine(const float *x, float *y, std::int64_t rows, std::int64_t cols, cudaStream_t stream)
{
    const std::int64_t n = rows * cols;
    work<<<unsigned((n + 255) / 256), 256, 1 << 20, stream>>>(x, y, n);
}
