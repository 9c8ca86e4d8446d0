// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/programlookup.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <mutex>

namespace ako {
namespace {

QString translate(const char *text)
{
    return QCoreApplication::translate("ako::ProgramLookup", text);
}

bool isExecutable(const QFileInfo &file)
{
    return file.isFile() && file.isExecutable();
}

struct Distrusted
{
    std::mutex mutex;
    QStringList folders; // canonical
};

Distrusted &distrusted()
{
    static Distrusted folders;
    return folders;
}

bool isBelow(const QString &path, const QString &folder)
{
    return path == folder || path.startsWith(folder + QLatin1Char('/'));
}

// The canonical path; empty for one that holds a person's own programs as well, of which only itself is left out.
QString untrustedBelow(const QString &folder)
{
    const QString canonical = QFileInfo(folder).canonicalFilePath();
    const QString home = QFileInfo(QDir::homePath()).canonicalFilePath();
    return canonical.isEmpty() || canonical == QLatin1String("/") || isBelow(home, canonical) ? QString() : canonical;
}

bool isExcluded(const QString &folder, const QString &workingDirectory)
{
    const QString canonical = QFileInfo(folder).canonicalFilePath();
    if (canonical.isEmpty() || canonical == QDir(QDir::currentPath()).canonicalPath())
        return true;
    if (!workingDirectory.isEmpty()) {
        const QString workspace = untrustedBelow(workingDirectory);
        if (canonical == QFileInfo(workingDirectory).canonicalFilePath() ||
            (!workspace.isEmpty() && isBelow(canonical, workspace)))
            return true;
    }
    const std::lock_guard lock(distrusted().mutex);
    return std::ranges::any_of(distrusted().folders,
                               [&](const QString &untrusted) { return isBelow(canonical, untrusted); });
}

Result<QString> checkAbsolute(const QString &program)
{
    const QFileInfo file(program);
    if (!file.exists())
        return fail(translate(QT_TRANSLATE_NOOP("ako::ProgramLookup", "Program %1 does not exist.")).arg(program));
    if (!isExecutable(file))
        return fail(translate(QT_TRANSLATE_NOOP("ako::ProgramLookup", "%1 is not an executable file.")).arg(program),
                    translate(QT_TRANSLATE_NOOP("ako::ProgramLookup", "Make it executable: chmod +x.")));
    return program;
}

} // namespace

void distrustPrograms(const QString &folder)
{
    const QString canonical = untrustedBelow(folder);
    if (canonical.isEmpty())
        return;
    const std::lock_guard lock(distrusted().mutex);
    if (!distrusted().folders.contains(canonical))
        distrusted().folders << canonical;
}

Result<QString> findProgram(const QString &program, const QString &workingDirectory)
{
    if (QDir::isAbsolutePath(program))
        return checkAbsolute(program);
    if (program.isEmpty() || program.contains(QLatin1Char('/')))
        return fail(translate(QT_TRANSLATE_NOOP("ako::ProgramLookup",
                                                "\"%1\" is neither an absolute path nor the plain name of a program."))
                        .arg(program));
    const QStringList folders = qEnvironmentVariable("PATH").split(QLatin1Char(':'));
    for (const QString &folder : folders) {
        if (!QDir::isAbsolutePath(folder) || isExcluded(folder, workingDirectory))
            continue;
        const QFileInfo file(QDir(folder), program);
        if (isExecutable(file))
            return file.absoluteFilePath();
    }
    return fail(
        translate(QT_TRANSLATE_NOOP("ako::ProgramLookup", "Program \"%1\" was not found on PATH.")).arg(program),
        translate(QT_TRANSLATE_NOOP("ako::ProgramLookup", "Install it, or add its folder to PATH.")));
}

} // namespace ako
