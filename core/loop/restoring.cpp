// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/restoring.h"

#include "history/solutionhash.h"
#include "loop/solutionfolder.h"

#include <QCoreApplication>

#include <algorithm>

namespace ako {

namespace {

QString text(const char *source)
{
    return QCoreApplication::translate("Loop", source);
}

const IterationRecord *find(const QList<IterationRecord> &records, int number)
{
    const auto found = std::ranges::find_if(records, [number](const IterationRecord &record) {
        return record.kind != IterationRecord::Kind::Final && record.number == number;
    });
    return found == records.cend() ? nullptr : &*found;
}

QStringList linesAt(const FolderContent &content, const MergeConflict &conflict)
{
    const QList<QByteArray> all = content.files.value(conflict.path).split('\n');
    QStringList lines;
    for (const int number : conflict.lines)
        lines << QString::fromUtf8(all.value(number - 1));
    return lines;
}

bool addsOneOf(const FileDiff &file, const QStringList &lines)
{
    for (const DiffHunk &hunk : file.hunks) {
        for (const DiffLine &line : hunk.lines) {
            if (line.origin == '+' && lines.contains(line.text))
                return true;
        }
    }
    return false;
}

// How near an entry is to the conflict: 2 it wrote one of the lines, 1 it changed the file, 0 neither.
int nearness(const Repository &repository, const IterationRecord &record, const QList<IterationRecord> &records,
             const FolderContent &ours, const MergeConflict &conflict)
{
    const IterationRecord *parent = find(records, record.parent);
    if (!parent)
        return 0;
    const auto before = repository.folderAt(parent->commit, QStringLiteral("solution"));
    const auto after = repository.folderAt(record.commit, QStringLiteral("solution"));
    const auto diff = before && after ? repository.diffFolders(*before, *after) : Result<Diff>(Diff{});
    if (!diff)
        return 0;
    for (const FileDiff &file : *diff) {
        if (file.path == conflict.path)
            return addsOneOf(file, linesAt(ours, conflict)) ? 2 : 1;
    }
    return 0;
}

QString culprit(const Session &session, const IterationRecord &target, const QList<IterationRecord> &records,
                const FolderContent &ours, const MergeConflict &conflict)
{
    const IterationRecord *best = nullptr;
    int bestNearness = 0;
    for (const IterationRecord &record : records) {
        if (record.kind != IterationRecord::Kind::Iteration || record.number <= target.number ||
            record.commit.isEmpty())
            continue;
        const int near = !session.repository ? 0 : nearness(*session.repository, record, records, ours, conflict);
        if (near < bestNearness || near == 0)
            continue;
        best = &record;
        bestNearness = near;
    }
    return best ? text("iteration %1 (%2)").arg(best->number).arg(best->title) : text("a later change");
}

QString conflictText(const Session &session, const IterationRecord &target, const QList<IterationRecord> &records,
                     const FolderContent &ours, const QList<MergeConflict> &conflicts)
{
    QStringList places;
    for (const MergeConflict &conflict : conflicts) {
        QStringList lines;
        for (const int line : conflict.lines)
            lines << QString::number(line);
        places << text("%1 touches the same lines of %2 (%3)")
                      .arg(culprit(session, target, records, ours, conflict), conflict.path,
                           lines.isEmpty() ? text("the whole file") : lines.join(QStringLiteral(", ")));
    }
    return text("Iteration %1 cannot be reverted: %2. Nothing was changed.")
        .arg(target.number)
        .arg(places.join(QStringLiteral("; ")));
}

// A restore has no change of its own: it is an earlier entry's solution/ over again.
QString noChangeText(const IterationRecord &target, const IterationRecord &parent,
                     const QList<IterationRecord> &records)
{
    const QString name = parent.number == 0 ? text("the baseline") : text("iteration %1").arg(parent.number);
    QString what = text("Iteration %1 left solution/ exactly as %2: it has no change of its own that could be reverted")
                       .arg(target.number)
                       .arg(name);
    const IterationRecord *before = find(records, target.number - 1);
    if (before && before->number != parent.number && !before->commit.isEmpty())
        what += text(". To go back to what was there before it, restore %1").arg(before->number);
    return what;
}

} // namespace

Result<outcome::SolutionSet> resetSolution(Session &session, const IterationRecord &target,
                                           const QList<IterationRecord> &records)
{
    SolutionFolder folder(session);
    const auto content = folder.committed(target);
    if (!content)
        return std::unexpected(content.error());
    const auto now = folder.present();
    if (!now)
        return std::unexpected(now.error());
    const QString hash = solutionHash(*now);
    const bool known = now->files.isEmpty() || std::ranges::any_of(records, [&hash](const IterationRecord &record) {
                           return record.solutionHash == hash;
                       });
    if (!known) { // made since the boundary was looked at
        if (const auto aside = folder.setAside(QStringLiteral("edit")); !aside)
            return std::unexpected(aside.error());
    }
    if (const auto done = folder.write(*content); !done)
        return std::unexpected(done.error());
    return outcome::SolutionSet{solutionHash(*content)};
}

Result<RevertOutcome> revertEntry(Session &session, const IterationRecord &target,
                                  const QList<IterationRecord> &records)
{
    SolutionFolder folder(session);
    const IterationRecord *parent = find(records, target.parent);
    if (!parent)
        return RevertOutcome(
            outcome::RevertRefused{text("It is not known what iteration %1 was made from").arg(target.number)});
    const auto base = folder.committed(target);
    const auto theirs = folder.committed(*parent);
    const auto ours = folder.present();
    for (const auto *content : {&base, &theirs, &ours}) {
        if (!*content)
            return std::unexpected(content->error());
    }
    if (*base == *theirs)
        return RevertOutcome(outcome::RevertRefused{noChangeText(target, *parent, records)});
    const MergeOutcome merge = mergeFolders(*base, *ours, *theirs);
    if (!merge.conflicts.isEmpty())
        return RevertOutcome(outcome::RevertRefused{conflictText(session, target, records, *ours, merge.conflicts)});
    if (merge.merged == *ours)
        return RevertOutcome(outcome::RevertRefused{
            text("Nothing of iteration %1 is in solution/: there is nothing to revert").arg(target.number)});
    if (const auto done = folder.write(merge.merged); !done)
        return std::unexpected(done.error());
    return RevertOutcome(outcome::SolutionSet{solutionHash(merge.merged)});
}

} // namespace ako
