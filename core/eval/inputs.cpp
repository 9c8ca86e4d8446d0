// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/inputs.h"

#include "eval/storedinputs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace ako::eval {

namespace {

// Inverse of the normal distribution's cumulative function (P. J. Acklam's rational approximation, relative
// error 1.2e-9).
double inverseNormal(double p)
{
    constexpr std::array a{-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                           1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
    constexpr std::array b{-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02, 6.680131188771972e+01,
                           -1.328068155288572e+01};
    constexpr std::array c{-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                           -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
    constexpr std::array d{7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00};
    if (p > 0.5)
        return -inverseNormal(1 - p);
    if (p < 0.02425) {
        const double q = std::sqrt(-2 * std::log(p));
        return (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
               ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1);
    }
    const double q = p - 0.5, r = q * q;
    return (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
           (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
}

// Normal numbers by table and interpolation: about 1 ns each, so that fresh content for every timed call stays
// affordable.
constexpr std::size_t tableBits = 12;

const std::array<double, (1 << tableBits) + 1> &normalTable()
{
    static const auto table = [] {
        std::array<double, (1 << tableBits) + 1> values{};
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = inverseNormal(std::clamp(double(i) / double(1 << tableBits), 2e-5, 1 - 2e-5));
        return values;
    }();
    return table;
}

double normalAt(InputKey key, std::uint64_t index)
{
    const std::uint64_t bits = randomAt(key, index);
    const auto &table = normalTable();
    const std::size_t segment = bits >> (64 - tableBits);
    const double fraction = static_cast<double>((bits << tableBits) >> 12) * 0x1p-52;
    return table[segment] + fraction * (table[segment + 1] - table[segment]);
}

template <typename T, typename Function>
void fill(T *data, std::size_t count, Function function)
{
    for (std::size_t i = 0; i < count; ++i)
        data[i] = static_cast<T>(function(i));
}

double lowOf(const InputRule &rule)
{
    return rule.low.value_or(rule.distribution == Distribution::Sorted ? -1.0 : 0.0);
}

double highOf(const InputRule &rule)
{
    return rule.high.value_or(1.0);
}

// Elements at which a one-hot array is not zero: one per row.
bool isHot(const InputRequest &request, std::size_t index)
{
    const std::size_t row = index / request.rowLength;
    return index % request.rowLength == randomAt(request.key, row) % request.rowLength;
}

template <typename T>
void fillFloating(const InputRequest &request, T *data)
{
    const InputRule &rule = request.rule;
    const InputKey key = request.key;
    const double low = lowOf(rule), span = highOf(rule) - low;
    switch (rule.distribution) {
    case Distribution::Normal:
        return fill(data, request.count, [&](std::size_t i) { return rule.mean + rule.std * normalAt(key, i); });
    case Distribution::Uniform:
        return fill(data, request.count, [&](std::size_t i) { return low + span * unitAt(key, i); });
    case Distribution::SignedUniform:
        return fill(data, request.count, [&](std::size_t i) { return highOf(rule) * (2 * unitAt(key, i) - 1); });
    case Distribution::Constant:
        return fill(data, request.count, [&](std::size_t) { return rule.value; });
    case Distribution::Tiny:
        return fill(data, request.count, [&](std::size_t i) { return 1e-4 * rule.std * normalAt(key, i); });
    case Distribution::Large:
        return fill(data, request.count, [&](std::size_t i) { return 1e3 * rule.std * normalAt(key, i); });
    case Distribution::Sparse:
        return fill(data, request.count, [&](std::size_t i) {
            return unitAt(~key, i) < rule.density ? rule.mean + rule.std * normalAt(key, i) : 0.0;
        });
    case Distribution::OneHot:
        return fill(data, request.count, [&](std::size_t i) { return isHot(request, i) ? rule.value : 0.0; });
    case Distribution::Sorted:
        return fill(data, request.count,
                    [&](std::size_t i) { return low + span * (double(i) + unitAt(key, i)) / double(request.count); });
    case Distribution::Denormals:
        return fill(data, request.count, [&](std::size_t i) {
            return (2 * unitAt(key, i) - 1) * static_cast<double>(std::numeric_limits<T>::min());
        });
    case Distribution::Stored:
        return;
    }
}

struct IntegerRange
{
    std::int64_t low, high;                                                           // both included
    std::uint64_t size() const { return static_cast<std::uint64_t>(high - low) + 1; } // 0: all 2^64
};

template <typename T>
IntegerRange integerRange(const InputRule &rule)
{
    using Limits = std::numeric_limits<T>;
    const auto clamped = [](double value) {
        return value <= double(Limits::min())   ? std::int64_t(Limits::min())
               : value >= double(Limits::max()) ? std::int64_t(Limits::max())
                                                : static_cast<std::int64_t>(std::llround(value));
    };
    const bool wide = rule.distribution == Distribution::Large;
    const double fallback = wide ? double(Limits::max()) / 2 : 1024;
    IntegerRange range{clamped(rule.low.value_or(-fallback)), clamped(rule.high.value_or(fallback))};
    range.high = std::max(range.low, range.high);
    return range;
}

template <typename T>
void fillIntegers(const InputRequest &request, T *data)
{
    const InputRule &rule = request.rule;
    const InputKey key = request.key;
    const IntegerRange range = integerRange<T>(rule);
    const auto uniform = [&](std::size_t i) {
        const std::uint64_t size = range.size();
        return range.low + static_cast<std::int64_t>(size == 0 ? randomAt(key, i) : randomAt(key, i) % size);
    };
    switch (rule.distribution) {
    case Distribution::Constant:
        return fill(data, request.count,
                    [&](std::size_t) { return static_cast<std::int64_t>(std::llround(rule.value)); });
    case Distribution::Normal:
        return fill(data, request.count, [&](std::size_t i) {
            return std::clamp(static_cast<std::int64_t>(std::llround(rule.mean + rule.std * normalAt(key, i))),
                              std::int64_t(std::numeric_limits<T>::min()), std::int64_t(std::numeric_limits<T>::max()));
        });
    case Distribution::Sparse:
        return fill(data, request.count,
                    [&](std::size_t i) { return unitAt(~key, i) < rule.density ? uniform(i) : std::int64_t(0); });
    case Distribution::OneHot:
        return fill(data, request.count, [&](std::size_t i) {
            return isHot(request, i) ? static_cast<std::int64_t>(std::llround(rule.value)) : std::int64_t(0);
        });
    case Distribution::Sorted:
        return fill(data, request.count, [&](std::size_t i) {
            return range.low + static_cast<std::int64_t>(double(range.high - range.low) *
                                                         ((double(i) + unitAt(key, i)) / double(request.count)));
        });
    default:
        return fill(data, request.count, uniform);
    }
}

// The types that C++ does not have: as float, then rounded.
void fillSmall(const InputRequest &request, void *data)
{
    std::vector<float> values(request.count);
    InputRequest wide = request;
    wide.dtype = DType::Float32;
    fillInput(wide, values.data());
    for (std::size_t i = 0; i < values.size(); ++i)
        storeFloating(request.dtype, double(values[i]), data, i);
}

void fillBooleans(const InputRequest &request, bool *data)
{
    const InputRule &rule = request.rule;
    fill(data, request.count, [&](std::size_t i) {
        switch (rule.distribution) {
        case Distribution::Constant:
            return rule.value != 0;
        case Distribution::Sparse:
            return unitAt(request.key, i) < rule.density;
        case Distribution::OneHot:
            return isHot(request, i);
        case Distribution::Sorted:
            return i >= request.count / 2;
        default:
            return (randomAt(request.key, i) & 1) != 0;
        }
    });
}

const unsigned char *storedArray(const InputRequest &request)
{
    const unsigned char *stored = storedInput(request.rule.offset, request.count * sizeOf(request.dtype));
    if (!stored)
        throw std::runtime_error("an input from a file is not in memory");
    return stored;
}

// Keeps signs, zeros and the order of magnitude.
void fillJittered(const InputRequest &request, void *data)
{
    const unsigned char *stored = storedArray(request);
    for (std::size_t i = 0; i < request.count; ++i) {
        double value = elementAsDouble(request.dtype, stored, i) * (0.75 + 0.5 * unitAt(request.key, i));
        if (std::isfinite(elementAsDouble(request.dtype, stored, i)))
            value = std::clamp(value, -largestOf(request.dtype), largestOf(request.dtype));
        storeFloating(request.dtype, value, data, i);
    }
    if (request.nudge) {
        const std::size_t index = *request.nudge % request.count;
        storeFloating(request.dtype, elementAsDouble(request.dtype, data, index) / 2, data, index);
    }
}

void fillRolled(const InputRequest &request, void *data)
{
    const unsigned char *stored = storedArray(request);
    const std::size_t bytes = request.count * sizeOf(request.dtype);
    const std::size_t row = (request.rowLength < request.count ? request.rowLength : 1) * sizeOf(request.dtype);
    const std::size_t begin = request.rule.fresh == Fresh::Rows ? randomAt(request.key, 0) % (bytes / row) * row : 0;
    std::memcpy(data, stored + begin, bytes - begin);
    std::memcpy(static_cast<unsigned char *>(data) + (bytes - begin), stored, begin);
}

// Moves one element by half its range, staying inside it.
template <typename T>
void nudgeFloating(const InputRequest &request, T &element)
{
    const InputRule &rule = request.rule;
    double middle = rule.mean, step = 2 * std::max(rule.std, 1e-30);
    if (rule.distribution == Distribution::Uniform || rule.distribution == Distribution::Sorted) {
        step = (highOf(rule) - lowOf(rule)) / 2;
        middle = lowOf(rule) + step;
    } else if (rule.distribution == Distribution::SignedUniform) {
        middle = 0;
        step = highOf(rule);
    }
    element = static_cast<T>(double(element) > middle ? double(element) - step : double(element) + step);
}

template <typename T>
void nudgeInteger(const InputRequest &request, T &element)
{
    const IntegerRange range = integerRange<T>(request.rule);
    const std::uint64_t size = range.size();
    if (size == 1 || size == 0)
        return;
    const std::uint64_t offset = static_cast<std::uint64_t>(std::int64_t(element) - range.low);
    element = static_cast<T>(range.low + static_cast<std::int64_t>((offset + size / 2) % size));
}

template <typename T>
void fillAndNudgeIntegers(const InputRequest &request, void *data)
{
    T *elements = static_cast<T *>(data);
    fillIntegers(request, elements);
    if (request.nudge)
        nudgeInteger(request, elements[*request.nudge % request.count]);
}

template <typename T>
void fillAndNudgeFloating(const InputRequest &request, void *data)
{
    T *elements = static_cast<T *>(data);
    fillFloating(request, elements);
    if (request.nudge)
        nudgeFloating(request, elements[*request.nudge % request.count]);
}

} // namespace

void fillInput(const InputRequest &request, void *data)
{
    if (request.rule.distribution == Distribution::Stored)
        return request.rule.fresh == Fresh::Jitter ? fillJittered(request, data) : fillRolled(request, data);
    switch (request.dtype) {
    case DType::Float64:
        return fillAndNudgeFloating<double>(request, data);
    case DType::Float32:
        return fillAndNudgeFloating<float>(request, data);
    case DType::Int64:
        return fillAndNudgeIntegers<std::int64_t>(request, data);
    case DType::Int32:
        return fillAndNudgeIntegers<std::int32_t>(request, data);
    case DType::Int16:
        return fillAndNudgeIntegers<std::int16_t>(request, data);
    case DType::Int8:
        return fillAndNudgeIntegers<std::int8_t>(request, data);
    case DType::UInt8:
        return fillAndNudgeIntegers<std::uint8_t>(request, data);
    case DType::Bool: {
        bool *elements = static_cast<bool *>(data);
        fillBooleans(request, elements);
        if (request.nudge)
            elements[*request.nudge % request.count] ^= true;
        return;
    }
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float8E4M3:
    case DType::Float8E5M2:
        return fillSmall(request, data);
    }
}

InputKey keyOfInput(InputKey base, std::size_t slot, std::size_t input)
{
    return randomAt(base, slot * 64 + input);
}

InputRule rotatedRule(const InputRule &declared, DType dtype, Distribution distribution)
{
    InputRule rule = declared;
    rule.distribution = distribution;
    if (!isFloating(dtype))
        return rule;
    double scale = declared.std + std::abs(declared.mean);
    if (declared.low || declared.high)
        scale = std::max(std::abs(lowOf(declared)), std::abs(highOf(declared)));
    if (declared.distribution == Distribution::Constant || declared.distribution == Distribution::OneHot)
        scale = std::abs(declared.value);
    rule.mean = 0;
    rule.std = scale;
    rule.low = distribution == Distribution::Sorted ? -scale : 0;
    rule.high = scale;
    rule.value = scale;
    return rule;
}

std::vector<Distribution> rotationFor(DType dtype)
{
    if (isFloating(dtype))
        return {Distribution::Normal, Distribution::Uniform,  Distribution::SignedUniform, Distribution::Tiny,
                Distribution::Large,  Distribution::Sparse,   Distribution::Constant,      Distribution::OneHot,
                Distribution::Sorted, Distribution::Denormals};
    return {Distribution::Uniform, Distribution::Sorted};
}

} // namespace ako::eval
