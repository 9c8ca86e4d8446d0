// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/agentsettings.h"
#include "loop/policy.h"

#include "support/loopscene.h"

#include <QTest>

using namespace ako;
using namespace ako::scene;

using Statuses = QList<ako::IterationStatus>;
Q_DECLARE_METATYPE(ako::IterationStatus)

class TestPolicy : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stall_data();
    void stall();
    void reassessmentStartsTheCountAnew();
    void caps_data();
    void caps();
    void costCap_data();
    void costCap();
    void costBudget_data();
    void costBudget();
    void tokenBudget_data();
    void tokenBudget();
    void floorNeedsEveryWorkload();
    void exhaustionNeedsThreeDirections();
    void best_data();
    void best();
    void bestIgnoresAnotherHarness();
    void onlyConfirmedMayBeChampion();
    void finishedUntilSomethingFollows();
    void passedOver_data();
    void passedOver();
};

void TestPolicy::stall_data()
{
    using S = IterationStatus;
    QTest::addColumn<Statuses>("statuses");
    QTest::addColumn<int>("count");
    QTest::addColumn<bool>("stalled");
    QTest::newRow("none") << Statuses{} << 0 << false;
    QTest::newRow("two") << Statuses{S::NoChange, S::Failed} << 2 << false;
    QTest::newRow("three of each kind") << Statuses{S::NoChange, S::Failed, S::Regression} << 3 << true;
    QTest::newRow("after an improvement") << Statuses{S::NoChange, S::Improved, S::NoChange, S::NoChange} << 2 << false;
    QTest::newRow("improved last") << Statuses{S::NoChange, S::NoChange, S::NoChange, S::Improved} << 0 << false;
    QTest::newRow("four") << Statuses{S::Failed, S::Failed, S::Failed, S::Failed} << 4 << true;
}

void TestPolicy::stall()
{
    QFETCH(Statuses, statuses);
    QFETCH(int, count);
    QFETCH(bool, stalled);
    const State state = readyAfter(statuses);
    QCOMPARE(policy::iterationsWithoutImprovement(state), count);
    QCOMPARE(policy::isStalled(state), stalled);
}

void TestPolicy::reassessmentStartsTheCountAnew()
{
    State state = readyAfter({IterationStatus::Failed, IterationStatus::Failed, IterationStatus::Failed});
    state.reassessedAfter = 3;
    QVERIFY(!policy::isStalled(state));
    QVERIFY(!policy::stopReason(state)); // stalling alone is no reason to stop
}

void TestPolicy::caps_data()
{
    QTest::addColumn<int>("planCap");
    QTest::addColumn<int>("hintsCap");
    QTest::addColumn<int>("timeCap");
    QTest::addColumn<int>("seconds");
    QTest::addColumn<bool>("stops");
    QTest::newRow("no cap") << 0 << 0 << 0 << 100000 << false;
    QTest::newRow("plan, not reached") << 3 << 0 << 0 << 0 << false;
    QTest::newRow("plan") << 2 << 0 << 0 << 0 << true;
    QTest::newRow("hints") << 0 << 2 << 0 << 0 << true;
    QTest::newRow("the smaller holds") << 9 << 2 << 0 << 0 << true;
    QTest::newRow("time") << 0 << 0 << 60 << 60 << true;
    QTest::newRow("time, not reached") << 0 << 0 << 60 << 59 << false;
}

void TestPolicy::caps()
{
    QFETCH(int, planCap);
    QFETCH(int, hintsCap);
    QFETCH(int, timeCap);
    QFETCH(int, seconds);
    QFETCH(bool, stops);
    State state = readyAfter({IterationStatus::Improved, IterationStatus::Failed});
    state.plan.iterationCap = planCap;
    state.plan.timeCapSeconds = timeCap;
    state.secondsRunning = seconds;
    if (hintsCap > 0)
        state.directives.iterationCap = hintsCap;
    const auto stop = policy::stopReason(state);
    QCOMPARE(stop.has_value(), stops);
    if (stop)
        QCOMPARE(int(stop->why), int(event::RunStopped::Why::CapReached));
}

void TestPolicy::costCap_data()
{
    QTest::addColumn<double>("cap"); // below 0: none
    QTest::addColumn<QStringList>("reported");
    QTest::addColumn<bool>("stops");
    const auto said = [](const char *session, const char *cost) {
        return QStringLiteral("{\"session\": \"%1\", \"cost\": \"%2\"}")
            .arg(QLatin1String(session), QLatin1String(cost));
    };
    QTest::newRow("none") << -1.0 << QStringList{said("a", "9 USD"), said("a", "99 USD")} << false;
    QTest::newRow("nothing was reported") << 1.0 << QStringList{QStringLiteral("a tuner's tag"), QString()} << false;
    QTest::newRow("less") << 1.0 << QStringList{said("a", "0.5 USD"), said("a", "0.9 USD")} << false;
    QTest::newRow("one session's figure grows")
        << 1.0 << QStringList{said("a", "0.7 USD"), said("a", "0.8 USD")} << false;
    QTest::newRow("two sessions") << 1.0 << QStringList{said("a", "0.7 USD"), said("b", "0.8 USD")} << true;
    QTest::newRow("reached") << 1.0 << QStringList{said("a", "0.5 USD"), said("a", "1 USD")} << true;
    QTest::newRow("another currency") << 1.0 << QStringList{said("a", "5 EUR"), said("a", "9 EUR")} << false;
    QTest::newRow("nothing may be spent, and nothing was") << 0.0 << QStringList{QString(), QString()} << false;
    QTest::newRow("nothing may be spent") << 0.0 << QStringList{QString(), said("a", "0.01 USD")} << true;
}

void TestPolicy::costCap()
{
    QFETCH(double, cap);
    QFETCH(QStringList, reported);
    QFETCH(bool, stops);
    State state = readyAfter({IterationStatus::Improved, IterationStatus::Failed});
    if (cap >= 0.0)
        state.directives.costCapDollars = cap;
    state.records[1].agentData = reported.at(0);
    state.records[2].agentData = reported.at(1);
    QCOMPARE(policy::stopReason(state).has_value(), stops);
}

static void setRow(State &state, const char *key, const QString &value)
{
    PlanField field;
    field.key = QLatin1String(key);
    field.value = value;
    state.plan.fields << field;
}

void TestPolicy::costBudget_data()
{
    QTest::addColumn<QString>("budget"); // as the plan's row says
    QTest::addColumn<double>("before");  // of the run, in dollars
    QTest::addColumn<bool>("stops");     // at 2.50 dollars in all
    QTest::newRow("none") << QStringLiteral("none") << 0.0 << false;
    QTest::newRow("used") << QStringLiteral("2.5") << 0.0 << true;
    QTest::newRow("more than used") << QStringLiteral("$1") << 0.0 << true;
    QTest::newRow("less") << QStringLiteral("2.51 USD") << 0.0 << false;
    QTest::newRow("mostly by an earlier run") << QStringLiteral("1") << 2.0 << false;
    QTest::newRow("all by an earlier run") << QStringLiteral("1") << 2.5 << false;
}

void TestPolicy::costBudget()
{
    QFETCH(QString, budget);
    QFETCH(double, before);
    QFETCH(bool, stops);
    State state = readyAfter({IterationStatus::Improved});
    state.records[1].agentData = QStringLiteral("{\"session\": \"a\", \"cost\": \"2.5 USD\"}");
    setRow(state, planKey::costBudget, budget);
    state.dollarsBeforeRun = before;
    const auto stop = policy::stopReason(state);
    QCOMPARE(stop.has_value(), stops);
    if (stop) {
        QCOMPARE(int(stop->why), int(event::RunStopped::Why::CapReached));
        QVERIFY2(stop->reason.contains(QLatin1String("the agent reports $2.50")), qPrintable(stop->reason));
    }
}

void TestPolicy::tokenBudget_data()
{
    QTest::addColumn<QString>("budget"); // as the plan's row says
    QTest::addColumn<qint64>("used");
    QTest::addColumn<bool>("stops");
    QTest::newRow("none") << QStringLiteral("none") << qint64(1'000'000'000) << false;
    QTest::newRow("no row") << QString() << qint64(1'000'000'000) << false;
    QTest::newRow("less") << QStringLiteral("200k") << qint64(199'999) << false;
    QTest::newRow("used") << QStringLiteral("200k") << qint64(200'000) << true;
    QTest::newRow("nothing is told") << QStringLiteral("1") << qint64(0) << false;
}

void TestPolicy::tokenBudget()
{
    QFETCH(QString, budget);
    QFETCH(qint64, used);
    QFETCH(bool, stops);
    State state = readyAfter({IterationStatus::Improved});
    if (!budget.isEmpty())
        setRow(state, planKey::tokenBudget, budget);
    state.tokensOfRun = used;
    const auto stop = policy::stopReason(state);
    QCOMPARE(stop.has_value(), stops);
    if (stop) {
        QCOMPARE(int(stop->why), int(event::RunStopped::Why::CapReached));
        QVERIFY2(stop->reason.contains(QLatin1String("200000")), qPrintable(stop->reason));
    }
}

void TestPolicy::floorNeedsEveryWorkload()
{
    State state = ready();
    WorkloadResult workload;
    workload.id = QStringLiteral("main");
    workload.solution = Timing{10.0, 10.0, 10.0, 10.0};
    workload.practicalMs = 9.6;
    state.records[0].bench.workloads << workload;
    const auto stop = policy::stopReason(state);
    QVERIFY(stop);
    QCOMPARE(int(stop->why), int(event::RunStopped::Why::FloorReached));
    QVERIFY(stop->reason.contains(QStringLiteral("9.6")));
    state.records[0].bench.workloads[0].practicalMs = 12.0; // faster than the peaks: they were measured wrong
    QVERIFY(!policy::stopReason(state));
    state.records[0].bench.workloads[0].practicalMs = 9.6;
    WorkloadResult other = workload;
    other.practicalMs = 5.0;
    state.records[0].bench.workloads << other;
    QVERIFY(!policy::stopReason(state));
    state.records[0].bench.workloads[1].practicalMs.reset();
    QVERIFY(!policy::stopReason(state)); // not shown is not reached
    state.records[0].bench.workloads[1].solution.reset();
    QVERIFY(policy::stopReason(state)); // a workload that is not timed says nothing
    state.records[0].bench.state = ResultState::Provisional;
    QVERIFY(!policy::stopReason(state));
}

void TestPolicy::exhaustionNeedsThreeDirections()
{
    const QStringList three{QStringLiteral("tiles (1)"), QStringLiteral("unroll (2)"), QStringLiteral("flags (3)")};
    QVERIFY(!policy::exhaustion({three[0], three[1]}));
    QVERIFY(!policy::exhaustion({three[0], three[1], three[1]}));
    const auto stop = policy::exhaustion(three);
    QVERIFY(stop);
    QVERIFY(stop->reason.contains(QStringLiteral("unroll (2)")));
}

void TestPolicy::best_data()
{
    QTest::addColumn<double>("firstMean");
    QTest::addColumn<double>("firstSpeedup");
    QTest::addColumn<double>("secondMean");
    QTest::addColumn<double>("secondSpeedup");
    QTest::addColumn<int>("best");
    QTest::newRow("faster by far") << 8.0 << 1.25 << 5.0 << 2.0 << 2;
    QTest::newRow("session drift does not outweigh the interleaved figure") << 5.0 << 1.25 << 6.0 << 2.0 << 2;
    QTest::newRow("within the interval: the lower mean") << 7.9 << 1.250 << 8.0 << 1.252 << 1;
    QTest::newRow("equal: the later") << 8.0 << 1.25 << 8.0 << 1.25 << 2;
}

void TestPolicy::best()
{
    QFETCH(double, firstMean);
    QFETCH(double, firstSpeedup);
    QFETCH(double, secondMean);
    QFETCH(double, secondSpeedup);
    QFETCH(int, best);
    State state = ready();
    const auto append = [&state](int number, double mean, double speedup) {
        IterationRecord record = iteration(number, IterationStatus::Improved, mean);
        record.speedupOverBaseline = Interval{speedup, 0.99 * speedup, 1.01 * speedup};
        state.records << record;
        state.champion = number;
    };
    append(1, firstMean, firstSpeedup);
    append(2, secondMean, secondSpeedup);
    state.records << iteration(3, IterationStatus::Regression, 1.0); // fast, but never confirmed
    QCOMPARE(policy::bestChoice(state).iteration, best);
    QVERIFY(!policy::bestChoice(state).why.isEmpty());
}

void TestPolicy::bestIgnoresAnotherHarness()
{
    State state = readyAfter({IterationStatus::Improved, IterationStatus::Improved});
    state.records[1].speedupOverBaseline = Interval{9.0, 8.9, 9.1};
    state.records[2].speedupOverBaseline = Interval{2.0, 1.9, 2.1};
    QCOMPARE(policy::bestChoice(state).iteration, 1);
    state.comparableFrom = 2;
    QCOMPARE(policy::bestChoice(state).iteration, 2);
    QCOMPARE(policy::bestChoice(ready()).iteration, 0);
}

void TestPolicy::onlyConfirmedMayBeChampion()
{
    IterationRecord record = iteration(1, IterationStatus::Improved);
    QVERIFY(policy::mayBecomeChampion(record));
    record.bench.state = ResultState::Quarantined;
    QVERIFY(!policy::mayBecomeChampion(record));
    record.bench = benchResult(BenchMode::Signal, 2.0);
    QVERIFY(!policy::mayBecomeChampion(record));
    record.bench = wrongResult(BenchMode::Verdict);
    QVERIFY(!policy::mayBecomeChampion(record));
}

void TestPolicy::finishedUntilSomethingFollows()
{
    State state = readyAfter({IterationStatus::Improved});
    QVERIFY(!policy::isFinished(state));
    IterationRecord final = iteration(1, IterationStatus::Improved);
    final.kind = IterationRecord::Kind::Final;
    final.startedAt = QDateTime::fromSecsSinceEpoch(5); // the clock was put back
    state.records << final;
    QVERIFY(policy::isFinished(state));
    state.records << iteration(2, IterationStatus::NoChange);
    QVERIFY(!policy::isFinished(state));
}

void TestPolicy::passedOver_data()
{
    QTest::addColumn<double>("ratio"); // of the iteration over the baseline; what is kept has 2, by its final 1.8
    QTest::addColumn<int>("status");
    QTest::addColumn<int>("result");
    QTest::addColumn<bool>("again"); // its sources were measured once more
    QTest::addColumn<bool>("told");
    using S = IterationStatus;
    using R = ResultState;
    const auto row = [](const char *name, double ratio, S status, R result, bool again, bool told) {
        QTest::newRow(name) << ratio << int(status) << int(result) << again << told;
    };
    row("well above", 2.4, S::NoChange, R::Provisional, false, true);
    row("within the noise", 2.04, S::NoChange, R::Provisional, false, false);
    row("below", 1.5, S::NoChange, R::Provisional, false, false);
    row("refuted since", 2.4, S::NoChange, R::Provisional, true, false);
    row("quarantined", 31, S::NoChange, R::Quarantined, false, false);
    row("failed", 2.4, S::Failed, R::Invalid, false, false);
    row("what is kept", 2.0, S::Improved, R::Confirmed, false, false);
}

void TestPolicy::passedOver()
{
    QFETCH(double, ratio);
    QFETCH(int, status);
    QFETCH(int, result);
    QFETCH(bool, again);
    QFETCH(bool, told);
    State state = ready();
    IterationRecord record = iteration(1, IterationStatus(status));
    record.speedupOverBaseline = Interval{ratio, ratio - 0.1, ratio + 0.1};
    record.bench = benchResult(BenchMode::Signal, ratio);
    record.bench.state = ResultState(result);
    record.solutionHash = QStringLiteral("abc");
    state.records << record;
    if (again) {
        record.number = 2;
        record.speedupOverBaseline = Interval{1.9, 1.8, 2.0};
        state.records << record;
    }
    IterationRecord kept = iteration(3, IterationStatus::Improved);
    kept.speedupOverBaseline = Interval{2.0, 1.9, 2.1};
    state.records << kept;
    kept.kind = IterationRecord::Kind::Final;
    kept.solutionHash = QStringLiteral("def");
    kept.speedupOverBaseline = Interval{1.8, 1.7, 1.9}; // measured directly, which says nothing of products
    state.records << kept;
    QCOMPARE(policy::passedOver(state, kept), told ? QList<int>{1} : QList<int>{});
}

QTEST_GUILESS_MAIN(TestPolicy)
#include "tst_policy.moc"
