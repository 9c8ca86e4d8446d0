// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/recording.h"

#include "loop/preparing.h"

#include "base/atomicfile.h"
#include "git/folderfiles.h"
#include "history/commitsubject.h"
#include "history/iterationslog.h"
#include "history/solutionhash.h"
#include "history/trajectory.h"
#include "history/transcript.h"
#include "loop/killpoint.h"
#include "loop/solutionfolder.h"
#include "workspace/kernelbenchfolder.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>

namespace ako {

namespace {

const QString snapshotName = QStringLiteral("/solution");

// An entry that was never benched (quarantined) still gets its folder with what was tried.
Result<QString> folderWithoutBench(Session &session, const IterationRecord &record)
{
    if (const auto done = SolutionFolder(session).setAsideTrajectories(record.label); !done)
        return std::unexpected(done.error());
    QString name = newTrajectory(session.workspace, record.label, QDateTime::currentDateTime());
    QDir().mkpath(session.path(name));
    auto content = readFolder(session.solution());
    if (!content)
        return std::unexpected(content.error());
    if (const auto done = replaceFolder(session.path(name + snapshotName), *content); !done)
        return std::unexpected(done.error());
    session.benched = *content;
    const QByteArray said = record.bench.message.toUtf8() + '\n';
    if (const auto done = writeFileAtomically(session.path(name + QStringLiteral("/output.txt")), said); !done)
        return std::unexpected(done.error());
    return name;
}

bool isThere(const Session &session, const QString &path)
{
    const QFileInfo info(session.path(path));
    return info.exists() || info.isSymLink();
}

// A folder that somebody has removed from disk is committed as it stands there once it is written into again: whole.
Result<void> bringBack(const Session &session, const IterationRecord &record)
{
    if (!session.repository || isThere(session, record.trajectory))
        return {};
    auto content = session.repository->folderAt(session.repository->headId(), record.trajectory);
    if (!content)
        content = session.repository->folderAt(record.commit, record.trajectory);
    return content ? replaceFolder(session.path(record.trajectory), *content) : Result<void>();
}

Result<void> writeLog(Session &session, const effect::WriteEntry &entry, const IterationRecord &record)
{
    if (const auto done = bringBackLog(session); !done)
        return done;
    auto log = IterationsLog::load(session.workspace);
    if (!log)
        return std::unexpected(log.error());
    if (log->entries().isEmpty()) {
        for (const IterationRecord &earlier : entry.history)
            log->record(earlier);
    }
    if (entry.previous)
        log->setAnalysis(entry.previous->label, entry.previous->analysis, entry.previous->next);
    log->record(record);
    for (const RunNote &note : entry.notes)
        log->note(QDateTime::currentDateTime(), note.heading, note.text);
    return log->save(session.workspace);
}

// The bytes that were benched: in memory, or after a crash in the entry's own snapshot.
Result<FolderContent> benchedContent(const Session &session, const IterationRecord &record)
{
    if (solutionHash(session.benched) == record.solutionHash)
        return session.benched;
    const QString trajectory = record.verdictTrajectory.isEmpty() ? record.trajectory : record.verdictTrajectory;
    auto snapshot = readFolder(session.path(trajectory + snapshotName));
    if (snapshot && solutionHash(*snapshot) == record.solutionHash)
        return snapshot;
    return readFolder(session.solution());
}

QStringList ownedPaths(const Session &session, const IterationRecord &record, const IterationRecord *previous)
{
    QStringList paths{QStringLiteral("solution"),
                      QStringLiteral("scripts/bench.sh"),
                      QStringLiteral("ITERATIONS.md"),
                      QStringLiteral("HINTS.md"),
                      record.trajectory,
                      record.verdictTrajectory};
    if (previous)
        paths << previous->trajectory;
    // Of the scaffold, only what the approved plan said would be copied: another file of that name is the user's.
    if (session.approval && record.kind == IterationRecord::Kind::Baseline)
        for (const QString &path : session.approval->plan.scaffoldToCopy)
            paths << QDir::cleanPath(path); // the evaluator's folder is named with a slash
    if (session.approval && !session.approval->plan.newEvaluator.isEmpty())
        paths << kernelBenchFolder(session.workspace);
    paths.removeAll(QString());
    paths.removeDuplicates();
    paths.removeIf([&session](const QString &path) { return !isThere(session, path); });
    return paths;
}

} // namespace

Result<void> bringBackLog(const Session &session)
{
    const QString name = QStringLiteral("ITERATIONS.md");
    if (!session.repository || session.repository->headId().isEmpty() || isThere(session, name))
        return {};
    const auto committed = session.repository->fileAt(session.repository->headId(), name);
    return committed ? writeFileAtomically(session.path(name), *committed) : Result<void>();
}

Result<outcome::Logged> writeEntry(Session &session, const effect::WriteEntry &entry)
{
    outcome::Logged logged;
    IterationRecord record = entry.record;
    if (record.trajectory.isEmpty()) {
        const auto folder = folderWithoutBench(session, record);
        if (!folder)
            return std::unexpected(folder.error());
        logged.trajectory = record.trajectory = *folder;
    }
    if (const auto done = writeLog(session, entry, record); !done)
        return std::unexpected(done.error());
    if (const auto done = transcript::moveInto(session.workspace, record.label, record.trajectory); !done)
        return std::unexpected(done.error());
    killPoint(QStringLiteral("write-entry"), "between");
    if (entry.previous && !entry.previous->trajectory.isEmpty()) {
        if (const auto done = bringBack(session, *entry.previous); !done)
            return std::unexpected(done.error());
        if (const auto done = writeRecord(session.workspace, *entry.previous); !done)
            return std::unexpected(done.error());
    }
    if (const auto done = writeRecord(session.workspace, record); !done)
        return std::unexpected(done.error());
    return logged;
}

Result<outcome::Committed> commitEntry(Session &session, const effect::Commit &commit, const IterationRecord *previous)
{
    if (!session.repository)
        return fail(QCoreApplication::translate("Loop", "There is no git repository to commit to"));
    SolutionFolder folder(session);
    const auto content = benchedContent(session, commit.record);
    if (!content)
        return std::unexpected(content.error());
    if (const auto done = folder.makeRoomFor(*content); !done)
        return std::unexpected(done.error());
    auto id =
        session.repository->commitPaths(ownedPaths(session, commit.record, previous), commitMessage(commit.record));
    if (!id)
        return std::unexpected(id.error());
    killPoint(QStringLiteral("commit"), "between");
    if (const auto done = folder.bringBackEdit(); !done)
        return std::unexpected(done.error());
    return outcome::Committed{*id};
}

Result<outcome::Annotated> annotateEntry(Session &session, const effect::Annotate &annotate)
{
    IterationRecord record = annotate.record;
    const QDateTime now = QDateTime::currentDateTimeUtc();
    if (record.triage && record.triage->when.isNull())
        record.triage->when = now;
    if (!session.repository || record.trajectory.isEmpty())
        return fail(
            QCoreApplication::translate("Loop", "Iteration %1 has no folder below trajectory/ to keep a note in")
                .arg(record.number));
    if (const auto done = fitForCommits(*session.repository); !done)
        return std::unexpected(done.error());
    if (const QString branch = session.repository->currentBranch(); !branch.startsWith(QLatin1String("opt/")))
        return fail(QCoreApplication::translate("Loop", "%1 is checked out, and the run commits to a branch opt/… only")
                        .arg(branch),
                    QCoreApplication::translate("Loop", "Switch to the run's branch first: git switch opt/…"));
    if (const auto done = session.takeLock(); !done)
        return std::unexpected(done.error());
    if (const auto done = bringBackLog(session); !done)
        return std::unexpected(done.error());
    auto log = IterationsLog::load(session.workspace);
    if (!log)
        return std::unexpected(log.error());
    log->note(now.toLocalTime(), annotate.note.heading, annotate.note.text);
    if (const auto done = bringBack(session, record); !done)
        return std::unexpected(done.error());
    if (const auto done = writeRecord(session.workspace, record); !done)
        return std::unexpected(done.error());
    if (const auto done = log->save(session.workspace); !done)
        return std::unexpected(done.error());
    const QStringList paths{QStringLiteral("ITERATIONS.md"), record.trajectory};
    if (const auto id = session.repository->commitPaths(paths, annotate.note.heading); !id)
        return std::unexpected(id.error());
    return outcome::Annotated{record, {}};
}

Result<outcome::Discarded> discardEntry(Session &session, const effect::Discard &discard, const IterationRecord *base)
{
    SolutionFolder folder(session);
    if (const auto done = folder.setAsideTrajectories(discard.record.label); !done)
        return std::unexpected(done.error());
    if (!base)
        return outcome::Discarded{};
    const auto content = folder.committed(*base);
    if (!content)
        return std::unexpected(content.error());
    const auto now = folder.present();
    outcome::Discarded discarded;
    if (now && *now != *content) {
        const auto aside = folder.setAside(discard.record.label);
        if (!aside)
            return std::unexpected(aside.error());
        if (!aside->isEmpty())
            discarded.kept = *aside + snapshotName;
    }
    if (const auto done = folder.write(*content); !done)
        return std::unexpected(done.error());
    return discarded;
}

} // namespace ako
