// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace ako {

// Opens the window on the workspace (may be empty: the last one, or the start page) and runs until it is closed.
int runWindow(int &argc, char **argv, const QString &workspace);

} // namespace ako
