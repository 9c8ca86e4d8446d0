// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace ako::installation {

// The data folder of that name ("scaffold", "examples", "prompts"): $AKO_DATA_DIR, else as installed beside the
// program (../share/ako4all), else the source tree it was built from. Empty if it is nowhere.
QString dataFolder(const QString &name);

// A program of ours ("ako-bench", "ako4all"): beside the running one, in its sibling build folder, else on PATH. Empty
// if nowhere.
QString program(const QString &name);

QString version();

} // namespace ako::installation
