// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/installation.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace ako::installation {

namespace {

QStringList dataRoots()
{
    QStringList roots;
    const QString fromEnvironment = qEnvironmentVariable("AKO_DATA_DIR");
    if (!fromEnvironment.isEmpty())
        roots.append(fromEnvironment);
    roots.append(QCoreApplication::applicationDirPath() + QStringLiteral("/../share/ako4all"));
    roots.append(QStringLiteral(AKO_SOURCE_DIR));
    roots.append(QStringLiteral(AKO_SOURCE_DIR "/resources"));
    return roots;
}

} // namespace

QString dataFolder(const QString &name)
{
    const QStringList roots = dataRoots();
    for (const QString &root : roots) {
        const QFileInfo folder(root + QLatin1Char('/') + name);
        if (folder.isDir())
            return folder.canonicalFilePath();
    }
    return {};
}

QString program(const QString &name)
{
    const QString here = QCoreApplication::applicationDirPath();
    const QStringList beside{here,
                             here + QStringLiteral("/bench"),
                             here + QStringLiteral("/../app/bench"),
                             here + QStringLiteral("/../app"),
                             QStringLiteral(AKO_BINARY_DIR "/app/bench"),
                             QStringLiteral(AKO_BINARY_DIR "/app")};
    for (const QString &folder : beside) {
        const QFileInfo candidate(folder + QLatin1Char('/') + name);
        if (candidate.isExecutable() && candidate.isFile())
            return candidate.canonicalFilePath();
    }
    return QStandardPaths::findExecutable(name);
}

QString version()
{
    return QStringLiteral(AKO_VERSION);
}

} // namespace ako::installation
