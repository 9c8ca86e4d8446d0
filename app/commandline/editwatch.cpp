// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline/editwatch.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDirIterator>

namespace ako {

namespace {

constexpr int lookEveryMilliseconds = 700;

QByteArray fingerprint(const QString &folder)
{
    QStringList lines;
    QDirIterator files(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        files.next();
        const QFileInfo info = files.fileInfo();
        lines << QStringLiteral("%1 %2 %3")
                     .arg(info.filePath())
                     .arg(info.size())
                     .arg(info.lastModified().toMSecsSinceEpoch());
    }
    lines.sort();
    return QCryptographicHash::hash(lines.join(QLatin1Char('\n')).toUtf8(), QCryptographicHash::Sha256);
}

} // namespace

EditWatch::EditWatch(QObject *parent)
    : QObject(parent)
{
    m_timer.setInterval(lookEveryMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &EditWatch::look);
}

void EditWatch::start(const QString &folder)
{
    m_folder = folder;
    m_first = m_last = fingerprint(folder);
    m_timer.start();
}

void EditWatch::look()
{
    const QByteArray now = fingerprint(m_folder);
    const bool rests = now == m_last;
    m_last = now;
    if (now == m_first || !rests)
        return;
    m_timer.stop();
    Q_EMIT edited();
}

} // namespace ako
