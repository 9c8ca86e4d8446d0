// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "git/diff.h"
#include "loop/runevent.h"

#include <QList>
#include <QString>

namespace ako {
class RunStore;
}

namespace ako::sampleRun {

// A plausible run of a softmax kernel, as the events that a loop would send. Numbers are made up for tests of what is
// shown; they are never a measurement.

ResolvedPlan plan(const QString &workspace);             // nothing open
ResolvedPlan planWithQuestion(const QString &workspace); // two files could be the kernel
IterationRecord baseline();
QList<IterationRecord> records(); // baseline and twelve iterations of every outcome; champions 2, 4, 7 and 10
IterationRecord finalRecord();    // iteration 10 restored

QList<RunEvent> opened(const QString &workspace);   // up to waiting for approval
QList<RunEvent> underWay(const QString &workspace); // approved, all records, iteration 13 benching
QList<RunEvent> paused(const QString &workspace);   // the same, then paused
QList<RunEvent> finished(const QString &workspace); // with the final entry

void replay(RunStore &store, const QList<RunEvent> &events);

Diff diff(); // two files, three hunks
QString benchOutput();

// Writes solution/, HINTS.md and ITERATIONS.md as they would stand in such a workspace.
bool writeWorkspace(const QString &workspace);

} // namespace ako::sampleRun
