// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/iterationrecord.h"

#include <QString>

namespace ako {

// How a number came to be, as rich text: bench, workloads, times, intervals, state, commit, hash.
QString measurementText(const IterationRecord &record);

} // namespace ako
