// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/problem.h"

#include <nlohmann/json_fwd.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ako::eval {

// One tensor of one workload, as parent and workers both see it.
struct BufferSpec
{
    std::string name;
    DType dtype = DType::Float32;   // as generated
    DType storage = DType::Float32; // as the entry sees it: double for floating tensors of a golden entry
    std::size_t count = 0, rowLength = 1, align = 64;
    bool isInput = false, isOutput = false;

    std::size_t bytes() const { return count * sizeOf(storage); }
};

// Buffers, axes and scalars of a workload, and where the outputs of each slot lie in the memory shared with the parent.
struct WorkloadLayout
{
    std::vector<BufferSpec> buffers;
    std::vector<std::int64_t> axes;
    std::vector<std::array<unsigned char, 8>> scalars;
    std::size_t slots = 1;

    std::size_t slotBytes() const;    // all buffers of one slot
    std::size_t outputStride() const; // outputs of one slot in shared memory
    std::size_t outputOffset(std::size_t slot, std::size_t buffer) const;
    std::size_t sharedBytes() const { return std::max<std::size_t>(outputStride() * slots, 4096); }
};

WorkloadLayout makeLayout(const Problem &problem, const Workload &workload, bool widened, std::size_t slots);

nlohmann::json layoutToJson(const WorkloadLayout &layout);
WorkloadLayout layoutFromJson(const nlohmann::json &json);
nlohmann::json ruleToJson(const InputRule &rule);
InputRule ruleFromJson(const nlohmann::json &json);

} // namespace ako::eval
