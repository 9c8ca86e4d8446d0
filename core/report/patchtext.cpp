// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/patchtext.h"

namespace ako {

namespace {

QByteArray range(int first, int count)
{
    // Of an empty side the line before it is named.
    return QByteArray::number(count == 0 && first > 0 ? first - 1 : qMax(first, 0)) + ',' + QByteArray::number(count);
}

QByteArray hunkText(const DiffHunk &hunk)
{
    int oldFirst = -1;
    int newFirst = -1;
    int oldCount = 0;
    int newCount = 0;
    QByteArray body;
    for (const DiffLine &line : hunk.lines) {
        if (line.origin == '\\') {
            body += "\\ No newline at end of file\n";
            continue;
        }
        if (line.origin != '+' && ++oldCount == 1)
            oldFirst = line.oldLine;
        if (line.origin != '-' && ++newCount == 1)
            newFirst = line.newLine;
        body += line.origin + line.text.toUtf8() + '\n';
    }
    return "@@ -" + range(oldFirst, oldCount) + " +" + range(newFirst, newCount) + " @@\n" + body;
}

} // namespace

QByteArray patchText(const Diff &diff, const QString &prefix)
{
    QByteArray text;
    for (const FileDiff &file : diff) {
        const QByteArray path = (prefix.isEmpty() ? file.path : prefix + QLatin1Char('/') + file.path).toUtf8();
        text += "diff --git a/" + path + " b/" + path + '\n';
        if (file.binary) {
            text += "Binary files a/" + path + " and b/" + path + " differ\n";
            continue;
        }
        if (file.kind == FileDiff::Kind::Added)
            text += "new file mode 100644\n";
        if (file.kind == FileDiff::Kind::Removed)
            text += "deleted file mode 100644\n";
        if (file.hunks.isEmpty()) // another mode, or an empty file
            continue;
        text += file.kind == FileDiff::Kind::Added ? QByteArray("--- /dev/null\n") : "--- a/" + path + '\n';
        text += file.kind == FileDiff::Kind::Removed ? QByteArray("+++ /dev/null\n") : "+++ b/" + path + '\n';
        for (const DiffHunk &hunk : file.hunks)
            text += hunkText(hunk);
    }
    return text;
}

} // namespace ako
