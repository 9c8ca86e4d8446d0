// SPDX-License-Identifier: GPL-3.0-or-later
// y = softmax(scale * x) along each row of a row-major rows x cols matrix; one block works on one row.
#include <cstdint>
#include <cuda_runtime.h>

constexpr int BLOCK = 128; // ako: tune 64,128,256,512,1024

namespace {

struct Larger
{
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

struct Plus
{
    __device__ float operator()(float a, float b) const { return a + b; }
};

// The same result in all threads of the block.
template <typename Operation>
__device__ float overBlock(float value, Operation operation)
{
    __shared__ float parts[BLOCK];
    parts[threadIdx.x] = value;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            parts[threadIdx.x] = operation(parts[threadIdx.x], parts[threadIdx.x + half]);
        __syncthreads();
    }
    const float result = parts[0];
    __syncthreads();
    return result;
}

__global__ void softmaxKernel(const float *x, float *y, std::int64_t cols, float scale)
{
    const float *in = x + blockIdx.x * cols;
    float *out = y + blockIdx.x * cols;

    // The largest element is subtracted so that expf() cannot overflow.
    float largest = -INFINITY;
    for (std::int64_t col = threadIdx.x; col < cols; col += BLOCK)
        largest = fmaxf(largest, in[col] * scale);
    largest = overBlock(largest, Larger());

    float sum = 0.0f;
    for (std::int64_t col = threadIdx.x; col < cols; col += BLOCK)
        sum += expf(in[col] * scale - largest);
    sum = overBlock(sum, Plus());

    for (std::int64_t col = threadIdx.x; col < cols; col += BLOCK)
        out[col] = expf(in[col] * scale - largest) / sum;
}

} // namespace

extern "C" void softmax_run(const float *x, float *y, std::int64_t rows, std::int64_t cols, float scale,
                            cudaStream_t stream)
{
    softmaxKernel<<<static_cast<unsigned>(rows), BLOCK, 0, stream>>>(x, y, cols, scale);
}
