// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/harnesswatch.h"

#include "workspace/kernelbenchfolder.h"

#include <QDir>
#include <QFile>

#include <sys/stat.h>

namespace ako {

namespace {

// A module put beside those of the evaluator that was approved may take the place of one.
QList<FileChange> addedToEvaluator(const IntegrityManifest &manifest, const QString &workspace)
{
    QList<FileChange> added;
    if (!manifest.hashes.contains(kernelBenchFolder(workspace) + QStringLiteral("/bench.py")))
        return added;
    for (const QString &file : presentKernelBenchFiles(workspace)) {
        if (!manifest.hashes.contains(file))
            added.append({file, FileChange::What::Added});
    }
    return added;
}

} // namespace

HarnessWatch::Mark HarnessWatch::markOf(const QString &path, const QByteArray &hash)
{
    struct stat info = {};
    if (::stat(QFile::encodeName(path).constData(), &info) != 0 || !S_ISREG(info.st_mode))
        return {};
    constexpr qint64 second = 1000000000;
    return {info.st_size, info.st_mtim.tv_sec * second + info.st_mtim.tv_nsec,
            info.st_ctim.tv_sec * second + info.st_ctim.tv_nsec, info.st_ino, hash};
}

QList<FileChange> HarnessWatch::changes(const IntegrityManifest &manifest, const QString &workspace)
{
    IntegrityManifest toRead;
    QHash<QString, Mark> before; // taken before reading: a write in between shows next time
    for (auto file = manifest.hashes.cbegin(); file != manifest.hashes.cend(); ++file) {
        const Mark mark = markOf(QDir(workspace).absoluteFilePath(file.key()), file.value());
        if (mark.size >= 0 && m_right.value(file.key()) == mark)
            continue;
        toRead.hashes.insert(file.key(), file.value());
        before.insert(file.key(), mark);
    }
    const QList<FileChange> found = toRead.changes(workspace);
    for (const FileChange &change : found) {
        before.remove(change.file);
        m_right.remove(change.file);
    }
    for (auto mark = before.cbegin(); mark != before.cend(); ++mark)
        m_right.insert(mark.key(), mark.value());
    return found + addedToEvaluator(manifest, workspace);
}

} // namespace ako
