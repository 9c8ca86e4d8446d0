// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "git/diskentry.h"
#include "git/handles.h"

#include <QSet>

#include <optional>
#include <vector>

namespace ako::git {

// What stands at one name of a git tree.
struct TreeItem
{
    git_oid id = {};
    git_filemode_t mode = GIT_FILEMODE_UNREADABLE;
};

// A file as it was when it was written to the object store.
struct ScannedFile
{
    QByteArray path; // from the work tree's root
    TreeItem item;
    struct stat info = {};
    bool changedWhileRead = false;
};

// Writes files and folders of the work tree as blobs and trees, byte for byte. Reads nothing but the paths it is
// given. Links become links. Submodules that HEAD knows stay as they are in HEAD.
class WorkTreeScan
{
public:
    WorkTreeScan(git_repository *repository, const git_tree *head); // head may be null

    Result<void> open();
    // None: nothing is there (a folder without files counts as nothing, as in git).
    Result<std::optional<TreeItem>> scan(const QByteArray &path);

    const std::vector<ScannedFile> &files() const { return m_files; }
    const QSet<QByteArray> &submodules() const { return m_submodules; }

private:
    Result<std::optional<TreeItem>> scanEntry(int folder, const QByteArray &name, const QByteArray &path, int depth);
    Result<std::optional<TreeItem>> scanFolder(int folder, const QByteArray &path, int depth);
    Result<git_oid> writeFile(const DiskEntry &entry, const QByteArray &path);
    Result<git_oid> writeLargeFile(const DiskEntry &entry, const QByteArray &path);
    Result<git_oid> writeBuffer(const QByteArray &content, const QByteArray &path);
    git_filemode_t modeOf(const DiskEntry &entry, const QByteArray &path) const;
    std::optional<TreeItem> submoduleAt(const QByteArray &path) const;

    git_repository *m_repository;
    const git_tree *m_head;
    bool m_trustsExecutableBit = true; // core.filemode
    FileDescriptor m_root;
    OdbHandle m_odb;
    std::vector<ScannedFile> m_files;
    QSet<QByteArray> m_submodules;
};

} // namespace ako::git
