// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "git/diff.h"

#include <QByteArray>
#include <QString>

namespace ako {

// A difference as git and patch read it, its paths below `prefix` (empty, or a folder without a slash at its end). Of a
// binary file it says only that it differs, which no program can apply.
QByteArray patchText(const Diff &diff, const QString &prefix = {});

} // namespace ako
