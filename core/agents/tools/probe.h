// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bench/benchresult.h"

#include <QString>

#include <functional>

namespace ako {

// A signal bench of solution/ as it lies there, asked for in the middle of a turn. It decides nothing: the candidate is
// measured again when the turn has ended.
struct Probe
{
    QString error; // why nothing was measured; then the rest says nothing
    BenchResult result;
    QString output; // of the bench
};

using ProbeReply = std::function<void(const Probe &)>;

// In words for an agent: status, times in ms, ratios with their intervals, each workload; of a bench that failed its
// output from the beginning, else nothing of it.
QString probeText(const Probe &probe);
// The same in one line, for a log.
QString probeLine(const Probe &probe);

} // namespace ako
