// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "git/repository.h"

namespace ako {

// What differs, with so many lines that stayed around each change.
Result<Diff> diffContents(const FolderContent &before, const FolderContent &after, int contextLines);

// The same as git apply reads it, byte for byte, its paths below `prefix` (empty, or a folder without a slash at its
// end). Of a binary file it says only that it differs, which no program can apply.
Result<QByteArray> patchOf(const FolderContent &before, const FolderContent &after, const QString &prefix);

} // namespace ako
