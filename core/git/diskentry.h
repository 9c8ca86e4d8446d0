// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/filedescriptor.h"
#include "base/result.h"

#include <QByteArray>

#include <sys/stat.h>
#include <vector>

namespace ako::git {

// One name in a folder, opened without ever following a link: between looking and opening nobody can put a link in its
// place. Names are bytes, as the file system has them.
struct DiskEntry
{
    enum class Kind { Missing, File, Folder, Link, Other }; // Other: pipes, sockets, devices
    Kind kind = Kind::Missing;
    struct stat info = {};
    FileDescriptor descriptor; // File, Folder: open for reading
    QByteArray target;         // Link
};

// `shown` is the path for a message.
Result<DiskEntry> openEntry(int folder, const QByteArray &name, const QByteArray &shown);

Result<FileDescriptor> openFolder(const QByteArray &absolutePath);

// Sorted; without ".", ".." and git's own names in any spelling that some file system takes for ".git".
Result<std::vector<QByteArray>> listFolder(int folder, const QByteArray &shown);

Result<QByteArray> readAll(int file, qint64 expectedSize, const QByteArray &shown);

bool isGitFolderName(const QByteArray &name);

} // namespace ako::git
