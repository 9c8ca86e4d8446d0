// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/dtype.h"

#include <array>
#include <cstring>

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
    Traits{DType::Float64, "float64", "double", 8, 0x1p-53}, Traits{DType::Float32, "float32", "float", 4, 0x1p-24},
    Traits{DType::Int64, "int64", "std::int64_t", 8, 0},     Traits{DType::Int32, "int32", "std::int32_t", 4, 0},
    Traits{DType::Int16, "int16", "std::int16_t", 2, 0},     Traits{DType::Int8, "int8", "std::int8_t", 1, 0},
    Traits{DType::UInt8, "uint8", "std::uint8_t", 1, 0},     Traits{DType::Bool, "bool", "bool", 1, 0},
};

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
    return type == DType::Float64 || type == DType::Float32;
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
    }
    return 0;
}

} // namespace ako::eval
