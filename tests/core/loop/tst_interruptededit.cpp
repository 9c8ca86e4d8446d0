// SPDX-License-Identifier: GPL-3.0-or-later
// An edit whose bench was ended from outside, once or twice: it keeps what a person calls it, and can be measured
// again.
#include "loop/engine.h"

#include "support/loopworkspace.h"

#include <QTest>

using namespace ako;
using namespace ako::test;
using Why = event::RunStopped::Why;

class TestInterruptedEdit : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void newTitleCounts_data();
    void newTitleCounts();
    void measuredAgainAfterTwoKills_data();
    void measuredAgainAfterTwoKills();

private:
    // Begins to bench the edit and goes away in the middle, as a killed process does.
    static void killWhileBenching(const Workspace &workspace, const QString &title);
    static std::unique_ptr<LoopDriver> reopened(const Workspace &workspace);
};

void TestInterruptedEdit::init()
{
    isolateGitConfiguration();
    resetFakes();
}

std::unique_ptr<LoopDriver> TestInterruptedEdit::reopened(const Workspace &workspace)
{
    auto driver = std::make_unique<LoopDriver>(fakePorts({}));
    prepare(*driver);
    driver->engine.handle(workspace.open());
    driver->settle();
    return driver;
}

void TestInterruptedEdit::killWhileBenching(const Workspace &workspace, const QString &title)
{
    auto driver = reopened(workspace);
    FakeBench::hangs = true;
    driver->engine.handle(intent::BenchEdit{title, QStringLiteral("old why"), {}});
    QTRY_COMPARE(int(driver->engine.state().stage), int(Stage::Benching));
    driver.reset();
    FakeBench::hangs = false;
}

void TestInterruptedEdit::newTitleCounts_data()
{
    QTest::addColumn<QString>("hypothesis");
    QTest::addColumn<QByteArray>("kept");
    QTest::newRow("with another reason") << QStringLiteral("new why") << QByteArray("new why");
    QTest::newRow("title alone") << QString() << QByteArray("old why");
}

void TestInterruptedEdit::newTitleCounts()
{
    QFETCH(QString, hypothesis);
    QFETCH(QByteArray, kept);
    Workspace workspace;
    started(workspace, {}).reset();
    workspace.edit(kernel(6.0));
    killWhileBenching(workspace, QStringLiteral("old name"));
    auto driver = reopened(workspace);
    QCOMPARE(driver->all<event::Recovered>().size(), 1);
    const event::RunStopped stopped = driver->until(intent::BenchEdit{QStringLiteral("new name"), hypothesis, {}});
    QCOMPARE(int(stopped.why), int(Why::StepDone));
    QCOMPARE(stopped.exitCode, 0);
    QCOMPARE(workspace.subjects().last(), QStringLiteral("[iter 1] new name"));
    QCOMPARE(workspace.subjects().size(), 3);
    QVERIFY(workspace.repository.read(QStringLiteral("ITERATIONS.md")).contains(kept));
}

void TestInterruptedEdit::measuredAgainAfterTwoKills_data()
{
    QTest::addColumn<bool>("byName");
    QTest::newRow("iterate") << true;
    QTest::newRow("restore") << false;
}

void TestInterruptedEdit::measuredAgainAfterTwoKills()
{
    QFETCH(bool, byName);
    Workspace workspace;
    started(workspace, {}).reset();
    workspace.edit(kernel(6.0));
    killWhileBenching(workspace, QStringLiteral("honest"));
    killWhileBenching(workspace, QStringLiteral("honest"));
    auto driver = reopened(workspace);
    QCOMPARE(workspace.subjects().last(), QStringLiteral("[iter 1] honest"));
    QCOMPARE(int(driver->engine.state().records.last().status), int(IterationStatus::Failed));
    QVERIFY2(driver->notices().contains(QStringLiteral("ako4all restore WORKSPACE 1")), qPrintable(driver->notices()));
    const event::RunStopped stopped = byName ? driver->until(intent::BenchEdit{QStringLiteral("once more"), {}, {}})
                                             : driver->until(intent::Restore{1});
    QCOMPARE(stopped.exitCode, 0);
    const IterationRecord &record = driver->engine.state().records.last();
    QCOMPARE(record.number, 2);
    QCOMPARE(int(record.status), int(IterationStatus::Improved));
    QVERIFY(!byName || record.parent == 0);
    // Measured now: there is nothing left to bench.
    QCOMPARE(driver->until(intent::BenchEdit{QStringLiteral("and again"), {}, {}}).exitCode, 1);
    QVERIFY2(driver->notices().contains(QStringLiteral("as iteration 2 (")), qPrintable(driver->notices()));
}

QTEST_GUILESS_MAIN(TestInterruptedEdit)
#include "tst_interruptededit.moc"
