// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/opening.h"

#include "history/historyreader.h"
#include "history/journal.h"
#include "history/solutionhash.h"
#include "loop/originalkernel.h"
#include "loop/preparing.h"
#include "loop/probing.h"
#include "loop/solutionfolder.h"
#include "process/programlookup.h"
#include "workspace/hints.h"
#include "workspace/statefolder.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>

namespace ako {

namespace {

const QString hintsFile = QStringLiteral("HINTS.md");

QString text(const char *source)
{
    return QCoreApplication::translate("Loop", source);
}

Result<QString> workspaceFolder(const QString &path)
{
    const QFileInfo info(path);
    if (!info.exists())
        return fail(text("%1 does not exist").arg(path), text("Give the folder that holds the kernel."));
    if (!info.isDir())
        return fail(text("%1 is a file, not a folder").arg(path), text("Give the folder that it is in."));
    if (!info.isReadable() || !info.isExecutable())
        return fail(text("%1 cannot be read").arg(path), text("Check its permissions."));
    return info.canonicalFilePath();
}

Result<void> openRepository(Session &session)
{
    session.repository.reset();
    if (!Repository::isInsideRepository(session.workspace))
        return {};
    auto repository = Repository::open(session.workspace);
    if (!repository)
        return std::unexpected(repository.error());
    if (repository->isBare())
        return fail(
            text("%1 is in a bare git repository: it has no working tree to optimise in").arg(session.workspace),
            text("Clone it and open the clone: git clone \"%1\"").arg(repository->gitDirectory()));
    session.repository = std::move(*repository);
    return {};
}

// What an earlier process was doing when it was killed.
Result<void> completeInterrupted(Session &session)
{
    if (!QFileInfo::exists(stateFolder(session.workspace)))
        return {};
    if (const auto locked = session.takeLock(); !locked)
        return locked;
    if (session.repository) {
        if (const auto done = session.repository->finishInterruptedCommit(); !done)
            return done;
    }
    Probing::putAsideLeftovers(session);
    return SolutionFolder(session).completeInterruptedWrite();
}

bool isInHead(const Session &session, const IterationRecord &record)
{
    if (!session.repository || session.repository->headId().isEmpty() || record.trajectory.isEmpty())
        return false;
    return session.repository
        ->fileAt(session.repository->headId(), record.trajectory + QStringLiteral("/iteration.json"))
        .has_value();
}

void findUnfinished(const Session &session, outcome::Opened &opened)
{
    opened.unfinished = Journal(session.workspace).unfinished();
    if (!opened.unfinished)
        return;
    const IterationRecord &record = opened.unfinished->record;
    opened.unfinishedIsCommitted = opened.unfinished->step == JournalStep::Logged && isInHead(session, record);
    opened.unfinishedIsIntact = solutionHash(session.solution()) == record.solutionHash;
}

// An entry under way is not history yet, and of a bench that nobody finished only folders are left.
void dropUncommitted(outcome::Opened &opened)
{
    const auto isOpen = [&opened](const IterationRecord &record) {
        if (!record.commit.isEmpty())
            return false;
        const bool underWay = opened.unfinished && opened.unfinished->record.kind == record.kind &&
                              opened.unfinished->record.number == record.number;
        return underWay || record.kind == IterationRecord::Kind::Baseline;
    };
    opened.records.removeIf(isOpen);
    opened.champion = championOf(opened.records);
}

// An edit was most likely made of what the last entry left there.
int solutionOwner(const Session &session, const QList<IterationRecord> &records)
{
    const QString hash = solutionHash(session.solution());
    int owner = -1;
    for (const IterationRecord &record : records) {
        if (record.solutionHash == hash)
            owner = record.number;
    }
    return owner < 0 && !records.isEmpty() ? records.last().number : owner;
}

QString hintsAt(const Repository &repository, const QString &commit)
{
    const auto bytes = repository.fileAt(commit, hintsFile);
    return bytes && bytes->size() <= hintsLimit ? QString::fromUtf8(*bytes) : QString();
}

// Which iteration was the first to see each edit of HINTS.md, from the commits.
void readHints(const Session &session, outcome::Opened &opened)
{
    const auto now = readHintsFile(session.workspace);
    opened.hints = now ? QString::fromUtf8(*now) : QString();
    if (!session.repository)
        return;
    bool first = true;
    QString before;
    for (const IterationRecord &record : opened.records) {
        if (record.commit.isEmpty() || record.kind == IterationRecord::Kind::Final)
            continue;
        const QString seen = hintsAt(*session.repository, record.commit);
        if (!first && seen != before) {
            const HintsDifference change = compareHints(before, seen);
            if (!change.isEmpty())
                opened.hintMarks << event::HintsSeen{record.number, change.added, change.removed, change.recognised};
        }
        first = false;
        before = seen;
    }
    if (!first)
        opened.hints = before;
}

// Not of one whose baseline was measured and has yet to be committed: what lies there may be an edit of it.
void askOfSolution(const Session &session, outcome::Opened &opened)
{
    const bool hasBaseline = std::ranges::any_of(opened.records, [](const IterationRecord &record) {
        return record.number == 0 && record.kind != IterationRecord::Kind::Final;
    });
    const bool isUnderWay = opened.unfinished && opened.unfinished->record.kind == IterationRecord::Kind::Baseline &&
                            (opened.unfinishedIsCommitted || opened.unfinished->step >= JournalStep::Benched);
    if (!hasBaseline && !isUnderWay)
        askOfForeignSolution(session, opened.plan);
}

// Of rows whose files are the same a later program, or another answer, may make something else.
QStringList planChanges(const ResolvedPlan &before, const ResolvedPlan &after)
{
    QStringList changes;
    for (const char *key : {planKey::kernel, planKey::reference, planKey::input, planKey::benchMode}) {
        const PlanField *then = before.field(QLatin1String(key));
        const PlanField *now = after.field(QLatin1String(key));
        if (then && now && then->value != now->value)
            changes
                << text("%1: %2 is in the plan now, where %3 was approved").arg(now->label, now->value, then->value);
    }
    return changes;
}

Result<void> readApproval(Session &session, outcome::Opened &opened)
{
    const auto approval = loadApproval(session.workspace);
    if (!approval)
        return std::unexpected(approval.error());
    session.approval = *approval;
    opened.comparableFrom = comparableFrom(session.workspace);
    if (!session.approval)
        return {};
    for (const FileChange &change : session.harness.changes(session.approval->manifest, session.workspace))
        opened.harnessChanges << changeText(change);
    const bool isSamePlan = measuresTheSame(session.approval->plan, opened.plan);
    const bool measuresAsApproved = opened.harnessChanges.isEmpty() && isSamePlan;
    opened.approved = measuresAsApproved && !opened.plan.isMeasurementOpen();
    opened.approvedButForQuestions = measuresAsApproved && !opened.approved;
    if (!isSamePlan && !opened.plan.hasOpenQuestions())
        opened.harnessChanges += planChanges(session.approval->plan, opened.plan);
    return {};
}

Result<ResolvedPlan> planFor(const Session &session, Planner *planner, const QString &request)
{
    if (planner)
        return planner->open(session.workspace, request);
    ResolvedPlan plan;
    plan.workspace = session.workspace;
    return plan;
}

} // namespace

bool measuresTheSame(const ResolvedPlan &before, const ResolvedPlan &after)
{
    return before.evaluator == after.evaluator && before.problemFile == after.problemFile &&
           before.referenceFile == after.referenceFile && before.inputFiles == after.inputFiles &&
           before.benchCommand == after.benchCommand && before.metricPattern == after.metricPattern &&
           before.metricUnit == after.metricUnit &&
           (after.newEvaluator.isEmpty() || before.newEvaluator == after.newEvaluator) &&
           before.kernelFiles == after.kernelFiles && before.kernelRoot == after.kernelRoot;
}

Result<outcome::Opened> openWorkspace(Session &session, Planner *planner, const effect::Open &open)
{
    const auto folder = workspaceFolder(open.path);
    if (!folder)
        return std::unexpected(folder.error());
    session.lock.reset();
    session.workspace = *folder;
    distrustPrograms(*folder);
    session.readOnly = open.readOnly;
    if (const auto done = openRepository(session); !done)
        return std::unexpected(done.error());
    if (!open.readOnly) {
        if (const auto done = completeInterrupted(session); !done)
            return std::unexpected(done.error());
    }
    auto plan = planFor(session, planner, open.request);
    if (!plan)
        return std::unexpected(plan.error());
    outcome::Opened opened;
    opened.path = session.workspace;
    opened.plan = *plan;
    if (session.repository)
        opened.branch = session.repository->currentBranch();
    const History history = readHistory(session.workspace, session.repository ? &*session.repository : nullptr);
    opened.records = history.records;
    opened.warnings = history.warnings;
    findUnfinished(session, opened);
    dropUncommitted(opened);
    opened.solutionOf = solutionOwner(session, opened.records);
    readHints(session, opened);
    askOfSolution(session, opened);
    if (const auto done = readApproval(session, opened); !done)
        return std::unexpected(done.error());
    const bool editWaits = !open.readOnly && (!opened.unfinished || opened.unfinishedIsCommitted);
    if (editWaits) {
        if (const auto done = SolutionFolder(session).bringBackEdit(); !done)
            return std::unexpected(done.error());
    }
    return opened;
}

} // namespace ako
