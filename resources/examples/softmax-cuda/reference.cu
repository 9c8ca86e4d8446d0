// SPDX-License-Identifier: GPL-3.0-or-later
// Row softmax as plainly as possible, one warp a row: in float, and in double as the golden answer.
#include <cstdint>
#include <cuda_runtime.h>

namespace {

template <typename T>
__global__ void softmaxKernel(const T *x, T *y, std::int64_t rows, std::int64_t cols, T scale)
{
    const std::int64_t row = (std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
    const int lane = int(threadIdx.x % 32);
    if (row >= rows)
        return;
    const T *in = x + row * cols;
    T largest = in[0] * scale;
    for (std::int64_t col = lane; col < cols; col += 32)
        largest = max(largest, in[col] * scale);
    for (int offset = 16; offset > 0; offset /= 2)
        largest = max(largest, __shfl_xor_sync(0xffffffffu, largest, offset));
    T sum = 0;
    for (std::int64_t col = lane; col < cols; col += 32)
        sum += exp(in[col] * scale - largest);
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    for (std::int64_t col = lane; col < cols; col += 32)
        y[row * cols + col] = exp(in[col] * scale - largest) / sum;
}

template <typename T>
void start(const T *x, T *y, std::int64_t rows, std::int64_t cols, T scale, cudaStream_t stream)
{
    softmaxKernel<<<static_cast<unsigned>((rows + 7) / 8), 256, 0, stream>>>(x, y, rows, cols, scale);
}

} // namespace

extern "C" void softmax_run(const float *x, float *y, std::int64_t rows, std::int64_t cols, float scale,
                            cudaStream_t stream)
{
    start(x, y, rows, cols, scale, stream);
}

extern "C" void softmax_golden(const double *x, double *y, std::int64_t rows, std::int64_t cols, double scale,
                               cudaStream_t stream)
{
    start(x, y, rows, cols, scale, stream);
}
