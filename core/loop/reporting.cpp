// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/reporting.h"

#include "base/installation.h"
#include "base/words.h"
#include "git/folderdiff.h"
#include "history/filewriter.h"
#include "loop/originalkernel.h"
#include "workspace/definitionkernel.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace ako {

namespace {

constexpr qint64 largestResult = 16LL * 1024 * 1024;
const QString flagsFile = QStringLiteral("build.json"); // of solution/

QString text(const char *source)
{
    return QCoreApplication::translate("Report", source);
}

const IterationRecord *entry(const QList<IterationRecord> &records, int number)
{
    const auto found = std::ranges::find_if(records, [number](const IterationRecord &record) {
        return record.kind != IterationRecord::Kind::Final && record.number == number;
    });
    return found == records.cend() ? nullptr : &*found;
}

// A final of the champion measured it directly, whatever was tried since.
Result<IterationRecord> bestOf(const QList<IterationRecord> &records, int champion)
{
    if (records.isEmpty())
        return fail(text("There is nothing to report yet: no baseline has been measured"));
    const IterationRecord *best = entry(records, champion);
    const auto direct = std::find_if(records.crbegin(), records.crend(), [&](const IterationRecord &record) {
        return record.kind == IterationRecord::Kind::Final && record.status != IterationStatus::Failed &&
               (!best || (record.number == best->number && record.solutionHash == best->solutionHash));
    });
    if (direct != records.crend())
        return *direct;
    if (!best)
        return fail(text("There is nothing to report yet: no baseline has been measured"));
    return *best;
}

Result<FolderContent> sourcesOf(const Session &session, const IterationRecord *record)
{
    if (!record || record->commit.isEmpty() || !session.repository)
        return fail(text("The commit of an entry that the report needs is not in this repository"));
    return session.repository->folderAt(record->commit, QStringLiteral("solution"));
}

QString folderOfKernel(const Session &session)
{
    const QString root = session.approval ? QDir::cleanPath(session.approval->plan.kernelRoot) : QString();
    return root == QLatin1String(".") ? QString() : root;
}

QString below(const QString &folder, const QString &name)
{
    return folder.isEmpty() ? name : folder + QLatin1Char('/') + name;
}

// As the evaluator wrote it beside the bench's output.
QList<QPair<QString, QString>> environmentOf(const Session &session, const IterationRecord &record)
{
    const QString folder = record.verdictTrajectory.isEmpty() ? record.trajectory : record.verdictTrajectory;
    const QString path = folder + QStringLiteral("/result.json");
    auto bytes = readFile(session.path(path), largestResult);
    if (!bytes && session.repository && !record.commit.isEmpty())
        bytes = session.repository->fileAt(record.commit, path);
    return environmentFacts(bytes.value_or(QByteArray()));
}

QStringList howToReproduce(const Session &session, const IterationRecord &best)
{
    QStringList commands{QStringLiteral("git checkout %1").arg(best.commit)};
    const QString problem = session.approval ? session.approval->plan.problemFile : QString();
    if (session.approval && session.approval->plan.evaluator == EvaluatorKind::Native && !problem.isEmpty())
        commands
            << QStringLiteral("ako-bench --verdict --problem %1 --solution solution").arg(words::shellWord(problem));
    else
        commands << QStringLiteral("scripts/bench.sh again");
    return commands;
}

// Empty where there are none but the ones that every build has.
QString flagsAdvice(const QByteArray &buildFile)
{
    QStringList flags;
    for (const auto &flag : QJsonDocument::fromJson(buildFile).object().value(QLatin1String("flags")).toArray())
        flags << words::shellWord(flag.toString());
    if (flags.isEmpty())
        return {};
    return text("The champion is compiled with %1; build your source with the same flags.")
        .arg(flags.join(QLatin1Char(' ')));
}

QStringList conflictsOf(const MergeOutcome &merge)
{
    QStringList places;
    for (const MergeConflict &conflict : merge.conflicts)
        places << (conflict.lines.isEmpty() ? conflict.path
                                            : text("%1, line %2").arg(conflict.path).arg(conflict.lines.constFirst()));
    return places;
}

} // namespace

Result<RunReport> gatherReport(const Session &session, const QList<IterationRecord> &records, int champion)
{
    const auto best = bestOf(records, champion);
    if (!best)
        return std::unexpected(best.error());
    const auto before = sourcesOf(session, entry(records, 0));
    const auto after = sourcesOf(session, entry(records, best->number));
    if (!before || !after)
        return std::unexpected(before ? after.error() : before.error());
    auto patch = patchOf(*before, *after, folderOfKernel(session));
    if (!patch)
        return std::unexpected(patch.error());
    RunReport report;
    report.name = session.approval && !session.approval->plan.kernelName.isEmpty() ? session.approval->plan.kernelName
                                                                                   : QDir(session.workspace).dirName();
    report.branch = session.repository->currentBranch();
    report.program = QStringLiteral("AKO4ALL ") + installation::version();
    report.when = QDateTime::currentDateTime();
    report.records = records;
    report.best = *best;
    report.patch = *std::move(patch);
    report.environment = environmentOf(session, *best);
    report.reproduce = howToReproduce(session, *best);
    return report;
}

Result<SourceChange> changeOfSource(const Session &session, const QList<IterationRecord> &records, int champion)
{
    const auto report = gatherReport(session, records, champion);
    if (!report)
        return std::unexpected(report.error());
    if (!session.approval)
        return fail(
            text("It is not known here where the kernel's own files are: this workspace was approved elsewhere"),
            text("Take the patch: ako4all report %1 --patch champion.patch").arg(words::shellWord(session.workspace)));
    if (std::ranges::any_of(session.approval->plan.kernelFiles, isDefinition))
        return fail(text("The kernel was taken out of %1 and has no file of its own to be changed")
                        .arg(session.approval->plan.kernelFiles.value(0)),
                    text("The result is in solution/."));
    const auto base = sourcesOf(session, entry(records, 0));
    const auto theirs = sourcesOf(session, entry(records, report->best.number));
    const auto now = kernelContent(session, session.approval->plan);
    for (const auto *content : {&base, &theirs, &now}) {
        if (!*content)
            return std::unexpected(content->error());
    }
    MergeOutcome merge = mergeFolders(*base, *now, *theirs);
    SourceChange change;
    change.folder = folderOfKernel(session);
    if (!now->files.contains(flagsFile)) // of ours alone: nothing in a person's build reads it
        change.advice << flagsAdvice(merge.merged.files.take(flagsFile));
    QStringList places = conflictsOf(merge);
    for (auto file = merge.merged.files.cbegin(); file != merge.merged.files.cend() && places.isEmpty(); ++file) {
        if (now->files.contains(file.key()) && now->files.value(file.key()) == *file)
            continue;
        const QString path = below(change.folder, file.key());
        const auto there = readFile(session.path(path));
        if (merge.merged.links.contains(file.key()))
            places << text("%1, which is a link now").arg(path);
        else if (!now->files.contains(file.key()) && there && *there != *file)
            places << text("%1, which is another file there").arg(path);
        else if (now->files.contains(file.key()) || !there)
            change.content.files.insert(file.key(), *file);
    }
    for (auto file = now->files.cbegin(); file != now->files.cend() && places.isEmpty(); ++file) {
        if (!merge.merged.files.contains(file.key()))
            change.removed << file.key();
    }
    if (!places.isEmpty())
        return fail(text("Your source has changed where the run has changed it too: %1. Nothing was written.")
                        .arg(words::listed(places, 3)),
                    text("Take the patch and merge by hand: ako4all report %1 --patch champion.patch")
                        .arg(words::shellWord(session.workspace)));
    auto diff = session.repository->diffFolders(*now, merge.merged);
    auto patch = patchOf(*now, merge.merged, change.folder);
    if (!diff || !patch)
        return std::unexpected(diff ? patch.error() : diff.error());
    change.diff = *std::move(diff);
    change.patch = *std::move(patch);
    if (session.approval->plan.referenceFile.isEmpty())
        change.advice << text("Without a reference of its own the original kernel is what answers are compared with: "
                              "the next run asks for approval again.");
    change.advice.removeAll(QString());
    return change;
}

QStringList SourceChange::paths() const
{
    QStringList paths;
    for (auto file = content.files.cbegin(); file != content.files.cend(); ++file)
        paths << below(folder, file.key());
    for (const QString &file : removed)
        paths << below(folder, file);
    return paths;
}

Result<void> writeSource(Session &session, const SourceChange &change)
{
    if (auto done = session.takeLock(); !done)
        return done;
    for (const QString &path : change.paths()) {
        // Root can write them all the same, but whoever made them so meant it.
        const QFileInfo there(session.path(path));
        if (there.exists() && !(there.permissions() & (QFile::WriteOwner | QFile::WriteGroup | QFile::WriteOther)))
            return fail(text("%1 is read-only. Nothing was written.").arg(path),
                        text("Make it writable first: chmod u+w %1").arg(words::shellWord(there.filePath())));
    }
    for (auto file = change.content.files.cbegin(); file != change.content.files.cend(); ++file) {
        const QString path = below(change.folder, file.key());
        const bool isExecutable = QFileInfo(session.path(path)).isExecutable();
        if (auto done = writeWorkspaceFile(session.workspace, path, *file, isExecutable); !done)
            return done;
    }
    for (const QString &file : change.removed) {
        const QString path = session.path(below(change.folder, file));
        if (QFileInfo::exists(path) && !QFile::remove(path))
            return fail(text("%1 cannot be removed").arg(path), text("Check the permissions of its folder."));
    }
    return {};
}

} // namespace ako
