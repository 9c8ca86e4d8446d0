// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/decision.h"

#include <QTest>

using namespace ako;

namespace {

BenchResult correctBench(BenchMode mode = BenchMode::Verdict)
{
    BenchResult bench;
    bench.mode = mode;
    bench.state = mode == BenchMode::Verdict ? ResultState::Confirmed : ResultState::Provisional;
    bench.status = QStringLiteral("OK");
    bench.exitCode = 0;
    bench.compiled = true;
    bench.correct = true;
    bench.margin = 0.005;
    return bench;
}

Timing flat(double milliseconds)
{
    return {milliseconds, milliseconds, milliseconds, milliseconds};
}

IterationRecord iteration(int number, const BenchResult &bench)
{
    IterationRecord record;
    record.number = number;
    record.bench = bench;
    return record;
}

IterationRecord champion()
{
    IterationRecord record = iteration(2, correctBench());
    record.speedup = Interval{2.0, 1.9, 2.1};
    record.speedupOverBaseline = Interval{1.5, 1.4, 1.6};
    record.becameChampion = true;
    return record;
}

void compareIntervals(const std::optional<Interval> &actual, const Interval &expected)
{
    QVERIFY(actual.has_value());
    QVERIFY2(qAbs(actual->estimate - expected.estimate) < 1e-9, qPrintable(QString::number(actual->estimate)));
    QVERIFY2(qAbs(actual->low - expected.low) < 1e-9, qPrintable(QString::number(actual->low)));
    QVERIFY2(qAbs(actual->high - expected.high) < 1e-9, qPrintable(QString::number(actual->high)));
}

} // namespace

Q_DECLARE_METATYPE(ako::Interval)

class TestDecision : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void status_data();
    void status();
    void failures_data();
    void failures();
    void onlyAVerdictMakesAChampion_data();
    void onlyAVerdictMakesAChampion();
    void theEvaluatorsDoubtBlocks_data();
    void theEvaluatorsDoubtBlocks();
    void aSlowerWorkloadBlocks();
    void chainsWhatWasNotMeasured();
    void measuredGoesOverChained();
    void overTheBaselineItIsChained_data();
    void overTheBaselineItIsChained();
    void baselineAndFinal();
    void customBenchNeedsASecondRun();
    void theChampionsOwnRunsAreNoiseToo_data();
    void theChampionsOwnRunsAreNoiseToo();
    void deservesAVerdict_data();
    void deservesAVerdict();
    void saysWhichMarginWasApplied_data();
    void saysWhichMarginWasApplied();
    void isWrittenIntoTheRecord();
};

void TestDecision::status_data()
{
    QTest::addColumn<Interval>("ratio");
    QTest::addColumn<double>("margin");
    QTest::addColumn<IterationStatus>("expected");
    QTest::newRow("faster") << Interval{1.10, 1.08, 1.12} << 0.005 << IterationStatus::Improved;
    QTest::newRow("exactly 3 %") << Interval{1.03, 1.02, 1.04} << 0.005 << IterationStatus::Improved;
    QTest::newRow("below 3 %") << Interval{1.029, 1.028, 1.030} << 0.005 << IterationStatus::NoChange;
    QTest::newRow("faster within the noise") << Interval{1.10, 0.99, 1.2} << 0.005 << IterationStatus::NoChange;
    QTest::newRow("low end on the margin") << Interval{1.10, 1.05, 1.2} << 0.05 << IterationStatus::NoChange;
    QTest::newRow("equal") << Interval{1.0, 0.999, 1.001} << 0.005 << IterationStatus::NoChange;
    QTest::newRow("slower") << Interval{0.90, 0.88, 0.92} << 0.005 << IterationStatus::Regression;
    QTest::newRow("exactly 3 % slower") << Interval{0.97, 0.96, 0.98} << 0.005 << IterationStatus::Regression;
    QTest::newRow("slower within the noise") << Interval{0.90, 0.80, 1.01} << 0.005 << IterationStatus::NoChange;
    QTest::newRow("slower, however large the noise") << Interval{0.1, 0.05, 0.3} << 1.5 << IterationStatus::Regression;
    QTest::newRow("within a large noise") << Interval{0.5, 0.05, 0.7} << 1.5 << IterationStatus::NoChange;
    QTest::newRow("less than 3 % slower") << Interval{0.98, 0.979, 0.981} << 0.005 << IterationStatus::NoChange;
}

void TestDecision::status()
{
    QFETCH(const Interval, ratio);
    QFETCH(const double, margin);
    QFETCH(const IterationStatus, expected);
    BenchResult bench = correctBench();
    bench.speedupOverChampion = ratio;
    bench.margin = margin;
    const IterationRecord best = champion();
    const Decision decision = decide(iteration(3, bench), &best);
    QCOMPARE(decision.status, expected);
    QCOMPARE(decision.becomesChampion, expected == IterationStatus::Improved);
    QVERIFY2(decision.reason.contains(QStringLiteral("iteration 2")), qPrintable(decision.reason));
}

void TestDecision::failures_data()
{
    QTest::addColumn<int>("what");
    QTest::addColumn<QString>("reason");
    QTest::newRow("not compiled") << 0 << QStringLiteral("compile");
    QTest::newRow("not correct") << 1 << QStringLiteral("not correct");
    QTest::newRow("exit status") << 2 << QStringLiteral("status 5");
    QTest::newRow("quarantined") << 3 << QStringLiteral("SUSPICIOUS");
    QTest::newRow("quarantined, no flag") << 5 << QStringLiteral("quarantined: ");
    QTest::newRow("invalid") << 4 << QStringLiteral("invalid");
}

// However fast it claims to be.
void TestDecision::failures()
{
    QFETCH(const int, what);
    QFETCH(const QString, reason);
    BenchResult bench = correctBench();
    bench.speedupOverChampion = Interval{5, 4, 6};
    bench.speedupOverReference = Interval{5, 4, 6};
    bench.message = QStringLiteral("the evaluator's words");
    bench.compiled = what != 0;
    bench.correct = what != 1;
    bench.exitCode = what == 2 ? 5 : 0;
    if (what == 5) {
        bench.state = ResultState::Quarantined;
    } else if (what == 3) {
        bench.state = ResultState::Quarantined;
        bench.flags << QStringLiteral("SUSPICIOUS");
    } else if (what == 4) {
        bench.state = ResultState::Invalid;
    }
    const IterationRecord best = champion();
    IterationRecord record = iteration(3, bench);
    for (const auto kind :
         {IterationRecord::Kind::Baseline, IterationRecord::Kind::Iteration, IterationRecord::Kind::Final}) {
        record.kind = kind;
        const Decision decision = decide(record, &best);
        QCOMPARE(decision.status, IterationStatus::Failed);
        QVERIFY(!decision.becomesChampion);
        QVERIFY(!decision.speedup);
        QVERIFY(!decision.speedupOverBaseline);
        QVERIFY2(decision.reason.contains(reason) && decision.reason.contains(bench.message),
                 qPrintable(decision.reason));
    }
    QVERIFY(!deservesVerdict(bench, nullptr));
}

void TestDecision::onlyAVerdictMakesAChampion_data()
{
    QTest::addColumn<BenchMode>("mode");
    QTest::addColumn<ResultState>("state");
    QTest::addColumn<bool>("champion");
    QTest::newRow("confirmed verdict") << BenchMode::Verdict << ResultState::Confirmed << true;
    QTest::newRow("provisional verdict") << BenchMode::Verdict << ResultState::Provisional << false;
    QTest::newRow("signal") << BenchMode::Signal << ResultState::Provisional << false;
    QTest::newRow("signal that says confirmed") << BenchMode::Signal << ResultState::Confirmed << false;
}

void TestDecision::onlyAVerdictMakesAChampion()
{
    QFETCH(const BenchMode, mode);
    QFETCH(const ResultState, state);
    BenchResult bench = correctBench(mode);
    bench.state = state;
    bench.speedupOverChampion = Interval{1.5, 1.4, 1.6};
    const IterationRecord best = champion();
    const Decision decision = decide(iteration(3, bench), &best);
    QTEST(decision.becomesChampion, "champion");
    QCOMPARE(decision.status == IterationStatus::Improved, decision.becomesChampion);
}

void TestDecision::theEvaluatorsDoubtBlocks_data()
{
    QTest::addColumn<Comparison>("comparison");
    QTest::addColumn<QStringList>("flags");
    QTest::addColumn<bool>("believed");
    const QStringList doubted{QStringLiteral("NOT_CONFIRMED")};
    QTest::newRow("improved") << Comparison::Improved << QStringList() << true;
    QTest::newRow("no word of it") << Comparison::None << QStringList() << true;
    QTest::newRow("another flag") << Comparison::Improved << QStringList{QStringLiteral("EXAMINED_10X")} << true;
    QTest::newRow("ambiguous") << Comparison::Ambiguous << QStringList() << false;
    QTest::newRow("not confirmed") << Comparison::Ambiguous << doubted << false;
    QTest::newRow("improved, not confirmed") << Comparison::Improved << doubted << false;
}

void TestDecision::theEvaluatorsDoubtBlocks()
{
    QFETCH(const Comparison, comparison);
    QFETCH(const QStringList, flags);
    QFETCH(const bool, believed);
    BenchResult bench = correctBench();
    bench.speedupOverChampion = Interval{1.265, 1.159, 6.601};
    bench.comparison = comparison;
    bench.flags = flags;
    const IterationRecord best = champion();
    for (const auto kind : {IterationRecord::Kind::Iteration, IterationRecord::Kind::Final}) {
        IterationRecord record = iteration(3, bench);
        record.kind = kind;
        const Decision decision = decide(record, &best);
        QCOMPARE(decision.status, believed ? IterationStatus::Improved : IterationStatus::NoChange);
        QVERIFY(believed || !decision.becomesChampion);
        QVERIFY2(believed || decision.reason.contains(QStringLiteral("evaluator")), qPrintable(decision.reason));
    }
}

void TestDecision::aSlowerWorkloadBlocks()
{
    BenchResult bench = correctBench();
    bench.speedupOverChampion = Interval{1.5, 1.4, 1.6};
    WorkloadResult odd;
    odd.id = QStringLiteral("odd");
    odd.speedupOverChampion = Interval{0.9, 0.89, 0.91};
    bench.workloads << odd;
    const IterationRecord best = champion();
    const Decision decision = decide(iteration(3, bench), &best);
    QCOMPARE(decision.status, IterationStatus::NoChange);
    QVERIFY(!decision.becomesChampion);
    QVERIFY2(decision.reason.contains(QStringLiteral("odd")), qPrintable(decision.reason));
    QVERIFY(!deservesVerdict(bench, &best));
    bench.workloads[0].speedupOverChampion = Interval{0.96, 0.9, 1.02}; // within its noise
    QCOMPARE(decide(iteration(3, bench), &best).status, IterationStatus::Improved);
}

void TestDecision::chainsWhatWasNotMeasured()
{
    BenchResult bench = correctBench(BenchMode::Signal);
    bench.speedupOverChampion = Interval{0.8, 0.7, 0.9};
    const IterationRecord best = champion();
    const Decision decision = decide(iteration(3, bench), &best);
    compareIntervals(decision.speedup, {1.6, 1.9 * 0.7, 2.1 * 0.9});
    compareIntervals(decision.speedupOverBaseline, {1.2, 1.4 * 0.7, 1.6 * 0.9});
    QVERIFY(decision.speedupIsChained);
}

void TestDecision::measuredGoesOverChained()
{
    BenchResult bench = correctBench();
    bench.speedupOverChampion = Interval{1.1, 1.09, 1.11};
    bench.speedupOverReference = Interval{2.3, 2.2, 2.4};
    const IterationRecord best = champion();
    const Decision decision = decide(iteration(3, bench), &best);
    compareIntervals(decision.speedup, {2.3, 2.2, 2.4});
    compareIntervals(decision.speedupOverBaseline, {1.65, 1.4 * 1.09, 1.6 * 1.11});
    QVERIFY(!decision.speedupIsChained);
}

void TestDecision::overTheBaselineItIsChained_data()
{
    QTest::addColumn<bool>("withReference"); // which every verdict measures too
    QTest::addColumn<bool>("overBaseline");  // measured beside it
    QTest::addColumn<bool>("isFirst");       // the champion is the baseline
    QTest::addColumn<bool>("isChained");
    QTest::newRow("signal") << false << false << false << true;
    QTest::newRow("verdict") << true << false << false << true;
    QTest::newRow("measured against the baseline") << true << true << false << false;
    QTest::newRow("the baseline is the champion, signal") << false << false << true << false;
    QTest::newRow("the baseline is the champion, verdict") << true << false << true << false;
}

void TestDecision::overTheBaselineItIsChained()
{
    QFETCH(bool, withReference);
    QFETCH(bool, overBaseline);
    QFETCH(bool, isFirst);
    QFETCH(bool, isChained);
    IterationRecord best = champion();
    if (isFirst) {
        best.kind = IterationRecord::Kind::Baseline;
        best.number = 0;
        best.speedupOverBaseline = Interval{1.0, 1.0, 1.0};
    }
    BenchResult bench = correctBench(withReference ? BenchMode::Verdict : BenchMode::Signal);
    bench.speedupOverChampion = Interval{1.1, 1.09, 1.11};
    if (withReference)
        bench.speedupOverReference = Interval{2.3, 2.2, 2.4};
    if (overBaseline)
        bench.speedupOverBaseline = Interval{1.7, 1.6, 1.8};
    IterationRecord record = iteration(3, bench);
    applyDecision(record, &best);
    QVERIFY(record.speedupOverBaseline.has_value());
    QCOMPARE(isOverBaselineChained(record), isChained);
    record.kind = IterationRecord::Kind::Final;
    QVERIFY(!isOverBaselineChained(record));
}

void TestDecision::baselineAndFinal()
{
    IterationRecord baseline = iteration(0, correctBench());
    baseline.kind = IterationRecord::Kind::Baseline;
    baseline.bench.speedupOverReference = Interval{1.0, 0.99, 1.01};
    Decision decision = decide(baseline, nullptr);
    QCOMPARE(decision.status, IterationStatus::Baseline);
    QVERIFY(decision.becomesChampion);
    compareIntervals(decision.speedup, {1.0, 0.99, 1.01});
    compareIntervals(decision.speedupOverBaseline, {1, 1, 1});

    // Measured with the baseline in the champion's place.
    IterationRecord last = iteration(2, correctBench());
    last.kind = IterationRecord::Kind::Final;
    last.bench.speedupOverChampion = Interval{1.9, 1.85, 1.95};
    const IterationRecord best = champion();
    decision = decide(last, &best);
    QCOMPARE(decision.status, IterationStatus::Improved);
    QVERIFY(!decision.becomesChampion);
    compareIntervals(decision.speedupOverBaseline, {1.9, 1.85, 1.95});
    last.bench.speedupOverChampion = Interval{0.9, 0.8, 0.95};
    QCOMPARE(decide(last, &best).status, IterationStatus::Regression);
    last.bench.speedupOverChampion = Interval{1.9, 1.85, 1.95};
    last.number = 0; // nothing was better: the baseline is no gain over itself
    QCOMPARE(decide(last, &best).status, IterationStatus::NoChange);
    last.number = 2;
    last.bench.speedupOverChampion.reset();
    QCOMPARE(decide(last, &best).status, IterationStatus::NoChange);

    QCOMPARE(decide(iteration(1, correctBench()), nullptr).status, IterationStatus::Failed);
}

void TestDecision::customBenchNeedsASecondRun()
{
    IterationRecord best = champion();
    best.bench = correctBench(BenchMode::Custom);
    best.bench.solution = flat(2.0);
    BenchResult bench = correctBench(BenchMode::Custom);
    bench.solution = flat(1.0);
    bench.margin = 0.0;
    QVERIFY(deservesVerdict(bench, &best));
    IterationRecord record = iteration(3, bench);
    QVERIFY(!decide(record, &best).becomesChampion);

    record.signal = bench;
    record.signal->solution = flat(1.6);
    const Decision twice = decide(record, &best);
    QVERIFY(twice.becomesChampion);
    compareIntervals(runtimeRatio(best, record.bench, record.signal), {std::sqrt(2.0 * 1.25), 1.25, 2.0});

    record.signal->solution = flat(2.1); // the first run was slower than the champion: noise
    QCOMPARE(decide(record, &best).status, IterationStatus::NoChange);
    bench.solution.reset();
    QCOMPARE(decide(iteration(3, bench), &best).status, IterationStatus::NoChange);
}

void TestDecision::theChampionsOwnRunsAreNoiseToo_data()
{
    QTest::addColumn<double>("championFirst"); // milliseconds; 0: it was run once
    QTest::addColumn<double>("championLast");
    QTest::addColumn<bool>("isBetter");
    QTest::addColumn<bool>("isNoiseKnown");
    QTest::newRow("its runs agree") << 2.0 << 2.02 << true << true;
    QTest::newRow("one was as fast as the candidate") << 1.0 << 2.0 << false << true;
    QTest::newRow("in the other order") << 2.0 << 1.0 << false << true;
    QTest::newRow("it was run once") << 0.0 << 2.0 << true << false;
}

void TestDecision::theChampionsOwnRunsAreNoiseToo()
{
    QFETCH(double, championFirst);
    QFETCH(double, championLast);
    QFETCH(bool, isBetter);
    QFETCH(bool, isNoiseKnown);
    IterationRecord best = champion();
    best.bench = correctBench(BenchMode::Custom);
    best.bench.solution = flat(championLast);
    if (championFirst > 0) {
        best.signal = best.bench;
        best.signal->solution = flat(championFirst);
    }
    BenchResult bench = correctBench(BenchMode::Custom);
    bench.margin = 0.0;
    bench.solution = flat(1.1);
    IterationRecord record = iteration(3, bench);
    record.signal = bench;
    record.signal->solution = flat(1.05);
    const Decision decision = decide(record, &best);
    QCOMPARE(decision.becomesChampion, isBetter);
    QCOMPARE(decision.status, isBetter ? IterationStatus::Improved : IterationStatus::NoChange);
    QCOMPARE(decision.reason.contains(QLatin1String("was run once only")), isBetter && !isNoiseKnown);
}

void TestDecision::deservesAVerdict_data()
{
    QTest::addColumn<Interval>("ratio");
    QTest::addColumn<bool>("expected");
    QTest::newRow("faster") << Interval{1.1, 1.05, 1.15} << true;
    QTest::newRow("faster within the noise") << Interval{1.1, 0.9, 1.3} << true; // once more
    QTest::newRow("less than 3 %") << Interval{1.029, 1.02, 1.03} << false;
    QTest::newRow("equal") << Interval{1.0, 0.99, 1.01} << false;
    QTest::newRow("slower") << Interval{0.5, 0.4, 0.6} << false;
}

void TestDecision::deservesAVerdict()
{
    QFETCH(const Interval, ratio);
    BenchResult signal = correctBench(BenchMode::Signal);
    signal.speedupOverChampion = ratio;
    const IterationRecord best = champion();
    QTEST(deservesVerdict(signal, &best), "expected");
    QVERIFY(deservesVerdict(signal, nullptr));
}

void TestDecision::saysWhichMarginWasApplied_data()
{
    QTest::addColumn<Interval>("ratio");
    QTest::addColumn<QString>("bound");
    QTest::newRow("faster") << Interval{1.2, 1.06, 1.3} << QStringLiteral("begin above 1.084x");
    QTest::newRow("slower") << Interval{0.8, 0.7, 0.95} << QStringLiteral("end below 0.923x");
}

void TestDecision::saysWhichMarginWasApplied()
{
    QFETCH(const Interval, ratio);
    QFETCH(const QString, bound);
    BenchResult bench = correctBench();
    bench.margin = 0.084;
    bench.speedupOverChampion = ratio;
    const IterationRecord best = champion();
    const Decision decision = decide(iteration(3, bench), &best);
    QCOMPARE(decision.status, IterationStatus::NoChange);
    const QString interval = QStringLiteral("[%1, %2]").arg(ratio.low, 0, 'f', 3).arg(ratio.high, 0, 'f', 3);
    for (const QString &words : {bound, interval, QStringLiteral("margin 8.4 %"), QStringLiteral("twice the noise")})
        QVERIFY2(decision.reason.contains(words), qPrintable(decision.reason));
}

void TestDecision::isWrittenIntoTheRecord()
{
    IterationRecord record = iteration(3, correctBench());
    record.bench.speedupOverChampion = Interval{1.1, 1.09, 1.11};
    const IterationRecord best = champion();
    applyDecision(record, &best);
    QCOMPARE(record.status, IterationStatus::Improved);
    QVERIFY(record.becameChampion);
    QVERIFY(record.speedupIsChained);
    QVERIFY(!record.statusReason.isEmpty());
    record.bench.correct = false;
    applyDecision(record, &best);
    QCOMPARE(record.status, IterationStatus::Failed);
    QVERIFY(!record.becameChampion);
    QVERIFY(!record.speedup);
}

QTEST_GUILESS_MAIN(TestDecision)
#include "tst_decision.moc"
