// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/filewriter.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

namespace ako {

namespace {

QString text(const char *source)
{
    return QCoreApplication::translate("FileWriter", source);
}

bool isInside(const QString &root, const QString &path)
{
    return path == root || path.startsWith(root + QLatin1Char('/'));
}

// Where the bytes really go; empty when that is outside the workspace.
QString realTarget(const QString &workspace, const QString &relativePath)
{
    const QString root = QFileInfo(workspace).canonicalFilePath();
    const QFileInfo wanted(QDir(workspace).filePath(relativePath));
    const QString folder = QFileInfo(wanted.path()).canonicalFilePath();
    QString target = folder + QLatin1Char('/') + wanted.fileName();
    if (wanted.isSymLink()) {
        const QFileInfo pointedTo(wanted.symLinkTarget());
        target = QFileInfo(pointedTo.path()).canonicalFilePath() + QLatin1Char('/') + pointedTo.fileName();
        if (pointedTo.isSymLink())
            return {};
    }
    return !root.isEmpty() && isInside(root, target) ? target : QString();
}

// mkpath, but never through a link that leaves the workspace.
bool makeFolder(const QString &workspace, const QString &relativeFolder)
{
    const QString root = QFileInfo(workspace).canonicalFilePath();
    QString path = root;
    const QStringList parts = QDir::cleanPath(relativeFolder).split(QLatin1Char('/'), Qt::SkipEmptyParts);
    for (const QString &part : parts) {
        if (part == QLatin1String("."))
            continue;
        path += QLatin1Char('/') + part;
        if (!QFileInfo::exists(path) && !QDir().mkdir(path))
            return false;
        if (!isInside(root, QFileInfo(path).canonicalFilePath()))
            return false;
    }
    return true;
}

QFileDevice::Permissions executableBits(QFileDevice::Permissions permissions)
{
    permissions |= QFileDevice::ExeOwner | QFileDevice::ExeUser;
    if (permissions & QFileDevice::ReadGroup)
        permissions |= QFileDevice::ExeGroup;
    if (permissions & QFileDevice::ReadOther)
        permissions |= QFileDevice::ExeOther;
    return permissions;
}

} // namespace

Result<void> writeWorkspaceFile(const QString &workspace, const QString &relativePath, const QByteArray &content,
                                bool executable)
{
    if (!makeFolder(workspace, QFileInfo(relativePath).path()))
        return fail(text("%1: its folder cannot be made in %2").arg(relativePath, workspace),
                    text("Check that the workspace can be written and that no link there leads out of it."));
    const QString target = realTarget(workspace, relativePath);
    if (target.isEmpty())
        return fail(text("%1 is a link that leads out of the workspace").arg(relativePath),
                    text("Replace the link by a file; nothing is written outside the workspace."));
    QSaveFile file(target);
    // Flushed here: commit() of a small file does not notice that its bytes found no room.
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size() || !file.flush())
        return fail(text("%1 cannot be written: %2").arg(target, file.errorString()));
    if (executable)
        file.setPermissions(executableBits(file.permissions()));
    if (!file.commit())
        return fail(text("%1 cannot be written: %2").arg(target, file.errorString()),
                    text("Check free space and permissions; the file is as it was before."));
    return {};
}

Result<QByteArray> readFile(const QString &path, qint64 limitBytes)
{
    const QFileInfo info(path);
    if (info.exists() && !info.isFile())
        return fail(text("%1 is not a regular file").arg(path));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(text("%1 cannot be read: %2").arg(path, file.errorString()));
    return limitBytes > 0 ? file.read(limitBytes) : file.readAll();
}

} // namespace ako
