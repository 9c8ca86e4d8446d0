// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/iterationrecord.h"

#include <optional>

namespace ako {

// How much faster than the baseline the work model allows: the weighted geometric mean over the workloads. Nothing
// where a workload has no floor.
std::optional<double> floorOverBaseline(const IterationRecord &baseline);

} // namespace ako
