// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/state.h"

#include <QString>

namespace ako {

// What is looked at anew after a stall (spec 8), for ITERATIONS.md and the log: the directions that were tried with
// their best result and iteration numbers, those that were not, how far the champion is from what the machine allows,
// and what comes next.
QString reassessmentText(const State &state, const Proposal &proposal);

} // namespace ako
