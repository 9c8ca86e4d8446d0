// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ako {

// Given to Python as `-c`. Works with Python 3.8 and newer.
extern const char *const pythonParserScript;

} // namespace ako
