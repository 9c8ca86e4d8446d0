// SPDX-License-Identifier: GPL-3.0-or-later
// What an agent may do and how much it may take, as the command line says where nobody can be asked.
#include "history/trajectory.h"
#include "support/agentworkspace.h"
#include "support/programrun.h"
#include "support/scratchrepository.h"

#include <QFile>
#include <QTest>

using namespace ako;
using namespace ako::test;

class TestAgentLimits : public QObject
{
    Q_OBJECT

public:
    static void initMain() { qputenv("QTEST_FUNCTION_TIMEOUT", "590000"); }

private Q_SLOTS:
    void initTestCase() { isolateGitConfiguration(); }
    void permissions_data();
    void permissions();
    void budgets_data();
    void budgets();
    void aLongTurnIsEnded();
    void whatNeedsNoAgentAsksForNone_data();
    void whatNeedsNoAgentAsksForNone();

private:
    static QString transcriptOf(const ScratchRepository &repository, const IterationRecord &record)
    {
        return QString::fromUtf8(repository.read(record.trajectory + QStringLiteral("/transcript.txt")));
    }
};

void TestAgentLimits::permissions_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QStringList>("outcomes"); // in the transcript
    const auto row = [](const char *name, const char *rules, const QStringList &outcomes) {
        QStringList options;
        if (*rules != '\0')
            options << QStringLiteral("--permissions") << QString::fromLatin1(rules);
        QTest::newRow(name) << options << outcomes;
    };
    const QString noCommand = QStringLiteral("[not allowed] execute execute: commands are not allowed in this run");
    const QString noNetwork = QStringLiteral("[not allowed] fetch fetch: the network is not allowed in this run");
    const QString command = QStringLiteral("[allowed] execute execute");
    const QString network = QStringLiteral("[allowed] fetch fetch");
    row("nothing is said", "", {noCommand, noNetwork});
    row("denied", "deny", {noCommand, noNetwork});
    row("allowed", "allow", {command, network});
    row("by kind", "commands=allow, network=deny", {command, noNetwork});
    row("nobody can be asked", "ask", {QStringLiteral("[asked] execute execute\n[denied] execute execute")});
}

void TestAgentLimits::permissions()
{
    QFETCH(QStringList, options);
    QFETCH(QStringList, outcomes);
    const ScratchRepository repository;
    agentworkspace::writeTo(repository);
    const ProgramRun run = runProgram(agentworkspace::run(repository, QStringLiteral("tries-client"), 1, options));
    const TrajectoryScan history = scanTrajectory(repository.path());
    QVERIFY2(history.records.size() >= 2, qPrintable(run.output));
    const QString transcript = transcriptOf(repository, history.records.at(1));
    for (const QString &outcome : outcomes)
        QVERIFY2(transcript.contains(outcome), qPrintable(outcome + QLatin1Char('\n') + transcript));
    // A person who reads along is told of the questions, too.
    QCOMPARE(run.output.contains(QLatin1String("fake_agent asks to run: execute\n  denied")),
             options.contains(QLatin1String("ask")));
}

void TestAgentLimits::budgets_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("reason");
    QTest::newRow("tokens") << QStringList{QStringLiteral("--token-budget"), QStringLiteral("1k")}
                            << QStringLiteral("the token budget of 1000 is used: the agent took 1234");
    QTest::newRow("dollars") << QStringList{QStringLiteral("--cost-budget"), QStringLiteral("$0.2")}
                             << QStringLiteral("the cost budget of $0.20 is used: the agent reports $0.25");
}

// The run stops with its reason, and what there is is finished.
void TestAgentLimits::budgets()
{
    QFETCH(QStringList, options);
    QFETCH(QString, reason);
    const ScratchRepository repository;
    agentworkspace::writeTo(repository);
    const ProgramRun run = runProgram(agentworkspace::run(repository, QString(), 3, options));
    QVERIFY2(run.exitCode == 0 && run.output.contains(reason), qPrintable(run.output));
    const QList<IterationRecord> records = scanTrajectory(repository.path()).records;
    QCOMPARE(records.size(), qsizetype(3)); // the baseline, one of three, and the final
    QCOMPARE(records.last().kind, IterationRecord::Kind::Final);
    QVERIFY(repository.read(QStringLiteral("ITERATIONS.md")).contains(reason.toUtf8()));
    QCOMPARE(repository.read(QStringLiteral("solution/scale.cpp")), agentworkspace::kernel());
    QVERIFY(repository.git({QStringLiteral("log"), QStringLiteral("-1"), QStringLiteral("--format=%s")})
                .startsWith(QLatin1String("[final]")));
}

void TestAgentLimits::aLongTurnIsEnded()
{
    const ScratchRepository repository;
    agentworkspace::writeTo(repository);
    const QStringList options{QStringLiteral("--silence-limit"), QStringLiteral("1 s"), QStringLiteral("--turn-limit"),
                              QStringLiteral("1 hour")};
    const ProgramRun run = runProgram(agentworkspace::run(repository, QStringLiteral("never-answers"), 1, options));
    QCOMPARE(run.exitCode, 1);
    QVERIFY2(run.output.contains(QLatin1String("It has said nothing for 1 s.")), qPrintable(run.output));
}

// The command of an agent is for the call that gives it.
void TestAgentLimits::whatNeedsNoAgentAsksForNone_data()
{
    QTest::addColumn<QStringList>("arguments"); // after the workspace
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *command, int exitCode, const char *says) {
        QTest::newRow(command) << QString::fromLatin1(command).split(QLatin1Char(' ')) << exitCode
                               << QString::fromLatin1(says);
    };
    row("restore 0", 0, "iter-2");
    row("measure 1", 0, "iter-2");
    row("finish", 0, "finished already");
    row("iterate --title x", 1, "there is no edit to bench");
    row("note 1 --text x", 0, "Kept with iteration 1");
    row("run --approve", 3, "The agent's command is not given");
}

void TestAgentLimits::whatNeedsNoAgentAsksForNone()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, exitCode);
    QFETCH(QString, says);
    const ScratchRepository repository;
    agentworkspace::writeTo(repository);
    const ProgramRun first = runProgram(agentworkspace::run(repository, QStringLiteral("comment"), 1));
    QVERIFY2(first.exitCode == 0, qPrintable(first.output));
    arguments.insert(1, repository.path());
    const ProgramRun run = runProgram(arguments);
    QVERIFY2(run.exitCode == exitCode, qPrintable(run.output));
    QVERIFY2(run.output.contains(says), qPrintable(run.output));
    QCOMPARE(run.output.contains(QLatin1String("Resolved Plan")), exitCode == 3);
}

QTEST_GUILESS_MAIN(TestAgentLimits)
#include "tst_agentlimits.moc"
