// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/options.h"

namespace ako::eval {

// Judges an embedded set of small kernels, honest ones and cheats, and prints a line for each. 0: all were judged as
// they should be, 7: not.
int runSelfTest(const Options &options);

} // namespace ako::eval
