// SPDX-License-Identifier: GPL-3.0-or-later
#include "git/folderdiff.h"

#include "git/patch.h"

#include <algorithm>

namespace ako {
namespace {

QString lineText(const git_diff_line *line)
{
    QByteArrayView text(line->content, qsizetype(line->content_len));
    if (text.endsWith('\n'))
        text.chop(1);
    if (text.endsWith('\r'))
        text.chop(1);
    return QString::fromUtf8(text);
}

DiffLine diffLine(const git_diff_line *line)
{
    const bool isEndMark = line->origin == GIT_DIFF_LINE_CONTEXT_EOFNL || line->origin == GIT_DIFF_LINE_ADD_EOFNL ||
                           line->origin == GIT_DIFF_LINE_DEL_EOFNL;
    if (isEndMark)
        return {'\\', -1, -1, git::translate(QT_TRANSLATE_NOOP("ako::Repository", "No newline at end of file"))};
    return {line->origin, line->old_lineno, line->new_lineno, lineText(line)};
}

void addHunks(git_patch *patch, FileDiff &file)
{
    for (size_t i = 0; i < git_patch_num_hunks(patch); ++i) {
        const git_diff_hunk *hunk = nullptr;
        size_t lineCount = 0;
        if (git_patch_get_hunk(&hunk, &lineCount, patch, i) != 0)
            continue;
        DiffHunk values{QString::fromUtf8(hunk->header, qsizetype(hunk->header_len)).trimmed(), {}};
        for (size_t j = 0; j < lineCount; ++j) {
            const git_diff_line *line = nullptr;
            if (git_patch_get_line_in_hunk(&line, patch, i, j) == 0)
                values.lines.append(diffLine(line));
        }
        file.hunks.append(values);
    }
}

FileDiff::Kind kindOf(bool before, bool after)
{
    if (before && after)
        return FileDiff::Kind::Modified;
    return after ? FileDiff::Kind::Added : FileDiff::Kind::Removed;
}

bool hasSameMode(const FolderContent &before, const FolderContent &after, const QString &path)
{
    return before.executables.contains(path) == after.executables.contains(path) &&
           before.links.contains(path) == after.links.contains(path);
}

QStringList changedPaths(const FolderContent &before, const FolderContent &after)
{
    QMap<QString, QByteArray> all = before.files;
    all.insert(after.files);
    QStringList paths;
    for (auto it = all.cbegin(); it != all.cend(); ++it) {
        const bool isSame = before.files.contains(it.key()) && after.files.contains(it.key()) &&
                            before.files.value(it.key()) == after.files.value(it.key()) &&
                            hasSameMode(before, after, it.key());
        if (!isSame)
            paths << it.key();
    }
    return paths;
}

// From its first hunk on; empty where there is none.
QByteArray hunksOf(git_patch *patch)
{
    git_buf buffer = GIT_BUF_INIT;
    QByteArray text;
    if (git_patch_to_buf(&buffer, patch) == 0)
        text = QByteArray(buffer.ptr, qsizetype(buffer.size));
    git_buf_dispose(&buffer);
    const qsizetype first = text.startsWith("@@") ? 0 : text.indexOf("\n@@") + 1;
    return first == 0 && !text.startsWith("@@") ? QByteArray() : text.mid(first);
}

// As git writes names in patches: quoted where a reader would stumble, which are those that no name should have.
QByteArray patchName(const QByteArray &name)
{
    const auto isPlain = [](char c) {
        return c != '"' && c != '\\' && (static_cast<unsigned char>(c) >= 0x20) && c != 0x7f;
    };
    if (std::ranges::all_of(name, isPlain))
        return name;
    QByteArray quoted(1, '"');
    for (const char c : name) {
        if (c == '"' || c == '\\')
            quoted += '\\';
        if (isPlain(c) || c == '"' || c == '\\')
            quoted += c;
        else
            quoted += '\\' + QByteArray::number(static_cast<unsigned char>(c), 8).rightJustified(3, '0');
    }
    return quoted + '"';
}

// patch(1) takes what follows a space for a date, unless a tab ends the name.
QByteArray headerName(const QByteArray &name)
{
    return name.contains(' ') ? name + '\t' : name;
}

QByteArray modeOf(const FolderContent &content, const QString &path)
{
    return content.executables.contains(path) ? "100755" : "100644";
}

} // namespace

Result<Diff> diffContents(const FolderContent &before, const FolderContent &after, int contextLines)
{
    git::initialiseLibrary();
    Diff result;
    for (const QString &path : changedPaths(before, after)) {
        const QByteArray old = before.files.value(path);
        const QByteArray now = after.files.value(path);
        FileDiff file{kindOf(before.files.contains(path), after.files.contains(path)), path, false, {}};
        const Result<git::PatchHandle> patch = git::makePatch(old, now, contextLines);
        if (!patch)
            return std::unexpected(patch.error());
        file.binary = git::isBinary(old) || git::isBinary(now);
        if (!file.binary)
            addHunks(patch->get(), file);
        result.append(file);
    }
    return result;
}

Result<QByteArray> patchOf(const FolderContent &before, const FolderContent &after, const QString &prefix)
{
    git::initialiseLibrary();
    QByteArray text;
    for (const QString &path : changedPaths(before, after)) {
        const QByteArray old = before.files.value(path);
        const QByteArray now = after.files.value(path);
        const bool was = before.files.contains(path);
        const bool is = after.files.contains(path);
        const QByteArray name = (prefix.isEmpty() ? path : prefix + QLatin1Char('/') + path).toUtf8();
        const QByteArray oldName = patchName("a/" + name), newName = patchName("b/" + name);
        const QByteArray oldMode = modeOf(before, path), newMode = modeOf(after, path);
        const Result<git::PatchHandle> patch = git::makePatch(old, now, 3);
        if (!patch)
            return std::unexpected(patch.error());
        text += "diff --git " + oldName + ' ' + newName + '\n';
        if (!was)
            text += "new file mode " + newMode + '\n';
        else if (!is)
            text += "deleted file mode " + oldMode + '\n';
        else if (oldMode != newMode)
            text += "old mode " + oldMode + "\nnew mode " + newMode + '\n';
        const QByteArray hunks = hunksOf(patch->get());
        if (git::isBinary(old) || git::isBinary(now))
            text += "Binary files " + oldName + " and " + newName + " differ\n";
        else if (!hunks.isEmpty())
            text += "--- " + (was ? headerName(oldName) : QByteArray("/dev/null")) + "\n+++ " +
                    (is ? headerName(newName) : QByteArray("/dev/null")) + '\n' + hunks;
    }
    return text;
}

Result<Diff> Repository::diffFolders(const FolderContent &before, const FolderContent &after) const
{
    return diffContents(before, after, 3);
}

} // namespace ako
