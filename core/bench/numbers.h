// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bench/benchresult.h"

#include <QString>

namespace ako {

// Numbers as they are shown: with unit, and with the digits that their interval supports.

// How many decimals a number with this half interval deserves: the half interval keeps one significant digit.
int supportedDecimals(double half);

// That many significant digits, never with an exponent: "0.013", "1.2", "100".
QString plainFigure(double value, int digits);

QString speedupText(const Interval &interval);      // "1.96x"
QString speedupWithError(const Interval &interval); // "1.96x ± 0.01"; lopsided: "0.04x (0.01…2.8)"
QString intervalText(const Interval &interval);     // "1.96x (1.95x … 1.97x)"
QString runtimeText(double milliseconds);           // "12.3 ms", "845 µs", "1.24 s"
QString durationText(qint64 milliseconds);          // "0.4 s", "12 s", "4:12", "1:04:12"

} // namespace ako
