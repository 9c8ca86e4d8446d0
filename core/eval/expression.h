// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace ako::eval {

using AxisValues = std::map<std::string, std::int64_t>;

// Evaluates an integer expression over axes: + - * / // % min(a,b,…) max(a,b,…) ceildiv(a,b) and parentheses. "/" has
// to come out even, "//" and "%" round towards minus infinity. Throws std::invalid_argument naming the character where
// it fails; overflow of 64 bits and division by zero are errors.
std::int64_t evaluateExpression(std::string_view text, const AxisValues &axes);

} // namespace ako::eval
