// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "git/repository.h"

namespace ako {

// The files below a folder on disk. Links are read as links and never followed; `.git` folders, pipes, sockets and
// devices are left out, as commitPaths() leaves them out. A folder that does not exist is empty.
Result<FolderContent> readFolder(const QString &folder);

// Makes the folder hold exactly this: writes what differs (each file in one step), removes what is not in it. A file
// that is the same already is not touched, so that builds keep their timestamps. Nothing outside the folder is
// written, whatever links are in it.
Result<void> replaceFolder(const QString &folder, const FolderContent &content);

} // namespace ako
