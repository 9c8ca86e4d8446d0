// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

namespace ako::test {

// Points git and libgit2 of this process and its children away from the configuration of whoever runs the tests.
// Called by ScratchRepository; call it yourself in initTestCase() where libgit2 is used before one is made.
void isolateGitConfiguration();

// A temporary real git repository on branch main, made by the git program, with a local identity and no commit.
class ScratchRepository
{
public:
    // The folder's name may hold spaces and letters of any script.
    explicit ScratchRepository(const QString &folderName = QStringLiteral("work tree"));

    QString path() const { return m_path; }
    QString filePath(const QString &relative) const;

    void write(const QString &relative, const QByteArray &content) const; // makes folders; keeps permissions
    QByteArray read(const QString &relative) const;
    bool exists(const QString &relative) const;
    void remove(const QString &relative) const; // a file or a folder
    void makeExecutable(const QString &relative) const;
    void link(const QString &relative, const QByteArray &target) const;

    // Runs git in the work tree and returns its output (both streams), without the last line end. Fails the test, and
    // returns the output all the same, when git does.
    QString git(const QStringList &arguments) const;
    int gitExitCode(const QStringList &arguments) const;
    QString commitAll(const QString &message) const; // add -A, commit; returns the id
    QString status() const { return git({QStringLiteral("status"), QStringLiteral("--porcelain")}); }
    QString head() const { return git({QStringLiteral("rev-parse"), QStringLiteral("HEAD")}); }

private:
    QTemporaryDir m_parent;
    QString m_path;
};

} // namespace ako::test
