// SPDX-License-Identifier: GPL-3.0-or-later
// What the real program with its window does when a signal asks it to end.
#include "support/scratchrepository.h"

#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace ako;

class WindowSignalsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void endsInOrder_data();
    void endsInOrder();
};

void WindowSignalsTest::endsInOrder_data()
{
    QTest::addColumn<int>("number");
    QTest::addColumn<int>("exitCode");
    QTest::newRow("SIGTERM") << SIGTERM << 143;
    QTest::newRow("SIGINT") << SIGINT << 130;
    QTest::newRow("SIGHUP") << SIGHUP << 129;
}

void WindowSignalsTest::endsInOrder()
{
    QFETCH(int, number);
    QFETCH(int, exitCode);
    test::isolateGitConfiguration(); // and with it whose settings are read
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    environment.insert(QStringLiteral("AKO_TRACE_STARTUP"), QStringLiteral("1"));
    QProcess program;
    program.setProcessEnvironment(environment);
    program.setProcessChannelMode(QProcess::MergedChannels);
    program.start(QStringLiteral(AKO_BINARY_DIR "/app/ako4all"), {});
    QByteArray said;
    const auto has = [&](const char *text) {
        program.waitForReadyRead(50);
        said += program.readAll();
        return said.contains(text);
    };
    QTRY_VERIFY_WITH_TIMEOUT(has("first-paint") || program.state() == QProcess::NotRunning, 30000);
    if (said.contains("has no window"))
        QSKIP("built without a window");
    QVERIFY2(said.contains("first-paint"), said.constData());
    QCOMPARE(::kill(pid_t(program.processId()), number), 0);
    QVERIFY(program.waitForFinished(15000));
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), exitCode);
}

QTEST_GUILESS_MAIN(WindowSignalsTest)
#include "tst_windowsignals.moc"
