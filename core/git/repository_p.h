// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "git/handles.h"
#include "git/repository.h"

#include <optional>
#include <string>

namespace ako {

struct Repository::Private
{
    git::RepositoryHandle handle;
    QByteArray prefix; // the workspace below the work tree's root: "" or "folder/sub/"

    git_repository *get() const { return handle.get(); }
    QString gitFile(const QString &name) const; // in the git folder of this work tree

    // From the work tree's root; refuses what is absolute, leaves the workspace or is git's own.
    Result<QByteArray> pathFromRoot(const QString &path) const;
    Result<git::TreeHandle> folderTree(const QString &commit, const QString &folder) const;
    Result<QList<QByteArray>> pathsFromRoot(const QStringList &paths) const; // sorted, none at or below another
};

namespace git {

// Where HEAD points at one moment.
struct Head
{
    std::string reference;         // "refs/heads/main", or "HEAD" when detached
    std::optional<git_oid> commit; // none: unborn
    TreeHandle tree;               // null: unborn
};
Result<Head> readHead(git_repository *repository);

} // namespace git
} // namespace ako
