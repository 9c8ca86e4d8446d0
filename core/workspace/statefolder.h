// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <QByteArray>
#include <QString>

namespace ako {

QString stateFolder(const QString &workspace); // <workspace>/.ako

// Makes .ako/ with its own .gitignore where they are missing. Refuses a link or a file in its place.
Result<QString> ensureStateFolder(const QString &workspace);

// Through a temporary file and a rename; makes .ako/ first. `name` is a file name inside .ako/.
Result<void> writeStateFile(const QString &workspace, const QString &name, const QByteArray &content);
// Empty where there is none; an error where it cannot be read.
Result<QByteArray> readStateFile(const QString &workspace, const QString &name);

// What a bench of the user's own printed last, to choose a number in: its last 64 KiB.
Result<void> keepBenchOutput(const QString &workspace, const QString &output);
QString keptBenchOutput(const QString &workspace); // empty: none

} // namespace ako
