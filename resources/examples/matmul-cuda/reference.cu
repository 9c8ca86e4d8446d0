// SPDX-License-Identifier: GPL-3.0-or-later
// The matrix product as plainly as possible, one thread an element of C: in float, and in double as the golden answer.
#include <cstdint>
#include <cuda_runtime.h>

namespace {

template <typename T>
__global__ void matmulKernel(const T *a, const T *b, T *c, std::int64_t m, std::int64_t n, std::int64_t k)
{
    const std::int64_t row = std::int64_t(blockIdx.y) * blockDim.y + threadIdx.y;
    const std::int64_t col = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (row >= m || col >= n)
        return;
    T sum = 0;
    for (std::int64_t inner = 0; inner < k; ++inner)
        sum += a[row * k + inner] * b[inner * n + col];
    c[row * n + col] = sum;
}

template <typename T>
void start(const T *a, const T *b, T *c, std::int64_t m, std::int64_t n, std::int64_t k, cudaStream_t stream)
{
    const dim3 grid(static_cast<unsigned>((n + 31) / 32), static_cast<unsigned>((m + 7) / 8));
    matmulKernel<<<grid, dim3(32, 8), 0, stream>>>(a, b, c, m, n, k);
}

} // namespace

extern "C" void matmul_run(const float *a, const float *b, float *c, std::int64_t m, std::int64_t n, std::int64_t k,
                           cudaStream_t stream)
{
    start(a, b, c, m, n, k, stream);
}

extern "C" void matmul_golden(const double *a, const double *b, double *c, std::int64_t m, std::int64_t n,
                              std::int64_t k, cudaStream_t stream)
{
    start(a, b, c, m, n, k, stream);
}
