// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "git/repository.h"

#include <QString>

namespace ako {

// SHA-256 over the sorted relative paths and contents of a folder of sources, hexadecimal. The same for the folder on
// disk and for the same content at a commit. Modes do not count; a folder that does not exist is as an empty one.
QString solutionHash(const FolderContent &content);
QString solutionHash(const QString &absoluteFolder);

} // namespace ako
