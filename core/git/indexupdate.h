// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "git/worktreescan.h"

namespace ako::git {

// Waits a moment for another git process to be done with the index; an error where it is not, or where the index
// cannot be read. Asked before anything is changed.
Result<void> checkIndexIsFree(git_repository *repository);

// Puts these files into the index in place of all that it has at and below `paths`, as known to be the same as on
// disk. Every other entry stays. Entries at `submodules` stay.
Result<void> updateIndex(git_repository *repository, const QList<QByteArray> &paths,
                         const std::vector<ScannedFile> &files, const QSet<QByteArray> &submodules);

// The same from a commit's tree, for when it is not known what is on disk: git will look for itself.
Result<void> updateIndexFromTree(git_repository *repository, const QList<QByteArray> &paths, const git_tree *tree);

} // namespace ako::git
