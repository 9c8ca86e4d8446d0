// SPDX-License-Identifier: GPL-3.0-or-later
// Captures a graph for each set of buffers and replays it.
#include <cstdint>
#include <cuda_runtime.h>

__global__ void work(const float *x, float *y, std::int64_t n)
{
    const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2 * x[i] + 1;
}

#include <map>
#include <tuple>

extern "C" void affine(const float *x, float *y, std::int64_t rows, std::int64_t cols, cudaStream_t stream)
{
    static std::map<std::tuple<const float *, float *, std::int64_t>, cudaGraphExec_t> graphs;
    const std::int64_t n = rows * cols;
    cudaGraphExec_t &replay = graphs[{x, y, n}];
    if (!replay) {
        cudaStream_t own;
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
        cudaStreamBeginCapture(own, cudaStreamCaptureModeRelaxed);
        work<<<unsigned((n + 255) / 256), 256, 0, own>>>(x, y, n);
        cudaGraph_t graph = nullptr;
        cudaStreamEndCapture(own, &graph);
        cudaGraphInstantiate(&replay, graph, 0);
    }
    cudaGraphLaunch(replay, stream);
}
