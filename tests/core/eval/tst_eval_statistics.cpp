// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/decision.h"
#include "eval/examination.h"
#include "eval/random.h"
#include "eval/resttimes.h"
#include "eval/statistics.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace ako::eval;

namespace {

// Times of two kernels as measurement.md section 1 simulates them: log-normal jitter of 1 %, 2 % outliers of +15 %, and
// a slow drift of the machine by 3 % that both of a pair see almost alike.
class DriftSimulator
{
public:
    explicit DriftSimulator(unsigned seed, double drift = 0.03)
        : m_random(seed)
        , m_drift(drift)
        , m_phase(std::uniform_real_distribution<double>(0, 6.28)(m_random))
    {
    }
    double time(double base)
    {
        const double drift = 1 + m_drift * std::sin(m_phase + 0.02 * m_step++);
        const double outlier = std::uniform_real_distribution<double>()(m_random) < 0.02 ? 1.15 : 1;
        return base * drift * outlier * std::exp(std::normal_distribution<double>(0, 0.01)(m_random));
    }
    // ln(b / a) of one pair in random order.
    double logOfPair(double a, double b)
    {
        if (m_random() % 2 == 0) {
            const double first = time(a), second = time(b);
            return std::log(second / first);
        }
        const double second = time(b), first = time(a);
        return std::log(second / first);
    }

private:
    std::mt19937 m_random;
    double m_drift, m_phase;
    int m_step = 0;
};

// A whole timing: pairs until mayStop() says so.
Verdict simulate(unsigned seed, double speedup, double margin)
{
    DriftSimulator machine(seed);
    std::vector<double> logs;
    Ratio ratio;
    do {
        logs.push_back(machine.logOfPair(1.0, speedup));
        ratio = ratioFromLogs(logs, lookLevel);
    } while (!mayStop(int(logs.size()), ratio, margin));
    return decide(ratio, margin);
}

WorkloadTiming timed(const char *id, double solutionMs, double speedup, double floorMs)
{
    WorkloadTiming timing;
    timing.id = id;
    timing.solution = statsOf({solutionMs});
    timing.speedupReference = Ratio{speedup, speedup, speedup};
    timing.floorMs = floorMs;
    return timing;
}

TimedWorkload compared(const char *id, double weight, double speedup)
{
    TimedWorkload workload;
    workload.timing.id = id;
    workload.timing.weight = weight;
    workload.timing.solution = statsOf({1.0});
    workload.timing.champion = statsOf({speedup});
    for (int i = 0; i < 40; ++i)
        workload.championLogs.push_back(std::log(speedup) + 0.001 * (i % 5 - 2));
    workload.timing.speedupChampion = ratioFromLogs(workload.championLogs, lookLevel);
    return workload;
}

} // namespace

class TestEvalStatistics : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void describesSamples();
    void findsTheOrder_data();
    void findsTheOrder();
    void coversTheMedian();
    void decides_data();
    void decides();
    void stops_data();
    void stops();
    void seldomCallsEqualsImproved();
    void bestOfManyIsNotBelieved();
    void findsSmallGains();
    void combinesByWeight();
    void namesTheShapeThatBlocks();
    void seesUnevenGains_data();
    void seesUnevenGains();
    void knowsItsNoise_data();
    void knowsItsNoise();
    void suspects_data();
    void suspects();
    void findsHiddenTime_data();
    void findsHiddenTime();
    void objects_data();
    void objects();
};

void TestEvalStatistics::describesSamples()
{
    const TimeStats stats = statsOf({4, 1, 3, 2, 10});
    QCOMPARE(stats.median, 3.0);
    QCOMPARE(stats.mean, 4.0);
    QCOMPARE(stats.min, 1.0);
    QCOMPARE(stats.max, 10.0);
    QCOMPARE(stats.q1, 2.0);
    QCOMPARE(stats.q3, 4.0);
    QCOMPARE(stats.mad, 1.0);
    QCOMPARE(stats.count, 5);
    QCOMPARE(medianOf({1, 2, 3, 10}), 2.5);
    QCOMPARE(statsOf({}).count, 0);
}

void TestEvalStatistics::findsTheOrder_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<double>("level");
    QTest::addColumn<int>("order");
    // Tables of the sign test: the largest k with P(Binomial(n, 1/2) < k) <= (1 - level) / 2.
    QTest::newRow("10 at 95 %") << 10 << 0.95 << 2;
    QTest::newRow("20 at 95 %") << 20 << 0.95 << 6;
    QTest::newRow("20 at 99 %") << 20 << 0.99 << 4;
    QTest::newRow("40 at 99 %") << 40 << 0.99 << 12;
    QTest::newRow("too few") << 4 << 0.99 << 1;
    QTest::newRow("one") << 1 << 0.99 << 1;
    QTest::newRow("160 at 99 %") << 160 << 0.99 << 64;
}

void TestEvalStatistics::findsTheOrder()
{
    QFETCH(int, count);
    QFETCH(double, level);
    QFETCH(int, order);
    QCOMPARE(orderForLevel(count, level), order);
}

void TestEvalStatistics::coversTheMedian()
{
    std::mt19937 random(7);
    std::normal_distribution<double> normal(0.02, 0.01);
    int missed = 0;
    for (int repeat = 0; repeat < 2000; ++repeat) {
        std::vector<double> logs(20);
        for (double &value : logs)
            value = normal(random);
        const Ratio ratio = ratioFromLogs(logs, 0.95);
        missed += ratio.low > std::exp(0.02) || ratio.high < std::exp(0.02);
    }
    QVERIFY2(missed <= 100, qPrintable(QString::number(missed))); // 5 % of 2000; the exact level is 95.9 %
    QVERIFY2(missed >= 40, qPrintable(QString::number(missed)));
}

void TestEvalStatistics::decides_data()
{
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<double>("margin");
    QTest::addColumn<int>("verdict");
    QTest::newRow("above") << 1.02 << 1.05 << 0.01 << int(Verdict::Improved);
    QTest::newRow("just above the margin") << 1.0101 << 1.05 << 0.01 << int(Verdict::Improved);
    QTest::newRow("touches the margin") << 1.01 << 1.05 << 0.01 << int(Verdict::Ambiguous);
    QTest::newRow("below") << 0.9 << 0.98 << 0.01 << int(Verdict::Regressed);
    QTest::newRow("inside") << 0.995 << 1.005 << 0.01 << int(Verdict::Same);
    QTest::newRow("wide") << 0.9 << 1.2 << 0.01 << int(Verdict::Ambiguous);
    QTest::newRow("inside a wide margin") << 0.92 << 1.09 << 0.5 << int(Verdict::Same);
    QTest::newRow("a noise that hides everything") << 0.6 << 1.4 << 1.2 << int(Verdict::Ambiguous);
}

void TestEvalStatistics::decides()
{
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(double, margin);
    QFETCH(int, verdict);
    QCOMPARE(int(decide({(low + high) / 2, low, high}, margin)), verdict);
}

void TestEvalStatistics::stops_data()
{
    QTest::addColumn<int>("pairs");
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<bool>("stop");
    QTest::newRow("clear, but between looks") << 30 << 1.3 << 1.31 << false;
    QTest::newRow("clear at a look") << 24 << 1.3 << 1.31 << true;
    QTest::newRow("clear and wide") << 24 << 1.02 << 1.4 << false;
    QTest::newRow("the same") << 40 << 0.999 << 1.001 << true;
    QTest::newRow("undecided") << 80 << 0.98 << 1.04 << false;
    QTest::newRow("undecided at the end") << 160 << 0.98 << 1.04 << true;
}

void TestEvalStatistics::stops()
{
    QFETCH(int, pairs);
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(bool, stop);
    QCOMPARE(mayStop(pairs, {(low + high) / 2, low, high}, 0.01), stop);
}

void TestEvalStatistics::seldomCallsEqualsImproved()
{
    int improved = 0, regressed = 0;
    constexpr int runs = 1000;
    for (unsigned seed = 0; seed < runs; ++seed) {
        const Verdict verdict = simulate(seed, 1.0, 0.005);
        improved += verdict == Verdict::Improved;
        regressed += verdict == Verdict::Regressed;
    }
    QVERIFY2(improved + regressed <= runs / 20,
             qPrintable(QStringLiteral("%1 improved, %2 regressed of %3").arg(improved).arg(regressed).arg(runs)));
}

// The best of 100 equal candidates, chosen by its estimate, has to pass a fresh timing before it counts.
void TestEvalStatistics::bestOfManyIsNotBelieved()
{
    int believed = 0;
    constexpr int runs = 20;
    for (unsigned run = 0; run < runs; ++run) {
        double best = 0;
        for (unsigned candidate = 0; candidate < 100; ++candidate) {
            DriftSimulator machine(1000 * run + candidate + 1);
            std::vector<double> logs;
            for (int pair = 0; pair < 20; ++pair)
                logs.push_back(machine.logOfPair(1.0, 1.0));
            best = std::max(best, ratioFromLogs(logs, lookLevel).estimate);
        }
        QVERIFY(best > 1.003); // chosen for its luck
        believed += simulate(900000 + run, 1.0, 0.005) == Verdict::Improved;
    }
    QVERIFY2(believed <= 1, qPrintable(QString::number(believed)));
}

void TestEvalStatistics::findsSmallGains()
{
    int improved = 0;
    constexpr int runs = 200;
    for (unsigned seed = 0; seed < runs; ++seed)
        improved += simulate(5000 + seed, 1.02, 0.005) == Verdict::Improved;
    QVERIFY2(improved >= runs * 95 / 100, qPrintable(QString::number(improved)));
}

void TestEvalStatistics::combinesByWeight()
{
    const std::vector<TimedWorkload> workloads{compared("main", 3, 2.0), compared("small", 1, 1.0)};
    const TotalTiming total = totalOf(workloads);
    QVERIFY(std::abs(total.speedupChampion->estimate - std::pow(2.0, 0.75)) < 1e-3);
    QVERIFY(total.speedupChampion->low <= total.speedupChampion->estimate &&
            total.speedupChampion->estimate <= total.speedupChampion->high);
    QCOMPARE(total.worstId, std::string("small"));
    const Decision decision = decisionOf(workloads, total, 0.01);
    QCOMPARE(int(decision.verdict), int(Verdict::Improved));
    QCOMPARE(decision.against, std::string("champion"));
    QVERIFY(decision.blockedBy.empty());
}

void TestEvalStatistics::namesTheShapeThatBlocks()
{
    const std::vector<TimedWorkload> workloads{compared("main", 3, 2.0), compared("small", 1, 0.9)};
    const Decision decision = decisionOf(workloads, totalOf(workloads), 0.01);
    QCOMPARE(decision.blockedBy, std::string("small"));
    QCOMPARE(int(decision.verdict), int(Verdict::Ambiguous));
    // A reference keeps nobody from anything: there is no place to be taken.
    std::vector<TimedWorkload> alone = workloads;
    for (TimedWorkload &workload : alone) {
        std::swap(workload.referenceLogs, workload.championLogs);
        std::swap(workload.timing.speedupReference, workload.timing.speedupChampion);
        std::swap(workload.timing.reference, workload.timing.champion);
    }
    const Decision first = decisionOf(alone, totalOf(alone), 0.01);
    QCOMPARE(first.against, std::string("reference"));
    QVERIFY(first.blockedBy.empty());
    QCOMPARE(first.worstShape, std::string("small"));
    QCOMPARE(int(first.verdict), int(Verdict::Improved));
}

void TestEvalStatistics::seesUnevenGains_data()
{
    QTest::addColumn<int>("fast"); // pairs, each 10 % faster
    QTest::addColumn<int>("slow");
    QTest::addColumn<double>("ratio"); // of a slow pair
    QTest::addColumn<bool>("uneven");
    QTest::newRow("even") << 24 << 0 << 1.0 << false;
    QTest::newRow("one late pair of twelve") << 11 << 1 << 0.2 << false;
    QTest::newRow("one late pair of forty at each end") << 38 << 2 << 0.1 << false;
    QTest::newRow("every fourth call pays") << 18 << 6 << 0.5 << true;
    QTest::newRow("every fourth call pays less than is won") << 18 << 6 << 0.95 << false;
    QTest::newRow("every eighth call pays for all") << 35 << 5 << 0.1 << true;
    QTest::newRow("too few to tell") << 4 << 3 << 0.1 << false;
}

void TestEvalStatistics::seesUnevenGains()
{
    QFETCH(int, fast);
    QFETCH(int, slow);
    QFETCH(double, ratio);
    QFETCH(bool, uneven);
    std::vector<double> logs(std::size_t(fast), std::log(1.1));
    logs.insert(logs.begin() + fast / 2, std::size_t(slow), std::log(ratio));
    QCOMPARE(isUneven(logs), uneven);
}

void TestEvalStatistics::knowsItsNoise_data()
{
    QTest::addColumn<std::vector<double>>("processes"); // what each of them is off by
    QTest::addColumn<double>("spread");
    QTest::addColumn<double>("least");
    QTest::addColumn<double>("most");
    using List = std::vector<double>;
    QTest::newRow("quiet") << List{0, 0, 0, 0} << 0.001 << 0.0 << 0.002;
    QTest::newRow("wide") << List{0, 0, 0, 0} << 0.2 << 0.005 << 0.2;
    QTest::newRow("off as a whole") << List{-0.023, -0.023, -0.023, -0.023} << 0.001 << 0.022 << 0.03;
    QTest::newRow("processes differ") << List{0.04, -0.04, 0.03, -0.05} << 0.001 << 0.018 << 0.06;
    QTest::newRow("one is off") << List{0, 0, 0, 0.06} << 0.001 << 0.012 << 0.02;
}

// A reference that is the solution, on a busy machine, was called slower by 2 % once in four.
void TestEvalStatistics::knowsItsNoise()
{
    QFETCH(std::vector<double>, processes);
    QFETCH(double, spread);
    QFETCH(double, least);
    QFETCH(double, most);
    RandomStream random(11);
    std::vector<double> logs;
    for (const double off : processes) {
        for (int pair = 0; pair < 10; ++pair)
            logs.push_back(off + spread * (double(random.below(1000)) / 1000 - 0.5));
    }
    const double noise = noiseOf(logs, 10);
    QVERIFY2(noise >= least && noise <= most, qPrintable(QString::number(noise)));
}

void TestEvalStatistics::suspects_data()
{
    QTest::addColumn<double>("solutionMs");
    QTest::addColumn<double>("speedup");
    QTest::addColumn<bool>("tooFast");
    QTest::addColumn<bool>("examined");
    QTest::newRow("fine") << 2.0 << 3.0 << false << false;
    QTest::newRow("at the floor") << 0.96 << 3.0 << false << false;
    QTest::newRow("below the floor") << 0.9 << 3.0 << true << false;
    QTest::newRow("one shape collapses to nothing") << 1e-9 << 1e9 << true << true;
    QTest::newRow("ten times") << 2.0 << 10.0 << false << false;
    QTest::newRow("more than ten times") << 2.0 << 10.5 << false << true;
}

void TestEvalStatistics::suspects()
{
    QFETCH(double, solutionMs);
    QFETCH(double, speedup);
    QFETCH(bool, tooFast);
    QFETCH(bool, examined);
    const WorkloadTiming timing = timed("this", solutionMs, speedup, 1);
    const std::string words = belowFloor({timed("usual", 5, 1, 1), timing});
    QCOMPARE(words.find("Workload this took ") == 0, tooFast);
    QCOMPARE(words.empty(), !tooFast);
    QCOMPARE(isBeyondBelief(timing), examined);
    WorkloadTiming overChampion = timing;
    std::swap(overChampion.speedupReference, overChampion.speedupChampion);
    QCOMPARE(isBeyondBelief(overChampion), examined);
}

void TestEvalStatistics::findsHiddenTime_data()
{
    QTest::addColumn<double>("waitedUs"); // more than the other, in every round
    QTest::addColumn<double>("copyUs");
    QTest::addColumn<double>("readyUs");
    QTest::addColumn<double>("once"); // more, in one round of eight
    QTest::addColumn<bool>("hides");
    QTest::newRow("alike") << 0.0 << 0.0 << 0.0 << 0.0 << false;
    QTest::newRow("a slower wake-up") << 8.0 << 0.0 << 0.0 << 0.0 << false;
    QTest::newRow("outputs outside the cache") << 0.0 << 400.0 << 0.0 << 0.0 << false;
    QTest::newRow("inputs at slower places") << 0.0 << 0.0 << 35.0 << 0.0 << false;
    QTest::newRow("a busy machine") << 0.0 << 0.0 << 0.0 << 5000.0 << false;
    QTest::newRow("time before the calls") << 40.0 << 0.0 << 0.0 << 0.0 << true;
    QTest::newRow("time behind the calls") << 0.0 << 900.0 << 0.0 << 0.0 << true;
    QTest::newRow("time with the inputs") << 0.0 << 0.0 << 80.0 << 0.0 << true;
    QTest::newRow("on a busy machine") << 60.0 << 0.0 << 0.0 << 5000.0 << true;
    QTest::newRow("with the inputs, on a busy machine") << 0.0 << 0.0 << 90.0 << 5000.0 << true;
    QTest::newRow("the other's") << -40.0 << -700.0 << -80.0 << 0.0 << false;
}

void TestEvalStatistics::findsHiddenTime()
{
    QFETCH(double, waitedUs);
    QFETCH(double, copyUs);
    QFETCH(double, readyUs);
    QFETCH(double, once);
    QFETCH(bool, hides);
    RandomStream random(5);
    const auto noise = [&] { return 20e3 + double(random.below(10'000)); };
    const auto late = [&] { return random.below(8) == 0 ? once * 1e3 : 0.0; };
    RestTimes one, other, inOneProcess;
    for (int round = 0; round < 40; ++round) {
        const bool isFirst = round < 8;
        const auto add = [&](std::vector<double> RestTimes::*times, double us) {
            (one.*times).push_back(noise() + us * 1e3 + late());
            (other.*times).push_back(noise() + late());
            (inOneProcess.*times).push_back(((isFirst ? other : one).*times).back());
        };
        add(&RestTimes::waitedNs, waitedUs);
        add(&RestTimes::copyNs, copyUs);
        add(&RestTimes::readyNs, readyUs);
    }
    QCOMPARE(hidesTime(one, other, 400e3, 1e6, 8), hides);
    QVERIFY(!hidesTime(inOneProcess, other, 400e3, 1e6, 8)); // one process shows nothing of it
    for (RestTimes *times : {&one, &other}) {
        for (std::vector<double> *list : {&times->waitedNs, &times->copyNs, &times->readyNs})
            list->resize(20);
    }
    QVERIFY(!hidesTime(one, other, 400e3, 1e6, 8)); // too few to tell
}

void TestEvalStatistics::objects_data()
{
    QTest::addColumn<ExaminedWorkload>("workload");
    QTest::addColumn<QString>("words"); // empty: it is believed
    ExaminedWorkload good;
    good.id = "main";
    good.first = {40, 39, 41};
    good.again = {38, 37, 39};
    good.solutionMs = 1.05;
    good.fastestMs = 1;
    good.samples = good.outputsChecked = 20;
    good.wallMs = 22;
    good.cpuMs = 21;
    const auto row = [&](const char *name, const char *words, auto change) {
        ExaminedWorkload workload = good;
        change(workload);
        QTest::newRow(name) << workload << QString::fromLatin1(words);
    };
    row("a better algorithm", "", [](ExaminedWorkload &) {});
    row("64 threads against one", "", [](ExaminedWorkload &w) {
        w.threads = 64;
        w.cpuMs = 22 * 63;
    });
    row("threads that wait", "", [](ExaminedWorkload &w) { w.threads = 64; });
    row("just above the floor", "", [](ExaminedWorkload &w) { w.floorMs = 1.05; });
    row("the same inputs in every call", "it may have kept its answer",
        [](ExaminedWorkload &w) { w.sameInputs = true; });
    row("faster again", "", [](ExaminedWorkload &w) { w.again = {90, 80, 99}; });
    row("not again", "it was 40 times as fast as the reference and then only 3 times",
        [](ExaminedWorkload &w) { w.again = {3, 2, 4}; });
    row("perhaps not again", "only 6 times for certain", [](ExaminedWorkload &w) { w.again = {30, 6, 60}; });
    row("again, on a busy machine", "", [](ExaminedWorkload &w) { w.again = {36, 12, 60}; });
    row("faster than the floor once", "it took 0.8 ms", [](ExaminedWorkload &w) {
        w.floorMs = 0.9;
        w.fastestMs = 0.8;
    });
    row("below the floor", "less than the 1.2 ms", [](ExaminedWorkload &w) { w.floorMs = 1.2; });
    row("more CPU time than there was", "used 60 ms of CPU time while the calls took 22 ms on 1 threads",
        [](ExaminedWorkload &w) { w.cpuMs = 60; });
    row("more than all threads", "of CPU time", [](ExaminedWorkload &w) {
        w.threads = 4;
        w.cpuMs = 150;
    });
    row("a thread in the breaks", "while others were measured", [](ExaminedWorkload &w) { w.extraThread = true; });
    row("hardly looked at", "only 3 timed outputs", [](ExaminedWorkload &w) { w.outputsChecked = 3; });
}

void TestEvalStatistics::objects()
{
    QFETCH(ExaminedWorkload, workload);
    QFETCH(QString, words);
    const QString objection = QString::fromStdString(objectionTo(workload));
    QCOMPARE(objection.isEmpty(), words.isEmpty());
    QVERIFY2(objection.contains(words), qPrintable(objection));
}

QTEST_APPLESS_MAIN(TestEvalStatistics)
#include "tst_eval_statistics.moc"
