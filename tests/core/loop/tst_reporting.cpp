// SPDX-License-Identifier: GPL-3.0-or-later
// What came of a run: the report, and its change in a person's own source: shown first, never over what they changed.
#include "loop/engine.h"

#include "support/loopworkspace.h"

#include <QFile>
#include <QTest>

using namespace ako;
using namespace ako::test;

class TestReporting : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void reportLeadsWithTheDirectFigure();
    void championIsAppliedToTheSource();
    void sourceThatChangedIsNotWrittenOver();
    void flagsAreTold();
    void newAndRemovedFiles();
    void whatCannotBeWritten_data();
    void whatCannotBeWritten();
};

void TestReporting::init()
{
    isolateGitConfiguration();
    resetFakes();
}

void TestReporting::reportLeadsWithTheDirectFigure()
{
    using Kind = IterationRecord::Kind;
    Workspace workspace;
    auto driver = started(workspace, {kernel(8.0), kernel(9.5), kernel(5.0)});
    driver->until(intent::Step{});
    QCOMPARE(int(driver->engine.report()->best.kind), int(Kind::Iteration));
    driver->until(intent::Finish{});
    QCOMPARE(int(driver->engine.report()->best.kind), int(Kind::Final));
    driver->until(intent::Step{}); // slower: the champion stays what was measured
    QCOMPARE(int(driver->engine.report()->best.kind), int(Kind::Final));
    QCOMPARE(driver->engine.report()->best.number, 1);
    driver->until(intent::Step{}); // another champion
    QCOMPARE(int(driver->engine.report()->best.kind), int(Kind::Iteration));
    QCOMPARE(driver->engine.report()->best.number, 3);
}

void TestReporting::championIsAppliedToTheSource()
{
    Workspace workspace;
    auto driver = started(workspace, {kernel(8.0)});
    const QByteArray original = workspace.repository.read(QStringLiteral("kernel.cpp"));
    driver->until(intent::Step{});
    const auto report = driver->engine.report();
    QVERIFY(report.has_value());
    QCOMPARE(report->best.number, 1);
    QCOMPARE(report->name, QStringLiteral("toy"));
    QVERIFY(report->patch.startsWith("diff --git a/kernel.cpp b/kernel.cpp\n"));
    QVERIFY(!driver->engine.writeSourceChange().has_value()); // nobody has looked at it

    workspace.repository.write(QStringLiteral("kernel.cpp"), original + "// mine\n"); // elsewhere in the file
    const auto change = driver->engine.lookAtSourceChange();
    QVERIFY2(change.has_value(), change ? "" : qPrintable(change.error().text()));
    QCOMPARE(change->paths(), QStringList{QStringLiteral("kernel.cpp")});
    QCOMPARE(workspace.repository.read(QStringLiteral("kernel.cpp")), original + "// mine\n");
    QVERIFY(driver->engine.writeSourceChange().has_value());
    QCOMPARE(workspace.repository.read(QStringLiteral("kernel.cpp")), kernel(8.0) + "// mine\n");
    QVERIFY(driver->engine.lookAtSourceChange()->paths().isEmpty());
}

void TestReporting::sourceThatChangedIsNotWrittenOver()
{
    Workspace workspace;
    auto driver = started(workspace, {kernel(8.0)});
    driver->until(intent::Step{});
    QVERIFY(driver->engine.lookAtSourceChange().has_value());
    workspace.repository.write(QStringLiteral("kernel.cpp"), kernel(10.0) + "// since then\n");
    QVERIFY(!driver->engine.writeSourceChange().has_value());
    workspace.repository.write(QStringLiteral("kernel.cpp"), kernel(9.0)); // the very line
    const auto refused = driver->engine.lookAtSourceChange();
    QVERIFY(!refused.has_value());
    QVERIFY2(refused.error().message.contains(QStringLiteral("kernel.cpp, line")), qPrintable(refused.error().text()));
    QCOMPARE(workspace.repository.read(QStringLiteral("kernel.cpp")), kernel(9.0));
}

// The flags stand in solution/build.json, which nobody but the evaluator reads.
void TestReporting::flagsAreTold()
{
    Workspace workspace;
    auto driver = started(workspace, {});
    workspace.edit(kernel(8.0));
    workspace.repository.write(QStringLiteral("solution/build.json"), R"({"flags": ["-O3", "-funroll-loops"]})");
    driver->until(intent::BenchEdit{QStringLiteral("unrolled"), {}, {}});
    const auto change = driver->engine.lookAtSourceChange();
    QVERIFY2(change.has_value(), change ? "" : qPrintable(change.error().text()));
    QCOMPARE(change->paths(), QStringList{QStringLiteral("kernel.cpp")});
    QVERIFY2(change->advice.value(0).contains(QStringLiteral("-O3 -funroll-loops")),
             qPrintable(change->advice.value(0)));
    QVERIFY(driver->engine.writeSourceChange().has_value());
    QVERIFY(!workspace.repository.exists(QStringLiteral("build.json")));
    const auto again = driver->engine.lookAtSourceChange();
    QVERIFY(again->paths().isEmpty());
    QCOMPARE(again->advice, change->advice);
}

void TestReporting::newAndRemovedFiles()
{
    Workspace workspace("#include \"tile.h\"\n" + kernel(10.0));
    workspace.repository.write(QStringLiteral("tile.h"), "constexpr int tile = 4;\n");
    FakePlanner::moreKernelFiles << QStringLiteral("tile.h");
    auto driver = started(workspace, {});
    workspace.edit("#include \"wide.h\"\n" + kernel(8.0));
    QVERIFY(QFile::remove(workspace.repository.path() + QStringLiteral("/solution/tile.h")));
    workspace.repository.write(QStringLiteral("solution/wide.h"), "constexpr int tile = 8;\n");
    driver->until(intent::BenchEdit{QStringLiteral("wide"), {}, {}});
    const auto change = driver->engine.lookAtSourceChange();
    QVERIFY2(change.has_value(), change ? "" : qPrintable(change.error().text()));
    QCOMPARE(change->paths(),
             (QStringList{QStringLiteral("kernel.cpp"), QStringLiteral("wide.h"), QStringLiteral("tile.h")}));
    QCOMPARE(change->removed, QStringList{QStringLiteral("tile.h")});
    QVERIFY(workspace.repository.exists(QStringLiteral("tile.h"))); // only looked at
    QVERIFY(driver->engine.writeSourceChange().has_value());
    QVERIFY(!workspace.repository.exists(QStringLiteral("tile.h")));
    QCOMPARE(workspace.repository.read(QStringLiteral("wide.h")), QByteArray("constexpr int tile = 8;\n"));
    QCOMPARE(workspace.repository.read(QStringLiteral("kernel.cpp")), workspace.solution());
}

void TestReporting::whatCannotBeWritten_data()
{
    QTest::addColumn<bool>("readOnly");
    QTest::addColumn<QByteArray>("inTheWay"); // wide.h
    QTest::addColumn<QString>("says");
    QTest::newRow("read-only source") << true << QByteArray() << QStringLiteral("kernel.cpp is read-only");
    QTest::newRow("another file of that name")
        << false << QByteArray("mine\n") << QStringLiteral("wide.h, which is another");
}

void TestReporting::whatCannotBeWritten()
{
    QFETCH(bool, readOnly);
    QFETCH(QByteArray, inTheWay);
    QFETCH(QString, says);
    Workspace workspace;
    auto driver = started(workspace, {});
    const QByteArray original = workspace.repository.read(QStringLiteral("kernel.cpp"));
    workspace.edit(kernel(8.0));
    workspace.repository.write(QStringLiteral("solution/wide.h"), "constexpr int tile = 8;\n");
    driver->until(intent::BenchEdit{QStringLiteral("wide"), {}, {}});
    if (readOnly)
        QFile::setPermissions(workspace.repository.path() + QStringLiteral("/kernel.cpp"), QFile::ReadOwner);
    if (!inTheWay.isEmpty())
        workspace.repository.write(QStringLiteral("wide.h"), inTheWay);
    auto refused = driver->engine.lookAtSourceChange();
    if (refused)
        refused = driver->engine.writeSourceChange();
    QVERIFY(!refused.has_value());
    QVERIFY2(refused.error().message.contains(says), qPrintable(refused.error().text()));
    QCOMPARE(workspace.repository.read(QStringLiteral("kernel.cpp")), original);
    QCOMPARE(workspace.repository.exists(QStringLiteral("wide.h")), !inTheWay.isEmpty());
}

QTEST_GUILESS_MAIN(TestReporting)
#include "tst_reporting.moc"
