// SPDX-License-Identifier: GPL-3.0-or-later
#include "scratchworkspace.h"

#include "bench/benchscript.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace ako::test {

ScratchWorkspace::ScratchWorkspace(const QString &folderName)
    : m_path(m_parent.filePath(folderName))
{
    write(QStringLiteral("solution/kernel.cpp"), "// first\n");
    QFile::copy(QStringLiteral(AKO_SOURCE_DIR "/scaffold/bench-wrapper.sh"),
                filePath(QStringLiteral("bench-wrapper.sh")));
}

void ScratchWorkspace::write(const QString &relative, const QByteArray &content) const
{
    const QString path = filePath(relative);
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write %s", qPrintable(path));
}

QByteArray ScratchWorkspace::read(const QString &relative) const
{
    QFile file(filePath(relative));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool ScratchWorkspace::exists(const QString &relative) const
{
    return QFileInfo::exists(filePath(relative));
}

void ScratchWorkspace::makeFolder(const QString &relative) const
{
    QDir().mkpath(filePath(relative));
}

QStringList ScratchWorkspace::folders(const QString &relative) const
{
    return QDir(filePath(relative)).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
}

void ScratchWorkspace::renderBench(const QString &command, const QStringList &setUpLines) const
{
    const auto written = writeBenchScript(m_path, {command, setUpLines});
    if (!written)
        qFatal("%s", qPrintable(written.error().text()));
}

} // namespace ako::test
