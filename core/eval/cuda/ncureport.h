// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/cuda/deviceprofile.h"

#include <string>
#include <vector>

namespace ako::eval {

// The sections of ncu that a report is made from.
std::vector<std::string> ncuSections();

// The details page of ncu as CSV (--csv --page details --print-details all), with whatever else ncu writes around it.
// Launches of one kernel with one shape are put together: times and bytes are of one launch, `calls` says how many.
std::vector<KernelProfile> parseNcuCsv(const std::string &text);

// Why ncu gave no figures, from what it wrote, with the exact remedy for this machine where there is one.
SkippedLevel whyNoNcu(const std::string &text);

} // namespace ako::eval
