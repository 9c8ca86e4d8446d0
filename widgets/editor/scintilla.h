// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// QScintilla's headers are written with Qt's keywords, which our own code does without: they exist here for their
// inclusion only.
#define signals Q_SIGNALS
#define slots Q_SLOTS
#include <Qsci/qscilexerbash.h>   // IWYU pragma: export
#include <Qsci/qscilexercpp.h>    // IWYU pragma: export
#include <Qsci/qscilexerjson.h>   // IWYU pragma: export
#include <Qsci/qscilexerpython.h> // IWYU pragma: export
#include <Qsci/qsciscintilla.h>   // IWYU pragma: export
#include <Qsci/qscistyle.h>       // IWYU pragma: export
#undef slots
#undef signals
