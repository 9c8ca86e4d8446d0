// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/runevent.h"

#include <QString>

namespace ako {

QString phaseText(Phase phase);                        // "benching", for the status strip
QString restingText(const event::RunStopped &stopped); // "paused", in the place of "ready"
QString stoppedText(const event::RunStopped &stopped);
QString nextStepText(const event::RunStopped &stopped); // what to press to go on; may be empty
QString recoveredText(const event::Recovered &recovered);
Severity severityOf(const event::RunStopped &stopped);

} // namespace ako
