// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/treeguard.h"

#include "base/atomicfile.h"
#include "workspace/statefolder.h"

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>

namespace ako {

namespace {

constexpr qint64 largestKept = 1024LL * 1024;
constexpr qint64 keptInAll = 64LL * 1024 * 1024;

// What this program itself says, where somebody sends it into a file of the workspace (ako4all run . > run.log).
QStringList ownOutput(const QString &workspace)
{
    const QDir root(workspace);
    QStringList files;
    for (const char *stream : {"/proc/self/fd/1", "/proc/self/fd/2"}) {
        const QString path = QFile::symLinkTarget(QLatin1String(stream));
        if (path.startsWith(workspace + QLatin1Char('/')))
            files << root.relativeFilePath(path);
    }
    return files;
}

QStringList leftOut(const QString &workspace)
{
    return ownOutput(workspace) << QStringLiteral("solution") << QStringLiteral("HINTS.md")
                                << QStringLiteral("ITERATIONS.md") << QStringLiteral("_bench_output.txt");
}

bool isKept(const QString &relative)
{
    for (const char *folder : {".git", ".ako", "solution", "trajectory"}) {
        const QLatin1String name(folder);
        if (relative == name || relative.startsWith(QString(name) + QLatin1Char('/')))
            return false;
    }
    return true;
}

} // namespace

Result<void> TreeGuard::arm(const Session &session)
{
    auto snapshot = TreeSnapshot::take(session.workspace, leftOut(session.workspace));
    if (!snapshot)
        return std::unexpected(snapshot.error());
    m_snapshot = std::move(*snapshot);
    m_head.reset();
    if (session.repository) {
        auto head = HeadGuard::take(session.workspace);
        if (!head)
            return std::unexpected(head.error());
        m_head = std::move(*head);
    }
    m_bytes.clear();
    qint64 total = 0;
    const QDir root(session.workspace);
    const QDir::Filters filters = QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot;
    for (const QFileInfo &top : root.entryInfoList(filters)) {
        if (top.isSymLink() || !isKept(top.fileName()))
            continue;
        QStringList files;
        if (top.isFile())
            files << top.filePath();
        QDirIterator walk(top.isDir() ? top.filePath() : QString(), QDir::Files | QDir::Hidden | QDir::NoSymLinks,
                          QDirIterator::Subdirectories);
        while (top.isDir() && walk.hasNext())
            files << walk.next();
        for (const QString &file : std::as_const(files)) {
            const qint64 size = QFileInfo(file).size();
            const auto bytes = size <= largestKept && total + size <= keptInAll ? readRegularFile(file, largestKept)
                                                                                : Result<QByteArray>(fail({}));
            if (!bytes)
                continue;
            total += bytes->size();
            m_bytes.insert(root.relativeFilePath(file), *bytes);
        }
    }
    return {};
}

std::optional<QByteArray> TreeGuard::bytesBefore(const Session &session, const QString &file) const
{
    if (const auto kept = m_bytes.constFind(file); kept != m_bytes.cend())
        return *kept;
    if (!session.repository || session.repository->headId().isEmpty())
        return std::nullopt;
    const auto committed = session.repository->fileAt(session.repository->headId(), file);
    return committed ? std::optional(*committed) : std::nullopt;
}

bool TreeGuard::putBack(const Session &session, const FileChange &change, const QString &quarantine) const
{
    const QString path = session.path(change.file);
    const QFileInfo info(path);
    if (info.exists() || info.isSymLink()) {
        const QString aside = quarantine + QLatin1Char('/') + change.file;
        QDir().mkpath(QFileInfo(aside).path());
        QFile::remove(aside);
        if (!QFile::rename(path, aside))
            return false;
    }
    if (change.what == FileChange::What::Added)
        return true;
    const auto bytes = bytesBefore(session, change.file);
    return bytes && QDir().mkpath(info.path()) && writeFileAtomically(path, *bytes).has_value() &&
           (!info.isExecutable() || QFile::setPermissions(path, info.permissions()));
}

Result<QStringList> TreeGuard::restore(const Session &session, const QString &label)
{
    if (!m_snapshot)
        return QStringList{};
    const QString quarantine = stateFolder(session.workspace) + QStringLiteral("/quarantine/") + label;
    QStringList told;
    if (m_head) { // first: files may have to come from the commit that was there
        const auto head = m_head->putBack(quarantine);
        if (!head)
            return std::unexpected(head.error());
        told = *head;
    }
    const auto changes = m_snapshot->changes();
    if (!changes)
        return std::unexpected(changes.error());
    for (const FileChange &change : *changes) {
        const bool done = putBack(session, change, quarantine);
        told << (done ? changeText(change)
                      : QCoreApplication::translate("Loop", "%1 (it could not be put back)").arg(changeText(change)));
    }
    return told;
}

} // namespace ako
