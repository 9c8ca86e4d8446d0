// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/statefolder.h"

#include "base/atomicfile.h"
#include "workspace/filetree.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace ako {

namespace {

constexpr qint64 fileLimit = 64LL * 1024 * 1024;
constexpr qsizetype mostOutput = 64LL * 1024;

const QString &outputFile()
{
    static const QString name = QStringLiteral("bench-output.txt");
    return name;
}

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::StateFolder", text);
}

Result<void> writeWhole(const QString &path, const QByteArray &content)
{
    const Result<void> written = writeFileAtomically(path, content);
    if (!written)
        return fail(written.error().message,
                    tr("Free some space, or give yourself the right to write there, and try again."));
    return {};
}

} // namespace

QString stateFolder(const QString &workspace)
{
    return workspace + QStringLiteral("/.ako");
}

Result<QString> ensureStateFolder(const QString &workspace)
{
    QString folder = stateFolder(workspace);
    const QFileInfo info(folder);
    if (info.isSymLink() || (info.exists() && !info.isDir()))
        return fail(tr("%1 is a link or a file; AKO4ALL keeps its state in a folder of that name.").arg(folder),
                    tr("Move it away and try again."));
    if (!info.exists() && !QDir().mkdir(folder))
        return fail(tr("%1 cannot be made: check the permissions of %2.").arg(folder, workspace),
                    tr("Give yourself the right to write into the workspace: chmod u+w \"%1\"").arg(workspace));
    const QString ignore = folder + QStringLiteral("/.gitignore");
    if (QFileInfo::exists(ignore))
        return folder;
    if (const Result<void> written = writeWhole(ignore, "*\n"); !written)
        return std::unexpected(written.error());
    return folder;
}

Result<void> writeStateFile(const QString &workspace, const QString &name, const QByteArray &content)
{
    const Result<QString> folder = ensureStateFolder(workspace);
    if (!folder)
        return std::unexpected(folder.error());
    return writeWhole(*folder + QLatin1Char('/') + name, content);
}

Result<QByteArray> readStateFile(const QString &workspace, const QString &name)
{
    const QString path = stateFolder(workspace) + QLatin1Char('/') + name;
    const QFileInfo info(path);
    if (!info.exists() && !info.isSymLink())
        return QByteArray();
    return readFileHead(path, fileLimit);
}

Result<void> keepBenchOutput(const QString &workspace, const QString &output)
{
    return writeStateFile(workspace, outputFile(), output.right(mostOutput).toUtf8());
}

QString keptBenchOutput(const QString &workspace)
{
    return QString::fromUtf8(readStateFile(workspace, outputFile()).value_or(QByteArray())).right(mostOutput);
}

} // namespace ako
