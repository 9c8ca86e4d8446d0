// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/runevent.h"

#include <QString>

namespace ako {

// The icon that a message of this severity is shown with.
QString iconOfSeverity(Severity severity);

} // namespace ako
