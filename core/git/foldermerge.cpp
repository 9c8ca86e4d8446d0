// SPDX-License-Identifier: GPL-3.0-or-later
#include "git/patch.h"
#include "git/repository.h"

#include <algorithm>
#include <optional>

namespace ako {
namespace {

using git::receive;

// A file on one side of the merge; no value: it is not there.
struct Version
{
    QByteArray content;
    bool executable = false;
    bool link = false;
    bool operator==(const Version &) const = default;
};
using Side = std::optional<Version>;

Side sideOf(const FolderContent &folder, const QString &path)
{
    const auto found = folder.files.constFind(path);
    if (found == folder.files.cend())
        return std::nullopt;
    return Version{*found, folder.executables.contains(path), folder.links.contains(path)};
}

// Lines [first, first + count) of one version, 1-based; where count is 0, the place after line first.
struct Span
{
    int first = 0;
    int count = 0;
    // Changes that touch without overlapping are a conflict to git as well.
    bool touches(const Span &other) const
    {
        const int begin = count == 0 ? first + 1 : first;
        const int otherBegin = other.count == 0 ? other.first + 1 : other.first;
        return begin <= otherBegin + other.count && otherBegin <= begin + count;
    }
};

struct Change
{
    Span before;
    Span after;
};

QList<Change> changesBetween(const QByteArray &before, const QByteArray &after)
{
    QList<Change> changes;
    const Result<git::PatchHandle> patch = git::makePatch(before, after, 0);
    for (size_t i = 0; patch && i < git_patch_num_hunks(patch->get()); ++i) {
        const git_diff_hunk *hunk = nullptr;
        if (git_patch_get_hunk(&hunk, nullptr, patch->get(), i) == 0)
            changes.append(Change{{hunk->old_start, hunk->old_lines}, {hunk->new_start, hunk->new_lines}});
    }
    return changes;
}

void addLines(const Span &span, QList<int> &lines)
{
    if (span.count == 0)
        lines.append(std::max(1, span.first));
    for (int line = span.first; line < span.first + span.count; ++line)
        lines.append(line);
}

// The lines of `ours` that were changed where `theirs` changes the base too.
QList<int> conflictingLines(const QByteArray &base, const QByteArray &ours, const QByteArray &theirs)
{
    QList<int> lines;
    const QList<Change> mine = changesBetween(base, ours);
    const QList<Change> others = changesBetween(base, theirs);
    for (const Change &change : mine) {
        if (std::any_of(others.cbegin(), others.cend(),
                        [&change](const Change &other) { return change.before.touches(other.before); }))
            addLines(change.after, lines);
    }
    return lines;
}

// Nothing where the three do not merge.
std::optional<QByteArray> mergeContent(const QByteArray &base, const QByteArray &ours, const QByteArray &theirs)
{
    if (git::isBinary(base) || git::isBinary(ours) || git::isBinary(theirs))
        return std::nullopt;
    const auto input = [](const QByteArray &content) {
        git_merge_file_input file = GIT_MERGE_FILE_INPUT_INIT;
        file.ptr = content.constData();
        file.size = size_t(content.size());
        return file;
    };
    const git_merge_file_input baseInput = input(base);
    const git_merge_file_input ourInput = input(ours);
    const git_merge_file_input theirInput = input(theirs);
    git_merge_file_result result = {};
    std::optional<QByteArray> merged;
    if (git_merge_file(&result, &baseInput, &ourInput, &theirInput, nullptr) == 0 && result.automergeable)
        merged = QByteArray(result.ptr, qsizetype(result.len));
    git_merge_file_result_free(&result);
    return merged;
}

bool mergeBit(bool base, bool ours, bool theirs)
{
    return ours == base ? theirs : ours;
}

void add(const QString &path, const Side &side, FolderContent &content)
{
    if (!side)
        return;
    content.files.insert(path, side->content);
    if (side->executable)
        content.executables.append(path);
    if (side->link)
        content.links.append(path);
}

// Neither side is the same as the base, nor the same as the other.
void mergeChanged(const QString &path, const Side &base, const Side &ours, const Side &theirs, MergeOutcome &outcome)
{
    const bool linked = (base && base->link) || (ours && ours->link) || (theirs && theirs->link);
    const QByteArray original = base ? base->content : QByteArray();
    if (!ours || !theirs || linked) {
        QList<int> lines;
        if (ours && !linked)
            lines = conflictingLines(original, ours->content, {});
        outcome.conflicts.append({path, lines});
        return;
    }
    const std::optional<QByteArray> content = mergeContent(original, ours->content, theirs->content);
    if (!content) {
        outcome.conflicts.append({path, conflictingLines(original, ours->content, theirs->content)});
        return;
    }
    const bool executable = mergeBit(base && base->executable, ours->executable, theirs->executable);
    add(path, Version{*content, executable, false}, outcome.merged);
}

} // namespace

MergeOutcome mergeFolders(const FolderContent &base, const FolderContent &ours, const FolderContent &theirs)
{
    git::initialiseLibrary();
    QMap<QString, QByteArray> all = base.files;
    all.insert(ours.files);
    all.insert(theirs.files);
    MergeOutcome outcome;
    for (auto it = all.cbegin(); it != all.cend(); ++it) {
        const Side before = sideOf(base, it.key());
        const Side mine = sideOf(ours, it.key());
        const Side other = sideOf(theirs, it.key());
        if (before == other || mine == other)
            add(it.key(), mine, outcome.merged);
        else if (before == mine)
            add(it.key(), other, outcome.merged);
        else
            mergeChanged(it.key(), before, mine, other, outcome);
    }
    if (!outcome.conflicts.isEmpty())
        outcome.merged = {};
    return outcome;
}

} // namespace ako
