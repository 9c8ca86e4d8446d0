// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/treesnapshot.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QSet>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace ako {

namespace {

constexpr qint64 hashLimit = 1024LL * 1024; // larger files are told apart by size, times and inode alone

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::TreeSnapshot", text);
}

qint64 nanoseconds(const timespec &time)
{
    return qint64(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

QByteArray linkTarget(const QByteArray &path)
{
    QByteArray target(PATH_MAX, '\0');
    const ssize_t length = ::readlink(path.constData(), target.data(), size_t(target.size()));
    return target.left(std::max<ssize_t>(length, 0));
}

struct DirectoryCloser
{
    void operator()(DIR *directory) const { ::closedir(directory); }
};

} // namespace

Result<TreeSnapshot::Entries> TreeSnapshot::read(const QString &workspace, const QStringList &except)
{
    QSet<QString> skipped(except.cbegin(), except.cend());
    skipped.insert(QStringLiteral(".git"));
    skipped.insert(QStringLiteral(".ako"));
    Entries entries;
    QStringList pending{QString()};
    while (!pending.isEmpty()) {
        const QString folder = pending.takeLast();
        const QString prefix = folder.isEmpty() ? QString() : folder + QLatin1Char('/');
        const QByteArray path = QFile::encodeName(workspace + QLatin1Char('/') + folder);
        const std::unique_ptr<DIR, DirectoryCloser> directory(::opendir(path.constData()));
        if (!directory && folder.isEmpty())
            return fail(tr("%1 cannot be read: %2.").arg(workspace, QString::fromLocal8Bit(std::strerror(errno))));
        const dirent *item = nullptr;
        while (directory && (item = ::readdir(directory.get()))) {
            const QString name = QFile::decodeName(item->d_name);
            const QString relative = prefix + name;
            struct stat status = {};
            if (name == QLatin1String(".") || name == QLatin1String("..") || skipped.contains(relative) ||
                ::fstatat(::dirfd(directory.get()), item->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
                continue;
            if (S_ISDIR(status.st_mode))
                pending.append(relative);
            Entry entry{qint64(status.st_size), nanoseconds(status.st_mtim), nanoseconds(status.st_ctim),
                        quint64(status.st_ino), quint32(status.st_mode),     {}};
            if (S_ISDIR(status.st_mode))
                entry.size = entry.modified = entry.changed = 0; // what changes in it is seen by itself
            if (S_ISLNK(status.st_mode))
                entry.content = linkTarget(path + '/' + item->d_name);
            entries.insert(relative, entry);
        }
    }
    return entries;
}

Result<TreeSnapshot> TreeSnapshot::take(const QString &workspace, const QStringList &except)
{
    Result<Entries> entries = read(workspace, except);
    if (!entries)
        return std::unexpected(entries.error());
    TreeSnapshot snapshot;
    snapshot.m_workspace = workspace;
    snapshot.m_except = except;
    snapshot.m_entries = std::move(*entries);
    for (auto it = snapshot.m_entries.begin(); it != snapshot.m_entries.end(); ++it) {
        if (S_ISREG(it->mode) && it->size <= hashLimit)
            it->content = sha256OfFile(workspace + QLatin1Char('/') + it.key()).value_or(QByteArray());
    }
    return snapshot;
}

bool TreeSnapshot::isSame(const Entry &before, const Entry &now)
{
    return before.size == now.size && before.modified == now.modified && before.changed == now.changed &&
           before.inode == now.inode && before.mode == now.mode;
}

Result<QList<FileChange>> TreeSnapshot::changes() const
{
    const Result<Entries> now = read(m_workspace, m_except);
    if (!now)
        return std::unexpected(now.error());
    QList<FileChange> changes;
    for (auto it = m_entries.cbegin(); it != m_entries.cend(); ++it) {
        const auto current = now->constFind(it.key());
        if (current == now->cend())
            changes.append({it.key(), FileChange::What::Removed});
        else if (!isSame(*it, *current) && !hasSameContent(it.key(), *it, *current))
            changes.append({it.key(), FileChange::What::Modified});
    }
    for (auto it = now->cbegin(); it != now->cend(); ++it) {
        if (!m_entries.contains(it.key()))
            changes.append({it.key(), FileChange::What::Added});
    }
    std::sort(changes.begin(), changes.end(), [](const FileChange &a, const FileChange &b) { return a.file < b.file; });
    return changes;
}

bool TreeSnapshot::hasSameContent(const QString &path, const Entry &before, const Entry &now) const
{
    if (before.mode != now.mode || before.size != now.size)
        return false;
    if (S_ISLNK(now.mode))
        return before.content == now.content;
    if (!S_ISREG(now.mode))
        return true;
    return !before.content.isEmpty() &&
           sha256OfFile(m_workspace + QLatin1Char('/') + path).value_or(QByteArray()) == before.content;
}

} // namespace ako
