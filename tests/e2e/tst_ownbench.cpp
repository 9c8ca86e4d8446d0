// SPDX-License-Identifier: GPL-3.0-or-later
// A bench of a person's own that prints its number in words of its own: the plan says where it stands and what it is.
#include "history/trajectory.h"
#include "support/agentworkspace.h"
#include "support/programrun.h"
#include "support/scratchrepository.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace ako;
using namespace ako::test;

class TestOwnBench : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { isolateGitConfiguration(); }
    void numbersAreRead_data();
    void numbersAreRead();
    void whatCannotBeReadIsSaid_data();
    void whatCannotBeReadIsSaid();
    void anotherMetricNeedsApproval();

private:
    void writeTo(const ScratchRepository &repository) const;
    // One iteration that halves the time.
    ProgramRun run(const ScratchRepository &repository, const QStringList &answers) const;

    QTemporaryDir m_folder;
};

void TestOwnBench::writeTo(const ScratchRepository &repository) const
{
    agentworkspace::writeTo(repository);
    repository.write(QStringLiteral("bench.sh"), "#!/bin/sh\n"
                                                 "time=800; rate=50.5\n"
                                                 "grep -q 'round < 4' solution/scale.cpp || { time=400; rate=101; }\n"
                                                 "echo \"took $time us in all; L2 hit rate 93 %\"\n"
                                                 "echo \"Throughput: $rate GB/s\"\n");
    repository.makeExecutable(QStringLiteral("bench.sh"));
}

ProgramRun TestOwnBench::run(const ScratchRepository &repository, const QStringList &answers) const
{
    QFile script(m_folder.filePath(QStringLiteral("script.sh")));
    if (!script.open(QIODevice::WriteOnly) || script.write("sed -i 's/round < 4/round < 2/' solution/scale.cpp\n") < 0)
        return {-1, QStringLiteral("no script")};
    script.close();
    QStringList more;
    for (const QString &answer : answers)
        more << QStringLiteral("--answer") << answer;
    return runProgram(agentworkspace::run(repository, QStringLiteral("\"script=%1\"").arg(script.fileName()), 1, more));
}

void TestOwnBench::numbersAreRead_data()
{
    QTest::addColumn<QStringList>("answers");
    QTest::addColumn<double>("milliseconds"); // of the baseline
    QTest::newRow("a time") << QStringList{QStringLiteral("metric-pattern=took ([0-9.]+) us"),
                                           QStringLiteral("metric=us")}
                            << 0.8;
    QTest::newRow("a rate") << QStringList{QStringLiteral("metric-pattern=Throughput: ([0-9.]+)"),
                                           QStringLiteral("metric=rate")}
                            << 1000 / 50.5;
    QTest::newRow("named, with another column")
        << QStringList{QStringLiteral("metric-pattern=took (?<runtime>[0-9.]+) us.*rate (?<hits>[0-9]+)")} << 800.0;
}

void TestOwnBench::numbersAreRead()
{
    QFETCH(QStringList, answers);
    QFETCH(double, milliseconds);
    const ScratchRepository repository;
    writeTo(repository);
    const ProgramRun done = run(repository, answers);
    QVERIFY2(done.exitCode == 0, qPrintable(done.output));
    const TrajectoryScan history = scanTrajectory(repository.path());
    QVERIFY2(history.records.size() >= 2, qPrintable(done.output));
    QCOMPARE(history.records.at(0).bench.solution->median, milliseconds);
    QCOMPARE(history.records.at(1).bench.solution->median, milliseconds / 2);
    QCOMPARE(int(history.records.at(1).status), int(IterationStatus::Improved));
    QCOMPARE(history.records.at(1).bench.extraColumns.value(QStringLiteral("hits")),
             answers.size() == 1 ? QStringLiteral("93") : QString());
}

void TestOwnBench::whatCannotBeReadIsSaid_data()
{
    QTest::addColumn<QStringList>("answers");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QString>("says");
    const auto pattern = [](const char *text) { return QStringLiteral("metric-pattern=") + QLatin1String(text); };
    QTest::newRow("no expression") << QStringList{pattern("took ([0-9")} << 3
                                   << QStringLiteral("no regular expression");
    QTest::newRow("no group") << QStringList{pattern("took")} << 3 << QStringLiteral("Put round brackets");
    QTest::newRow("no unit") << QStringList{pattern("took ([0-9]+)"), QStringLiteral("metric=weeks")} << 3
                             << QStringLiteral("Units: ms, us");
    QTest::newRow("matches nothing") << QStringList{pattern("lasted ([0-9]+)")} << 5
                                     << QStringLiteral("matches nothing");
    QTest::newRow("no number") << QStringList{pattern("took .* in (all)")} << 5
                               << QStringLiteral("no number above zero: all");
    QTest::newRow("for a built-in evaluator")
        << QStringList{QStringLiteral("bench-mode=native"), pattern("took ([0-9]+)")} << 2
        << QStringLiteral("metric-pattern");
}

void TestOwnBench::whatCannotBeReadIsSaid()
{
    QFETCH(QStringList, answers);
    QFETCH(int, exitCode);
    QFETCH(QString, says);
    const ScratchRepository repository;
    writeTo(repository);
    const ProgramRun done = run(repository, answers);
    QVERIFY2(done.exitCode == exitCode, qPrintable(done.output));
    QVERIFY2(done.output.contains(says), qPrintable(done.output));
}

void TestOwnBench::anotherMetricNeedsApproval()
{
    const ScratchRepository repository;
    writeTo(repository);
    const ProgramRun first = run(repository, {QStringLiteral("metric-pattern=took ([0-9.]+) us")});
    QVERIFY2(first.exitCode == 0, qPrintable(first.output));
    const ProgramRun other =
        runProgram({QStringLiteral("run"), repository.path(), QStringLiteral("--agent"), QStringLiteral("user"),
                    QStringLiteral("--answer"), QStringLiteral("metric=us")});
    QVERIFY2(other.exitCode == 4, qPrintable(other.output));
    QVERIFY2(other.output.contains(QStringLiteral("not approved")), qPrintable(other.output));
}

QTEST_GUILESS_MAIN(TestOwnBench)
#include "tst_ownbench.moc"
