// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/filewatch.h"

#include <QFileInfo>
#include <QFileSystemWatcher>

namespace ako {

void watchOnly(QFileSystemWatcher &watcher, const QString &path)
{
    const QStringList watched = watcher.files() + watcher.directories();
    if (!watched.isEmpty())
        watcher.removePaths(watched);
    watcher.addPath(QFileInfo(path).absolutePath());
    watchAgain(watcher, path);
}

void watchAgain(QFileSystemWatcher &watcher, const QString &path)
{
    if (!watcher.files().contains(path) && QFileInfo::exists(path))
        watcher.addPath(path);
}

} // namespace ako
