// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <QByteArray>
#include <QString>

namespace ako {

// Writes a file of a workspace as a whole: temp file in the same folder, synced, renamed over the old one. Folders are
// made where they are missing. A link that leads out of the workspace is refused, one inside it is followed.
Result<void> writeWorkspaceFile(const QString &workspace, const QString &relativePath, const QByteArray &content,
                                bool executable = false);

// The whole file; an error names it. A limit of 0 means none.
Result<QByteArray> readFile(const QString &path, qint64 limitBytes = 0);

} // namespace ako
