// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QMetaType>
#include <QString>

namespace ako {

// Values describing a difference between two trees; made by Repository, drawn by widgets/diff.
struct DiffLine
{
    char origin = ' '; // ' ' context, '+' added, '-' removed, '\\' "No newline at end of file"
    int oldLine = -1;  // 1-based; -1 where the line is not on that side
    int newLine = -1;
    QString text; // without the line end
};

struct DiffHunk
{
    QString header;
    QList<DiffLine> lines;
};

struct FileDiff
{
    enum class Kind { Added, Removed, Modified };
    Kind kind = Kind::Modified;
    QString path; // as in the newer tree (the older one for Removed)
    bool binary = false;
    QList<DiffHunk> hunks;
};

using Diff = QList<FileDiff>;

} // namespace ako

Q_DECLARE_METATYPE(ako::Diff)
