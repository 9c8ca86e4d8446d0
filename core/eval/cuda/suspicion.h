// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/result.h"

#include <optional>
#include <string>

namespace ako::eval {

struct Suspicion
{
    std::string flag, message;
};

// What a run on a GPU cannot explain: a call that keeps the host busy for much longer than the device, work that CUPTI
// saw and the events did not, or no work at all.
std::optional<Suspicion> deviceSuspicion(const WorkloadTiming &timing);

} // namespace ako::eval
