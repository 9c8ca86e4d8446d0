// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps its input in a part of the cache that it sets aside.
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
    cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 16 << 20);
    cudaStreamAttrValue value = {};
    value.accessPolicyWindow.base_ptr = const_cast<float *>(x);
    value.accessPolicyWindow.num_bytes = 8 << 20;
    value.accessPolicyWindow.hitRatio = 1;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value);
    work<<<unsigned((n + 255) / 256), 256, 0, stream>>>(x, y, n);
}
