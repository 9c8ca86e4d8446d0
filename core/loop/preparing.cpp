// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/preparing.h"

#include "base/atomicfile.h"
#include "base/words.h"
#include "bench/benchscript.h"
#include "bench/kernelbenchscript.h"
#include "history/filewriter.h"
#include "loop/approvedfiles.h"
#include "loop/originalkernel.h"
#include "loop/recording.h"
#include "workspace/hints.h"
#include "workspace/kernelbenchfolder.h"
#include "workspace/lacks.h"
#include "workspace/scaffold.h"
#include "workspace/statefolder.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace ako {

namespace {

const QString harnessFile = QStringLiteral("harness.json"); // below .ako/
const QString benchScript = QStringLiteral("scripts/bench.sh");
const QString benchWrapper = QStringLiteral("bench-wrapper.sh");

QString text(const char *source)
{
    return QCoreApplication::translate("Loop", source);
}

QStringList programs(const Session &session, const ResolvedPlan &plan)
{
    return plan.evaluator == EvaluatorKind::Native ? QStringList{session.benchProgram} : QStringList{};
}

Result<BenchScriptSpec> benchScriptOf(const Session &session, const ResolvedPlan &plan)
{
    switch (plan.evaluator) {
    case EvaluatorKind::Native:
        // Without a reference of its own the original kernel is one.
        return BenchScriptSpec{nativeBenchCommand(session.benchProgram, plan.problemFile,
                                                  plan.referenceFile.isEmpty() ? plan.kernelFiles.value(0) : QString()),
                               {}};
    case EvaluatorKind::KernelBench:
        return kernelBenchScript(plan);
    case EvaluatorKind::Custom:
        break;
    }
    return BenchScriptSpec{plan.benchCommand, {}};
}

Result<void> needsEvaluator(const Session &session, const ResolvedPlan &plan)
{
    if (plan.evaluator == EvaluatorKind::KernelBench) {
        const auto script = kernelBenchScript(plan);
        return script ? Result<void>() : std::unexpected(script.error());
    }
    if (plan.evaluator != EvaluatorKind::Native || !session.benchProgram.isEmpty())
        return {};
    return fail(text("The evaluator ako-bench was not found"), text("Build it, or put it beside ako4all or on PATH."));
}

Result<void> fitForSolution(const Session &session)
{
    const QFileInfo solution(session.solution());
    if (!solution.isSymLink() && (!solution.exists() || solution.isDir()))
        return {};
    return fail(text("%1 is not a folder").arg(session.solution()), text("Rename it: the loop owns that name."));
}

Result<void> needsIdentity(Repository &repository, const std::optional<Identity> &given)
{
    if (repository.identity().isComplete())
        return {};
    if (given && given->isComplete())
        return repository.setLocalIdentity(*given);
    const auto lack = identityLack(repository.workTree());
    return lack ? Result<void>(std::unexpected(*lack)) : Result<void>();
}

// A branch is a file, so neither it nor a folder above it may have the name of another.
bool isTaken(const QString &name, const QStringList &branches)
{
    return std::ranges::any_of(branches, [&name](const QString &branch) {
        return branch == name || branch.startsWith(name + QLatin1Char('/'));
    });
}

// opt/<kernel>, or with -2, -3 ... where somebody has that branch already. On one of them: it is resumed.
Result<QString> branchFor(const Repository &repository, const ResolvedPlan &plan)
{
    const QString wanted = QStringLiteral("opt/") + plan.kernelName;
    const QRegularExpression ours(QStringLiteral("^%1(-\\d+)?$").arg(QRegularExpression::escape(wanted)));
    if (ours.match(repository.currentBranch()).hasMatch())
        return repository.currentBranch();
    const QStringList branches = repository.branches();
    if (branches.contains(QLatin1String("opt")))
        return fail(text("The run commits to branch %1, which git cannot make beside your branch opt").arg(wanted),
                    text("Give yours another name: git branch -m opt my-opt"));
    QString name = wanted;
    for (int suffix = 2; isTaken(name, branches); ++suffix)
        name = QStringLiteral("%1-%2").arg(wanted).arg(suffix);
    return name;
}

// All that would stop the preparation, asked before anything is written.
Result<void> canBePrepared(const Session &session, const ResolvedPlan &plan)
{
    if (const auto lack = writingLack(session.workspace))
        return std::unexpected(*lack);
    if (const auto lack = limitLack())
        return std::unexpected(*lack);
    if (const auto done = needsEvaluator(session, plan); !done)
        return done;
    if (const auto lack = compilerLack(plan))
        return std::unexpected(*lack);
    if (const auto lack = cudaLack(plan))
        return std::unexpected(*lack);
    if (const auto done = fitForSolution(session); !done)
        return done;
    if (session.repository) {
        if (const auto done = fitForCommits(*session.repository); !done)
            return done;
        if (const auto branch = branchFor(*session.repository, plan); !branch)
            return std::unexpected(branch.error());
    }
    const bool isGiven = session.identity && session.identity->isComplete();
    const auto lack = isGiven ? std::nullopt : identityLack(session.workspace);
    return lack ? Result<void>(std::unexpected(*lack)) : Result<void>();
}

event::Notice information(const QString &what)
{
    return {Severity::Info, what, {}};
}

// An edit of scripts/bench.sh by hand is kept aside: the script is made from bench-wrapper.sh.
Result<void> keepEditedScript(Session &session, const QByteArray &before, Result<outcome::Prepared> &prepared)
{
    const auto now = readRegularFile(session.path(benchScript));
    if (before.isEmpty() || !now || *now == before)
        return {};
    prepared->notices << event::Notice{
        Severity::Warning, text("scripts/bench.sh was rendered anew; the one before is .ako/bench.sh.before"),
        text("To change it, edit bench-wrapper.sh.")};
    return writeStateFile(session.workspace, QStringLiteral("bench.sh.before"), before);
}

// Approved is what the script said when it was first made after the approval: another set-up of this machine, another
// evaluator or another wrapper gives another script.
bool isApproved(const Session &session, const QByteArray &script)
{
    const QByteArray known = session.approval ? session.approval->manifest.hashes.value(benchScript) : QByteArray();
    return known.isEmpty() || known == QCryptographicHash::hash(script, QCryptographicHash::Sha256).toHex();
}

Result<void> approveBenchScript(Session &session)
{
    if (!session.approval)
        return {};
    QStringList files{benchScript};
    if (!session.approval->manifest.hashes.contains(benchWrapper)) // the program's own, copied since
        files << benchWrapper;
    const QString evaluator = kernelBenchFolder(session.workspace) + QStringLiteral("/bench.py");
    if (session.approval->plan.evaluator == EvaluatorKind::KernelBench &&
        !session.approval->manifest.hashes.contains(evaluator))
        files += presentKernelBenchFiles(session.workspace);
    const auto manifest = IntegrityManifest::ofFiles(session.workspace, files);
    if (!manifest)
        return std::unexpected(manifest.error());
    IntegrityManifest all = session.approval->manifest;
    all.hashes.insert(manifest->hashes);
    if (all == session.approval->manifest)
        return {};
    session.approval->manifest = all;
    return saveApprovalWithFiles(session.workspace, *session.approval);
}

void forgetEvaluator(IntegrityManifest &manifest, const QString &workspace)
{
    const QString folder = kernelBenchFolder(workspace) + QLatin1Char('/');
    for (auto hash = manifest.hashes.begin(); hash != manifest.hashes.end();)
        hash = hash.key().startsWith(folder) ? manifest.hashes.erase(hash) : std::next(hash);
}

// The approved one takes the place of the workspace's, which is kept in .ako/.
Result<void> makeRoomForEvaluator(Session &session, const ResolvedPlan &plan)
{
    const QString present = kernelBenchVersion(session.workspace);
    if (plan.newEvaluator.isEmpty() || present.isEmpty() || present == plan.newEvaluator)
        return {};
    const auto state = ensureStateFolder(session.workspace);
    if (!state)
        return std::unexpected(state.error());
    const QString wanted = *state + QStringLiteral("/evaluator-") + present;
    QString aside = wanted;
    for (int suffix = 2; QFileInfo::exists(aside); ++suffix)
        aside = QStringLiteral("%1-%2").arg(wanted).arg(suffix);
    if (!QDir().rename(session.path(kernelBenchFolder(session.workspace)), aside))
        return fail(text("%1 cannot be replaced").arg(kernelBenchFolder(session.workspace)),
                    text("Check the permissions of the workspace."));
    return {};
}

// A problem.json that was drafted, and read by the person who approved it. One that has come since is not overwritten.
Result<void> writeDraft(Session &session, const ResolvedPlan &plan)
{
    if (plan.problemDraft.isEmpty())
        return {};
    const QByteArray content = plan.problemDraft.toUtf8();
    if (!QFileInfo::exists(session.path(plan.problemFile)))
        return writeWorkspaceFile(session.workspace, plan.problemFile, content);
    const auto present = readRegularFile(session.path(plan.problemFile));
    if (present && *present == content)
        return {};
    return fail(text("%1 is there by now, and is not what was approved").arg(plan.problemFile),
                text("Nothing is overwritten. Read the plan again."));
}

} // namespace

Result<void> fitForCommits(const Repository &repository)
{
    if (repository.isBare())
        return fail(text("The repository is bare: it has no working tree to optimise in"),
                    text("Clone it and open the clone."));
    if (repository.isInProgress())
        return fail(text("A merge, rebase, cherry-pick or bisect is under way in this repository"),
                    text("Complete it or abort it first (git status says which)."));
    if (repository.isDetached())
        return fail(text("HEAD is detached: commits made here would belong to no branch"),
                    text("Switch to a branch first: git switch -c my-work"));
    const QString lock = repository.gitDirectory() + QStringLiteral("/index.lock");
    if (QFileInfo::exists(lock))
        return fail(
            text("Another git program is at work in this repository, or one has crashed: %1 is there").arg(lock),
            text("Wait for it; where none is running, remove that file."));
    return {};
}

int comparableFrom(const QString &workspace)
{
    const auto bytes = readStateFile(workspace, harnessFile);
    if (!bytes)
        return 0;
    const auto json = nlohmann::json::parse(bytes->constData(), bytes->constData() + bytes->size(), nullptr, false);
    return json.is_object() && json.contains("comparableFrom") && json["comparableFrom"].is_number_integer()
               ? json["comparableFrom"].get<int>()
               : 0;
}

Result<void> recordApproval(Session &session, const effect::RecordApproval &approval)
{
    if (const auto done = canBePrepared(session, approval.plan); !done)
        return done;
    if (const auto done = session.takeLock(); !done)
        return done;
    if (const auto done = writeDraft(session, approval.plan); !done)
        return done;
    auto manifest = IntegrityManifest::of(approval.plan, programs(session, approval.plan));
    if (!manifest)
        return std::unexpected(manifest.error());
    if (!approval.plan.newEvaluator.isEmpty()) // approved as the one that it will be; known once it is there
        forgetEvaluator(*manifest, session.workspace);
    const nlohmann::json harness{{"comparableFrom", approval.comparableFrom}};
    const auto kept = writeStateFile(session.workspace, harnessFile, QByteArray::fromStdString(harness.dump()) + '\n');
    if (!kept)
        return kept;
    session.approval = Approval{approval.plan, *manifest, QDateTime::currentDateTimeUtc()};
    return saveApprovalWithFiles(session.workspace, *session.approval);
}

Result<outcome::Prepared> prepareRepository(Session &session, const ResolvedPlan &plan)
{
    if (const auto lack = limitLack()) // another shell than the one that approved
        return std::unexpected(*lack);
    if (const auto done = session.takeLock(); !done)
        return std::unexpected(done.error());
    outcome::Prepared prepared;
    if (!session.repository) {
        auto made = Repository::isInsideRepository(session.workspace) ? Repository::open(session.workspace)
                                                                      : Repository::initialise(session.workspace);
        if (!made)
            return std::unexpected(made.error());
        session.repository = std::move(*made);
    }
    if (const auto done = fitForCommits(*session.repository); !done)
        return std::unexpected(done.error());
    if (const auto done = fitForSolution(session); !done) // before the branch is switched
        return std::unexpected(done.error());
    if (const auto done = needsIdentity(*session.repository, session.identity); !done)
        return std::unexpected(done.error());
    const auto branch = branchFor(*session.repository, plan);
    if (!branch)
        return std::unexpected(branch.error());
    prepared.branch = *branch;
    if (prepared.branch == session.repository->currentBranch())
        return prepared;
    if (const auto done = session.repository->startBranch(prepared.branch); !done)
        return std::unexpected(done.error());
    prepared.notices << information(text("The run commits to branch %1").arg(prepared.branch));
    return prepared;
}

Result<outcome::Prepared> prepareScaffold(Session &session, const ResolvedPlan &plan)
{
    outcome::Prepared prepared;
    if (const auto done = bringBackLog(session); !done)
        return std::unexpected(done.error());
    if (const auto done = makeRoomForEvaluator(session, plan); !done)
        return std::unexpected(done.error());
    const QStringList missing = missingScaffold(session.workspace, plan.evaluator);
    if (!missing.isEmpty()) {
        const auto source = locateScaffold(session.scaffoldFolder);
        if (!source)
            return std::unexpected(source.error());
        const auto copied = copyScaffold(*source, session.workspace, missing);
        if (!copied)
            return std::unexpected(copied.error());
        if (!copied->isEmpty())
            prepared.notices << information(text("Copied: %1").arg(copied->join(QStringLiteral(", "))));
    }
    const auto added = mergeIntoHintsFile(session.workspace, plan.hints);
    if (!added)
        return std::unexpected(added.error());
    for (const Hint &hint : *added)
        prepared.notices << information(text("Added to HINTS.md %1: %2").arg(hint.origin, words::title(hint.text)));
    const auto hints = readHintsFile(session.workspace);
    if (!hints)
        return std::unexpected(hints.error());
    prepared.hints = QString::fromUtf8(*hints);
    return prepared;
}

Result<outcome::Prepared> prepareSolution(Session &session, const ResolvedPlan &plan, bool hasBaseline)
{
    if (const auto done = fitForSolution(session); !done)
        return std::unexpected(done.error());
    const auto entries = QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot;
    if (hasBaseline && !QDir(session.solution()).isEmpty(entries)) // an iteration's, or an edit to be benched
        return outcome::Prepared{};
    outcome::Prepared prepared;
    prepared.foreign = foreignSolution(session, plan);
    if (prepared.foreign)
        return prepared;
    const auto replaced = copyKernel(session, plan);
    if (!replaced)
        return std::unexpected(replaced.error());
    if (*replaced)
        prepared.notices << information(
            text("%1 has changed: it was copied to solution/ anew").arg(plan.kernelFiles.first()));
    return prepared;
}

Result<outcome::Prepared> prepareBenchScript(Session &session, const ResolvedPlan &plan)
{
    if (const auto done = needsEvaluator(session, plan); !done)
        return std::unexpected(done.error());
    const auto spec = benchScriptOf(session, plan);
    if (!spec)
        return std::unexpected(spec.error());
    const auto script = benchScriptFor(session.workspace, *spec);
    if (!script)
        return std::unexpected(script.error());
    Result<outcome::Prepared> prepared{outcome::Prepared{}};
    if (!isApproved(session, *script)) {
        prepared->harnessChanges
            << text("what %1 calls on this machine is another: the evaluator, Python or the CUDA toolkit")
                   .arg(benchScript);
        return prepared;
    }
    const auto before = readRegularFile(session.path(benchScript));
    if (const auto done = writeWorkspaceFile(session.workspace, benchScript, *script, true); !done)
        return std::unexpected(done.error());
    if (const auto done = keepEditedScript(session, before.value_or(QByteArray()), prepared); !done)
        return std::unexpected(done.error());
    if (const auto done = approveBenchScript(session); !done)
        return std::unexpected(done.error());
    return prepared;
}

} // namespace ako
