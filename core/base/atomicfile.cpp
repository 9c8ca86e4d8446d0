// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/atomicfile.h"

#include "base/filedescriptor.h"

#include <QCoreApplication>
#include <QFile>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>

namespace ako {
namespace {

constexpr qint64 readStepBytes = 64LL * 1024;

QString translate(const char *text)
{
    return QCoreApplication::translate("ako::AtomicFile", text);
}

std::unexpected<Error> failWithErrno(const char *text, const QString &path, int error)
{
    return fail(translate(text).arg(path, qt_error_string(error)));
}

// What the finished file's permissions are to be: those of the file it replaces, else what the umask leaves.
mode_t finalMode(const QByteArray &path)
{
    struct stat existing = {};
    if (::lstat(path.constData(), &existing) == 0 && S_ISREG(existing.st_mode))
        return existing.st_mode & 07777;
    // umask() can only be read by setting it, which is a race between threads; the kernel tells it in /proc.
    QFile status(QStringLiteral("/proc/self/status"));
    if (status.open(QIODevice::ReadOnly)) {
        for (const QByteArray &line : status.readAll().split('\n')) {
            if (line.startsWith("Umask:"))
                return 0666 & ~mode_t(line.mid(6).trimmed().toUInt(nullptr, 8));
        }
    }
    return 0644;
}

} // namespace

bool writeAll(int descriptor, QByteArrayView content)
{
    while (!content.isEmpty()) {
        const ssize_t count = ::write(descriptor, content.data(), size_t(content.size()));
        if (count < 0 && errno != EINTR)
            return false;
        content = content.sliced(std::max<ssize_t>(count, 0));
    }
    return true;
}

Result<void> writeFileAtomically(const QString &path, const QByteArray &content)
{
    const QByteArray target = QFile::encodeName(path);
    QByteArray temporary = target + ".XXXXXX";
    const mode_t mode = finalMode(target);
    FileDescriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
    if (!file.isValid())
        return failWithErrno(QT_TRANSLATE_NOOP("ako::AtomicFile", "Cannot write %1: %2"), path, errno);
    const bool written = writeAll(file.get(), content) && ::fchmod(file.get(), mode) == 0 &&
                         ::rename(temporary.constData(), target.constData()) == 0;
    if (!written) {
        const int error = errno;
        ::unlink(temporary.constData());
        return failWithErrno(QT_TRANSLATE_NOOP("ako::AtomicFile", "Cannot write %1: %2"), path, error);
    }
    return {};
}

Result<QByteArray> readRegularFile(const QString &path, qint64 limitBytes)
{
    // O_NONBLOCK: opening a named pipe would wait for its other end.
    FileDescriptor descriptor(::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!descriptor.isValid())
        return failWithErrno(QT_TRANSLATE_NOOP("ako::AtomicFile", "Cannot read %1: %2"), path, errno);
    struct stat info = {};
    if (::fstat(descriptor.get(), &info) != 0 || !S_ISREG(info.st_mode))
        return fail(
            translate(QT_TRANSLATE_NOOP("ako::AtomicFile", "Cannot read %1: it is not a regular file")).arg(path));
    if (info.st_size > limitBytes)
        return fail(
            translate(QT_TRANSLATE_NOOP("ako::AtomicFile", "Cannot read %1: %2 bytes are more than the limit of %3"))
                .arg(path)
                .arg(info.st_size)
                .arg(limitBytes));
    QFile file;
    if (!file.open(descriptor.get(), QIODevice::ReadOnly))
        return fail(
            translate(QT_TRANSLATE_NOOP("ako::AtomicFile", "Cannot read %1: %2")).arg(path, file.errorString()));
    // In steps: read() makes room for all that it is asked for. The size is a beginning; the file may grow meanwhile.
    QByteArray content;
    qint64 step = info.st_size + 1;
    while (content.size() <= limitBytes) {
        const QByteArray more = file.read(std::min(step, limitBytes + 1 - content.size()));
        if (more.isEmpty())
            break;
        content += more;
        step = readStepBytes;
    }
    if (file.error() != QFileDevice::NoError || content.size() > limitBytes)
        return fail(
            translate(QT_TRANSLATE_NOOP("ako::AtomicFile", "Cannot read %1: it changed while being read")).arg(path));
    return content;
}

} // namespace ako
