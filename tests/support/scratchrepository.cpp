// SPDX-License-Identifier: GPL-3.0-or-later
#include "scratchrepository.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTest>

#include <unistd.h>

namespace ako::test {
namespace {

struct GitRun
{
    int exitCode = -1;
    QByteArray output;
};

GitRun runGit(const QString &folder, const QStringList &arguments)
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(QStringLiteral("git"), arguments);
    if (!process.waitForFinished(60000))
        return {-1, "git did not end: " + process.errorString().toUtf8()};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAll()};
}

} // namespace

void isolateGitConfiguration()
{
    // One for a test and the programs it starts: a person's approvals hold in all of them.
    static const QTemporaryDir ownHome;
    if (!qEnvironmentVariableIsSet("AKO_TEST_HOME"))
        qputenv("AKO_TEST_HOME", QFile::encodeName(ownHome.path()));
    for (const char *name : {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL",
                             "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "EMAIL", "XDG_CONFIG_HOME"})
        qunsetenv(name);
    qputenv("HOME", qgetenv("AKO_TEST_HOME"));
    qputenv("GIT_CONFIG_NOSYSTEM", "1");
    qputenv("GIT_TERMINAL_PROMPT", "0");
    qputenv("LC_ALL", "C.UTF-8");
}

ScratchRepository::ScratchRepository(const QString &folderName)
{
    isolateGitConfiguration();
    QDir parent(m_parent.path());
    if (!m_parent.isValid() || !parent.mkpath(folderName))
        qFatal("no temporary folder");
    m_path = QFileInfo(parent.filePath(folderName)).canonicalFilePath();
    git({QStringLiteral("init"), QStringLiteral("-q"), QStringLiteral("-b"), QStringLiteral("main")});
    git({QStringLiteral("config"), QStringLiteral("user.name"), QStringLiteral("Ada Lovelace")});
    git({QStringLiteral("config"), QStringLiteral("user.email"), QStringLiteral("ada@example.org")});
    git({QStringLiteral("config"), QStringLiteral("commit.gpgsign"), QStringLiteral("false")});
    git({QStringLiteral("config"), QStringLiteral("gc.auto"), QStringLiteral("0")});
}

QString ScratchRepository::filePath(const QString &relative) const
{
    return QDir(m_path).filePath(relative);
}

void ScratchRepository::write(const QString &relative, const QByteArray &content) const
{
    QDir().mkpath(QFileInfo(filePath(relative)).path());
    QFile file(filePath(relative));
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        QTest::qFail(qPrintable(file.errorString()), __FILE__, __LINE__);
}

QByteArray ScratchRepository::read(const QString &relative) const
{
    QFile file(filePath(relative));
    if (!file.open(QIODevice::ReadOnly))
        QTest::qFail(qPrintable(file.errorString()), __FILE__, __LINE__);
    return file.readAll();
}

bool ScratchRepository::exists(const QString &relative) const
{
    const QFileInfo info(filePath(relative));
    return info.exists() || info.isSymLink();
}

void ScratchRepository::remove(const QString &relative) const
{
    const QFileInfo info(filePath(relative));
    const bool done =
        info.isDir() && !info.isSymLink() ? QDir(info.filePath()).removeRecursively() : QFile::remove(info.filePath());
    if (!done)
        QTest::qFail(qPrintable(relative), __FILE__, __LINE__);
}

void ScratchRepository::makeExecutable(const QString &relative) const
{
    QFile::setPermissions(filePath(relative), QFile::permissions(filePath(relative)) | QFile::ExeOwner |
                                                  QFile::ExeUser | QFile::ExeGroup | QFile::ExeOther);
}

void ScratchRepository::link(const QString &relative, const QByteArray &target) const
{
    QDir().mkpath(QFileInfo(filePath(relative)).path());
    if (::symlink(target.constData(), QFile::encodeName(filePath(relative)).constData()) != 0)
        QTest::qFail(qPrintable(relative), __FILE__, __LINE__);
}

QString ScratchRepository::git(const QStringList &arguments) const
{
    GitRun run = runGit(m_path, arguments);
    if (run.exitCode != 0)
        QTest::qFail(("git " + arguments.join(QLatin1Char(' ')).toUtf8() + ": " + run.output).constData(), __FILE__,
                     __LINE__);
    if (run.output.endsWith('\n'))
        run.output.chop(1);
    return QString::fromUtf8(run.output);
}

int ScratchRepository::gitExitCode(const QStringList &arguments) const
{
    return runGit(m_path, arguments).exitCode;
}

QString ScratchRepository::commitAll(const QString &message) const
{
    git({QStringLiteral("add"), QStringLiteral("-A")});
    git({QStringLiteral("commit"), QStringLiteral("-q"), QStringLiteral("-m"), message});
    return head();
}

} // namespace ako::test
