// SPDX-License-Identifier: GPL-3.0-or-later
#include "git/indexupdate.h"

#include <QDeadlineTimer>
#include <QFile>
#include <QThread>

namespace ako::git {
namespace {

constexpr int lockWaitMilliseconds = 1000;
constexpr int lockPollMilliseconds = 10;

QString lockFile(git_repository *repository)
{
    return QFile::decodeName(git_repository_path(repository)) + QStringLiteral("index.lock");
}

Result<IndexHandle> readIndex(git_repository *repository)
{
    IndexHandle index;
    if (git_repository_index(receive(index), repository) != 0 || git_index_read(index.get(), 0) != 0)
        return failure(translate(QT_TRANSLATE_NOOP("ako::Repository", "Cannot read the git index")),
                       translate(QT_TRANSLATE_NOOP("ako::Repository",
                                                   "A split or sparse index is not supported: git update-index "
                                                   "--no-split-index, git sparse-checkout init --no-sparse-index.")));
    return index;
}

bool isAtOrBelow(const QByteArray &entry, const QByteArray &path)
{
    return entry.startsWith(path) && (entry.size() == path.size() || entry[path.size()] == '/');
}

void removeBelow(git_index *index, const QByteArray &path, const QSet<QByteArray> &submodules)
{
    size_t position = 0;
    if (git_index_find_prefix(&position, index, path.constData()) != 0)
        return;
    while (const git_index_entry *entry = git_index_get_byindex(index, position)) {
        const QByteArray entryPath(entry->path);
        if (!entryPath.startsWith(path))
            break;
        const bool stays = !isAtOrBelow(entryPath, path) || submodules.contains(entryPath);
        if (stays || git_index_remove(index, entryPath.constData(), GIT_INDEX_ENTRY_STAGE(entry)) != 0)
            ++position;
    }
}

git_index_time indexTime(const timespec &time)
{
    return {int32_t(time.tv_sec), uint32_t(time.tv_nsec)};
}

git_index_entry entryOf(const ScannedFile &file)
{
    git_index_entry entry = {};
    entry.path = file.path.constData();
    entry.id = file.item.id;
    entry.mode = file.item.mode;
    if (file.changedWhileRead)
        return entry; // without times and size git compares the content
    entry.ctime = indexTime(file.info.st_ctim);
    entry.mtime = indexTime(file.info.st_mtim);
    entry.dev = uint32_t(file.info.st_dev);
    entry.ino = uint32_t(file.info.st_ino);
    entry.uid = uint32_t(file.info.st_uid);
    entry.gid = uint32_t(file.info.st_gid);
    entry.file_size = uint32_t(file.info.st_size);
    // libgit2 would read each new file once more before it writes the index; git itself looks again where times
    // leave a doubt.
    entry.flags_extended = GIT_INDEX_ENTRY_UPTODATE;
    return entry;
}

Result<void> writeIndex(git_index *index)
{
    QDeadlineTimer limit(lockWaitMilliseconds);
    int code = 0;
    while ((code = git_index_write(index)) == GIT_ELOCKED && !limit.hasExpired())
        QThread::msleep(lockPollMilliseconds);
    if (code != 0)
        return failure(translate(QT_TRANSLATE_NOOP("ako::Repository", "Cannot write the git index")));
    return {};
}

// Blobs below a tree, as index entries with nothing known about the disk.
Result<void> addTree(git_index *index, git_repository *repository, const git_tree *tree, const QByteArray &path)
{
    for (size_t i = 0; i < git_tree_entrycount(tree); ++i) {
        const git_tree_entry *item = git_tree_entry_byindex(tree, i);
        const QByteArray below = path + '/' + git_tree_entry_name(item);
        if (git_tree_entry_type(item) == GIT_OBJECT_TREE) {
            TreeHandle folder;
            if (git_tree_lookup(receive(folder), repository, git_tree_entry_id(item)) != 0)
                return failure(translate(QT_TRANSLATE_NOOP("ako::Repository", "Cannot read a folder of a commit")));
            const Result<void> added = addTree(index, repository, folder.get(), below);
            if (!added)
                return added;
            continue;
        }
        ScannedFile file{below, {*git_tree_entry_id(item), git_tree_entry_filemode(item)}, {}, true};
        const git_index_entry entry = entryOf(file);
        if (git_index_add(index, &entry) != 0)
            return failure(translate(QT_TRANSLATE_NOOP("ako::Repository", "Cannot add to the git index")));
    }
    return {};
}

Result<void> addFromTree(git_index *index, git_repository *repository, const git_tree *tree, const QByteArray &path)
{
    TreeEntryHandle item;
    if (git_tree_entry_bypath(receive(item), tree, path.constData()) != 0)
        return {}; // removed there
    if (git_tree_entry_type(item.get()) != GIT_OBJECT_TREE) {
        ScannedFile file{path, {*git_tree_entry_id(item.get()), git_tree_entry_filemode(item.get())}, {}, true};
        const git_index_entry entry = entryOf(file);
        if (git_index_add(index, &entry) != 0)
            return failure(translate(QT_TRANSLATE_NOOP("ako::Repository", "Cannot add to the git index")));
        return {};
    }
    TreeHandle folder;
    if (git_tree_lookup(receive(folder), repository, git_tree_entry_id(item.get())) != 0)
        return failure(translate(QT_TRANSLATE_NOOP("ako::Repository", "Cannot read a folder of a commit")));
    return addTree(index, repository, folder.get(), path);
}

} // namespace

Result<void> checkIndexIsFree(git_repository *repository)
{
    const QString lock = lockFile(repository);
    QDeadlineTimer limit(lockWaitMilliseconds);
    while (QFile::exists(lock)) {
        if (limit.hasExpired())
            return fail(
                translate(
                    QT_TRANSLATE_NOOP("ako::Repository", "Another git process is using the repository: %1 exists."))
                    .arg(lock),
                translate(QT_TRANSLATE_NOOP("ako::Repository",
                                            "Wait for it to end. If none runs, it is left over: remove that file.")));
        QThread::msleep(lockPollMilliseconds);
    }
    const Result<IndexHandle> index = readIndex(repository);
    if (!index)
        return std::unexpected(index.error());
    return {};
}

Result<void> updateIndex(git_repository *repository, const QList<QByteArray> &paths,
                         const std::vector<ScannedFile> &files, const QSet<QByteArray> &submodules)
{
    const Result<IndexHandle> index = readIndex(repository);
    if (!index)
        return std::unexpected(index.error());
    for (const QByteArray &path : paths)
        removeBelow(index->get(), path, submodules);
    for (const ScannedFile &file : files) {
        const git_index_entry entry = entryOf(file);
        if (git_index_add(index->get(), &entry) != 0)
            return failure(translate(QT_TRANSLATE_NOOP("ako::Repository", "Cannot add to the git index")));
    }
    return writeIndex(index->get());
}

Result<void> updateIndexFromTree(git_repository *repository, const QList<QByteArray> &paths, const git_tree *tree)
{
    const Result<IndexHandle> index = readIndex(repository);
    if (!index)
        return std::unexpected(index.error());
    for (const QByteArray &path : paths) {
        removeBelow(index->get(), path, {});
        const Result<void> added = addFromTree(index->get(), repository, tree, path);
        if (!added)
            return added;
    }
    return writeIndex(index->get());
}

} // namespace ako::git
