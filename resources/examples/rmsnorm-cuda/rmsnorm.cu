// SPDX-License-Identifier: GPL-3.0-or-later
// y = x / sqrt(mean(x * x) + epsilon) * weight along each row of a row-major rows x cols matrix of bfloat16, computed
// in float; one block works on one row.
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

constexpr int BLOCK = 256; // ako: tune 64,128,256,512,1024

namespace {

constexpr int WARP = 32;

// The sum over all threads of the block, the same in each.
__device__ float sumOverBlock(float value)
{
    __shared__ float parts[BLOCK / WARP];
    for (int offset = WARP / 2; offset > 0; offset /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    if (threadIdx.x % WARP == 0)
        parts[threadIdx.x / WARP] = value;
    __syncthreads();
    float sum = 0.0f;
    for (int warp = 0; warp < BLOCK / WARP; ++warp)
        sum += parts[warp];
    return sum;
}

__global__ void rmsnormKernel(const __nv_bfloat16 *x, const __nv_bfloat16 *weight, __nv_bfloat16 *y, std::int64_t cols,
                              float epsilon)
{
    const __nv_bfloat16 *in = x + blockIdx.x * cols;
    __nv_bfloat16 *out = y + blockIdx.x * cols;

    float squares = 0.0f;
    for (std::int64_t col = threadIdx.x; col < cols; col += BLOCK) {
        const float value = __bfloat162float(in[col]);
        squares += value * value;
    }
    const float scale = rsqrtf(sumOverBlock(squares) / float(cols) + epsilon);

    for (std::int64_t col = threadIdx.x; col < cols; col += BLOCK)
        out[col] = __float2bfloat16(__bfloat162float(in[col]) * scale * __bfloat162float(weight[col]));
}

} // namespace

extern "C" void rmsnorm_run(const __nv_bfloat16 *x, const __nv_bfloat16 *weight, __nv_bfloat16 *y, std::int64_t rows,
                            std::int64_t cols, float epsilon, cudaStream_t stream)
{
    rmsnormKernel<<<static_cast<unsigned>(rows), BLOCK, 0, stream>>>(x, weight, y, cols, epsilon);
}
