// SPDX-License-Identifier: GPL-3.0-or-later
#include "git/patch.h"
#include "git/repository.h"

#include <QSet>

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

} // namespace

Result<Diff> Repository::diffFolders(const FolderContent &before, const FolderContent &after) const
{
    git::initialiseLibrary();
    QMap<QString, QByteArray> all = before.files;
    all.insert(after.files);
    Diff result;
    for (auto it = all.cbegin(); it != all.cend(); ++it) {
        const bool was = before.files.contains(it.key());
        const bool is = after.files.contains(it.key());
        const QByteArray old = before.files.value(it.key());
        if (was && is && old == after.files.value(it.key()) && hasSameMode(before, after, it.key()))
            continue;
        FileDiff file{kindOf(was, is), it.key(), false, {}};
        const QByteArray now = after.files.value(it.key());
        const Result<git::PatchHandle> patch = git::makePatch(old, now, 3);
        if (!patch)
            return std::unexpected(patch.error());
        file.binary = git::isBinary(old) || git::isBinary(now);
        if (!file.binary)
            addHunks(patch->get(), file);
        result.append(file);
    }
    return result;
}

} // namespace ako
