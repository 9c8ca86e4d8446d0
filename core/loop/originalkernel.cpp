// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/originalkernel.h"

#include "base/atomicfile.h"
#include "base/words.h"
#include "git/folderfiles.h"
#include "history/solutionhash.h"
#include "loop/solutionfolder.h"
#include "workspace/definitionkernel.h"
#include "workspace/statefolder.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <filesystem>

namespace ako {

namespace {

const QString copiesFile = QStringLiteral("copied-solutions"); // below .ako/: the hash of each, one a line

QString text(const char *source)
{
    return QCoreApplication::translate("Loop", source);
}

bool isCopy(const FolderContent &content, const FolderContent &kernel)
{
    return content.links.isEmpty() && content.files == kernel.files;
}

bool wasCopied(const QString &workspace, const FolderContent &content)
{
    const auto copies = readStateFile(workspace, copiesFile);
    return copies && content.links.isEmpty() && copies->split('\n').contains(solutionHash(content).toLatin1());
}

// Before it is written: a copy that nobody knows of would be taken for a person's.
Result<void> rememberCopy(const QString &workspace, const FolderContent &content)
{
    if (wasCopied(workspace, content))
        return {};
    const auto copies = readStateFile(workspace, copiesFile);
    if (!copies)
        return std::unexpected(copies.error());
    return writeStateFile(workspace, copiesFile, *copies + solutionHash(content).toLatin1() + '\n');
}

// All at once, by a rename: a solution/ that is there is whole.
Result<void> makeSolution(const Session &session, const FolderContent &content)
{
    const QString fresh = stateFolder(session.workspace) + QStringLiteral("/new-solution");
    if (const auto done = replaceFolder(fresh, content); !done)
        return done;
    std::error_code error;
    std::filesystem::rename(QFile::encodeName(fresh).toStdString(), QFile::encodeName(session.solution()).toStdString(),
                            error);
    if (error)
        return fail(text("%1 cannot be made: %2").arg(session.solution(), QString::fromStdString(error.message())),
                    text("Check the permissions of the workspace."));
    return {};
}

// What stands beside the kernel's files; else those that are not as the kernel has them. Of both, the latter may be
// an older copy, which is the program's own once the former are gone.
QStringList whatDiffers(const FolderContent &content, const FolderContent &kernel)
{
    QStringList added;
    QStringList other;
    QStringList same;
    for (auto file = content.files.cbegin(); file != content.files.cend(); ++file) {
        const QString name = words::shortened(words::oneLine(file.key()));
        const auto known = kernel.files.constFind(file.key());
        if (known == kernel.files.cend())
            added << name;
        else if (*known != *file)
            other << text("another %1").arg(name);
        else
            same << name; // and another of the kernel's files is missing
    }
    return !added.isEmpty() ? added : !other.isEmpty() ? other : same;
}

} // namespace

Result<FolderContent> kernelContent(const Session &session, const ResolvedPlan &plan)
{
    FolderContent content;
    const QDir root(session.path(plan.kernelRoot));
    for (const QString &file : plan.kernelFiles) {
        const auto bytes = readRegularFile(session.path(file));
        if (!bytes)
            return std::unexpected(bytes.error());
        const QString name = solutionName(root.relativeFilePath(session.path(file)));
        if (name.startsWith(QLatin1String("..")))
            return fail(text("%1 is not below %2").arg(file, plan.kernelRoot));
        const auto source = isDefinition(file) ? referenceInDefinition(file, *bytes) : bytes;
        if (!source)
            return std::unexpected(source.error());
        content.files.insert(name, *source);
    }
    if (content.files.isEmpty())
        return fail(text("The plan names no file of the kernel"));
    return content;
}

std::optional<Error> foreignSolution(const Session &session, const ResolvedPlan &plan)
{
    const auto content = readFolder(session.solution());
    if (!content || content->files.isEmpty() || wasCopied(session.workspace, *content))
        return std::nullopt; // what cannot be read has its own message where it is copied
    const auto kernel = kernelContent(session, plan);
    if (!kernel || isCopy(*content, *kernel))
        return std::nullopt;
    const QString named = plan.kernelFiles.first();
    return Error{text("solution/ holds %1, which is not the kernel that the plan names (%2)")
                     .arg(words::listed(whatDiffers(*content, *kernel), 3), named),
                 text("Nothing there is overwritten. Move it out of solution/, and %1 is copied there as the original "
                      "kernel. If it is what shall be made faster, put it into %1, or beside it and name it: "
                      "--answer kernel=PATH")
                     .arg(named)};
}

void askOfForeignSolution(const Session &session, ResolvedPlan &plan)
{
    for (PlanField &field : plan.fields) {
        if (field.key != QLatin1String(planKey::kernel) || !field.problem.isEmpty() || !field.question.isEmpty())
            continue;
        if (const auto foreign = foreignSolution(session, plan))
            field.problem = foreign->message + QStringLiteral(". ") + foreign->remedy;
    }
}

Result<bool> copyKernel(Session &session, const ResolvedPlan &plan)
{
    const auto kernel = kernelContent(session, plan);
    if (!kernel)
        return std::unexpected(kernel.error());
    SolutionFolder folder(session);
    const auto content = folder.present();
    if (!content)
        return std::unexpected(content.error());
    if (isCopy(*content, *kernel)) // a person's perhaps: not remembered as the program's own
        return false;
    if (const auto done = rememberCopy(session.workspace, *kernel); !done)
        return std::unexpected(done.error());
    const bool isNew =
        QDir(session.solution()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    const auto done = isNew ? makeSolution(session, *kernel) : folder.write(*kernel);
    if (!done)
        return std::unexpected(done.error());
    return !content->files.isEmpty();
}

} // namespace ako
