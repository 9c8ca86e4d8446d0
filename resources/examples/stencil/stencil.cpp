// SPDX-License-Identifier: GPL-3.0-or-later
// A 5 x 5 weighted stencil. The input has a border of RADIUS on each side, so that no output point needs a special case:
// in is (height + 2 * RADIUS) x (width + 2 * RADIUS), out is height x width, weights is 5 x 5; all row-major.
#include <algorithm>
#include <cstdint>

constexpr std::int64_t RADIUS = 2;
constexpr std::int64_t SPAN = 2 * RADIUS + 1;

// Points are visited in tiles so that the rows above and below are still in the cache.
#define TILE_Y 8
#define TILE_X 8

extern "C" void stencil_run(const float *in, const float *weights, float *out, std::int64_t height, std::int64_t width)
{
    const std::int64_t pitch = width + 2 * RADIUS;
    for (std::int64_t y0 = 0; y0 < height; y0 += TILE_Y) {
        for (std::int64_t x0 = 0; x0 < width; x0 += TILE_X) {
            const std::int64_t yEnd = std::min(y0 + TILE_Y, height);
            const std::int64_t xEnd = std::min(x0 + TILE_X, width);
            for (std::int64_t y = y0; y < yEnd; ++y) {
                for (std::int64_t x = x0; x < xEnd; ++x) {
                    float sum = 0.0f;
                    for (std::int64_t dy = 0; dy < SPAN; ++dy) {
                        for (std::int64_t dx = 0; dx < SPAN; ++dx)
                            sum += weights[dy * SPAN + dx] * in[(y + dy) * pitch + x + dx];
                    }
                    out[y * width + x] = sum;
                }
            }
        }
    }
}
