// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/headroom.h"

#include <cmath>

namespace ako {

std::optional<double> floorOverBaseline(const IterationRecord &baseline)
{
    double logarithms = 0;
    double weights = 0;
    for (const WorkloadResult &workload : baseline.bench.workloads) {
        if (!workload.floorMs || !workload.solution || !(*workload.floorMs > 0) || !(workload.solution->median > 0))
            return std::nullopt;
        logarithms += workload.weight * std::log(workload.solution->median / *workload.floorMs);
        weights += workload.weight;
    }
    return weights > 0 ? std::optional(std::exp(logarithms / weights)) : std::nullopt;
}

} // namespace ako
