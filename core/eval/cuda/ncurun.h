// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/cuda/deviceprofile.h"
#include "eval/layout.h"
#include "eval/random.h"

#include <optional>
#include <string>

namespace ako::eval {

// The ncu beside nvcc, on the absolute entries of a search path outside the working folder, or of an installation of
// Nsight Compute below /opt/nvidia; empty: there is none.
std::string findNcu(const std::string &nvcc, const std::string &searchPath);

// One call of a built solution on the main workload's declared inputs.
struct NcuRequest
{
    std::string ncu, solution, device, uuid, folder; // device: the built device library; folder: for what is written
    WorkloadLayout layout;
    std::vector<InputRule> rules;
    InputKey key = 0;
    double timeoutSeconds = 90;
};

// Fills in the kernels; what stands in the way otherwise. The kernel runs in a process that may write to its own
// folder, /tmp and devices only, but without the filter of system calls that other runs have: ncu would not work with
// it.
std::optional<SkippedLevel> runNcu(const NcuRequest &request, std::vector<KernelProfile> &kernels);

} // namespace ako::eval
