// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/scaffold.h"

#include "base/atomicfile.h"
#include "base/installation.h"
#include "workspace/kernelbenchfolder.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ako {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Scaffold", text);
}

// .gitignore has another name in the app's folder, so that it does not act there.
QString sourceName(const QString &file)
{
    return file == QLatin1String(".gitignore") ? QStringLiteral("workspace.gitignore") : file;
}

bool isTaken(const QString &path)
{
    struct stat status = {};
    return ::lstat(QFile::encodeName(path).constData(), &status) == 0;
}

std::unexpected<Error> cannotWrite(const QString &path)
{
    const QString reason = QString::fromLocal8Bit(std::strerror(errno));
    const QString remedy = errno == ENOSPC ? tr("Free some space on the disk and try again.")
                                           : tr("Give yourself the right to write into the workspace and try again.");
    return fail(tr("%1 cannot be written: %2.").arg(path, reason), remedy);
}

// Gives a finished temporary file its name and never replaces anything; not every file system can do both.
bool nameExclusively(const QByteArray &temporary, const QByteArray &target)
{
    if (::renameat2(AT_FDCWD, temporary.constData(), AT_FDCWD, target.constData(), RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    return ::link(temporary.constData(), target.constData()) == 0;
}

// True: made; false: something stands in its place. Nobody ever sees half a file.
Result<bool> createExclusively(const QString &path, const QByteArray &content, mode_t mode)
{
    const QByteArray target = QFile::encodeName(path);
    QByteArray temporary = target + ".XXXXXX";
    const int descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
    if (descriptor < 0)
        return cannotWrite(path);
    const bool isWritten = writeAll(descriptor, content) && ::fsync(descriptor) == 0 && ::fchmod(descriptor, mode) == 0;
    int reason = isWritten ? 0 : errno;
    ::close(descriptor);
    if (isWritten && !nameExclusively(temporary, target))
        reason = errno;
    ::unlink(temporary.constData());
    errno = reason;
    if (reason == 0 || reason == EEXIST)
        return reason == 0;
    return cannotWrite(path);
}

Result<bool> copyOne(const QString &source, const QString &target)
{
    if (isTaken(target))
        return false;
    const Result<QByteArray> content = readRegularFile(source, 16LL * 1024 * 1024);
    if (!content)
        return fail(tr("The scaffold file %1 is missing from this installation.").arg(source),
                    tr("Install AKO4ALL again, or set AKO_DATA_DIR to its data folder."));
    const bool isProgram = QFileInfo(source).isExecutable() || target.endsWith(QLatin1String(".sh"));
    return createExclusively(target, *content, isProgram ? 0755 : 0644);
}

// The evaluator's folder; a copy that was broken off is completed.
Result<bool> copyFolder(const QString &scaffoldFolder, const QString &target)
{
    const QStringList files = kernelBenchFiles(scaffoldFolder);
    if (files.isEmpty())
        return fail(tr("The scaffold folder %1 has no bench/kernelbench.").arg(scaffoldFolder),
                    tr("Install AKO4ALL again, or set AKO_DATA_DIR to its data folder."));
    bool isAnyCopied = false;
    for (const QString &file : files) {
        const QString path = target + file;
        if (!QDir().mkpath(QFileInfo(path).path()))
            return cannotWrite(QFileInfo(path).path());
        const Result<bool> done = copyOne(scaffoldFolder + QStringLiteral("/bench/kernelbench/") + file, path);
        if (!done)
            return done;
        isAnyCopied = isAnyCopied || *done;
    }
    return isAnyCopied;
}

bool isSame(const QString &one, const QString &other)
{
    constexpr qint64 limit = 16LL * 1024 * 1024;
    const Result<QByteArray> left = readRegularFile(one, limit), right = readRegularFile(other, limit);
    return left && right && *left == *right;
}

// An evaluator with a module that differs from the program's is one of another version, and whole: a run goes on with
// what it was approved with, and modules of two versions are never mixed.
bool isWhole(const QString &workspace, const QString &folder)
{
    const Result<QString> scaffold = locateScaffold();
    const QStringList files = scaffold ? kernelBenchFiles(*scaffold) : QStringList();
    const QString target = workspace + QLatin1Char('/') + folder;
    const QString source = scaffold ? *scaffold + QStringLiteral("/bench/kernelbench/") : QString();
    bool isComplete = !files.isEmpty();
    for (const QString &file : files) {
        if (!isTaken(target + file))
            isComplete = false;
        else if (file.endsWith(QLatin1String(".py")) && !isSame(target + file, source + file))
            return true;
    }
    return isComplete;
}

} // namespace

QStringList scaffoldFiles(const QString &workspace, EvaluatorKind evaluator)
{
    QStringList files{QStringLiteral("bench-wrapper.sh"), QStringLiteral("HINTS.md"), QStringLiteral("ITERATIONS.md"),
                      QStringLiteral(".gitignore")};
    if (evaluator == EvaluatorKind::KernelBench)
        files.append(kernelBenchFolder(workspace) + QLatin1Char('/'));
    return files;
}

QStringList missingScaffold(const QString &workspace, EvaluatorKind evaluator)
{
    QStringList missing = scaffoldFiles(workspace, evaluator);
    missing.removeIf([&](const QString &file) {
        return file.endsWith(QLatin1Char('/')) ? isWhole(workspace, file)
                                               : isTaken(workspace + QLatin1Char('/') + file);
    });
    return missing;
}

Result<QString> locateScaffold(const QString &given)
{
    QString folder = given.isEmpty() ? installation::dataFolder(QStringLiteral("scaffold")) : given;
    if (folder.isEmpty() || !QFileInfo(folder).isDir())
        return fail(tr("The scaffold folder %1 is missing from this installation.").arg(folder).simplified(),
                    tr("Install AKO4ALL again, or set AKO_DATA_DIR to its data folder."));
    return folder;
}

Result<QStringList> copyScaffold(const QString &scaffoldFolder, const QString &workspace, const QStringList &files)
{
    QStringList copied;
    for (const QString &file : files) {
        const Result<bool> done =
            file.endsWith(QLatin1Char('/'))
                ? copyFolder(scaffoldFolder, workspace + QLatin1Char('/') + file)
                : copyOne(scaffoldFolder + QLatin1Char('/') + sourceName(file), workspace + QLatin1Char('/') + file);
        if (!done)
            return std::unexpected(done.error());
        if (*done)
            copied.append(file);
    }
    return copied;
}

} // namespace ako
