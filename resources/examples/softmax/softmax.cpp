// SPDX-License-Identifier: GPL-3.0-or-later
// y = softmax(scale * x) along each row of a row-major rows x cols matrix.
#include <cmath>
#include <cstdint>

extern "C" void softmax_run(const double *x, double *y, std::int64_t rows, std::int64_t cols, double scale)
{
    for (std::int64_t row = 0; row < rows; ++row) {
        const double *in = x + row * cols;
        double *out = y + row * cols;

        // The largest element is subtracted so that std::exp() cannot overflow.
        double largest = in[0] * scale;
        for (std::int64_t col = 1; col < cols; ++col)
            largest = std::fmax(largest, in[col] * scale);

        double sum = 0.0;
        for (std::int64_t col = 0; col < cols; ++col) {
            out[col] = std::exp(in[col] * scale - largest);
            sum += out[col];
        }

        for (std::int64_t col = 0; col < cols; ++col)
            out[col] /= sum;
    }
}
