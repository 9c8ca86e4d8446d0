// SPDX-License-Identifier: GPL-3.0-or-later
#include "git/diskentry.h"

#include <QCoreApplication>
#include <QFile>

#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <memory>

namespace ako::git {
namespace {

std::unexpected<Error> cannotRead(const QByteArray &shown, int error)
{
    return fail(QCoreApplication::translate("ako::Repository", "Cannot read %1: %2")
                    .arg(QFile::decodeName(shown), qt_error_string(error)));
}

struct CloseFolder
{
    void operator()(DIR *folder) const { ::closedir(folder); }
};

Result<DiskEntry> readLink(int folder, const QByteArray &name, const QByteArray &shown, const struct stat &info)
{
    QByteArray target(std::max<qsizetype>(info.st_size, 4096) + 1, '\0');
    const ssize_t count = ::readlinkat(folder, name.constData(), target.data(), size_t(target.size()));
    if (count < 0)
        return cannotRead(shown, errno);
    target.truncate(count);
    return DiskEntry{DiskEntry::Kind::Link, info, {}, target};
}

} // namespace

Result<DiskEntry> openEntry(int folder, const QByteArray &name, const QByteArray &shown)
{
    DiskEntry entry;
    if (::fstatat(folder, name.constData(), &entry.info, AT_SYMLINK_NOFOLLOW) != 0) {
        if (errno == ENOENT || errno == ENOTDIR)
            return entry;
        return cannotRead(shown, errno);
    }
    if (S_ISLNK(entry.info.st_mode))
        return readLink(folder, name, shown, entry.info);
    entry.kind = DiskEntry::Kind::Other;
    if (!S_ISREG(entry.info.st_mode) && !S_ISDIR(entry.info.st_mode))
        return entry;
    entry.descriptor =
        FileDescriptor(::openat(folder, name.constData(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!entry.descriptor.isValid() || ::fstat(entry.descriptor.get(), &entry.info) != 0)
        return cannotRead(shown, errno);
    if (S_ISDIR(entry.info.st_mode))
        entry.kind = DiskEntry::Kind::Folder;
    else if (S_ISREG(entry.info.st_mode))
        entry.kind = DiskEntry::Kind::File;
    return entry;
}

Result<FileDescriptor> openFolder(const QByteArray &absolutePath)
{
    FileDescriptor folder(::open(absolutePath.constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder.isValid())
        return cannotRead(absolutePath, errno);
    return folder;
}

Result<std::vector<QByteArray>> listFolder(int folder, const QByteArray &shown)
{
    // A descriptor of its own: fdopendir() takes it over.
    FileDescriptor own(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const std::unique_ptr<DIR, CloseFolder> stream(own.isValid() ? ::fdopendir(own.get()) : nullptr);
    if (!stream)
        return cannotRead(shown, errno);
    own.release();
    std::vector<QByteArray> names;
    while (const dirent *entry = ::readdir(stream.get())) {
        const QByteArray name(entry->d_name);
        if (name != "." && name != ".." && !isGitFolderName(name))
            names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

Result<QByteArray> readAll(int file, qint64 expectedSize, const QByteArray &shown)
{
    QByteArray content(qsizetype(expectedSize) + 1, Qt::Uninitialized);
    qsizetype done = 0;
    for (;;) {
        if (done == content.size())
            content.resize(content.size() * 2);
        const ssize_t count = ::read(file, content.data() + done, size_t(content.size() - done));
        if (count < 0 && errno != EINTR)
            return cannotRead(shown, errno);
        if (count == 0)
            break;
        done += std::max<ssize_t>(count, 0);
    }
    content.truncate(done);
    return content;
}

bool isGitFolderName(const QByteArray &name)
{
    // libgit2 refuses these in a tree; a trailing dot or space is dropped by some file systems.
    QByteArray plain = name.toLower();
    while (plain.endsWith('.') || plain.endsWith(' '))
        plain.chop(1);
    return plain == ".git" || plain == "git~1";
}

} // namespace ako::git
