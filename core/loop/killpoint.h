// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace ako {

// For the test of crash recovery: ends this process with SIGKILL where $AKO_TEST_KILL_AT names the place, as
// "<effect>:<before|after|between>" or with ":<n>" for the n-th time it is passed.
void killPoint(const QString &effect, const char *when);

} // namespace ako
