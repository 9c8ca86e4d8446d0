// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "workspace/integritymanifest.h"

#include <QByteArray>
#include <QHash>
#include <QString>
#include <QStringList>

namespace ako {

// The state of a workspace's files, taken before and after an agent's turn to see writes outside solution/. `.git`,
// `.ako` and the paths in `except` (workspace-relative files or folders) are left out.
class TreeSnapshot
{
public:
    static Result<TreeSnapshot> take(const QString &workspace, const QStringList &except);

    // What is different on disk now, sorted by path: a file whose size, times and inode are as they were counts as
    // unchanged; one where they differ is compared by content where a hash is known, else counts as modified.
    Result<QList<FileChange>> changes() const;

    int count() const { return int(m_entries.size()); }

private:
    struct Entry
    {
        qint64 size = 0;
        qint64 modified = 0; // nanoseconds
        qint64 changed = 0;  // nanoseconds
        quint64 inode = 0;
        quint32 mode = 0;
        QByteArray content; // hash; kept for small files and link targets
    };
    using Entries = QHash<QString, Entry>;
    static Result<Entries> read(const QString &workspace, const QStringList &except);
    static bool isSame(const Entry &before, const Entry &now);
    bool hasSameContent(const QString &path, const Entry &before, const Entry &now) const;

    QString m_workspace;
    QStringList m_except;
    Entries m_entries;
};

} // namespace ako
