// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/transition.h"

#include <QString>
#include <QStringList>

namespace ako::scene {

// A result that a verdict or a signal might have given; ratio is candidate over champion.
BenchResult benchResult(BenchMode mode, double ratio, double milliseconds = 10.0);
BenchResult wrongResult(BenchMode mode);

IterationRecord baseline(double milliseconds = 10.0);
IterationRecord iteration(int number, IterationStatus status, double milliseconds = 10.0);

ResolvedPlan plan();

// Approved, prepared, with a baseline and nothing under way.
State ready();
// The same with these iterations after it.
State readyAfter(const QList<IterationStatus> &statuses);
// An agent's iteration under way, in that stage.
State during(Stage stage);

// "phase:ready", "stopped:paused:0", "bench:iter-1", "reset-solution:0" ...
QString describe(const Effect &effect);
QString describe(const QList<Effect> &effects); // separated by blanks; phases and journal marks left out
QString stageName(Stage stage);
QList<Stage> allStages();

} // namespace ako::scene
