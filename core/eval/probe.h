// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/build.h"
#include "eval/machine.h"
#include "eval/problem.h"
#include "eval/workerprocess.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <optional>
#include <string>

namespace ako::eval {

// Measured peaks of this machine with all its cores: bytes/s and operations/s (a fused multiply-add counts two).
struct Peaks
{
    double readBandwidth = 0, triadBandwidth = 0, cacheBandwidth = 0;
    std::map<std::string, double> flops; // fp32, fp64
};

// Measures (some seconds) or takes what an earlier run on this machine left (figurestore.h). `fresh`: measures in any
// case; the higher figures are kept. What no machine can do is not believed of an earlier run.
Peaks probeMachine(const BuildCache &cache, const Machine &machine, const WorkerLimits &limits, bool fresh);

nlohmann::json probeJson(const Peaks &peaks, const Machine &machine, const Compiler &compiler);

struct Floor
{
    double floorMs = 0;     // nothing on this machine can be faster: peaks with generous headroom, outputs not charged
    double practicalMs = 0; // what the measured peaks allow
};

// From the problem's work model; nothing where it has none.
std::optional<Floor> floorOf(const Problem &problem, const Workload &workload, const Peaks &peaks,
                             const Machine &machine);

} // namespace ako::eval
