// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/solutionhash.h"

#include "git/folderfiles.h"

#include <QCryptographicHash>
#include <QtEndian>

namespace ako {

namespace {

// Lengths are part of what is hashed, so that no two different folders make the same stream of bytes.
void add(QCryptographicHash &hash, const QByteArray &bytes)
{
    const quint64 length = qToLittleEndian(quint64(bytes.size()));
    hash.addData(QByteArrayView(reinterpret_cast<const char *>(&length), sizeof length));
    hash.addData(bytes);
}

} // namespace

QString solutionHash(const FolderContent &content)
{
    QMap<QByteArray, QByteArray> sorted;
    for (auto file = content.files.cbegin(); file != content.files.cend(); ++file)
        sorted.insert(file.key().toUtf8(), file.value());
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (auto file = sorted.cbegin(); file != sorted.cend(); ++file) {
        add(hash, file.key());
        add(hash, file.value());
    }
    return QString::fromLatin1(hash.result().toHex());
}

QString solutionHash(const QString &absoluteFolder)
{
    const auto content = readFolder(absoluteFolder);
    return content ? solutionHash(*content) : QString();
}

} // namespace ako
