// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "git/worktreescan.h"

#include <map>
#include <optional>

namespace ako::git {

// A tree with some paths replaced; only the folders along those paths are read and written anew.
class TreeEdit
{
public:
    // None removes what is there.
    void replace(const QByteArray &path, const std::optional<TreeItem> &item);

    Result<git_oid> write(git_repository *repository, const git_tree *base) const; // base may be null: empty

private:
    struct Node
    {
        std::map<QByteArray, Node> children;
        bool isReplaced = false;
        std::optional<TreeItem> item;
    };
    static Result<std::optional<TreeItem>> apply(git_repository *repository, const Node &node, const git_tree *base);
    static Result<std::optional<TreeItem>> applyBelow(git_repository *repository, const Node &node,
                                                      const git_tree_entry *known);

    Node m_root;
};

} // namespace ako::git
