// SPDX-License-Identifier: GPL-3.0-or-later
#include "git/folderfiles.h"

#include "base/atomicfile.h"
#include "git/diskentry.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>

#include <cerrno>
#include <cstdio>
#include <fcntl.h>

namespace ako {
namespace {

using git::DiskEntry;

constexpr int maximumDepth = 100;

std::unexpected<Error> cannotWrite(const QString &path, int error)
{
    return fail(
        QCoreApplication::translate("ako::Repository", "Cannot write %1: %2").arg(path, qt_error_string(error)));
}

// Names are texts everywhere else, and one that is no text could not be written back as it was.
Result<void> checkName(const QByteArray &name, const QByteArray &folder)
{
    if (QFile::encodeName(QFile::decodeName(name)) == name)
        return {};
    QString shown;
    for (const char byte : name) {
        const auto code = static_cast<unsigned char>(byte);
        shown += code >= 0x20 && code < 0x7F ? QString(QLatin1Char(byte)) : QStringLiteral("\\x%1").arg(code, 2, 16);
    }
    return fail(QCoreApplication::translate("ako::Repository", "%1 has an entry whose name is not valid UTF-8: %2")
                    .arg(QFile::decodeName(folder), shown),
                QCoreApplication::translate("ako::Repository", "Rename it, for example: cd \"%1\" && mv $'%2' NAME")
                    .arg(QFile::decodeName(folder), shown));
}

Result<void> readBelow(int folder, const QByteArray &shown, const QString &prefix, int depth, FolderContent &content);

Result<void> readEntry(int folder, const QByteArray &name, const QByteArray &shown, const QString &path, int depth,
                       FolderContent &content)
{
    const Result<DiskEntry> entry = git::openEntry(folder, name, shown);
    if (!entry)
        return std::unexpected(entry.error());
    if (entry->kind == DiskEntry::Kind::Folder)
        return readBelow(entry->descriptor.get(), shown, path + QLatin1Char('/'), depth + 1, content);
    if (entry->kind == DiskEntry::Kind::Link) {
        content.files.insert(path, entry->target);
        content.links.append(path);
    } else if (entry->kind == DiskEntry::Kind::File) {
        const Result<QByteArray> bytes = git::readAll(entry->descriptor.get(), entry->info.st_size, shown);
        if (!bytes)
            return std::unexpected(bytes.error());
        content.files.insert(path, *bytes);
        if (entry->info.st_mode & S_IXUSR)
            content.executables.append(path);
    }
    return {};
}

Result<void> readBelow(int folder, const QByteArray &shown, const QString &prefix, int depth, FolderContent &content)
{
    if (depth > maximumDepth)
        return fail(
            QCoreApplication::translate("ako::Repository", "%1 is nested too deeply.").arg(QFile::decodeName(shown)));
    const Result<std::vector<QByteArray>> names = git::listFolder(folder, shown);
    if (!names)
        return std::unexpected(names.error());
    for (const QByteArray &name : *names) {
        if (const Result<void> known = checkName(name, shown); !known)
            return known;
        const Result<void> read =
            readEntry(folder, name, shown + '/' + name, prefix + QFile::decodeName(name), depth, content);
        if (!read)
            return read;
    }
    return {};
}

bool isSafeRelativePath(const QString &path)
{
    return !path.isEmpty() && !QDir::isAbsolutePath(path) && QDir::cleanPath(path) == path &&
           path != QLatin1String(".") && path != QLatin1String("..") && !path.startsWith(QLatin1String("../")) &&
           !path.split(QLatin1Char('/')).contains(QLatin1String(".git"), Qt::CaseInsensitive);
}

// The folder of that name, made where it is missing; what stands in its place (a file, a link) is removed first.
Result<FileDescriptor> enterFolder(int parent, const QByteArray &name, const QString &shown)
{
    for (int attempt = 0; attempt < 3; ++attempt) {
        FileDescriptor folder(::openat(parent, name.constData(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (folder.isValid())
            return folder;
        if ((errno == ENOTDIR || errno == ELOOP) && ::unlinkat(parent, name.constData(), 0) != 0)
            return cannotWrite(shown, errno);
        if (::mkdirat(parent, name.constData(), 0777) != 0 && errno != EEXIST)
            return cannotWrite(shown, errno);
    }
    return cannotWrite(shown, ELOOP);
}

Result<void> removeEntry(int folder, const QByteArray &name, const QString &shown)
{
    if (::unlinkat(folder, name.constData(), 0) == 0 || errno == ENOENT)
        return {};
    FileDescriptor below(::openat(folder, name.constData(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!below.isValid())
        return cannotWrite(shown, errno);
    const Result<std::vector<QByteArray>> names = git::listFolder(below.get(), QFile::encodeName(shown));
    if (!names)
        return std::unexpected(names.error());
    for (const QByteArray &inner : *names) {
        const Result<void> removed =
            removeEntry(below.get(), inner, shown + QLatin1Char('/') + QFile::decodeName(inner));
        if (!removed)
            return removed;
    }
    // A folder that still holds a .git stays.
    if (::unlinkat(folder, name.constData(), AT_REMOVEDIR) != 0 && errno != ENOTEMPTY && errno != EEXIST)
        return cannotWrite(shown, errno);
    return {};
}

bool writeTemporary(int folder, const QByteArray &temporary, const QByteArray &bytes, bool executable)
{
    const FileDescriptor file(::openat(folder, temporary.constData(),
                                       O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, executable ? 0777 : 0666));
    return file.isValid() && writeAll(file.get(), bytes);
}

Result<void> writeEntry(int folder, const QByteArray &name, const QByteArray &bytes, bool executable, bool link,
                        const QString &shown)
{
    const QByteArray temporary = ".ako-" + QByteArray::number(::getpid()) + ".tmp";
    ::unlinkat(folder, temporary.constData(), 0);
    const bool made = link ? ::symlinkat(bytes.constData(), folder, temporary.constData()) == 0
                           : writeTemporary(folder, temporary, bytes, executable);
    int error = errno;
    if (made && ::renameat(folder, temporary.constData(), folder, name.constData()) == 0)
        return {};
    if (made)
        error = errno;
    if (made && (error == EISDIR || error == EEXIST || error == ENOTEMPTY)) {
        const Result<void> removed = removeEntry(folder, name, shown);
        if (removed && ::renameat(folder, temporary.constData(), folder, name.constData()) == 0)
            return {};
        error = errno;
    }
    ::unlinkat(folder, temporary.constData(), 0);
    return cannotWrite(shown, error);
}

class FolderWriter
{
public:
    FolderWriter(const QString &folder, int descriptor)
        : m_folder(folder)
        , m_descriptor(descriptor)
    {
    }

    Result<void> remove(const QString &path) const
    {
        return inFolderOf(path, [this, &path](int folder, const QByteArray &name) {
            return removeEntry(folder, name, m_folder + QLatin1Char('/') + path);
        });
    }
    Result<void> write(const QString &path, const FolderContent &content) const
    {
        return inFolderOf(path, [&](int folder, const QByteArray &name) {
            return writeEntry(folder, name, content.files.value(path), content.executables.contains(path),
                              content.links.contains(path), m_folder + QLatin1Char('/') + path);
        });
    }

private:
    template <typename Action>
    Result<void> inFolderOf(const QString &path, const Action &action) const
    {
        FileDescriptor folder(::dup(m_descriptor));
        QList<QByteArray> parts = QFile::encodeName(path).split('/');
        const QByteArray name = parts.takeLast();
        for (const QByteArray &part : std::as_const(parts)) {
            Result<FileDescriptor> below = enterFolder(folder.get(), part, m_folder + QLatin1Char('/') + path);
            if (!below)
                return std::unexpected(below.error());
            folder = std::move(*below);
        }
        return action(folder.get(), name);
    }

    QString m_folder;
    int m_descriptor;
};

bool isSame(const FolderContent &one, const FolderContent &other, const QString &path)
{
    const auto there = other.files.constFind(path);
    return there != other.files.cend() && *there == one.files.value(path) &&
           one.executables.contains(path) == other.executables.contains(path) &&
           one.links.contains(path) == other.links.contains(path);
}

// Removes folders that hold nothing any more, below but not the top one itself.
void removeEmptyFolders(int folder)
{
    const Result<std::vector<QByteArray>> names = git::listFolder(folder, {});
    for (const QByteArray &name : names ? *names : std::vector<QByteArray>()) {
        const FileDescriptor below(::openat(folder, name.constData(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (!below.isValid())
            continue;
        removeEmptyFolders(below.get());
        ::unlinkat(folder, name.constData(), AT_REMOVEDIR);
    }
}

} // namespace

Result<FolderContent> readFolder(const QString &folder)
{
    FolderContent content;
    const QByteArray path = QFile::encodeName(folder);
    const Result<DiskEntry> top = git::openEntry(AT_FDCWD, path, path);
    if (!top)
        return std::unexpected(top.error());
    if (top->kind == DiskEntry::Kind::Missing)
        return content;
    if (top->kind != DiskEntry::Kind::Folder)
        return fail(QCoreApplication::translate("ako::Repository", "%1 is not a folder.").arg(folder));
    const Result<void> read = readBelow(top->descriptor.get(), path, QString(), 0, content);
    if (!read)
        return std::unexpected(read.error());
    content.executables.sort();
    content.links.sort();
    return content;
}

Result<void> replaceFolder(const QString &folder, const FolderContent &content)
{
    for (auto it = content.files.cbegin(); it != content.files.cend(); ++it) {
        if (!isSafeRelativePath(it.key()))
            return fail(
                QCoreApplication::translate("ako::Repository", "\"%1\" is not a path below a folder.").arg(it.key()));
    }
    const Result<FileDescriptor> top = enterFolder(AT_FDCWD, QFile::encodeName(folder), folder);
    if (!top)
        return std::unexpected(top.error());
    const Result<FolderContent> present = readFolder(folder);
    if (!present)
        return std::unexpected(present.error());
    const FolderWriter writer(folder, top->get());
    for (auto it = present->files.cbegin(); it != present->files.cend(); ++it) {
        if (content.files.contains(it.key()))
            continue;
        if (const Result<void> removed = writer.remove(it.key()); !removed)
            return removed;
    }
    removeEmptyFolders(top->get());
    for (auto it = content.files.cbegin(); it != content.files.cend(); ++it) {
        if (isSame(content, *present, it.key()))
            continue;
        if (const Result<void> written = writer.write(it.key(), content); !written)
            return written;
    }
    return {};
}

} // namespace ako
