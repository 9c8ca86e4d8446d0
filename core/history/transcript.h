// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <QByteArray>
#include <QString>

namespace ako::transcript {

// What an agent said while it made an iteration. While that is being measured it waits in .ako/, so that a killed
// program does not lose it; then it goes into the iteration's folder.
Result<void> keep(const QString &workspace, const QString &label, const QByteArray &text);

// What was kept for that label, to <trajectory>/transcript.txt; nothing where nothing was.
Result<void> moveInto(const QString &workspace, const QString &label, const QString &trajectory);

// <trajectory>/transcript.txt; a name below that folder, workspace-relative.
QString pathIn(const QString &trajectory);

} // namespace ako::transcript
