// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace ako::recentWorkspaces {

// Newest first, at most ten, absolute paths; kept in the settings.
QStringList list();
void add(const QString &path);
void remove(const QString &path);

} // namespace ako::recentWorkspaces
