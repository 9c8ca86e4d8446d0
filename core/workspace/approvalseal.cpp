// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/approvalseal.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QMessageAuthenticationCode>
#include <QRandomGenerator>
#include <QStandardPaths>
#include <QTemporaryFile>

#include <array>
#include <sys/stat.h>
#include <unistd.h>

namespace ako {

namespace {

constexpr qsizetype keyBytes = 32;

QByteArray newKey()
{
    std::array<quint32, keyBytes / sizeof(quint32)> words{};
    QRandomGenerator::system()->fillRange(words.data(), qsizetype(words.size()));
    return QByteArray(reinterpret_cast<const char *>(words.data()), keyBytes).toHex();
}

// Of this user alone, or it is somebody else's key.
bool isPrivate(const QString &path)
{
    struct stat status = {};
    return ::lstat(QFile::encodeName(path).constData(), &status) == 0 && status.st_uid == ::geteuid() &&
           (status.st_mode & 077) == 0;
}

QByteArray keyIn(const QString &folder)
{
    QDir().mkpath(folder);
    const QString path = folder + QStringLiteral("/approval-key");
    if (!QFile::exists(path)) {
        QTemporaryFile made(folder + QStringLiteral("/key-XXXXXX"));             // for its owner only
        if (made.open() && made.write(newKey()) == 2 * keyBytes && made.flush()) // two processes: the first one's stays
            [[maybe_unused]]
            const int linked =
                ::link(QFile::encodeName(made.fileName()).constData(), QFile::encodeName(path).constData());
    }
    QFile file(path);
    if (!isPrivate(path) || !file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray key = file.read(2 * keyBytes + 1);
    return key.size() == 2 * keyBytes ? key : QByteArray();
}

QByteArray approvalKey()
{
    const QString configuration = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation);
    if (QByteArray key = keyIn(configuration + QStringLiteral("/ako4all")); !key.isEmpty())
        return key;
    const QString temporary = QDir::tempPath() + QStringLiteral("/ako4all-%1").arg(::geteuid());
    ::mkdir(QFile::encodeName(temporary).constData(), 0700);
    if (isPrivate(temporary)) {
        if (QByteArray key = keyIn(temporary); !key.isEmpty())
            return key;
    }
    static const QByteArray ofThisProcess = newKey();
    return ofThisProcess;
}

} // namespace

QByteArray approvalSeal(const QByteArray &content)
{
    return QMessageAuthenticationCode::hash(content, approvalKey(), QCryptographicHash::Sha256).toHex();
}

} // namespace ako
