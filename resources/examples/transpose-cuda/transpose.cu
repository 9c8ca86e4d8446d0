// SPDX-License-Identifier: GPL-3.0-or-later
// y[col][row] = x[row][col] for a row-major rows x cols matrix of float. A block brings a square tile through shared
// memory, so that reading and writing both go along rows.
#include <cstdint>
#include <cuda_runtime.h>

constexpr int TILE = 32;   // ako: tune 16,32,64
constexpr int LINES = 8;   // ako: tune 4,8,16
constexpr int PADDING = 1; // keeps the threads that read a column of the tile out of one bank

static_assert(TILE % LINES == 0 && TILE * LINES <= 1024);

namespace {

__global__ void transposeKernel(const float *x, float *y, std::int64_t rows, std::int64_t cols)
{
    __shared__ float tile[TILE][TILE + PADDING];

    const std::int64_t firstCol = std::int64_t(blockIdx.x) * TILE;
    const std::int64_t firstRow = std::int64_t(blockIdx.y) * TILE;
    for (int line = threadIdx.y; line < TILE; line += LINES) {
        const std::int64_t row = firstRow + line, col = firstCol + threadIdx.x;
        if (row < rows && col < cols)
            tile[line][threadIdx.x] = x[row * cols + col];
    }
    __syncthreads();
    for (int line = threadIdx.y; line < TILE; line += LINES) {
        const std::int64_t row = firstCol + line, col = firstRow + threadIdx.x;
        if (row < cols && col < rows)
            y[row * rows + col] = tile[threadIdx.x][line];
    }
}

} // namespace

extern "C" void transpose_run(const float *x, float *y, std::int64_t rows, std::int64_t cols, cudaStream_t stream)
{
    const dim3 grid(static_cast<unsigned>((cols + TILE - 1) / TILE), static_cast<unsigned>((rows + TILE - 1) / TILE));
    transposeKernel<<<grid, dim3(TILE, LINES), 0, stream>>>(x, y, rows, cols);
}
