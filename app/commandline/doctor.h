// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace ako {

// Prints what this machine has and lacks, each lack with its remedy. Returns an exit status: 0 when the main job can
// run here, 1 when something it needs is missing.
int runDoctor(const QString &workspace, bool json);

} // namespace ako
