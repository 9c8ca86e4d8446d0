// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/solutionhash.h"

#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QtEndian>

#include <filesystem>

namespace ako {

namespace {

// Lengths are part of what is hashed, so that no two different folders make the same stream of bytes.
void add(QCryptographicHash &hash, const QByteArray &bytes)
{
    const quint64 length = qToLittleEndian(quint64(bytes.size()));
    hash.addData(QByteArrayView(reinterpret_cast<const char *>(&length), sizeof length));
    hash.addData(bytes);
}

// A link counts as what it points to, as git stores it.
QByteArray contentOf(const QFileInfo &info)
{
    if (info.isSymLink()) {
        std::error_code error;
        const auto target = std::filesystem::read_symlink(QFile::encodeName(info.filePath()).toStdString(), error);
        return QByteArray::fromStdString(target.string());
    }
    QFile file(info.filePath());
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
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
    FolderContent content;
    const QDir folder(absoluteFolder);
    QDirIterator walk(absoluteFolder, QDir::AllEntries | QDir::System | QDir::Hidden | QDir::NoDotAndDotDot,
                      QDirIterator::Subdirectories);
    while (walk.hasNext()) {
        walk.next();
        const QFileInfo info = walk.fileInfo();
        if (info.isSymLink() || info.isFile()) // neither folders nor pipes and the like
            content.files.insert(folder.relativeFilePath(walk.filePath()), contentOf(info));
    }
    return solutionHash(content);
}

} // namespace ako
