// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QFileSystemWatcher;

namespace ako {

// Has the watcher follow this file and nothing else. A program that saves by renaming replaces the file: the folder
// tells of it, and watchAgain() takes up the new one.
void watchOnly(QFileSystemWatcher &watcher, const QString &path);
void watchAgain(QFileSystemWatcher &watcher, const QString &path);

} // namespace ako
