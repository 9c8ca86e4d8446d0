// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ako::eval {

enum class DType {
    Float64,
    Float32,
    Int64,
    Int32,
    Int16,
    Int8,
    UInt8,
    Bool,
    Float16,
    BFloat16,
    Float8E4M3,
    Float8E5M2
};

std::optional<DType> dtypeFromName(std::string_view name);
std::string_view dtypeName(DType type);
std::string_view cppName(DType type); // as the shim declares it, e.g. "std::int32_t"
std::size_t sizeOf(DType type);
bool isFloating(DType type);
bool isSmallFloat(DType type);          // float16, bfloat16, float8: known on a GPU only
bool canHold(DType type, double value); // integers: exactly; floating types: rounded, within their range
double unitRoundoff(DType type);        // 0 for integers
double largestOf(DType type);           // the largest finite number of a floating type

// One element of an array as double; int64 beyond 2^53 is rounded.
double elementAsDouble(DType type, const void *data, std::size_t index);

// Stores a number as an element of a floating array, rounded to nearest even; beyond the type's range it becomes an
// infinity, or the largest number where the type has none (float8_e4m3fn).
void storeFloating(DType type, double value, void *data, std::size_t index);
double roundedTo(DType type, double value); // what storeFloating() leaves
double stepAt(DType type, double value);    // distance from a number of the type to the next larger one in magnitude

} // namespace ako::eval
