// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

namespace ako::test {

// A workspace with a baseline and that many iterations of every outcome, written by the loop itself: real plan, git,
// trajectory/ and ITERATIONS.md; only the agent and the bench are scripted. Made once and kept in the build folder; it
// is for reading, so change a copy only.
QString longHistory(int iterations);

// A copy of a workspace below that folder.
QString copyOfWorkspace(const QString &workspace, const QString &parent);

// A new workspace of that kind below that folder, without any iteration.
QString emptyHistory(const QString &parent);

// Runs that many iterations more and returns the milliseconds from each one's last bench to its commit.
QList<double> recordIterations(const QString &workspace, int iterations);

} // namespace ako::test
