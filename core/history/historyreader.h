// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/iterationrecord.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace ako {

class Repository;

// The timeline of a workspace, from git and trajectory/ alone: the same on a clone.
struct History
{
    QList<IterationRecord> records; // in the order of iterationorder.h; commits filled in from the git log
    int champion = -1;              // the last that became champion; 0 baseline, -1 none
    QStringList warnings;

    const IterationRecord *find(IterationRecord::Kind kind, int number) const;
    const IterationRecord *championRecord() const { return at(champion); }
    const IterationRecord *at(int number) const; // baseline (0) or iteration; null if unknown
    int nextIteration() const;                   // one above the highest known
};

// Without a repository the records carry no commits.
History readHistory(const QString &workspace, const Repository *repository);

// The last record that became champion; the final does not count.
int championOf(const QList<IterationRecord> &records);

} // namespace ako
