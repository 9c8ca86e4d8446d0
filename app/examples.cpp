// SPDX-License-Identifier: GPL-3.0-or-later
#include "examples.h"

#include "base/installation.h"

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QFile>

namespace ako {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Examples", text);
}

QString freeFolder(const QString &name)
{
    const QString base = QDir::homePath() + QStringLiteral("/ako4all-demo/") + name;
    QString folder = base;
    for (int number = 2; QFileInfo::exists(folder); ++number)
        folder = base + QLatin1Char('-') + QString::number(number);
    return folder;
}

Result<void> copyTree(const QString &from, const QString &to)
{
    QDirIterator files(from, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString source = files.next();
        const QString target = to + source.mid(from.size());
        if (!QDir().mkpath(QFileInfo(target).path()))
            return fail(tr("The folder %1 could not be made.").arg(QFileInfo(target).path()));
        QFile file(source);
        if (!file.copy(target))
            return fail(tr("%1 could not be written: %2").arg(target, file.errorString()));
        // An example that was installed read-only is still the user's to edit.
        QFile::setPermissions(target, QFile::permissions(target) | QFileDevice::WriteOwner);
    }
    return {};
}

} // namespace

QStringList exampleNames()
{
    const QString folder = installation::dataFolder(QStringLiteral("examples"));
    return folder.isEmpty() ? QStringList() : QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
}

Result<QString> copyExample(const QString &name, const QString &into)
{
    const QStringList names = exampleNames();
    if (names.isEmpty())
        return fail(tr("The examples are not installed."), tr("Set AKO_DATA_DIR to the folder that holds examples/."));
    if (!names.contains(name))
        return fail(tr("There is no example \"%1\".").arg(name),
                    tr("There are: %1").arg(names.join(QStringLiteral(", "))));
    const QString target = QDir().absoluteFilePath(into.isEmpty() ? freeFolder(name) : into);
    if (QFileInfo::exists(target) && (!QFileInfo(target).isDir() || !QDir(target).isEmpty()))
        return fail(tr("%1 exists and is not empty.").arg(target), tr("Name another folder with --into."));
    const QString source = installation::dataFolder(QStringLiteral("examples")) + QLatin1Char('/') + name;
    if (const Result<void> copied = copyTree(source, target); !copied)
        return std::unexpected(copied.error());
    return target;
}

} // namespace ako
