// SPDX-License-Identifier: GPL-3.0-or-later
// The matrix product as plainly as possible, once at working precision and once in double as the golden answer.
#include <cstdint>

namespace {

template <typename T>
void multiply(const T *a, const T *b, T *c, std::int64_t m, std::int64_t n, std::int64_t k)
{
    for (std::int64_t i = 0; i < m; ++i) {
        for (std::int64_t j = 0; j < n; ++j)
            c[i * n + j] = T(0);
        for (std::int64_t p = 0; p < k; ++p) {
            for (std::int64_t j = 0; j < n; ++j)
                c[i * n + j] += a[i * k + p] * b[p * n + j];
        }
    }
}

} // namespace

extern "C" void matmul_run(const float *a, const float *b, float *c, std::int64_t m, std::int64_t n, std::int64_t k)
{
    multiply(a, b, c, m, n, k);
}

extern "C" void matmul_golden(const double *a, const double *b, double *c, std::int64_t m, std::int64_t n,
                              std::int64_t k)
{
    multiply(a, b, c, m, n, k);
}
