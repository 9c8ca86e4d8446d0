// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/cuda/suspicion.h"

#include <cstdio>

namespace ako::eval {

namespace {

constexpr double hostShare = 5, hostAllowanceMs = 0.1;
constexpr double busyShare = 0.15, busyAllowanceMs = 0.003;

std::string numberText(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

} // namespace

std::optional<Suspicion> deviceSuspicion(const WorkloadTiming &timing)
{
    if (!timing.device || !timing.solution)
        return std::nullopt;
    const double median = timing.solution->median;
    if (timing.device->hostMs > hostShare * median + hostAllowanceMs)
        return Suspicion{"HOST_BUSY", "Workload " + timing.id + " keeps the host busy for " +
                                          numberText(timing.device->hostMs) +
                                          " ms in each call, but the device only for " + numberText(median) +
                                          " ms. Look at the launcher."};
    if (!timing.device->busyMs)
        return std::nullopt;
    // Only more is suspicious: without our holding it back, a call may have gaps, and they are none of the device's.
    const double busy = *timing.device->busyMs;
    if (busy > (1 + busyShare) * median + busyAllowanceMs)
        return Suspicion{"CUPTI_DISAGREES", "Workload " + timing.id + " took " + numberText(median) +
                                                " ms between the events, but CUPTI saw the device work for " +
                                                numberText(busy) + " ms. Look at the launcher's streams."};
    if (timing.device->kernels.empty())
        return Suspicion{"NO_KERNEL",
                         "Workload " + timing.id + ": the device did nothing in a call. Look at the launcher."};
    return std::nullopt;
}

} // namespace ako::eval
