// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

#include <functional>

namespace ako::test {

// Nearest rank; 0 where there are no values.
double percentile(QList<double> values, double percent);

// "median 12.3 ms, 95th percentile 20.1 ms, largest 30.4 ms of 40"
QString distribution(const QList<double> &values, const QString &unit, int decimals = 1);

// One line "FIGURE name: text" on standard output, as tests/run.sh --perf shows it.
void printFigure(const QString &name, const QString &text);

// Runs a real event loop until it is so, at most that long. QTRY_VERIFY sleeps between its looks, which the figures of
// an event loop would show.
bool runEventLoopUntil(const std::function<bool()> &isSo, int limitMilliseconds);

// A number from the environment, for a longer or a shorter measurement.
int amount(const char *variable, int standard);

} // namespace ako::test
