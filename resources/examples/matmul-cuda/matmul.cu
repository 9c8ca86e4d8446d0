// SPDX-License-Identifier: GPL-3.0-or-later
// C = A * B in float, row-major: A is m x k, B is k x n. A block computes TILE_M x TILE_N elements of C from tiles of A
// and B in shared memory, a thread PART_M x PART_N of them in registers.
#include <cstdint>
#include <cuda_runtime.h>

constexpr int TILE_M = 64; // ako: tune 32,64,128
constexpr int TILE_N = 64; // ako: tune 32,64,128
constexpr int TILE_K = 16; // ako: tune 8,16,32
constexpr int PART_M = 4;  // ako: tune 2,4,8
constexpr int PART_N = 4;  // ako: tune 2,4,8

namespace {

constexpr int THREADS_M = TILE_M / PART_M, THREADS_N = TILE_N / PART_N;
constexpr int THREADS = THREADS_M * THREADS_N;
static_assert(THREADS_M * PART_M == TILE_M && THREADS_N * PART_N == TILE_N && THREADS <= 1024);

__global__ void matmulKernel(const float *a, const float *b, float *c, std::int64_t m, std::int64_t n, std::int64_t k)
{
    __shared__ float tileA[TILE_K][TILE_M + 1];
    __shared__ float tileB[TILE_K][TILE_N];

    const std::int64_t firstRow = std::int64_t(blockIdx.y) * TILE_M;
    const std::int64_t firstCol = std::int64_t(blockIdx.x) * TILE_N;
    const int threadRow = threadIdx.x / THREADS_N, threadCol = threadIdx.x % THREADS_N;
    float sums[PART_M][PART_N] = {};

    for (std::int64_t firstK = 0; firstK < k; firstK += TILE_K) {
        for (int index = threadIdx.x; index < TILE_M * TILE_K; index += THREADS) {
            const std::int64_t row = firstRow + index / TILE_K, inner = firstK + index % TILE_K;
            tileA[index % TILE_K][index / TILE_K] = row < m && inner < k ? a[row * k + inner] : 0.0f;
        }
        for (int index = threadIdx.x; index < TILE_K * TILE_N; index += THREADS) {
            const std::int64_t inner = firstK + index / TILE_N, col = firstCol + index % TILE_N;
            tileB[index / TILE_N][index % TILE_N] = inner < k && col < n ? b[inner * n + col] : 0.0f;
        }
        __syncthreads();
        for (int inner = 0; inner < TILE_K; ++inner) {
            float fromA[PART_M], fromB[PART_N];
            for (int i = 0; i < PART_M; ++i)
                fromA[i] = tileA[inner][threadRow + i * THREADS_M];
            for (int j = 0; j < PART_N; ++j)
                fromB[j] = tileB[inner][threadCol + j * THREADS_N];
            for (int i = 0; i < PART_M; ++i) {
                for (int j = 0; j < PART_N; ++j)
                    sums[i][j] += fromA[i] * fromB[j];
            }
        }
        __syncthreads();
    }

    for (int i = 0; i < PART_M; ++i) {
        for (int j = 0; j < PART_N; ++j) {
            const std::int64_t row = firstRow + threadRow + i * THREADS_M, col = firstCol + threadCol + j * THREADS_N;
            if (row < m && col < n)
                c[row * n + col] = sums[i][j];
        }
    }
}

} // namespace

extern "C" void matmul_run(const float *a, const float *b, float *c, std::int64_t m, std::int64_t n, std::int64_t k,
                           cudaStream_t stream)
{
    const dim3 grid(static_cast<unsigned>((n + TILE_N - 1) / TILE_N), static_cast<unsigned>((m + TILE_M - 1) / TILE_M));
    matmulKernel<<<grid, THREADS, 0, stream>>>(a, b, c, m, n, k);
}
