// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ako::eval {

enum class DType { Float64, Float32, Int64, Int32, Int16, Int8, UInt8, Bool };

std::optional<DType> dtypeFromName(std::string_view name);
std::string_view dtypeName(DType type);
std::string_view cppName(DType type); // as the shim declares it, e.g. "std::int32_t"
std::size_t sizeOf(DType type);
bool isFloating(DType type);
double unitRoundoff(DType type); // 0 for integers

// One element of an array as double; int64 beyond 2^53 is rounded.
double elementAsDouble(DType type, const void *data, std::size_t index);

} // namespace ako::eval
