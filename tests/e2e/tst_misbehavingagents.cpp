// SPDX-License-Identifier: GPL-3.0-or-later
// The real ako4all with an agent that does what it must not, or nothing: each time a clear message, a workspace as it
// was but for what was asked, and nothing left running.
#include "history/trajectory.h"
#include "support/agentworkspace.h"
#include "support/programrun.h"
#include "support/scratchrepository.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace ako;
using namespace ako::test;

namespace {

constexpr int patience = 120'000;

bool isAlive(qint64 pid)
{
    QFile stat(QStringLiteral("/proc/%1/stat").arg(pid));
    return pid > 0 && stat.open(QIODevice::ReadOnly) && !stat.readAll().contains(") Z ");
}

} // namespace

class TestMisbehavingAgents : public QObject
{
    Q_OBJECT

public:
    static void initMain() { qputenv("QTEST_FUNCTION_TIMEOUT", "590000"); }

private Q_SLOTS:
    void initTestCase() { isolateGitConfiguration(); }
    void makesNoCandidate_data();
    void makesNoCandidate();
    void makesOne_data();
    void makesOne();
    void leavesAServer();
    void programIsKilledInItsTurn();

private:
    // A script that the fake agent runs in the place of an edit, as its switch.
    QString scriptSwitch(const QByteArray &script) const
    {
        QFile file(m_folder.filePath(QStringLiteral("script.sh")));
        if (!file.open(QIODevice::WriteOnly) || file.write(script) != script.size())
            qWarning("the script cannot be written");
        return QStringLiteral("\"script=%1\"").arg(file.fileName());
    }

    QTemporaryDir m_folder;
};

void TestMisbehavingAgents::makesNoCandidate_data()
{
    QTest::addColumn<QString>("switches"); // empty: there is no such program
    QTest::addColumn<QString>("said");
    const auto row = [](const char *name, const char *switches, const char *said) {
        QTest::newRow(name) << QString::fromLatin1(switches) << QString::fromLatin1(said);
    };
    row("is missing", "", "was not found");
    row("speaks another version", "version-2", "It speaks version 2 of the Agent Client Protocol");
    row("exits at its start", "dies-at-start", "ended with exit code 7.\nconfig: unknown key");
    row("dies in its turn", "dies-in-turn floods-stderr", "ended by signal 9.");
    row("edits nothing", "edits-nothing", "it changed nothing in solution/");
    row("is not logged in", "not-logged-in", "Nobody is logged in.");
}

// Three times at most, and what there is stays as it was.
void TestMisbehavingAgents::makesNoCandidate()
{
    QFETCH(QString, switches);
    QFETCH(QString, said);
    const ScratchRepository repository;
    agentworkspace::writeTo(repository);
    QStringList arguments = agentworkspace::run(repository, switches, 1);
    if (switches.isEmpty())
        arguments[arguments.indexOf(QStringLiteral("--agent-command")) + 1] = QStringLiteral("no-such-agent --acp");
    const ProgramRun run = runProgram(arguments);
    QVERIFY2(run.output.contains(said), qPrintable(run.output));
    QCOMPARE(run.exitCode, switches.isEmpty() ? 3 : 1);
    if (switches.isEmpty())
        return;
    QCOMPARE(run.output.count(QLatin1String("made no candidate: ")), 4); // each time, and why the run ends
    QCOMPARE(repository.read(QStringLiteral("solution/scale.cpp")), agentworkspace::kernel());
    QCOMPARE(scanTrajectory(repository.path()).records.size(), qsizetype(1)); // the baseline
}

void TestMisbehavingAgents::makesOne_data()
{
    QTest::addColumn<QByteArray>("script"); // what it does instead of an edit
    QTest::addColumn<IterationStatus>("status");
    QTest::addColumn<ResultState>("state");
    QTest::addColumn<QString>("said");
    const auto row = [](const char *name, const QByteArray &script, IterationStatus status, ResultState state,
                        const char *said) {
        QTest::newRow(name) << script << status << state << QString::fromLatin1(said);
    };
    const IterationStatus failed = IterationStatus::Failed;
    const ResultState quarantined = ResultState::Quarantined;
    row("only comments", "echo '// faster' >> solution/scale.cpp", IterationStatus::NoChange, ResultState::Provisional,
        "");
    row("deletes the kernel", "rm solution/scale.cpp", failed, ResultState::Provisional,
        "has removed from solution/, or renamed: scale.cpp");
    row("renames a file", "mv solution/scale.cpp solution/fast.cpp", failed, ResultState::Provisional,
        "has removed from solution/, or renamed: scale.cpp");
    row("writes binaries", "head -c 300000 /dev/urandom > solution/weights.bin", IterationStatus::NoChange,
        ResultState::Provisional, "");
    row("edits the bench", "echo 'echo RUNTIME: 0.1' >> bench.sh", failed, quarantined, "bench.sh");
    row("edits the reference", "echo '// mine' >> reference.cpp", failed, quarantined, "reference.cpp");
    row("commits", "echo '// x' >> solution/scale.cpp; git add -A solution; git commit -qm mine", failed, quarantined,
        "\" brings it back");
    row("changes the branch", "git checkout -qb mine", failed, quarantined, "git: HEAD was moved to mine");
    row("writes a hook", "printf '#!/bin/sh\\n' > .git/hooks/post-commit", failed, quarantined,
        "git: hooks/post-commit was written");
}

void TestMisbehavingAgents::makesOne()
{
    QFETCH(QByteArray, script);
    QFETCH(IterationStatus, status);
    QFETCH(ResultState, state);
    QFETCH(QString, said);
    const ScratchRepository repository;
    agentworkspace::writeTo(repository);
    const ProgramRun run = runProgram(agentworkspace::run(repository, scriptSwitch(script), 1));
    const TrajectoryScan history = scanTrajectory(repository.path());
    QVERIFY2(history.records.size() >= 2, qPrintable(run.output));
    const IterationRecord &record = history.records.at(1);
    QVERIFY2(record.status == status && record.bench.state == state, qPrintable(run.output));
    QCOMPARE(record.title, QStringLiteral("A title"));
    QVERIFY2(run.output.contains(said), qPrintable(run.output));
    if (state == ResultState::Quarantined)
        QVERIFY2(record.bench.message.contains(said) &&
                     record.bench.message.contains(QLatin1String(".ako/quarantine/iter-1")),
                 qPrintable(record.bench.message));
    // What is a person's own is as it was, and the loop's branch is the one that it made.
    QCOMPARE(repository.read(QStringLiteral("bench.sh")), agentworkspace::bench());
    QCOMPARE(repository.read(QStringLiteral("reference.cpp")), agentworkspace::reference());
    QCOMPARE(repository.read(QStringLiteral("solution/scale.cpp")), agentworkspace::kernel()); // the best there is
    QVERIFY(!repository.exists(QStringLiteral(".git/hooks/post-commit")));
    QVERIFY(repository.git({QStringLiteral("symbolic-ref"), QStringLiteral("HEAD")})
                .startsWith(QLatin1String("refs/heads/opt/")));
    const QString log = repository.git({QStringLiteral("log"), QStringLiteral("--format=%s")});
    QVERIFY2(log.contains(QLatin1String("[iter 1] A title")) && !log.contains(QLatin1String("mine")), qPrintable(log));
}

void TestMisbehavingAgents::leavesAServer()
{
    const ScratchRepository repository;
    agentworkspace::writeTo(repository);
    const QString file = m_folder.filePath(QStringLiteral("server.pid"));
    const ProgramRun run = runProgram(agentworkspace::run(
        repository,
        scriptSwitch("echo '// x' >> solution/scale.cpp\nnohup sleep 900 &\necho $! > '" + file.toUtf8() + "'\n"), 1));
    QFile pid(file);
    QVERIFY2(pid.open(QIODevice::ReadOnly), qPrintable(run.output));
    QVERIFY(!isAlive(pid.readAll().trimmed().toLongLong()));
    QVERIFY2(scanTrajectory(repository.path()).records.size() >= 2, qPrintable(run.output));
}

// Nothing of the agent is left ten seconds later, and the next call goes on.
void TestMisbehavingAgents::programIsKilledInItsTurn()
{
    const ScratchRepository repository;
    agentworkspace::writeTo(repository);
    const QString file = repository.filePath(QStringLiteral("solution/child.pid"));
    QProcess program;
    program.setProcessChannelMode(QProcess::MergedChannels);
    program.start(QStringLiteral(AKO_BINARY_DIR "/app/ako4all"),
                  agentworkspace::run(repository,
                                      scriptSwitch("sleep 900 &\necho $! > solution/child.tmp\n"
                                                   "mv solution/child.tmp solution/child.pid\nwait\n"),
                                      1));
    QVERIFY(program.waitForStarted(patience));
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file), patience);
    QFile pid(file);
    QVERIFY(pid.open(QIODevice::ReadOnly));
    const qint64 child = pid.readAll().trimmed().toLongLong();
    QVERIFY(isAlive(child));
    ::kill(pid_t(program.processId()), SIGKILL);
    QVERIFY(program.waitForFinished(patience));
    QTRY_VERIFY_WITH_TIMEOUT(!isAlive(child), 10'000);
    const ProgramRun again = runProgram(
        agentworkspace::run(repository, scriptSwitch("sed -i 's/round < 4/round < 1/' solution/scale.cpp"), 1));
    QVERIFY2(again.exitCode == 0, qPrintable(again.output));
    QVERIFY2(again.output.contains(QLatin1String("was interrupted after the step")), qPrintable(again.output));
    const TrajectoryScan history = scanTrajectory(repository.path());
    QVERIFY2(history.records.size() >= 2, qPrintable(again.output));
    QCOMPARE(history.records.at(1).status, IterationStatus::Improved);
    QVERIFY(!repository.exists(QStringLiteral("solution/child.pid")));
}

QTEST_GUILESS_MAIN(TestMisbehavingAgents)
#include "tst_misbehavingagents.moc"
