// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/approvedfiles.h"

#include "git/folderdiff.h"
#include "git/folderfiles.h"
#include "history/filewriter.h"
#include "workspace/statefolder.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>

namespace ako {

namespace {

constexpr qint64 largestCopy = 1024LL * 1024;

QString text(const char *source)
{
    return QCoreApplication::translate("Harness", source);
}

QString folderIn(const QString &workspace)
{
    return stateFolder(workspace) + QStringLiteral("/approved");
}

QByteArray hashOf(const QByteArray &content)
{
    return QCryptographicHash::hash(content, QCryptographicHash::Sha256).toHex();
}

// The bytes that the manifest means; none where they are not (or no longer) to be had.
std::optional<QByteArray> approvedBytes(const Session &session, const QString &file)
{
    const QByteArray hash = session.approval->manifest.hashes.value(file);
    const auto copy = readFile(folderIn(session.workspace) + QLatin1Char('/') + file);
    return copy && hashOf(*copy) == hash ? std::optional(*copy) : std::nullopt;
}

// What is there now, as far as it can be shown.
std::optional<QByteArray> presentBytes(const Session &session, const QString &file)
{
    const QFileInfo info(session.path(file));
    if (info.isSymLink() || !info.isFile() || info.size() > largestCopy)
        return std::nullopt;
    const auto bytes = readFile(info.filePath());
    return bytes ? std::optional(*bytes) : std::nullopt;
}

} // namespace

Result<void> saveApprovalWithFiles(const QString &workspace, const Approval &approval)
{
    FolderContent copies;
    for (auto hash = approval.manifest.hashes.cbegin(); hash != approval.manifest.hashes.cend(); ++hash) {
        const QFileInfo info(workspace + QLatin1Char('/') + hash.key());
        if (QDir::isAbsolutePath(hash.key()) || !info.isFile() || info.size() > largestCopy)
            continue;
        const auto bytes = readFile(info.filePath());
        if (bytes && hashOf(*bytes) == *hash)
            copies.files.insert(hash.key(), *bytes);
    }
    if (const auto folder = ensureStateFolder(workspace); !folder)
        return std::unexpected(folder.error());
    if (auto done = replaceFolder(folderIn(workspace), copies); !done)
        return done;
    return saveApproval(workspace, approval);
}

Result<HarnessChange> harnessChange(const Session &session)
{
    if (!session.approval)
        return fail(text("Nothing was approved here yet, so nothing can have changed since"));
    HarnessChange change;
    FolderContent before, now;
    for (const FileChange &file : session.approval->manifest.changes(session.workspace)) {
        const auto approved = QDir::isAbsolutePath(file.file) ? std::nullopt : approvedBytes(session, file.file);
        const QFileInfo info(session.path(file.file));
        const auto present = presentBytes(session, file.file);
        if (!approved || (info.exists() && !present)) {
            change.known << changeText(file);
            continue;
        }
        change.files << file.file;
        before.files.insert(file.file, *approved);
        if (present)
            now.files.insert(file.file, *present);
    }
    auto diff = diffContents(before, now, 3);
    auto patch = patchOf(before, now, {});
    if (!diff || !patch)
        return std::unexpected(diff ? patch.error() : diff.error());
    change.diff = *std::move(diff);
    change.patch = *std::move(patch);
    return change;
}

Result<QString> restoreHarness(Session &session, const QStringList &files)
{
    if (const auto done = session.takeLock(); !done)
        return std::unexpected(done.error());
    const auto change = harnessChange(session);
    if (!change)
        return std::unexpected(change.error());
    FolderContent replaced;
    for (const QString &file : files) {
        if (!change->files.contains(file)) // right by now
            continue;
        if (const auto present = presentBytes(session, file))
            replaced.files.insert(file, *present);
    }
    const QString kept = QStringLiteral(".ako/discarded/%1_harness")
                             .arg(QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss-zzz")));
    if (!replaced.files.isEmpty()) {
        QDir().mkpath(session.path(kept));
        if (const auto done = replaceFolder(session.path(kept), replaced); !done)
            return std::unexpected(done.error());
    }
    for (const QString &file : files) {
        const auto approved = change->files.contains(file) ? approvedBytes(session, file) : std::nullopt;
        if (!approved)
            continue;
        const QFileInfo info(session.path(file));
        if (info.exists() && !(info.permissions() & (QFile::WriteOwner | QFile::WriteGroup | QFile::WriteOther)))
            return fail(text("%1 is read-only").arg(file), text("Make it writable first: chmod u+w"));
        if (const auto done = writeWorkspaceFile(session.workspace, file, *approved, info.isExecutable()); !done)
            return std::unexpected(done.error());
    }
    return replaced.files.isEmpty() ? QString() : kept;
}

} // namespace ako
