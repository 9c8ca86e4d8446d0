// SPDX-License-Identifier: GPL-3.0-or-later
#include "git/worktreescan.h"

#include <QFile>

#include <cerrno>
#include <unistd.h>

namespace ako::git {
namespace {

constexpr int maximumDepth = 100;
constexpr qint64 largeFileBytes = 16LL * 1024 * 1024; // streamed from here on
constexpr qsizetype pieceBytes = 1024 * 1024;

std::unexpected<Error> cannotStore(const QByteArray &path)
{
    return failure(translate(QT_TRANSLATE_NOOP("ako::Repository", "Cannot store %1 in the git repository"))
                       .arg(QFile::decodeName(path)));
}

bool isSameState(const struct stat &before, const struct stat &after)
{
    return before.st_size == after.st_size && before.st_mtim.tv_sec == after.st_mtim.tv_sec &&
           before.st_mtim.tv_nsec == after.st_mtim.tv_nsec;
}

} // namespace

WorkTreeScan::WorkTreeScan(git_repository *repository, const git_tree *head)
    : m_repository(repository)
    , m_head(head)
{
}

Result<void> WorkTreeScan::open()
{
    ConfigHandle config;
    int trusts = 1;
    if (git_repository_config_snapshot(receive(config), m_repository) == 0 &&
        git_config_get_bool(&trusts, config.get(), "core.filemode") == 0)
        m_trustsExecutableBit = trusts != 0;
    if (git_repository_odb(receive(m_odb), m_repository) != 0)
        return failure(translate(QT_TRANSLATE_NOOP("ako::Repository", "Cannot open the git object store")));
    Result<FileDescriptor> root = openFolder(git_repository_workdir(m_repository));
    if (!root)
        return std::unexpected(root.error());
    m_root = std::move(*root);
    return {};
}

Result<std::optional<TreeItem>> WorkTreeScan::scan(const QByteArray &path)
{
    const QList<QByteArray> parts = path.split('/');
    FileDescriptor folder(::dup(m_root.get()));
    QByteArray soFar;
    for (qsizetype i = 0; i + 1 < parts.size(); ++i) {
        soFar += (i > 0 ? "/" : "") + parts[i];
        Result<DiskEntry> entry = openEntry(folder.get(), parts[i], soFar);
        if (!entry)
            return std::unexpected(entry.error());
        if (entry->kind == DiskEntry::Kind::Link)
            return fail(
                translate(QT_TRANSLATE_NOOP("ako::Repository", "%1 cannot be committed: %2 is a symbolic link."))
                    .arg(QFile::decodeName(path), QFile::decodeName(soFar)),
                translate(QT_TRANSLATE_NOOP("ako::Repository", "Put a folder in the link's place.")));
        if (entry->kind != DiskEntry::Kind::Folder)
            return std::nullopt;
        folder = std::move(entry->descriptor);
    }
    return scanEntry(folder.get(), parts.last(), path, int(parts.size()));
}

Result<std::optional<TreeItem>> WorkTreeScan::scanEntry(int folder, const QByteArray &name, const QByteArray &path,
                                                        int depth)
{
    const Result<DiskEntry> entry = openEntry(folder, name, path);
    if (!entry)
        return std::unexpected(entry.error());
    if (entry->kind == DiskEntry::Kind::Folder)
        return scanFolder(entry->descriptor.get(), path, depth);
    if (entry->kind != DiskEntry::Kind::File && entry->kind != DiskEntry::Kind::Link)
        return std::nullopt;
    const bool isFile = entry->kind == DiskEntry::Kind::File;
    const Result<git_oid> id = isFile ? writeFile(*entry, path) : writeBuffer(entry->target, path);
    if (!id)
        return std::unexpected(id.error());
    ScannedFile file{path, {*id, modeOf(*entry, path)}, entry->info, false};
    struct stat after = {};
    file.changedWhileRead = isFile && (::fstat(entry->descriptor.get(), &after) != 0 || !isSameState(file.info, after));
    m_files.push_back(file);
    return file.item;
}

Result<std::optional<TreeItem>> WorkTreeScan::scanFolder(int folder, const QByteArray &path, int depth)
{
    if (depth > maximumDepth)
        return fail(translate(QT_TRANSLATE_NOOP("ako::Repository", "%1 cannot be committed: it is nested too deeply."))
                        .arg(QFile::decodeName(path)));
    if (const std::optional<TreeItem> submodule = submoduleAt(path)) {
        m_submodules.insert(path);
        return submodule;
    }
    const Result<std::vector<QByteArray>> names = listFolder(folder, path);
    if (!names)
        return std::unexpected(names.error());
    TreeBuilderHandle builder;
    if (git_treebuilder_new(receive(builder), m_repository, nullptr) != 0)
        return cannotStore(path);
    for (const QByteArray &name : *names) {
        const QByteArray below = path + '/' + name;
        const Result<std::optional<TreeItem>> item = scanEntry(folder, name, below, depth + 1);
        if (!item)
            return std::unexpected(item.error());
        if (*item && git_treebuilder_insert(nullptr, builder.get(), name.constData(), &(*item)->id, (*item)->mode) != 0)
            return cannotStore(below);
    }
    if (git_treebuilder_entrycount(builder.get()) == 0)
        return std::nullopt;
    TreeItem tree{{}, GIT_FILEMODE_TREE};
    if (git_treebuilder_write(&tree.id, builder.get()) != 0)
        return cannotStore(path);
    return tree;
}

Result<git_oid> WorkTreeScan::writeBuffer(const QByteArray &content, const QByteArray &path)
{
    git_oid id;
    if (git_odb_write(&id, m_odb.get(), content.constData(), size_t(content.size()), GIT_OBJECT_BLOB) != 0)
        return cannotStore(path);
    return id;
}

Result<git_oid> WorkTreeScan::writeFile(const DiskEntry &entry, const QByteArray &path)
{
    if (entry.info.st_size >= largeFileBytes)
        return writeLargeFile(entry, path);
    const Result<QByteArray> content = readAll(entry.descriptor.get(), entry.info.st_size, path);
    if (!content)
        return std::unexpected(content.error());
    return writeBuffer(*content, path);
}

Result<git_oid> WorkTreeScan::writeLargeFile(const DiskEntry &entry, const QByteArray &path)
{
    StreamHandle stream;
    if (git_odb_open_wstream(receive(stream), m_odb.get(), git_object_size_t(entry.info.st_size), GIT_OBJECT_BLOB) != 0)
        return cannotStore(path);
    QByteArray piece(pieceBytes, Qt::Uninitialized);
    for (qint64 left = entry.info.st_size; left > 0;) {
        const ssize_t count = ::read(entry.descriptor.get(), piece.data(), size_t(std::min<qint64>(left, pieceBytes)));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return fail(translate(QT_TRANSLATE_NOOP("ako::Repository", "Cannot read %1: it changed while being read."))
                            .arg(QFile::decodeName(path)));
        if (git_odb_stream_write(stream.get(), piece.constData(), size_t(count)) != 0)
            return cannotStore(path);
        left -= count;
    }
    git_oid id;
    if (git_odb_stream_finalize_write(&id, stream.get()) != 0)
        return cannotStore(path);
    return id;
}

git_filemode_t WorkTreeScan::modeOf(const DiskEntry &entry, const QByteArray &path) const
{
    if (entry.kind == DiskEntry::Kind::Link)
        return GIT_FILEMODE_LINK;
    if (m_trustsExecutableBit)
        return entry.info.st_mode & S_IXUSR ? GIT_FILEMODE_BLOB_EXECUTABLE : GIT_FILEMODE_BLOB;
    TreeEntryHandle known;
    const bool wasExecutable = m_head && git_tree_entry_bypath(receive(known), m_head, path.constData()) == 0 &&
                               git_tree_entry_filemode(known.get()) == GIT_FILEMODE_BLOB_EXECUTABLE;
    return wasExecutable ? GIT_FILEMODE_BLOB_EXECUTABLE : GIT_FILEMODE_BLOB;
}

std::optional<TreeItem> WorkTreeScan::submoduleAt(const QByteArray &path) const
{
    TreeEntryHandle known;
    if (!m_head || git_tree_entry_bypath(receive(known), m_head, path.constData()) != 0 ||
        git_tree_entry_filemode(known.get()) != GIT_FILEMODE_COMMIT)
        return std::nullopt;
    return TreeItem{*git_tree_entry_id(known.get()), GIT_FILEMODE_COMMIT};
}

} // namespace ako::git
