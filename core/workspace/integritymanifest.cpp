// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/integritymanifest.h"

#include "base/atomicfile.h"
#include "eval/problem.h"
#include "workspace/directives.h"
#include "workspace/kernelbenchfolder.h"
#include "workspace/sourcefacts.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

namespace ako {

namespace {

using nlohmann::json;

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Integrity", text);
}

QString absolute(const QString &workspace, const QString &file)
{
    return QDir::cleanPath(QDir(workspace).absoluteFilePath(file));
}

// The reference with what it includes from beside it: a change there changes what is measured as much.
void addWithIncludes(const QString &workspace, const QString &file, QStringList &files)
{
    if (file.isEmpty() || files.contains(file))
        return;
    files.append(file);
    const Result<QByteArray> text = readRegularFile(absolute(workspace, file), 4LL * 1024 * 1024);
    if (!text)
        return;
    const SourceFacts facts = scanSource(file, *text);
    for (const IncludeFact &include : facts.localIncludes) {
        const QString path = QDir::cleanPath(QFileInfo(file).path() + QLatin1Char('/') + include.path);
        if (QFileInfo(absolute(workspace, path)).isFile())
            addWithIncludes(workspace, path, files);
    }
}

// The sources that a script's text names: what it calls or compiles beside solution/. Not data, which it may write
// itself.
QStringList calledBy(const ResolvedPlan &plan, const QString &script)
{
    static const QStringList suffixes{QStringLiteral("py"), QStringLiteral("sh"),  QStringLiteral("bash"),
                                      QStringLiteral("c"),  QStringLiteral("cc"),  QStringLiteral("cpp"),
                                      QStringLiteral("cu"), QStringLiteral("cuh"), QStringLiteral("h"),
                                      QStringLiteral("mk"), QStringLiteral("hpp")};
    const auto text = readRegularFile(absolute(plan.workspace, script), 4LL * 1024 * 1024);
    QStringList files;
    for (const QString &mentioned : text ? mentionedPaths(QString::fromUtf8(*text)) : QStringList()) {
        const QString file = QDir::cleanPath(mentioned);
        const bool isOurs = file.startsWith(QLatin1String("solution/")) || plan.kernelFiles.contains(file) ||
                            file.startsWith(QLatin1String("..")) || QDir::isAbsolutePath(file);
        if (!isOurs && suffixes.contains(QFileInfo(file).suffix()) &&
            QFileInfo(absolute(plan.workspace, file)).isFile())
            files.append(file);
    }
    return files;
}

// The script that a custom command runs, where one of its words is a file, and what it calls.
QStringList scriptsOf(const ResolvedPlan &plan)
{
    QStringList files;
    const QStringList words = plan.benchCommand.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (QString word : words) {
        word.remove(QLatin1Char('\'')).remove(QLatin1Char('"'));
        if (QFileInfo(absolute(plan.workspace, word)).isFile())
            files.append(QDir::cleanPath(word));
    }
    const PlanField *field = plan.field(QLatin1String(planKey::benchMode));
    const QString named = field ? field->value.section(QStringLiteral("custom: "), 1) : QString();
    if (!named.isEmpty() && QFileInfo(absolute(plan.workspace, named)).isFile())
        files.append(named);
    for (const QString &script : QStringList(files))
        files += calledBy(plan, script);
    files.removeDuplicates();
    return files;
}

// Files that problem.json takes inputs from, workspace-relative; one that cannot be read is the evaluator's to complain
// of.
QStringList storedInputs(const ResolvedPlan &plan)
{
    if (plan.problemFile.isEmpty())
        return {};
    const QString path = absolute(plan.workspace, plan.problemFile);
    const QString folder = QFileInfo(plan.problemFile).path();
    QStringList files;
    try {
        for (const eval::Workload &workload : eval::readProblem(QFile::encodeName(path).toStdString()).workloads) {
            for (const auto &[name, rule] : workload.inputs) {
                if (!rule.file.empty())
                    files.append(QDir::cleanPath(folder + QLatin1Char('/') + QString::fromStdString(rule.file)));
            }
        }
    } catch (const std::exception &) {
        return {};
    }
    return files;
}

} // namespace

QString changeText(const FileChange &change)
{
    switch (change.what) {
    case FileChange::What::Added:
        return tr("%1 was added").arg(change.file);
    case FileChange::What::Removed:
        return tr("%1 was removed").arg(change.file);
    case FileChange::What::Modified:
        return tr("%1 was changed").arg(change.file);
    case FileChange::What::Unreadable:
        return tr("%1 cannot be read").arg(change.file);
    }
    return {};
}

Result<IntegrityManifest> IntegrityManifest::of(const ResolvedPlan &plan, const QStringList &programs)
{
    QStringList files;
    if (!plan.problemFile.isEmpty())
        files.append(plan.problemFile);
    addWithIncludes(plan.workspace, plan.referenceFile, files);
    for (const QString &file : plan.referenceFiles)
        addWithIncludes(plan.workspace, file, files);
    files += plan.inputFiles;
    files += storedInputs(plan);
    if (plan.evaluator == EvaluatorKind::Custom)
        files += scriptsOf(plan);
    if (plan.evaluator == EvaluatorKind::KernelBench) {
        files += presentKernelBenchFiles(plan.workspace);
        // Without a reference of its own the kernel as it was is the golden.
        if (plan.referenceFile.isEmpty())
            files += plan.kernelFiles;
    }
    // scripts/bench.sh is made from it; one that is not there yet is the program's own.
    if (QFileInfo(absolute(plan.workspace, QStringLiteral("bench-wrapper.sh"))).isFile())
        files.append(QStringLiteral("bench-wrapper.sh"));
    files += programs;
    files.removeDuplicates();
    return ofFiles(plan.workspace, files);
}

Result<IntegrityManifest> IntegrityManifest::ofFiles(const QString &workspace, const QStringList &files)
{
    IntegrityManifest manifest;
    for (const QString &file : files) {
        const Result<QByteArray> hash = sha256OfFile(absolute(workspace, file));
        if (!hash)
            return std::unexpected(hash.error());
        manifest.hashes.insert(file, *hash);
    }
    return manifest;
}

QList<FileChange> IntegrityManifest::changes(const QString &workspace) const
{
    QList<FileChange> changes;
    for (auto it = hashes.cbegin(); it != hashes.cend(); ++it) {
        const QString path = absolute(workspace, it.key());
        const Result<QByteArray> now = sha256OfFile(path);
        if (!now)
            changes.append(
                {it.key(), QFileInfo::exists(path) ? FileChange::What::Unreadable : FileChange::What::Removed});
        else if (*now != it.value())
            changes.append({it.key(), FileChange::What::Modified});
    }
    return changes;
}

json IntegrityManifest::toJson() const
{
    json object = json::object();
    for (auto it = hashes.cbegin(); it != hashes.cend(); ++it)
        object[it.key().toStdString()] = it.value().toStdString();
    return object;
}

Result<IntegrityManifest> IntegrityManifest::fromJson(const json &object)
{
    IntegrityManifest manifest;
    if (!object.is_object())
        return fail(tr("This is no list of file hashes."));
    for (const auto &[file, hash] : object.items()) {
        if (!hash.is_string())
            return fail(tr("The hash of %1 is no text.").arg(QString::fromStdString(file)));
        manifest.hashes.insert(QString::fromStdString(file), QByteArray::fromStdString(hash.get<std::string>()));
    }
    return manifest;
}

Result<QByteArray> sha256OfFile(const QString &path)
{
    const int descriptor = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat status = {};
    QFile file;
    const bool isOpen = descriptor >= 0 && ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
                        file.open(descriptor, QIODevice::ReadOnly, QFile::AutoCloseHandle);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (isOpen && hash.addData(&file))
        return hash.result().toHex();
    if (descriptor >= 0 && !isOpen)
        ::close(descriptor);
    return fail(tr("%1 cannot be read, but the measurement depends on it.").arg(path),
                tr("Restore the file, or give yourself the right to read it."));
}

} // namespace ako
