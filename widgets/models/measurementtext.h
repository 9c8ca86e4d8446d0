// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/iterationrecord.h"

#include <QString>

namespace ako {

// How a number came to be, as rich text: bench, workloads, times, intervals, state, commit, hash.
QString measurementText(const IterationRecord &record);

// How far the number may be trusted, in a word: "provisional", "confirmed", "quarantined", "invalid"; empty where
// nothing was measured. A person's decision stands beside the third.
QString trustText(const IterationRecord &record);
QString decisionText(const Triage &triage); // "Accepted as honest on 1 Dec 2026: the scratch file is harmless"

} // namespace ako
