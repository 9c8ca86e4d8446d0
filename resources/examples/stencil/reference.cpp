// SPDX-License-Identifier: GPL-3.0-or-later
// The stencil as plainly as possible, once at working precision and once in double as the golden answer.
#include <cstdint>

namespace {

template <typename T>
void stencil(const T *in, const T *weights, T *out, std::int64_t height, std::int64_t width)
{
    for (std::int64_t y = 0; y < height; ++y) {
        for (std::int64_t x = 0; x < width; ++x) {
            T sum = T(0);
            for (std::int64_t dy = 0; dy < 5; ++dy) {
                for (std::int64_t dx = 0; dx < 5; ++dx)
                    sum += weights[dy * 5 + dx] * in[(y + dy) * (width + 4) + x + dx];
            }
            out[y * width + x] = sum;
        }
    }
}

} // namespace

extern "C" void stencil_run(const float *in, const float *weights, float *out, std::int64_t height, std::int64_t width)
{
    stencil(in, weights, out, height, width);
}

extern "C" void stencil_golden(const double *in, const double *weights, double *out, std::int64_t height,
                               std::int64_t width)
{
    stencil(in, weights, out, height, width);
}
