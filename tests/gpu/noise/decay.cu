// SPDX-License-Identifier: GPL-3.0-or-later
// y = x, then often y = 0.9999 y + 0.0001. EXTRA more steps of the same cost change nothing but the time.
#include <cstdint>
#include <cuda_runtime.h>

#ifndef EXTRA
#define EXTRA 0
#endif

template <typename T>
__global__ void decayKernel(const T *x, T *y, std::int64_t n, std::int64_t steps, std::int64_t extra)
{
    const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    T value = x[i];
    for (std::int64_t step = 0; step < steps; ++step)
        value = T(0.9999) * value + T(0.0001);
    T idle = value;
    for (std::int64_t step = 0; step < extra; ++step)
        idle = T(0.9999) * idle + T(0.0001);
    y[i] = idle == T(-12345) ? idle : value; // never
}

template <typename T>
void start(const T *x, T *y, std::int64_t n, std::int64_t steps, std::int64_t extra, cudaStream_t stream)
{
    decayKernel<<<unsigned((n + 255) / 256), 256, 0, stream>>>(x, y, n, steps, extra);
}

extern "C" void decay(const float *x, float *y, std::int64_t n, std::int64_t steps, cudaStream_t stream)
{
    start(x, y, n, steps, steps * EXTRA / 1000, stream);
}

extern "C" void decay_golden(const double *x, double *y, std::int64_t n, std::int64_t steps, cudaStream_t stream)
{
    start(x, y, n, steps, std::int64_t(0), stream);
}
