// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/pythonenvironments.h"

#include "workspace/filetree.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSet>
#include <QStringList>

namespace ako {

namespace {

QString versionIn(const QString &file)
{
    static const QRegularExpression version(QStringLiteral("__version__\\s*=\\s*['\"]([^'\"]+)['\"]"));
    const QByteArray text = readFileHead(file, 64LL * 1024).value_or(QByteArray());
    return version.match(QString::fromUtf8(text)).captured(1);
}

// torch writes its version into torch/version.py of the packages' folder.
QString torchVersionOf(const QString &prefix)
{
    const QStringList libraries{QStringLiteral("/lib"), QStringLiteral("/lib64"), QStringLiteral("/local/lib")};
    for (const QString &library : libraries) {
        const QDir folder(prefix + library);
        const QStringList versions = folder.entryList({QStringLiteral("python3*")}, QDir::Dirs);
        for (const QString &version : versions) {
            for (const QString &packages : {QStringLiteral("site-packages"), QStringLiteral("dist-packages")}) {
                const QString found = versionIn(
                    folder.filePath(version + QLatin1Char('/') + packages + QStringLiteral("/torch/version.py")));
                if (!found.isEmpty())
                    return found;
            }
        }
    }
    return {};
}

QStringList environmentsBelow(const QString &folder)
{
    QStringList prefixes;
    const QDir directory(folder);
    const QStringList names = directory.entryList(QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
    for (const QString &name : names)
        prefixes.append(directory.filePath(name));
    return prefixes;
}

QStringList prefixes(const QString &workspace)
{
    const QString home = QDir::homePath();
    QStringList list{qEnvironmentVariable("VIRTUAL_ENV"), qEnvironmentVariable("CONDA_PREFIX")};
    if (!workspace.isEmpty())
        list += environmentsBelow(workspace);
    for (const QString &conda : {QStringLiteral("miniconda3"), QStringLiteral("anaconda3"),
                                 QStringLiteral("miniforge3"), QStringLiteral("mambaforge")}) {
        for (const QString &root : {home + QLatin1Char('/') + conda, QStringLiteral("/opt/") + conda}) {
            list.append(root);
            list += environmentsBelow(root + QStringLiteral("/envs"));
        }
    }
    list += environmentsBelow(qEnvironmentVariable("PYENV_ROOT", home + QStringLiteral("/.pyenv")) +
                              QStringLiteral("/versions"));
    list += {QStringLiteral("/usr/local"), QStringLiteral("/usr")};
    return list;
}

} // namespace

QList<PythonEnvironment> findPythonEnvironments(const QString &workspace)
{
    QList<PythonEnvironment> environments;
    QSet<QString> seen;
    const QStringList candidates = prefixes(workspace);
    for (const QString &prefix : candidates) {
        const QFileInfo interpreter(prefix + QStringLiteral("/bin/python3"));
        if (prefix.isEmpty() || !interpreter.isExecutable() || seen.contains(interpreter.absoluteFilePath()))
            continue;
        seen.insert(interpreter.absoluteFilePath());
        environments.append({interpreter.absoluteFilePath(), torchVersionOf(prefix)});
    }
    return environments;
}

} // namespace ako
