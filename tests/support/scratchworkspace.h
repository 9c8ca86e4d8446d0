// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

namespace ako::test {

// A workspace folder with the program's own bench-wrapper.sh, in a path with spaces and letters of other scripts.
class ScratchWorkspace
{
public:
    explicit ScratchWorkspace(const QString &folderName = QStringLiteral("Arbeits mappe ü'日"));

    QString path() const { return m_path; }
    QString filePath(const QString &relative) const { return m_path + QLatin1Char('/') + relative; }
    void write(const QString &relative, const QByteArray &content) const; // makes folders
    QByteArray read(const QString &relative) const;
    bool exists(const QString &relative) const;
    void makeFolder(const QString &relative) const;
    QStringList folders(const QString &relative) const; // names, sorted

    // scripts/bench.sh from the wrapper in the workspace and this shell text.
    void renderBench(const QString &command, const QStringList &setUpLines = {}) const;

private:
    QTemporaryDir m_parent;
    QString m_path;
};

} // namespace ako::test
