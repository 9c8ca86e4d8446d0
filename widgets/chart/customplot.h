// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// QCustomPlot's header is written with Qt's keywords, which our own code does without: they exist here for its
// inclusion only.
#define signals Q_SIGNALS
#define slots Q_SLOTS
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration cannot stand in parentheses
#define foreach(variable, container) for (variable : container)
#include <qcustomplot.h> // IWYU pragma: export
#undef foreach
#undef slots
#undef signals
