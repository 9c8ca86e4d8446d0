// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/childprocess.h"
#include "process/processsession.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <csignal>
#include <fcntl.h>
#include <memory>

using ako::ChildProcess;
using ako::CommandSpec;
using ako::ProcessEnd;
using Kind = ako::ProcessEnd::Kind;

namespace {

constexpr int patience = 30000;

CommandSpec shell(const QString &script)
{
    CommandSpec spec;
    spec.program = QStringLiteral("sh");
    spec.arguments = {QStringLiteral("-c"), script};
    return spec;
}

// Runs it on the event loop and checks that the end is told once.
ProcessEnd runLive(const CommandSpec &spec, QByteArray *live = nullptr)
{
    ChildProcess child(spec);
    QSignalSpy finished(&child, &ChildProcess::finished);
    QObject::connect(&child, &ChildProcess::outputAppended, [live](const QByteArray &chunk) {
        if (live)
            live->append(chunk);
    });
    child.start();
    if (!finished.isEmpty())
        qWarning("finished() was emitted inside start()");
    if (finished.isEmpty() && !finished.wait(patience))
        qWarning("the child did not end");
    QCoreApplication::processEvents();
    if (finished.count() != 1)
        qWarning("finished() came %d times", int(finished.count()));
    return finished.isEmpty() ? ProcessEnd() : finished.first().first().value<ProcessEnd>();
}

bool isAlive(pid_t pid)
{
    QFile stat(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!stat.open(QIODevice::ReadOnly))
        return false;
    const QByteArray text = stat.readAll();
    const char state = text.mid(text.lastIndexOf(')') + 2, 1).at(0);
    return state != 'Z' && state != 'X';
}

} // namespace

class TestChildProcess : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void ends_data();
    void ends();
    void failedStart_data();
    void failedStart();
    void outputAndErrorComeInOrder();
    void outputIsLiveAndWhole();
    void outputIsCutToTheLimit();
    void aGigabyteOfOutput();
    void standardInputIsGiven();
    void standardInputThatNobodyReads();
    void environmentAndFolderAreGiven();
    void ignoredSignalsAreDefaultInTheChild();
    void stopInterruptsFirst();
    void stopTerminatesThenKills_data();
    void stopTerminatesThenKills();
    void stopRightAfterStart();
    void stopTwiceAndAfterTheEnd();
    void timeoutEndsIt();
    void grandchildHoldingThePipeIsKilled();
    void jobWithItsOwnGroupIsKilled();
    void escapedProcessDoesNotHoldUs();
    void destructionKillsTheGroup();
    void slotMayDestroyIt_data();
    void slotMayDestroyIt();
    void startsFromAnotherThread();
    void manyAtOnce();
    void neverFromTheWorkingDirectory();
    void groupDiesWithTheApplication();
    void descriptorsAreNotInherited();
};

void TestChildProcess::ends_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<int>("signal");
    QTest::newRow("success") << QStringLiteral("exit 0") << Kind::Exited << 0 << 0;
    QTest::newRow("exit code") << QStringLiteral("exit 77") << Kind::Exited << 77 << 0;
    QTest::newRow("code 127 of a program that ran") << QStringLiteral("exit 127") << Kind::Exited << 127 << 0;
    QTest::newRow("segmentation fault") << QStringLiteral("kill -s SEGV $$") << Kind::Signalled << -1 << SIGSEGV;
    QTest::newRow("killed by somebody") << QStringLiteral("kill -s KILL $$") << Kind::Signalled << -1 << SIGKILL;
}

void TestChildProcess::ends()
{
    QFETCH(QString, script);
    QFETCH(Kind, kind);
    const CommandSpec spec = shell(script);
    const QList<ProcessEnd> ends{runLive(spec), ako::runToEnd(spec)};
    for (const ProcessEnd &end : ends) {
        QCOMPARE(end.kind, kind);
        QTEST(end.exitCode, "exitCode");
        QTEST(end.signalNumber, "signal");
        QCOMPARE(end.succeeded(), script == QStringLiteral("exit 0"));
        QVERIFY(end.error.isEmpty());
    }
}

void TestChildProcess::failedStart_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("names");
    QTest::newRow("not on PATH") << QStringLiteral("ako-no-such-program") << QString()
                                 << QStringLiteral("ako-no-such-program");
    QTest::newRow("absolute, missing") << QStringLiteral("/no/such/program") << QString()
                                       << QStringLiteral("/no/such/program");
    QTest::newRow("a folder") << QStringLiteral("/tmp") << QString() << QStringLiteral("/tmp");
    QTest::newRow("relative path") << QStringLiteral("scripts/x.sh") << QString() << QStringLiteral("scripts/x.sh");
    QTest::newRow("empty") << QString() << QString() << QStringLiteral("\"\"");
    QTest::newRow("no such folder") << QStringLiteral("sh") << QStringLiteral("/no/such/folder")
                                    << QStringLiteral("/no/such/folder");
}

void TestChildProcess::failedStart()
{
    QFETCH(QString, names);
    CommandSpec spec;
    QFETCH(QString, program);
    QFETCH(QString, folder);
    spec.program = program;
    spec.workingDirectory = folder;
    spec.timeoutMilliseconds = 5000;
    const QList<ProcessEnd> ends{runLive(spec), ako::runToEnd(spec)};
    for (const ProcessEnd &end : ends) {
        QCOMPARE(end.kind, Kind::FailedToStart);
        QVERIFY2(end.error.contains(names), qPrintable(end.error));
        QVERIFY(!end.succeeded());
    }
}

void TestChildProcess::outputAndErrorComeInOrder()
{
    const ProcessEnd end = runLive(shell(QStringLiteral("echo one; echo two >&2; echo three")));
    QCOMPARE(end.output, QByteArray("one\ntwo\nthree\n"));
    QCOMPARE(end.droppedBytes, 0);
}

void TestChildProcess::outputIsLiveAndWhole()
{
    QByteArray live;
    const ProcessEnd end = runLive(shell(QStringLiteral("seq 1 100000")), &live);
    QCOMPARE(end.output, live);
    QVERIFY(live.startsWith("1\n2\n") && live.endsWith("99999\n100000\n"));
}

void TestChildProcess::outputIsCutToTheLimit()
{
    CommandSpec spec = shell(QStringLiteral("echo first; seq 1 100000; echo last"));
    spec.outputLimitBytes = 1000;
    QByteArray live;
    const ProcessEnd end = runLive(spec, &live);
    QCOMPARE(live.size(), 1000);
    QVERIFY(end.output.startsWith("first\n"));
    QVERIFY(end.output.endsWith("100000\nlast\n"));
    QCOMPARE(end.droppedBytes, 6 + 588895 + 5 - 1000);
    QVERIFY(end.output.contains(QByteArray::number(end.droppedBytes) + " bytes left out"));
    QVERIFY(end.output.size() < 1100);
}

void TestChildProcess::aGigabyteOfOutput()
{
    CommandSpec spec = shell(QStringLiteral("head -c 1000000000 /dev/zero; echo end"));
    spec.outputLimitBytes = 1 << 20;
    const ProcessEnd end = runLive(spec);
    QCOMPARE(end.kind, Kind::Exited);
    QVERIFY(end.output.endsWith("end\n"));
    QVERIFY(end.output.size() < (1 << 20) + 100);
    QCOMPARE(end.droppedBytes, 1'000'000'004 - (1 << 20));
}

void TestChildProcess::standardInputIsGiven()
{
    CommandSpec spec;
    spec.program = QStringLiteral("cat");
    spec.standardInput = QByteArray(3'000'000, 'x') + "end";
    QCOMPARE(runLive(spec).output, spec.standardInput);
    spec.standardInput.clear();
    QCOMPARE(runLive(spec).output, QByteArray());
}

void TestChildProcess::standardInputThatNobodyReads()
{
    CommandSpec spec = shell(QStringLiteral("exit 3"));
    spec.standardInput = QByteArray(3'000'000, 'x');
    QCOMPARE(runLive(spec).exitCode, 3);
}

void TestChildProcess::environmentAndFolderAreGiven()
{
    const QTemporaryDir folder;
    QDir(folder.path()).mkdir(QStringLiteral("mit Ümlaut"));
    CommandSpec spec = shell(QStringLiteral("echo \"$GREETING\"; pwd"));
    spec.workingDirectory = QFileInfo(folder.filePath(QStringLiteral("mit Ümlaut"))).canonicalFilePath();
    spec.environment.insert(QStringLiteral("GREETING"), QStringLiteral("grüß dich"));
    const ProcessEnd end = runLive(spec);
    QCOMPARE(QString::fromUtf8(end.output), QStringLiteral("grüß dich\n%1\n").arg(spec.workingDirectory));
}

void TestChildProcess::ignoredSignalsAreDefaultInTheChild()
{
    ::signal(SIGPIPE, SIG_IGN);
    const ProcessEnd end = runLive(shell(QStringLiteral("kill -s PIPE $$; echo survived")));
    ::signal(SIGPIPE, SIG_DFL);
    QCOMPARE(end.kind, Kind::Signalled);
    QCOMPARE(end.signalNumber, SIGPIPE);
}

void TestChildProcess::stopInterruptsFirst()
{
    CommandSpec spec =
        shell(QStringLiteral("trap 'echo interrupted; exit 0' INT; echo ready; while :; do sleep 0.05; done"));
    spec.interruptGraceMilliseconds = patience;
    ChildProcess child(spec);
    QSignalSpy finished(&child, &ChildProcess::finished);
    QSignalSpy output(&child, &ChildProcess::outputAppended);
    child.start();
    QVERIFY(output.wait(patience));
    child.stop();
    QVERIFY(finished.wait(patience));
    const auto end = finished.first().first().value<ProcessEnd>();
    QCOMPARE(end.kind, Kind::Stopped);
    QCOMPARE(end.output, QByteArray("ready\ninterrupted\n"));
}

void TestChildProcess::stopTerminatesThenKills_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QByteArray>("lastLine");
    QTest::newRow("ignores INT") << QStringLiteral("trap '' INT; trap 'echo terminated; exit' TERM; echo ready;"
                                                   "while :; do sleep 0.05; done")
                                 << QByteArray("\nterminated\n");
    QTest::newRow("ignores both") << QStringLiteral("trap '' INT TERM; echo ready; while :; do sleep 0.05; done")
                                  << QByteArray("ready\n");
}

void TestChildProcess::stopTerminatesThenKills()
{
    QFETCH(QString, script);
    CommandSpec spec = shell(script);
    spec.interruptGraceMilliseconds = 100;
    spec.terminateGraceMilliseconds = 400;
    ChildProcess child(spec);
    QSignalSpy finished(&child, &ChildProcess::finished);
    QSignalSpy output(&child, &ChildProcess::outputAppended);
    child.start();
    QVERIFY(output.wait(patience));
    child.stop();
    QVERIFY(child.isRunning());
    QVERIFY(finished.wait(patience));
    QVERIFY(!child.isRunning());
    const auto end = finished.first().first().value<ProcessEnd>();
    QCOMPARE(end.kind, Kind::Stopped);
    QFETCH(QByteArray, lastLine); // the shell itself may say something before
    QVERIFY2(end.output.endsWith(lastLine), end.output.constData());
}

void TestChildProcess::stopRightAfterStart()
{
    for (int round = 0; round < 50; ++round) {
        ChildProcess child(shell(QStringLiteral("sleep 600")));
        QSignalSpy finished(&child, &ChildProcess::finished);
        child.start();
        child.stop();
        QVERIFY(finished.wait(patience));
        QCOMPARE(finished.first().first().value<ProcessEnd>().kind, Kind::Stopped);
        QVERIFY(!isAlive(pid_t(child.processId())));
    }
}

void TestChildProcess::stopTwiceAndAfterTheEnd()
{
    ChildProcess child(shell(QStringLiteral("sleep 600")));
    QSignalSpy finished(&child, &ChildProcess::finished);
    child.stop(); // nothing to stop yet
    child.start();
    child.stop();
    child.stop();
    QVERIFY(finished.wait(patience));
    child.stop();
    QCoreApplication::processEvents();
    QCOMPARE(finished.count(), 1);
}

void TestChildProcess::timeoutEndsIt()
{
    CommandSpec spec = shell(QStringLiteral("trap '' INT TERM; echo ready; sleep 600 & sleep 600"));
    spec.timeoutMilliseconds = 300;
    spec.interruptGraceMilliseconds = spec.terminateGraceMilliseconds = 50;
    const QList<ProcessEnd> ends{runLive(spec), ako::runToEnd(spec)};
    for (const ProcessEnd &end : ends) {
        QCOMPARE(end.kind, Kind::TimedOut);
        QVERIFY(end.elapsedMilliseconds >= 300);
    }
}

void TestChildProcess::grandchildHoldingThePipeIsKilled()
{
    const CommandSpec spec = shell(QStringLiteral("trap '' INT TERM HUP; sleep 600 & echo $!; exit 4"));
    const QList<ProcessEnd> ends{runLive(spec), ako::runToEnd(spec)};
    for (const ProcessEnd &end : ends) {
        QCOMPARE(end.kind, Kind::Exited);
        QCOMPARE(end.exitCode, 4);
        QVERIFY(end.output.trimmed().toInt() > 0);
        QVERIFY(!isAlive(end.output.trimmed().toInt()));
    }
}

void TestChildProcess::jobWithItsOwnGroupIsKilled()
{
    CommandSpec spec;
    spec.program = QStringLiteral("bash");
    spec.arguments = {QStringLiteral("-c"), QStringLiteral("set -m; sleep 600 & echo $!; exit 0")};
    const ProcessEnd end = runLive(spec);
    QVERIFY(end.output.trimmed().toInt() > 0);
    QVERIFY(!isAlive(end.output.trimmed().toInt()));
}

void TestChildProcess::escapedProcessDoesNotHoldUs()
{
    const ProcessEnd end = runLive(shell(QStringLiteral("setsid sh -c 'echo $$; exec sleep 600' & sleep 0.3; exit 0")));
    QCOMPARE(end.exitCode, 0);
    const int escaped = end.output.trimmed().toInt();
    QVERIFY(escaped > 0);
    ::kill(escaped, SIGKILL);
}

void TestChildProcess::destructionKillsTheGroup()
{
    QByteArray output;
    pid_t leader = -1;
    {
        ChildProcess child(shell(QStringLiteral("trap '' INT TERM; sleep 600 & echo $!; sleep 600")));
        QObject::connect(&child, &ChildProcess::outputAppended, [&](const QByteArray &chunk) { output += chunk; });
        child.start();
        QTRY_VERIFY_WITH_TIMEOUT(output.endsWith('\n'), patience);
        leader = pid_t(child.processId());
        QVERIFY(isAlive(leader));
    }
    QVERIFY(!isAlive(leader));
    QTRY_VERIFY(!isAlive(output.trimmed().toInt()));
}

void TestChildProcess::slotMayDestroyIt_data()
{
    QTest::addColumn<bool>("onOutput");
    QTest::newRow("on output") << true;
    QTest::newRow("on finished") << false;
}

void TestChildProcess::slotMayDestroyIt()
{
    QFETCH(bool, onOutput);
    auto child = std::make_unique<ChildProcess>(shell(QStringLiteral("echo x; exit 0")));
    const auto destroy = [&child] { child.reset(); };
    if (onOutput)
        connect(child.get(), &ChildProcess::outputAppended, this, destroy);
    else
        connect(child.get(), &ChildProcess::finished, this, destroy);
    child->start();
    QTRY_VERIFY_WITH_TIMEOUT(!child, patience);
}

void TestChildProcess::startsFromAnotherThread()
{
    ProcessEnd end;
    const std::unique_ptr<QThread> thread(
        QThread::create([&end] { end = ako::runToEnd(shell(QStringLiteral("echo from a thread; exit 5"))); }));
    thread->start();
    QVERIFY(thread->wait(patience));
    QCOMPARE(end.exitCode, 5);
    QCOMPARE(end.output, QByteArray("from a thread\n"));
}

void TestChildProcess::manyAtOnce()
{
    std::vector<std::unique_ptr<ChildProcess>> children;
    int ended = 0;
    for (int number = 0; number < 20; ++number) {
        children.push_back(std::make_unique<ChildProcess>(shell(QStringLiteral("echo %1; exit %1").arg(number))));
        connect(children.back().get(), &ChildProcess::finished, this, [&ended, number](const ProcessEnd &end) {
            QCOMPARE(end.exitCode, number);
            QCOMPARE(end.output.trimmed().toInt(), number);
            ++ended;
        });
        children.back()->start();
    }
    QTRY_COMPARE_WITH_TIMEOUT(ended, 20, patience);
}

void TestChildProcess::neverFromTheWorkingDirectory()
{
    const QTemporaryDir folder;
    QFile trap(folder.filePath(QStringLiteral("ako-trap")));
    QVERIFY(trap.open(QIODevice::WriteOnly));
    trap.write("#!/bin/sh\necho trapped\n");
    trap.close();
    trap.setPermissions(trap.permissions() | QFile::ExeOwner);
    CommandSpec spec;
    spec.program = QStringLiteral("ako-trap");
    spec.workingDirectory = folder.path();
    const QByteArray path = qgetenv("PATH");
    const QByteArray entries[] = {QFile::encodeName(folder.path()), "", ".", "bin/.."};
    for (const QByteArray &entry : entries) {
        qputenv("PATH", entry + ':' + path);
        const ProcessEnd end = ako::runToEnd(spec);
        qputenv("PATH", path);
        QCOMPARE(end.kind, Kind::FailedToStart);
    }
    spec.workingDirectory.clear(); // on PATH and not where we work: fine
    qputenv("PATH", entries[0] + ':' + path);
    const ProcessEnd end = ako::runToEnd(spec);
    qputenv("PATH", path);
    QCOMPARE(end.output, QByteArray("trapped\n"));
}

void TestChildProcess::groupDiesWithTheApplication()
{
    QProcess host;
    host.start(
        QStringLiteral(AKO_BINARY_DIR "/tests/process_host"),
        {QStringLiteral("sh"), QStringLiteral("-c"),
         QStringLiteral("trap '' INT TERM HUP; sh -c 'trap \"\" INT TERM HUP; echo $$; sleep 600; sleep 600' & wait")});
    QVERIFY(host.waitForStarted(patience));
    QTRY_VERIFY_WITH_TIMEOUT(host.bytesAvailable() > 0 || host.waitForReadyRead(100), patience);
    const pid_t grandchild = host.readAll().trimmed().toInt();
    QVERIFY(grandchild > 0);
    QVERIFY(isAlive(grandchild));
    host.kill();
    QVERIFY(host.waitForFinished(patience));
    QTRY_VERIFY_WITH_TIMEOUT(!isAlive(grandchild), patience);
}

void TestChildProcess::descriptorsAreNotInherited()
{
    const QTemporaryDir folder;
    const int leaky = ::open(QFile::encodeName(folder.path()).constData(), O_RDONLY);
    QVERIFY(leaky > 2);
    const ProcessEnd end = runLive(shell(QStringLiteral("ls /proc/self/fd | grep -x %1").arg(leaky)));
    ::close(leaky);
    QCOMPARE(end.exitCode, 1);
}

QTEST_GUILESS_MAIN(TestChildProcess)
#include "tst_childprocess.moc"
