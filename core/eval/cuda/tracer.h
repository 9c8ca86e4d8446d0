// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ako::eval {

// What the device did during some calls, whatever streams and threads it was asked from.
struct TraceReport
{
    double spanMs = 0; // from the first begin to the last end
    double busyMs = 0; // of it, with anything running
    std::vector<std::pair<std::string, int>>
        kernels; // demangled name, how often; copies and fills as "memcpy", "memset"
};

// CUPTI's activity records. The library is loaded at run time; of its records only fields are read that have had the
// same place since CUDA 9 (kind, start, end, and a kernel's name).
class Tracer
{
public:
    // Before the device is opened. Returns why there is none, or nothing.
    std::optional<std::string> open(const std::string &library);
    void begin();
    TraceReport end();
};

// libcupti of the toolkit that holds this nvcc; empty where there is none.
std::string findCupti(const std::string &nvcc);

TraceReport reportOf(std::vector<std::pair<std::uint64_t, std::uint64_t>> intervals,
                     const std::vector<std::string> &names);

} // namespace ako::eval
