// SPDX-License-Identifier: GPL-3.0-or-later
// C = A * B for row-major single-precision matrices: A is m x k, B is k x n, C is m x n.
#include <algorithm>
#include <cstdint>

// Tile sizes: three 16 x 16 tiles of float are 3 KiB and stay in the first-level cache.
constexpr std::int64_t TILE_M = 16;
constexpr std::int64_t TILE_N = 16;
constexpr std::int64_t TILE_K = 16;

extern "C" void matmul_run(const float *a, const float *b, float *c, std::int64_t m, std::int64_t n, std::int64_t k)
{
    for (std::int64_t i = 0; i < m * n; ++i)
        c[i] = 0.0f;

    for (std::int64_t i0 = 0; i0 < m; i0 += TILE_M) {
        for (std::int64_t j0 = 0; j0 < n; j0 += TILE_N) {
            for (std::int64_t k0 = 0; k0 < k; k0 += TILE_K) {
                const std::int64_t iEnd = std::min(i0 + TILE_M, m);
                const std::int64_t jEnd = std::min(j0 + TILE_N, n);
                const std::int64_t kEnd = std::min(k0 + TILE_K, k);
                // One tile of C gets the product of a tile of A and a tile of B.
                for (std::int64_t i = i0; i < iEnd; ++i) {
                    for (std::int64_t j = j0; j < jEnd; ++j) {
                        for (std::int64_t p = k0; p < kEnd; ++p)
                            c[i * n + j] += a[i * k + p] * b[p * n + j];
                    }
                }
            }
        }
    }
}
