// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing that was to be printed is lost without a word.
#include "support/programrun.h"
#include "support/scratchrepository.h"

#include <QTest>

#include <csignal>

using namespace ako::test;

class TestOutput : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { isolateGitConfiguration(); }
    void fullDisk_data() { commands(); }
    void fullDisk();
    void readerThatWentAway_data() { commands(); }
    void readerThatWentAway();

private:
    static void commands();
};

void TestOutput::commands()
{
    QTest::addColumn<QStringList>("arguments"); // "WORKSPACE": one with a problem
    const QString workspace = QStringLiteral("WORKSPACE");
    QTest::newRow("version") << QStringList{QStringLiteral("--version")};
    QTest::newRow("help") << QStringList{QStringLiteral("--help")};
    QTest::newRow("doctor") << QStringList{QStringLiteral("doctor")};
    QTest::newRow("plan") << QStringList{QStringLiteral("plan"), workspace};
    QTest::newRow("plan as JSON") << QStringList{QStringLiteral("plan"), workspace, QStringLiteral("--json")};
    QTest::newRow("history") << QStringList{QStringLiteral("history"), workspace};
}

static ProgramRun run(const char *redirected)
{
    QFETCH(QStringList, arguments);
    const ScratchRepository repository;
    const auto files = smallProblem();
    for (auto file = files.cbegin(); file != files.cend(); ++file)
        repository.write(file.key(), file.value());
    repository.commitAll(QStringLiteral("mine"));
    arguments.replaceInStrings(QStringLiteral("WORKSPACE"), repository.path());
    return runProgram(
        arguments, QProcessEnvironment::systemEnvironment(),
        {QStringLiteral("bash"), QStringLiteral("-c"), QLatin1String(redirected), QStringLiteral("bash")});
}

void TestOutput::fullDisk()
{
    const ProgramRun printed = run("exec \"$@\"");
    const ProgramRun lost = run("exec \"$@\" > /dev/full");
    QVERIFY2(lost.output.contains(QStringLiteral("could not be written in full")), qPrintable(lost.output));
    QCOMPARE(lost.exitCode, printed.exitCode == 0 ? 1 : printed.exitCode);
}

void TestOutput::readerThatWentAway()
{
    const ProgramRun printed = run("exec \"$@\"");
    const ProgramRun piped = run("\"$@\" | true; exit ${PIPESTATUS[0]}");
    QVERIFY2(!piped.output.contains(QStringLiteral("could not be written")), qPrintable(piped.output));
    QVERIFY(piped.exitCode == printed.exitCode || piped.exitCode == 128 + SIGPIPE);
}

QTEST_GUILESS_MAIN(TestOutput)
#include "tst_output.moc"
