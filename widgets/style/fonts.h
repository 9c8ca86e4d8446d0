// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>

namespace ako {

// Two sizes of text and one of monospace; nothing else is used.
QFont textFont();
QFont smallFont();
QFont monospaceFont();

inline constexpr int grid = 4; // pixels; every spacing is a multiple of it

} // namespace ako
