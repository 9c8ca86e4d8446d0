// SPDX-License-Identifier: GPL-3.0-or-later
// The edit of an iteration that a crash ended: shown, and taken up again by a person.
#include "loop/engine.h"

#include "support/loopworkspace.h"

#include <QTest>

using namespace ako;
using namespace ako::test;

class TestKeptEdit : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void anAgentsHalfEditIsTakenUp();
    void whatWasWrittenSinceIsKept();
    void aMeasuredEditIsStillInSolution();
    void nothingToKeepIsNothingToShow();
    void notDuringARun();

private:
    static std::unique_ptr<LoopDriver> reopened(const Workspace &workspace);
    // An agent changes solution/ and the process ends before it says that it is done. Null: it has changed nothing.
    static void killWhileProposing(const Workspace &workspace, const QByteArray &edit);
    static event::Recovered found(const LoopDriver &driver);
};

void TestKeptEdit::init()
{
    isolateGitConfiguration();
    resetFakes();
}

std::unique_ptr<LoopDriver> TestKeptEdit::reopened(const Workspace &workspace)
{
    auto driver = std::make_unique<LoopDriver>(fakePorts({}));
    prepare(*driver);
    driver->engine.handle(workspace.open());
    driver->settle();
    return driver;
}

void TestKeptEdit::killWhileProposing(const Workspace &workspace, const QByteArray &edit)
{
    auto driver = started(workspace, {kernel(7.0)});
    ScriptedAgent::hangs = true;
    driver->engine.handle(intent::Step{});
    QTRY_COMPARE(int(driver->engine.state().stage), int(Stage::Proposing));
    QTRY_VERIFY(!ScriptedAgent::requests.isEmpty());
    if (!edit.isNull())
        workspace.edit(edit);
    driver.reset();
    ScriptedAgent::hangs = false;
}

event::Recovered TestKeptEdit::found(const LoopDriver &driver)
{
    const QList<event::Recovered> all = driver.all<event::Recovered>();
    return all.size() == 1 ? all.first() : event::Recovered{};
}

void TestKeptEdit::anAgentsHalfEditIsTakenUp()
{
    Workspace workspace;
    killWhileProposing(workspace, kernel(5.0));
    auto driver = reopened(workspace);
    const event::Recovered recovered = found(*driver);
    QCOMPARE(recovered.iteration, 1);
    QCOMPARE(recovered.action, QStringLiteral("discarded"));
    QVERIFY2(recovered.kept.startsWith(QLatin1String(".ako/discarded/")), qPrintable(recovered.kept));
    QVERIFY(!recovered.isInSolution());
    QCOMPARE(workspace.solution(), kernel(10.0));

    const auto shown = driver->engine.keptEdit();
    QVERIFY2(shown, shown ? "" : qPrintable(shown.error().text()));
    QCOMPARE(shown->found.kept, recovered.kept);
    QCOMPARE(shown->diff.size(), 1);
    QVERIFY(driver->engine.takeKeptEdit());
    QCOMPARE(workspace.solution(), kernel(5.0));
    QVERIFY(!driver->engine.takeKeptEdit()); // once

    QCOMPARE(driver->until(intent::BenchEdit{QStringLiteral("taken up"), {}, {}}).exitCode, 0);
    QCOMPARE(workspace.subjects().last(), QStringLiteral("[iter 1] taken up"));
    QCOMPARE(driver->engine.state().records.last().parent, 0);
}

void TestKeptEdit::whatWasWrittenSinceIsKept()
{
    Workspace workspace;
    killWhileProposing(workspace, kernel(5.0));
    auto driver = reopened(workspace);
    QVERIFY(!found(*driver).kept.isEmpty());
    workspace.edit(kernel(3.0));
    QVERIFY(driver->engine.takeKeptEdit());
    QCOMPARE(workspace.solution(), kernel(5.0));
    const QDir discarded(workspace.repository.filePath(QStringLiteral(".ako/discarded")));
    const QStringList copies = discarded.entryList({QStringLiteral("*_replaced")}, QDir::Dirs);
    QCOMPARE(copies.size(), 1);
    QCOMPARE(workspace.repository.read(QStringLiteral(".ako/discarded/%1/solution/kernel.cpp").arg(copies.value(0))),
             kernel(3.0));
}

void TestKeptEdit::aMeasuredEditIsStillInSolution()
{
    Workspace workspace;
    started(workspace, {}).reset();
    workspace.edit(kernel(6.0));
    {
        auto driver = reopened(workspace);
        FakeBench::hangs = true;
        driver->engine.handle(intent::BenchEdit{QStringLiteral("mine"), {}, {}});
        QTRY_COMPARE(int(driver->engine.state().stage), int(Stage::Benching));
    }
    FakeBench::hangs = false;
    auto driver = reopened(workspace);
    QCOMPARE(found(*driver).action, QStringLiteral("kept"));
    QVERIFY(found(*driver).isInSolution());
    const auto shown = driver->engine.keptEdit();
    QVERIFY(shown);
    QCOMPARE(shown->diff.size(), 1);
    QCOMPARE(driver->until(intent::Step{}).exitCode, 0); // what the dialog offers
    QCOMPARE(workspace.subjects().last(), QStringLiteral("[iter 1] mine"));
}

void TestKeptEdit::nothingToKeepIsNothingToShow()
{
    Workspace workspace;
    killWhileProposing(workspace, {});
    auto driver = reopened(workspace);
    QCOMPARE(found(*driver).action, QStringLiteral("discarded"));
    QVERIFY(found(*driver).kept.isEmpty());
    QVERIFY(!driver->engine.keptEdit());
    QVERIFY(!driver->engine.takeKeptEdit());
}

void TestKeptEdit::notDuringARun()
{
    Workspace workspace;
    killWhileProposing(workspace, kernel(5.0));
    auto driver = reopened(workspace);
    workspace.edit(kernel(4.0));
    FakeBench::hangs = true;
    driver->engine.handle(intent::BenchEdit{QStringLiteral("another"), {}, {}});
    QTRY_COMPARE(int(driver->engine.state().stage), int(Stage::Benching));
    QVERIFY(!driver->engine.takeKeptEdit());
    QCOMPARE(workspace.solution(), kernel(4.0));
    driver->engine.handle(intent::Stop{});
    driver->settle();
    QVERIFY(driver->engine.takeKeptEdit());
    QCOMPARE(workspace.solution(), kernel(5.0));
}

QTEST_GUILESS_MAIN(TestKeptEdit)
#include "tst_keptedit.moc"
