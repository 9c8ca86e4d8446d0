// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/singleinstance.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFile>
#include <QSysInfo>

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace ako {
namespace {

QString translate(const char *text)
{
    return QCoreApplication::translate("ako::SingleInstance", text);
}

std::unexpected<Error> cannotLock(const QString &path, int error)
{
    return fail(translate(QT_TRANSLATE_NOOP("ako::SingleInstance", "Cannot lock the workspace with %1: %2"))
                    .arg(path, qt_error_string(error)),
                translate(QT_TRANSLATE_NOOP("ako::SingleInstance",
                                            "The workspace must be writable and on a file system that knows flock.")));
}

// "pid 4711 on host since 2025-01-31T12:00:00"; empty while the holder has not written it yet.
QString readHolder(int descriptor)
{
    char text[512];
    const ssize_t count = ::pread(descriptor, text, sizeof text, 0);
    return count > 0 ? QString::fromUtf8(text, count).section(QLatin1Char('\n'), 0, 0) : QString();
}

void writeHolder(int descriptor)
{
    const QByteArray text = QStringLiteral("pid %1 on %2 since %3\n")
                                .arg(QString::number(::getpid()), QSysInfo::machineHostName(),
                                     QDateTime::currentDateTime().toString(Qt::ISODate))
                                .toUtf8();
    // Only informs: the lock holds without it.
    if (::ftruncate(descriptor, 0) == 0) [[maybe_unused]]
        const ssize_t count = ::pwrite(descriptor, text.constData(), size_t(text.size()), 0);
}

std::unexpected<Error> isHeld(const QString &path, int descriptor)
{
    QString holder = readHolder(descriptor);
    if (holder.isEmpty())
        holder = translate(QT_TRANSLATE_NOOP("ako::SingleInstance", "another process"));
    return fail(
        translate(QT_TRANSLATE_NOOP("ako::SingleInstance", "This workspace is in use by %1 (lock %2)."))
            .arg(holder, path),
        translate(QT_TRANSLATE_NOOP(
            "ako::SingleInstance", "Close its window, or press Ctrl+C in its terminal (or kill that process); then try "
                                   "again.")));
}

// False where somebody replaced or removed the file between our open and our lock: then the lock is on a file that
// nobody else will ever see.
bool isStillAt(const QByteArray &path, int descriptor)
{
    struct stat ours = {};
    struct stat there = {};
    return ::fstat(descriptor, &ours) == 0 && ::lstat(path.constData(), &there) == 0 && ours.st_ino == there.st_ino &&
           ours.st_dev == there.st_dev;
}

} // namespace

Result<SingleInstance> SingleInstance::acquire(const QString &lockFile)
{
    const QByteArray path = QFile::encodeName(lockFile);
    for (int attempt = 0; attempt < 100; ++attempt) {
        FileDescriptor file(::open(path.constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644));
        if (!file.isValid())
            return cannotLock(lockFile, errno);
        struct stat info = {};
        if (::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode))
            return cannotLock(lockFile, EINVAL);
        if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0)
            return errno == EWOULDBLOCK ? isHeld(lockFile, file.get()) : cannotLock(lockFile, errno);
        if (isStillAt(path, file.get())) {
            writeHolder(file.get());
            return SingleInstance(std::move(file));
        }
    }
    return cannotLock(lockFile, EAGAIN);
}

} // namespace ako
