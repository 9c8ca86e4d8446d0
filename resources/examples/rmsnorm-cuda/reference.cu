// SPDX-License-Identifier: GPL-3.0-or-later
// RMSNorm as plainly as possible, one warp a row: of bfloat16 in float, and in double as the golden answer.
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

namespace {

// Storage is what lies in memory, Value what is computed with.
template <typename Storage, typename Value>
__global__ void rmsnormKernel(const Storage *x, const Storage *weight, Storage *y, std::int64_t rows, std::int64_t cols,
                              Value epsilon)
{
    const std::int64_t row = (std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
    const int lane = int(threadIdx.x % 32);
    if (row >= rows)
        return;
    const Storage *in = x + row * cols;
    Value squares = 0;
    for (std::int64_t col = lane; col < cols; col += 32)
        squares += Value(in[col]) * Value(in[col]);
    for (int offset = 16; offset > 0; offset /= 2)
        squares += __shfl_xor_sync(0xffffffffu, squares, offset);
    const Value root = sqrt(squares / Value(cols) + epsilon);
    for (std::int64_t col = lane; col < cols; col += 32)
        y[row * cols + col] = Storage(Value(in[col]) / root * Value(weight[col]));
}

template <typename Storage, typename Value>
void start(const Storage *x, const Storage *weight, Storage *y, std::int64_t rows, std::int64_t cols, Value epsilon,
           cudaStream_t stream)
{
    rmsnormKernel<<<static_cast<unsigned>((rows + 7) / 8), 256, 0, stream>>>(x, weight, y, rows, cols, epsilon);
}

} // namespace

extern "C" void rmsnorm_run(const __nv_bfloat16 *x, const __nv_bfloat16 *weight, __nv_bfloat16 *y, std::int64_t rows,
                            std::int64_t cols, float epsilon, cudaStream_t stream)
{
    start(x, weight, y, rows, cols, epsilon, stream);
}

extern "C" void rmsnorm_golden(const double *x, const double *weight, double *y, std::int64_t rows, std::int64_t cols,
                               double epsilon, cudaStream_t stream)
{
    start(x, weight, y, rows, cols, epsilon, stream);
}
