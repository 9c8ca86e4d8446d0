// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

namespace ako::tuner {

// What problem.json promises about the entry function: its pointer arguments are distinct buffers.
struct Contract
{
    std::string entry;                    // symbol; empty: nothing is promised
    std::vector<std::string> arguments;   // in call order
    std::map<std::string, int> alignment; // bytes, of the arguments that state one
    bool singlePrecision = false;         // all floating inputs and outputs are float32
    bool onGpu = false;                   // kernels are CUDA, compiled with nvcc
};

// From the text of problem.json; an empty contract when it cannot be read.
Contract parseContract(const std::string &json);

} // namespace ako::tuner
