// SPDX-License-Identifier: GPL-3.0-or-later
// Row softmax as plainly as possible, once in double and once with long double inside as the golden answer.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace {

// Reads and writes double; everything between is done in T.
template <typename T>
void softmax(const double *x, double *y, std::int64_t rows, std::int64_t cols, double scale)
{
    std::vector<T> values(static_cast<std::size_t>(cols));
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t col = 0; col < cols; ++col)
            values[col] = T(x[row * cols + col]) * T(scale);
        const T largest = *std::max_element(values.begin(), values.end());
        T sum = T(0);
        for (T &value : values) {
            value = std::exp(value - largest);
            sum += value;
        }
        for (std::int64_t col = 0; col < cols; ++col)
            y[row * cols + col] = double(values[col] / sum);
    }
}

} // namespace

extern "C" void softmax_run(const double *x, double *y, std::int64_t rows, std::int64_t cols, double scale)
{
    softmax<double>(x, y, rows, cols, scale);
}

extern "C" void softmax_golden(const double *x, double *y, std::int64_t rows, std::int64_t cols, double scale)
{
    softmax<long double>(x, y, rows, cols, scale);
}
