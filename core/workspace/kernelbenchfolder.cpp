// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/kernelbenchfolder.h"

#include "base/atomicfile.h"

#include <QCryptographicHash>
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

QString versionOf(const QString &folder)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    bool isAny = false;
    for (const QString &file : filesBelow(folder)) {
        if (!file.endsWith(QLatin1String(".py")))
            continue;
        const Result<QByteArray> content = readRegularFile(folder + QLatin1Char('/') + file, 16LL * 1024 * 1024);
        hash.addData(file.toUtf8() + '\n' + QByteArray::number(content.value_or(QByteArray()).size()) + '\n');
        hash.addData(content.value_or(QByteArray()));
        isAny = true;
    }
    return isAny ? QString::fromLatin1(hash.result().toHex().left(8)) : QString();
}

} // namespace

QString kernelBenchVersion(const QString &workspace)
{
    return versionOf(workspace + QLatin1Char('/') + kernelBenchFolder(workspace));
}

QString kernelBenchVersionOf(const QString &scaffoldFolder)
{
    return versionOf(scaffoldFolder + QLatin1Char('/') + usualFolder);
}

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
