// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/dtype.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace ako::eval {

namespace {

struct Traits
{
    DType type;
    std::string_view name, cppName;
    std::size_t size;
    double roundoff;
};

constexpr std::array traits{
    Traits{DType::Float64, "float64", "double", 8, 0x1p-53},
    Traits{DType::Float32, "float32", "float", 4, 0x1p-24},
    Traits{DType::Int64, "int64", "std::int64_t", 8, 0},
    Traits{DType::Int32, "int32", "std::int32_t", 4, 0},
    Traits{DType::Int16, "int16", "std::int16_t", 2, 0},
    Traits{DType::Int8, "int8", "std::int8_t", 1, 0},
    Traits{DType::UInt8, "uint8", "std::uint8_t", 1, 0},
    Traits{DType::Bool, "bool", "bool", 1, 0},
    Traits{DType::Float16, "float16", "__half", 2, 0x1p-11},
    Traits{DType::BFloat16, "bfloat16", "__nv_bfloat16", 2, 0x1p-8},
    Traits{DType::Float8E4M3, "float8_e4m3fn", "__nv_fp8_e4m3", 1, 0x1p-4},
    Traits{DType::Float8E5M2, "float8_e5m2", "__nv_fp8_e5m2", 1, 0x1p-3},
};

// A binary format of at most 16 bits: sign, exponent, mantissa.
struct SmallFormat
{
    int mantissaBits, bias, largestExponent; // of a finite number
    bool hasInfinity;
    unsigned mantissaMask() const { return (1U << mantissaBits) - 1; }
    unsigned signBit(std::size_t size) const { return 1U << (8 * size - 1); }
    double largest() const // float8_e4m3fn: its last mantissa is NaN
    {
        const double mantissa = 2 - std::ldexp(hasInfinity ? 1.0 : 2.0, -mantissaBits);
        return std::ldexp(mantissa, largestExponent);
    }
};

SmallFormat smallFormat(DType type)
{
    switch (type) {
    case DType::Float16:
        return {10, 15, 15, true};
    case DType::BFloat16:
        return {7, 127, 127, true};
    case DType::Float8E4M3:
        return {3, 7, 8, false};
    default:
        return {2, 15, 15, true};
    }
}

double decodeSmall(DType type, unsigned bits, std::size_t size)
{
    const SmallFormat format = smallFormat(type);
    const double sign = bits & format.signBit(size) ? -1 : 1;
    bits &= format.signBit(size) - 1;
    const unsigned mantissa = bits & format.mantissaMask();
    const int exponent = int(bits >> format.mantissaBits);
    const bool topExponent = exponent == int((format.signBit(size) - 1) >> format.mantissaBits);
    if (topExponent && format.hasInfinity)
        return mantissa == 0 ? sign * std::numeric_limits<double>::infinity()
                             : std::numeric_limits<double>::quiet_NaN();
    if (topExponent && mantissa == format.mantissaMask())
        return std::numeric_limits<double>::quiet_NaN();
    if (exponent == 0)
        return sign * std::ldexp(double(mantissa), 1 - format.bias - format.mantissaBits);
    return sign * std::ldexp(1 + std::ldexp(double(mantissa), -format.mantissaBits), exponent - format.bias);
}

// All values of a type of at most 16 bits: comparing millions of elements, decoding takes most of the time.
template <DType type>
const std::vector<double> &allSmall()
{
    static const std::vector<double> table = [] {
        const std::size_t size = traits[static_cast<std::size_t>(type)].size;
        std::vector<double> values(std::size_t(1) << (8 * size));
        for (std::size_t bits = 0; bits < values.size(); ++bits)
            values[bits] = decodeSmall(type, unsigned(bits), size);
        return values;
    }();
    return table;
}

// The exponent of a value, no lower than `lowest`. Of numbers that double itself has no hidden bit for: lowest.
int exponentOf(double value, int lowest)
{
    constexpr int bias = 1023, mantissaBits = 52;
    const auto bits = std::bit_cast<std::uint64_t>(value);
    return std::max(int((bits >> mantissaBits) & 0x7ff) - bias, lowest);
}

// 2^exponent, for a normal double.
double powerOfTwo(int exponent)
{
    constexpr int bias = 1023, mantissaBits = 52;
    return std::bit_cast<double>(std::uint64_t(exponent + bias) << mantissaBits);
}

unsigned encodeSmall(DType type, double value, std::size_t size)
{
    const SmallFormat format = smallFormat(type);
    const unsigned sign = std::signbit(value) ? format.signBit(size) : 0;
    const unsigned magnitudeMask = format.signBit(size) - 1;
    if (std::isnan(value))
        return sign | magnitudeMask;
    const int exponent = exponentOf(value, 1 - format.bias); // 1024 of an infinity
    if (exponent > format.largestExponent)
        return sign | (format.hasInfinity ? magnitudeMask & ~format.mantissaMask() : magnitudeMask - 1);
    const double step = powerOfTwo(exponent - format.mantissaBits);
    const double rounded = std::nearbyint(std::abs(value) / step) * step; // to even, the default mode
    if (rounded > format.largest())
        return sign | (format.hasInfinity ? magnitudeMask & ~format.mantissaMask() : magnitudeMask - 1);
    const double steps = rounded / step; // up to 2^(mantissaBits + 1): a carry moves to the next exponent by itself
    const unsigned base = unsigned(exponent + format.bias - 1) << format.mantissaBits;
    return sign | (base + unsigned(steps));
}

const Traits &traitsOf(DType type)
{
    return traits[static_cast<std::size_t>(type)];
}

template <typename T>
double load(const void *data, std::size_t index)
{
    T value;
    std::memcpy(&value, static_cast<const char *>(data) + index * sizeof(T), sizeof(T));
    return static_cast<double>(value);
}

} // namespace

std::optional<DType> dtypeFromName(std::string_view name)
{
    for (const Traits &entry : traits) {
        if (entry.name == name)
            return entry.type;
    }
    return std::nullopt;
}

std::string_view dtypeName(DType type)
{
    return traitsOf(type).name;
}

std::string_view cppName(DType type)
{
    return traitsOf(type).cppName;
}

std::size_t sizeOf(DType type)
{
    return traitsOf(type).size;
}

bool isFloating(DType type)
{
    return type == DType::Float64 || type == DType::Float32 || isSmallFloat(type);
}

bool isSmallFloat(DType type)
{
    return type == DType::Float16 || type == DType::BFloat16 || type == DType::Float8E4M3 || type == DType::Float8E5M2;
}

bool canHold(DType type, double value)
{
    if (isFloating(type)) {
        return std::abs(value) <= largestOf(type);
    }
    if (type == DType::Bool)
        return value == 0 || value == 1;
    const bool isSigned = type != DType::UInt8;
    const double end = std::ldexp(1.0, int(8 * sizeOf(type)) - (isSigned ? 1 : 0)); // the first that does not fit
    return value == std::trunc(value) && value < end && value >= (isSigned ? -end : 0.0);
}

double largestOf(DType type)
{
    if (type == DType::Float64)
        return std::numeric_limits<double>::max();
    return type == DType::Float32 ? double(std::numeric_limits<float>::max()) : smallFormat(type).largest();
}

double unitRoundoff(DType type)
{
    return traitsOf(type).roundoff;
}

double elementAsDouble(DType type, const void *data, std::size_t index)
{
    switch (type) {
    case DType::Float64:
        return load<double>(data, index);
    case DType::Float32:
        return load<float>(data, index);
    case DType::Int64:
        return load<std::int64_t>(data, index);
    case DType::Int32:
        return load<std::int32_t>(data, index);
    case DType::Int16:
        return load<std::int16_t>(data, index);
    case DType::Int8:
        return load<std::int8_t>(data, index);
    case DType::UInt8:
    case DType::Bool: // a bool that is neither 0 nor 1 must be seen as it is
        return load<std::uint8_t>(data, index);
    case DType::Float16:
        return allSmall<DType::Float16>()[std::size_t(load<std::uint16_t>(data, index))];
    case DType::BFloat16:
        return allSmall<DType::BFloat16>()[std::size_t(load<std::uint16_t>(data, index))];
    case DType::Float8E4M3:
        return allSmall<DType::Float8E4M3>()[std::size_t(load<std::uint8_t>(data, index))];
    case DType::Float8E5M2:
        return allSmall<DType::Float8E5M2>()[std::size_t(load<std::uint8_t>(data, index))];
    }
    return 0;
}

void storeFloating(DType type, double value, void *data, std::size_t index)
{
    const auto put = [&](auto typed) {
        std::memcpy(static_cast<char *>(data) + index * sizeof typed, &typed, sizeof typed);
    };
    if (type == DType::Float64)
        put(value);
    else if (type == DType::Float32)
        put(static_cast<float>(value));
    else if (sizeOf(type) == 2)
        put(static_cast<std::uint16_t>(encodeSmall(type, value, 2)));
    else
        put(static_cast<std::uint8_t>(encodeSmall(type, value, 1)));
}

double roundedTo(DType type, double value)
{
    std::array<unsigned char, 8> cell{};
    storeFloating(type, value, cell.data(), 0);
    return elementAsDouble(type, cell.data(), 0);
}

double stepAt(DType type, double value)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (type == DType::Float64)
        return std::nextafter(std::abs(value), infinity) - std::abs(value);
    if (type == DType::Float32)
        return powerOfTwo(std::min(exponentOf(double(static_cast<float>(value)), -126), 127) - 23);
    const SmallFormat format = smallFormat(type);
    return powerOfTwo(std::min(exponentOf(value, 1 - format.bias), format.largestExponent) - format.mantissaBits);
}

} // namespace ako::eval
