// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workspace/integritymanifest.h"

#include <QHash>
#include <QList>
#include <QString>

namespace ako {

// Looks at an approved manifest again and again. A file whose size, times and inode are as when it was last found
// right is not read again: input data may be gigabytes, and a boundary must not wait for them.
class HarnessWatch
{
public:
    QList<FileChange> changes(const IntegrityManifest &manifest, const QString &workspace);

private:
    struct Mark
    {
        qint64 size = -1;
        qint64 modified = 0; // nanoseconds
        qint64 changed = 0;  // nanoseconds
        quint64 inode = 0;
        QByteArray hash; // what it was found to have
        bool operator==(const Mark &) const = default;
    };
    static Mark markOf(const QString &path, const QByteArray &hash);

    QHash<QString, Mark> m_right;
};

} // namespace ako
