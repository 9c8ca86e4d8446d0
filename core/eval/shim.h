// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/problem.h"

#include <cstdint>
#include <string>

namespace ako::eval {

// What every built library exports: buffers in the order of Problem::tensors, all axes in the order of Problem::axes,
// scalars as their own bytes in 8-byte cells. Returns the entry's int, or 0.
using EntryFunction = int (*)(void *const *buffers, const std::int64_t *axes, const unsigned char (*scalars)[8]);

inline constexpr const char *entryName = "ako_entry";
inline constexpr const char *goldenName = "ako_golden";

// On a GPU entries take the stream as a last argument, and a launch that failed counts as an error of its own.
inline constexpr int cudaErrorBase = 1'000'000; // added to a cudaError_t

// Source of the shim from `exported` to the extern "C" function `symbol`, whose arguments are the flat list of
// entry.args: inputs const T *, outputs T *, axes std::int64_t, scalars by value. With `widened` floating T is double.
std::string shimSource(const Problem &problem, const std::string &symbol, const std::string &exported, bool widened);

// The function that a kernel has to export, as it is declared in its source.
std::string entryDeclaration(const Problem &problem);

} // namespace ako::eval
