// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/iterationrecord.h"

#include <QList>
#include <QString>

namespace ako {

// The history in words for an agent: English, plain, without anything that a later reader could take for a heading.

QString outcomeWord(const IterationRecord &record);         // "improved, new champion", "failed: COMPILE_ERROR"
QString intervalText(const std::optional<Interval> &ratio); // "1.250x [1.200, 1.300]"; "-": there is none

// A table of one row for each, in order; over the budget the oldest rows are left out, which is said. Empty: no
// history.
QString historyTable(const QList<IterationRecord> &history, qsizetype budgetCharacters);

// The baseline or the iteration of that number; null: there is none.
const IterationRecord *entryOf(const QList<IterationRecord> &history, int number);

} // namespace ako
