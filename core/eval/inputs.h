// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/problem.h"
#include "eval/random.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace ako::eval {

// What one input array is to hold. The same request gives the same bytes in every process of a run.
struct InputRequest
{
    DType dtype = DType::Float32;
    std::size_t count = 0, rowLength = 1; // elements; rowLength: of the last axis (one-hot)
    InputRule rule;
    InputKey key = 0;
    std::optional<std::uint64_t> nudge; // this element is moved to another value of the same range
};

// Meaning of the parameters: normal(mean, std); uniform and sorted [low, high), by default [0, 1) and [-1, 1);
// signed_uniform [-high, high); constant and one_hot value; tiny normal(0, 1e-4 std); large normal(0, 1e3 std);
// sparse normal(mean, std) with probability density, else 0; denormals of both signs. Integers: uniform [low, high],
// by default -1024 to 1024 within the type, int8 and uint8 their whole range, bool a fair coin. Stored: an array of
// StoredInputs, made fresh as the rule says; throws std::runtime_error where this process has none.
void fillInput(const InputRequest &request, void *data);

// The key of input number `input` at position `slot` of a batch drawn under `base`.
InputKey keyOfInput(InputKey base, std::size_t slot, std::size_t input);

// The declared rule turned to another distribution at about the same scale.
InputRule rotatedRule(const InputRule &declared, DType dtype, Distribution distribution);

// Distributions that make sense for a dtype, to rotate through.
std::vector<Distribution> rotationFor(DType dtype);

} // namespace ako::eval
