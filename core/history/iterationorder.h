// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/iterationrecord.h"

#include <QHash>
#include <QList>

namespace ako {

// The order of a history: the baseline, the iterations by number, and each final after the iterations that were there
// when it was made, since a run may go on after it.

// The same entry, perhaps told anew. Each final is one of its own, also where two restore the same iteration.
bool isSameEntry(const IterationRecord &left, const IterationRecord &right);

// Where a new entry goes: a final at the end, another before the first with a higher number.
qsizetype placeFor(const IterationRecord &record, const QList<IterationRecord> &records);

// Puts a history in order that was read from folders. `age`: how many commits came before that of an entry; one
// without a commit is placed by its time.
void putInOrder(QList<IterationRecord> &records, const QHash<QString, int> &age);

} // namespace ako
