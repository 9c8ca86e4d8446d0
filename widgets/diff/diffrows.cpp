// SPDX-License-Identifier: GPL-3.0-or-later
#include "diff/diffrows.h"

#include <QCoreApplication>

#include <algorithm>

namespace ako {

namespace {

using Kind = DiffRow::Kind;

QString titleOf(const FileDiff &file)
{
    switch (file.kind) {
    case FileDiff::Kind::Added:
        return QCoreApplication::translate("ako::DiffRows", "%1 (added)").arg(file.path);
    case FileDiff::Kind::Removed:
        return QCoreApplication::translate("ako::DiffRows", "%1 (removed)").arg(file.path);
    case FileDiff::Kind::Modified:
        break;
    }
    return file.path;
}

DiffRow heading(Kind kind, const QString &text)
{
    DiffRow row;
    row.kind = kind;
    row.text = text;
    return row;
}

DiffRow rowOf(const DiffLine &line)
{
    DiffRow row;
    row.kind = line.origin == '+' ? Kind::Added : line.origin == '-' ? Kind::Removed : Kind::Context;
    row.oldLine = line.oldLine;
    row.newLine = line.newLine;
    row.text = line.text;
    return row;
}

int commonStart(const QString &a, const QString &b)
{
    const auto ends = std::mismatch(a.cbegin(), a.cend(), b.cbegin(), b.cend());
    return int(ends.first - a.cbegin());
}

int commonEnd(const QString &a, const QString &b, int beyond)
{
    int count = 0;
    while (count < a.size() - beyond && count < b.size() - beyond && a[a.size() - 1 - count] == b[b.size() - 1 - count])
        ++count;
    return count;
}

// Marks what differs between two lines that stand for each other, if enough of them is the same.
void markDifference(DiffRow &before, DiffRow &after)
{
    const int start = commonStart(before.text, after.text);
    const int end = commonEnd(before.text, after.text, start);
    if (start + end < std::min(before.text.size(), after.text.size()) / 3)
        return;
    before.changedFrom = after.changedFrom = start;
    before.changedLength = int(before.text.size()) - start - end;
    after.changedLength = int(after.text.size()) - start - end;
}

// The lines of a hunk from `at` on that are removed, then those that are added after them.
struct Block
{
    QList<DiffRow> removed;
    QList<DiffRow> added;
};

Block takeBlock(const QList<DiffLine> &lines, int &at)
{
    Block block;
    for (; at < lines.size() && lines.at(at).origin == '-'; ++at)
        block.removed << rowOf(lines.at(at));
    for (; at < lines.size() && lines.at(at).origin == '+'; ++at)
        block.added << rowOf(lines.at(at));
    for (qsizetype i = 0; i < std::min(block.removed.size(), block.added.size()); ++i)
        markDifference(block.removed[i], block.added[i]);
    return block;
}

// Calls onContext(row) for each line that stayed and onBlock(block) for each block that changed.
template <typename Context, typename Changed>
void walk(const QList<DiffLine> &lines, Context onContext, Changed onBlock)
{
    int at = 0;
    while (at < lines.size()) {
        if (lines.at(at).origin == '-' || lines.at(at).origin == '+')
            onBlock(takeBlock(lines, at));
        else
            onContext(rowOf(lines.at(at++)));
    }
}

QString binaryNote()
{
    return QCoreApplication::translate("ako::DiffRows", "binary file: contents differ");
}

void addBlock(DiffSides &sides, const Block &block)
{
    const qsizetype rows = std::max(block.removed.size(), block.added.size());
    const DiffRow filler = heading(Kind::Filler, {});
    for (qsizetype i = 0; i < rows; ++i) {
        sides.left << (i < block.removed.size() ? block.removed.at(i) : filler);
        sides.right << (i < block.added.size() ? block.added.at(i) : filler);
    }
}

void addBoth(DiffSides &sides, const DiffRow &row)
{
    sides.left << row;
    sides.right << row;
}

} // namespace

QList<DiffRow> unifiedRows(const Diff &diff)
{
    QList<DiffRow> rows;
    for (const FileDiff &file : diff) {
        rows << heading(Kind::File, titleOf(file));
        if (file.binary)
            rows << heading(Kind::Hunk, binaryNote());
        for (const DiffHunk &hunk : file.hunks) {
            rows << heading(Kind::Hunk, hunk.header);
            walk(
                hunk.lines, [&rows](const DiffRow &row) { rows << row; },
                [&rows](const Block &block) { rows << block.removed << block.added; });
        }
    }
    return rows;
}

DiffSides sideBySideRows(const Diff &diff)
{
    DiffSides sides;
    for (const FileDiff &file : diff) {
        addBoth(sides, heading(Kind::File, titleOf(file)));
        if (file.binary)
            addBoth(sides, heading(Kind::Hunk, binaryNote()));
        for (const DiffHunk &hunk : file.hunks) {
            addBoth(sides, heading(Kind::Hunk, hunk.header));
            walk(
                hunk.lines, [&sides](const DiffRow &row) { addBoth(sides, row); },
                [&sides](const Block &block) { addBlock(sides, block); });
        }
    }
    return sides;
}

namespace {

constexpr qsizetype around = 3; // lines on either side of a change, by which its place is known again

// The run of changed lines that holds this one, and some lines on either side of it.
DiffChange changeAround(const QString &path, const QList<DiffLine> &lines, qsizetype at)
{
    const auto isChanged = [&lines](qsizetype i) { return i >= 0 && i < lines.size() && lines.at(i).origin != ' '; };
    qsizetype first = at;
    qsizetype last = at;
    while (isChanged(first - 1))
        --first;
    while (isChanged(last + 1))
        ++last;
    DiffChange change{path, {}, {}};
    for (qsizetype i = std::max<qsizetype>(0, first - around); i <= std::min(last + around, lines.size() - 1); ++i) {
        const DiffLine &line = lines.at(i);
        const bool isNear = i >= first && i <= last;
        if ((!isNear && line.origin != ' ') || line.origin == '\\') {
            if (i < first) { // another change: what is around begins behind it
                change.before.clear();
                change.after.clear();
                continue;
            }
            if (i > last)
                break;
            continue;
        }
        if (line.origin != '+')
            change.before += line.text + QLatin1Char('\n');
        if (line.origin != '-')
            change.after += line.text + QLatin1Char('\n');
    }
    return change;
}

bool isRow(const DiffLine &line, const DiffRow &row)
{
    return line.oldLine == row.oldLine && line.newLine == row.newLine && line.text == row.text;
}

} // namespace

DiffChange changeAt(const Diff &diff, const DiffRow &row)
{
    if (row.kind != Kind::Added && row.kind != Kind::Removed)
        return {};
    for (const FileDiff &file : diff) {
        if (file.kind != FileDiff::Kind::Modified)
            continue;
        for (const DiffHunk &hunk : file.hunks) {
            for (qsizetype i = 0; i < hunk.lines.size(); ++i) {
                if (hunk.lines.at(i).origin != ' ' && isRow(hunk.lines.at(i), row))
                    return changeAround(file.path, hunk.lines, i);
            }
        }
    }
    return {};
}

QList<int> changeStarts(const QList<DiffRow> &rows)
{
    QList<int> starts;
    bool inside = false;
    for (int i = 0; i < rows.size(); ++i) {
        const Kind kind = rows.at(i).kind;
        const bool changed = kind == Kind::Added || kind == Kind::Removed || kind == Kind::Filler;
        if (changed && !inside)
            starts << i;
        inside = changed;
    }
    return starts;
}

} // namespace ako
