// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/compare.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace ako::eval {

namespace {

// Below this many elements the rms of an error is chance, and only the elementwise tolerance speaks.
constexpr std::size_t budgetMinimum = 32;

struct Bounds
{
    double relative = 0, absolute = 0;
};

double rmsOfFinite(const std::vector<double> &values)
{
    double sum = 0;
    std::size_t count = 0;
    for (const double value : values) {
        if (std::isfinite(value)) {
            sum += value * value;
            ++count;
        }
    }
    return count == 0 ? 0 : std::sqrt(sum / double(count));
}

double defaultFactor(DType dtype)
{
    switch (dtype) {
    case DType::Float64:
        return 1e-12;
    case DType::Float16:
        return 2e-3;
    case DType::BFloat16:
        return 1.6e-2;
    case DType::Float8E4M3:
    case DType::Float8E5M2:
        return 2 * unitRoundoff(dtype);
    default:
        return 1e-5;
    }
}

Bounds boundsFor(const GoldenOutput &golden, const Tolerance &tolerance, double rms)
{
    Bounds bounds;
    bounds.relative = tolerance.rtol.value_or(defaultFactor(golden.dtype));
    if (tolerance.atol || tolerance.atolRms) {
        bounds.absolute = tolerance.atol.value_or(0) + tolerance.atolRms.value_or(0) * rms;
    } else {
        // Nobody fixed a tolerance: what the reference itself loses is allowed several times over.
        bounds.absolute = std::max(defaultFactor(golden.dtype) * rms, 4 * golden.referenceMax);
    }
    return bounds;
}

std::vector<std::int64_t> unravel(std::size_t index, const std::vector<std::int64_t> &shape)
{
    std::vector<std::int64_t> result(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        result[axis] = std::int64_t(index) % shape[axis];
        index /= static_cast<std::size_t>(shape[axis]);
    }
    return result;
}

// Counts bad elements, overall and by row of the last axis.
class BadCounter
{
public:
    BadCounter(const GoldenOutput &golden, std::size_t count)
        : m_golden(golden)
        , m_count(count)
        , m_rowLength(golden.shape.empty() ? 1 : static_cast<std::size_t>(golden.shape.back()))
    {
    }

    // Every element in order.
    void add(std::size_t index, bool bad, double got, double expected)
    {
        if (m_column == m_rowLength)
            m_column = 0, m_rowBad = 0;
        ++m_column;
        if (!bad)
            return;
        if (m_bad++ == 0)
            m_first = FirstBad{m_golden.name, unravel(index, m_golden.shape), got, expected};
        if (++m_rowBad > m_worst.bad)
            m_worst = {m_golden.name, std::int64_t(index / m_rowLength), m_rowBad};
    }

    void finish(Comparison &comparison, double neededRatio) const
    {
        comparison.matchedRatio = m_count == 0 ? 1 : 1 - double(m_bad) / double(m_count);
        const bool wholeRow = m_rowLength > 1 && m_worst.bad == std::int64_t(m_rowLength);
        comparison.pass = comparison.matchedRatio >= neededRatio && !wholeRow;
        comparison.firstBad = m_first;
        if (m_bad > 0)
            comparison.worstRow = m_worst;
    }

private:
    const GoldenOutput &m_golden;
    std::size_t m_count, m_rowLength, m_bad = 0, m_column = 0;
    std::int64_t m_rowBad = 0;
    std::optional<FirstBad> m_first;
    WorstRow m_worst;
};

Comparison compareExact(const GoldenOutput &golden, const void *data, double neededRatio)
{
    Comparison comparison;
    const std::size_t size = sizeOf(golden.dtype), count = golden.exact.size() / size;
    BadCounter counter(golden, count);
    for (std::size_t i = 0; i < count; ++i) {
        const bool bad =
            std::memcmp(golden.exact.data() + i * size, static_cast<const unsigned char *>(data) + i * size, size) != 0;
        const double got = bad ? elementAsDouble(golden.dtype, data, i) : 0,
                     expected = bad ? elementAsDouble(golden.dtype, golden.exact.data(), i) : 0;
        counter.add(i, bad, got, expected);
        comparison.maxAbs = std::max(comparison.maxAbs, std::abs(got - expected));
    }
    counter.finish(comparison, neededRatio);
    return comparison;
}

// Running sums of a floating comparison.
struct Sums
{
    double squaredError = 0, goldenSquared = 0, gotSquared = 0, product = 0;
    std::size_t finite = 0;

    void add(double got, double expected)
    {
        squaredError += (got - expected) * (got - expected);
        goldenSquared += expected * expected;
        gotSquared += got * got;
        product += got * expected;
        ++finite;
    }
    double rmsError() const { return finite == 0 ? 0 : std::sqrt(squaredError / double(finite)); }
    double cosine() const
    {
        const double scale = std::sqrt(goldenSquared) * std::sqrt(gotSquared);
        return scale > 0 ? product / scale : (goldenSquared == gotSquared ? 1 : 0);
    }
};

bool sameClass(double got, double expected)
{
    if (std::isnan(expected))
        return std::isnan(got);
    return got == expected; // infinities of one sign
}

// A golden beyond the range of the output's type is an infinity there.
double inRangeOf(double value, DType dtype)
{
    return dtype == DType::Float64 ? value : roundedTo(dtype, value);
}

Comparison compareFloating(const GoldenOutput &golden, const void *data, const Tolerance &tolerance)
{
    Comparison comparison;
    const double rms = rmsOfFinite(golden.values);
    const Bounds bounds = boundsFor(golden, tolerance, rms);
    BadCounter counter(golden, golden.values.size());
    Sums sums;
    double ulpMax = 0;
    const double surelyFinite = largestOf(golden.dtype); // rounds to a finite number without looking closer
    for (std::size_t i = 0; i < golden.values.size(); ++i) {
        const double expected = golden.values[i], got = elementAsDouble(golden.dtype, data, i);
        const bool finiteExpected =
            std::abs(expected) <= surelyFinite || std::isfinite(inRangeOf(expected, golden.dtype));
        if (!finiteExpected || !std::isfinite(got)) {
            counter.add(i, finiteExpected || !sameClass(got, inRangeOf(expected, golden.dtype)), got, expected);
            continue;
        }
        const double difference = std::abs(got - expected);
        counter.add(i, !(difference <= bounds.absolute + bounds.relative * std::abs(expected)), got, expected);
        sums.add(got, expected);
        comparison.maxAbs = std::max(comparison.maxAbs, difference);
        if (expected != 0)
            comparison.maxRel = std::max(comparison.maxRel, difference / std::abs(expected));
        if (difference > 0)
            ulpMax = std::max(ulpMax, difference / stepAt(golden.dtype, expected));
    }
    counter.finish(comparison, tolerance.matchedRatio);
    comparison.ulpMax = ulpMax;
    comparison.cosine = sums.cosine();
    comparison.rmsError = sums.rmsError();
    const double base = std::max(golden.referenceRms, unitRoundoff(golden.dtype) * rms);
    comparison.rmsRatio =
        base > 0 ? comparison.rmsError / base : (comparison.rmsError > 0 ? std::numeric_limits<double>::infinity() : 0);
    comparison.precisionLost = comparison.pass && golden.hasGolden && sums.finite >= budgetMinimum &&
                               !(comparison.rmsError <= tolerance.rmsFactor * base);
    comparison.pass = comparison.pass && !comparison.precisionLost;
    return comparison;
}

} // namespace

Comparison compareOutput(const GoldenOutput &golden, const void *data, const Tolerance &tolerance)
{
    return isFloating(golden.dtype) ? compareFloating(golden, data, tolerance)
                                    : compareExact(golden, data, tolerance.matchedRatio);
}

Comparison rateReference(GoldenOutput &golden, const void *reference, const Tolerance &tolerance)
{
    if (!isFloating(golden.dtype) || !golden.hasGolden)
        return {};
    golden.referenceRms = golden.referenceMax = 0;
    Comparison own = compareFloating(golden, reference, tolerance);
    golden.referenceRms = own.rmsError;
    golden.referenceMax = own.maxAbs;
    own = compareFloating(golden, reference, tolerance); // now with its own error as the budget
    return own;
}

bool allFinite(const GoldenOutput &golden)
{
    const double surelyFinite = largestOf(golden.dtype);
    return std::all_of(golden.values.begin(), golden.values.end(), [&](double value) {
        return std::abs(value) <= surelyFinite || std::isfinite(inRangeOf(value, golden.dtype));
    });
}

} // namespace ako::eval
