// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QString>
#include <QStringList>

namespace ako {

// The regular files below a folder, as far as an inventory looks: version control, the loop's own folders, build
// folders, virtual environments, packages and everything that a link leads out to are left out, with a note.
struct FileTree
{
    struct File
    {
        QString path; // relative
        qint64 size = 0;
        QString linkTarget; // a link to a file inside: where it leads, relative
    };
    QString root;      // absolute, no trailing slash
    QList<File> files; // sorted by path
    QStringList folders;
    QStringList notes;
    bool isCut = false; // there are more files than an inventory looks at

    // Fails for a root that is missing, no folder or unreadable.
    static Result<FileTree> walk(const QString &root);
};

// At most `limit` bytes of a regular file; never waits on a pipe or a device, never follows a link in the last place.
Result<QByteArray> readFileHead(const QString &path, qint64 limit);

} // namespace ako
