// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/kernelbenchfolder.h"

#include "base/atomicfile.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>

namespace ako {

namespace {

const QString usualFolder = QStringLiteral("bench/kernelbench");
const QString otherFolder = QStringLiteral("bench/ako-kernelbench");

QStringList filesBelow(const QString &folder)
{
    QStringList files;
    const QDir root(folder);
    QDirIterator iterator(folder, QDir::Files | QDir::NoSymLinks, QDirIterator::Subdirectories);
    while (iterator.hasNext()) {
        const QString file = root.relativeFilePath(iterator.next());
        if (!file.contains(QLatin1String("__pycache__")))
            files.append(file);
    }
    files.sort();
    return files;
}

bool isSomebodyElses(const QString &folder)
{
    const QString program = folder + QStringLiteral("/bench.py");
    if (!QFileInfo::exists(program))
        return false;
    const Result<QByteArray> text = readRegularFile(program, 1024 * 1024);
    return !text || !text->contains("akobench");
}

} // namespace

QString kernelBenchFolder(const QString &workspace)
{
    return isSomebodyElses(workspace + QLatin1Char('/') + usualFolder) ? otherFolder : usualFolder;
}

QStringList kernelBenchFiles(const QString &scaffoldFolder)
{
    return filesBelow(scaffoldFolder + QLatin1Char('/') + usualFolder);
}

QStringList presentKernelBenchFiles(const QString &workspace)
{
    const QString folder = kernelBenchFolder(workspace);
    QStringList files;
    for (const QString &file : filesBelow(workspace + QLatin1Char('/') + folder))
        files.append(folder + QLatin1Char('/') + file);
    return files;
}

} // namespace ako
