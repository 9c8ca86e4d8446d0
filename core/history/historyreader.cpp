// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/historyreader.h"

#include "git/repository.h"
#include "history/committedrecords.h"
#include "history/iterationorder.h"
#include "history/solutionhash.h"
#include "history/trajectory.h"

#include <QCoreApplication>
#include <QHash>
#include <QPair>

#include <algorithm>

namespace ako {

namespace {

using Key = QPair<int, int>; // kind and number

Key keyOf(IterationRecord::Kind kind, int number)
{
    return {int(kind), number};
}

struct MarkedCommits
{
    QHash<Key, CommitInfo> entries; // the newest commit of each
    QList<CommitInfo> finals;       // newest first: each is an entry of its own
};

// A commit that is not the loop's has no mark.
MarkedCommits marked(const QList<CommitInfo> &log)
{
    MarkedCommits commits;
    for (const CommitInfo &commit : log) { // newest first
        const auto mark = commitMark(commit.subject());
        if (mark && mark->kind == IterationRecord::Kind::Final)
            commits.finals << commit;
        else if (mark && !commits.entries.contains(keyOf(mark->kind, mark->number)))
            commits.entries.insert(keyOf(mark->kind, mark->number), commit);
    }
    return commits;
}

void takeCommit(IterationRecord &record, const CommitInfo &commit)
{
    record.commit = commit.id;
    if (record.title.isEmpty())
        record.title = commitMark(commit.subject()).value_or(CommitMark{}).title;
}

bool hasFolder(const Repository &repository, const CommitInfo &commit, const QString &folder)
{
    const auto content =
        folder.isEmpty() ? Result<FolderContent>(FolderContent{}) : repository.folderAt(commit.id, folder);
    return content && !content->files.isEmpty();
}

// A final's own commit is the first that has its folder; where none has, the newest that says the same.
void giveFinalsTheirCommits(QList<IterationRecord> &records, QList<CommitInfo> &commits, const Repository &repository)
{
    for (IterationRecord &record : records) {
        for (qsizetype i = commits.size() - 1; record.kind == IterationRecord::Kind::Final && i >= 0; --i) {
            if (!hasFolder(repository, commits.at(i), record.trajectory))
                continue;
            takeCommit(record, commits.takeAt(i));
            break;
        }
    }
    for (auto record = records.rbegin(); record != records.rend(); ++record) {
        if (record->kind != IterationRecord::Kind::Final || !record->commit.isEmpty())
            continue;
        const auto own = std::ranges::find_if(commits, [&record](const CommitInfo &commit) {
            const int number = commitMark(commit.subject()).value_or(CommitMark{}).number;
            return number < 0 || number == record->number;
        });
        if (own == commits.end())
            continue;
        takeCommit(*record, *own);
        commits.erase(own);
    }
}

// An entry whose record is nowhere: the commit still says that it was there, and what came of it.
IterationRecord fromCommit(const CommitMark &mark, const CommitInfo &commit, const Repository &repository)
{
    const bool isBaseline = mark.kind == IterationRecord::Kind::Baseline;
    IterationRecord record;
    record.kind = mark.kind;
    record.number = std::max(mark.number, 0);
    record.title = mark.title;
    record.commit = commit.id;
    record.startedAt = commit.time;
    record.label = labelOf(mark);
    record.status =
        isBaseline ? IterationStatus::Baseline : commitResult(commit.message).value_or(IterationStatus::NoChange);
    record.statusReason = QCoreApplication::translate("History", "known from its commit only");
    record.becameChampion = isBaseline || record.status == IterationStatus::Improved;
    if (const auto solution = repository.folderAt(commit.id, QStringLiteral("solution")))
        record.solutionHash = solutionHash(*solution);
    return record;
}

// How many commits came before each; the log has the newest first.
QHash<QString, int> ages(const QList<CommitInfo> &log)
{
    QHash<QString, int> age;
    for (qsizetype i = 0; i < log.size(); ++i)
        age.insert(log.at(i).id, int(log.size() - 1 - i));
    return age;
}

void addCommits(History &history, const QList<CommitInfo> &log, const Repository &repository)
{
    MarkedCommits commits = marked(log);
    giveFinalsTheirCommits(history.records, commits.finals, repository);
    for (IterationRecord &record : history.records) {
        const auto commit = commits.entries.constFind(keyOf(record.kind, record.number));
        if (commit == commits.entries.cend())
            continue;
        takeCommit(record, *commit);
        commits.entries.erase(commit);
    }
    CommittedRecords committed(repository);
    int fromGit = 0;
    const QList<CommitInfo> unmatched = commits.entries.values() + commits.finals;
    for (const CommitInfo &commit : unmatched) {
        const CommitMark mark = commitMark(commit.subject()).value_or(CommitMark{});
        auto record = committed.find(mark, commit);
        if (record)
            record->commit = commit.id;
        fromGit += record ? 1 : 0;
        history.records << (record ? *record : fromCommit(mark, commit, repository));
    }
    if (fromGit > 0)
        history.warnings << QCoreApplication::translate(
                                "History", "%1 folder(s) of trajectory/ are gone and were read from git instead. To "
                                           "have them back on disk: git checkout HEAD -- trajectory")
                                .arg(fromGit);
}

} // namespace

const IterationRecord *History::find(IterationRecord::Kind kind, int number) const
{
    const auto found = std::ranges::find_if(
        records, [&](const IterationRecord &record) { return record.kind == kind && record.number == number; });
    return found == records.cend() ? nullptr : &*found;
}

const IterationRecord *History::at(int number) const
{
    if (number < 0)
        return nullptr;
    return find(number == 0 ? IterationRecord::Kind::Baseline : IterationRecord::Kind::Iteration, number);
}

int History::nextIteration() const
{
    int highest = 0;
    for (const IterationRecord &record : records) {
        if (record.kind == IterationRecord::Kind::Iteration)
            highest = std::max(highest, record.number);
    }
    return highest + 1;
}

int championOf(const QList<IterationRecord> &records)
{
    int champion = -1;
    for (const IterationRecord &record : records) {
        if (record.becameChampion && record.kind != IterationRecord::Kind::Final)
            champion = std::max(champion, record.number);
    }
    return champion;
}

History readHistory(const QString &workspace, const Repository *repository)
{
    const TrajectoryScan scan = scanTrajectory(workspace);
    History history{scan.records, -1, scan.warnings};
    QHash<QString, int> age;
    if (repository) {
        const auto log = repository->log();
        if (log) {
            addCommits(history, *log, *repository);
            age = ages(*log);
        } else {
            history.warnings << log.error().text();
        }
    }
    putInOrder(history.records, age);
    history.champion = championOf(history.records);
    return history;
}

} // namespace ako
