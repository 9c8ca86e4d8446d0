// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "git/diff.h"

#include <QByteArray>
#include <QStringList>

namespace ako {

// What has changed of what the measurement depends on since it was approved.
struct HarnessChange
{
    Diff diff;         // from what was approved to what is there now
    QByteArray patch;  // the same as text
    QStringList files; // workspace-relative; what can be put back
    QStringList known; // what has changed and of which only that is known: "input.npy was changed"

    bool isNone() const { return files.isEmpty() && known.isEmpty(); }
};

} // namespace ako
