// SPDX-License-Identifier: GPL-3.0-or-later
// A report and a patch are written where they are asked for, but over nothing that somebody else wrote.
#include "support/agentworkspace.h"
#include "support/programrun.h"
#include "support/scratchrepository.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace ako;
using namespace ako::test;

class TestReportFiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void goesWhereItIsAsked_data();
    void goesWhereItIsAsked();
    void patchIsAppliedByOthers_data();
    void patchIsAppliedByOthers();

private:
    QString path(const char *name) const { return m_folder.filePath(QLatin1String(name)); }
    void put(const char *name, const QByteArray &content) const
    {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("%s cannot be written", name);
    }
    QByteArray read(const char *name) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    QTemporaryDir m_folder;
    std::unique_ptr<ScratchRepository> m_repository;
};

void TestReportFiles::initTestCase()
{
    isolateGitConfiguration();
    m_repository = std::make_unique<ScratchRepository>();
    agentworkspace::writeTo(*m_repository);
    put("script.sh", "sed -i 's/round < 4/round < 2/' solution/scale.cpp\n");
    const ProgramRun run =
        runProgram(agentworkspace::run(*m_repository, QStringLiteral("\"script=%1\"").arg(path("script.sh")), 1));
    QVERIFY2(run.exitCode == 0, qPrintable(run.output));
}

void TestReportFiles::goesWhereItIsAsked_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QString>("says");
    QTest::addColumn<QByteArray>("page"); // how report.html begins afterwards
    QTest::addColumn<QByteArray>("patch");
    const QString page = path("report.html"), patch = path("champion.patch");
    const QString o = QStringLiteral("--output"), p = QStringLiteral("--patch");
    const QByteArray html = "<!DOCTYPE html>", diff = "diff --git";
    QTest::newRow("both, anew") << QStringList{o, page, p, patch} << 0 << QStringLiteral("Written") << html << diff;
    QTest::newRow("both, over its own") << QStringList{o, page, p, patch} << 0 << QStringLiteral("Written") << html
                                        << diff;
    QTest::newRow("page over another's") << QStringList{o, path("mine.html")} << 1
                                         << QStringLiteral("was not written by this command") << html << diff;
    QTest::newRow("patch over another's")
        << QStringList{p, path("mine.html")} << 1 << QStringLiteral("was not written by this command") << html << diff;
    QTest::newRow("over a link") << QStringList{o, path("link.html")} << 1
                                 << QStringLiteral("was not written by this command") << html << diff;
    QTest::newRow("over a folder") << QStringList{o, m_folder.path()} << 1
                                   << QStringLiteral("was not written by this command") << html << diff;
    QTest::newRow("one file for both") << QStringList{o, page, p, page} << 2 << QStringLiteral("files of their own")
                                       << html << diff;
    QTest::newRow("one file, written otherwise")
        << QStringList{o, page, p, m_folder.path() + QStringLiteral("/./report.html")} << 2
        << QStringLiteral("files of their own") << html << diff;
    QTest::newRow("no such folder") << QStringList{o, path("none/report.html")} << 1
                                    << QStringLiteral("none/report.html") << html << diff;
}

void TestReportFiles::goesWhereItIsAsked()
{
    QFETCH(QStringList, options);
    QFETCH(int, exitCode);
    QFETCH(QString, says);
    QFETCH(QByteArray, page);
    QFETCH(QByteArray, patch);
    const QByteArray mine = "<!DOCTYPE html>\n<html><title>AKO4ALL is what I write about</title></html>\n";
    put("mine.html", mine);
    QFile::link(path("mine.html"), path("link.html"));
    const ProgramRun run = runProgram(QStringList{QStringLiteral("report"), m_repository->path()} + options);
    QVERIFY2(run.exitCode == exitCode, qPrintable(run.output));
    QVERIFY2(run.output.contains(says), qPrintable(run.output));
    QVERIFY(read("report.html").startsWith(page));
    QVERIFY(read("champion.patch").startsWith(patch));
    QCOMPARE(read("mine.html"), mine);
}

void TestReportFiles::patchIsAppliedByOthers_data()
{
    QTest::addColumn<QStringList>("command");
    QTest::newRow("git apply") << QStringList{QStringLiteral("git"), QStringLiteral("apply")};
    QTest::newRow("patch") << QStringList{QStringLiteral("patch"), QStringLiteral("-p1"), QStringLiteral("-s"),
                                          QStringLiteral("-i")};
}

void TestReportFiles::patchIsAppliedByOthers()
{
    QFETCH(QStringList, command);
    if (QStandardPaths::findExecutable(command.constFirst()).isEmpty())
        QSKIP("not installed");
    const QString patch = path("applied.patch");
    QFile::remove(patch);
    QCOMPARE(runProgram({QStringLiteral("report"), m_repository->path(), QStringLiteral("--patch"), patch}).exitCode,
             0);
    QTemporaryDir copy;
    QFile original(copy.filePath(QStringLiteral("scale.cpp")));
    QVERIFY(original.open(QIODevice::WriteOnly) && original.write(agentworkspace::kernel()) > 0);
    original.close();
    QProcess process;
    process.setWorkingDirectory(copy.path());
    process.start(command.constFirst(), command.mid(1) + QStringList{patch});
    QVERIFY(process.waitForFinished());
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
    QVERIFY(original.open(QIODevice::ReadOnly));
    QCOMPARE(original.readAll(), m_repository->read(QStringLiteral("solution/scale.cpp")));
}

QTEST_GUILESS_MAIN(TestReportFiles)
#include "tst_reportfiles.moc"
