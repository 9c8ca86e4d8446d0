// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/resultjson.h"
#include "bench/resultparser.h"

#include <QTest>

#include <nlohmann/json.hpp>

using namespace ako;

namespace {

constexpr char verdictReport[] = R"({"schema": "ako.result/1", "mode": "verdict", "status": "OK", "exit": 0,
 "state": "confirmed", "message": "", "compiled": true, "duration_s": 2.5, "flags": ["NONDETERMINISTIC"],
 "problem_sha256": "aa", "solution_sha256": "bb", "evaluator_sha256": "cc",
 "env": {"device": "cpu", "flags": ["-O3", "-march=native"]},
 "correct": {"pass": true, "seeds": 5},
 "timing": {"workloads": [
   {"id": "main", "weight": 3, "sol": {"median": 1, "mean": 1.1, "min": 0.9, "max": 2, "n": 80},
    "ref": {"median": 2, "mean": 2.2, "min": 1.8, "max": 4}, "best": {"median": 1.5, "mean": 1.5, "min": 1, "max": 2},
    "speedup_ref": {"est": 2, "lo": 1.9, "hi": 2.1}, "speedup_best": {"est": 1.5, "lo": 1.4, "hi": 1.6},
    "floor_ms": 0.25, "practical_ms": 0.5},
   {"id": "odd", "sol_ms": 0.5}],
  "total": {"sol": {"median": 1, "mean": 1.1, "min": 0.9, "max": 2}, "ref": {"median": 2, "mean": 2.2, "min": 1, "max": 4},
   "speedup_ref": {"est": 2, "lo": 1.9, "hi": 2.1}, "speedup_best": {"est": 1.5, "lo": 1.4, "hi": 1.6},
   "worst": {"id": "odd", "est": 0.98}}},
 "decision": {"against": "champion", "vs_best": "IMPROVED", "est": 1.5, "margin": 0.006}})";

// The example of the format's first description: medians only, no totals.
constexpr char shortReport[] = R"({"schema": "ako.result/1", "mode": "signal", "status": "OK", "exit": 0,
 "correct": {"pass": true}, "timing": {"workloads": [{"id": "main", "sol_ms": 0.0912345, "ref_ms": 0.2531,
 "speedup_ref": {"est": 2.774, "lo": 2.761, "hi": 2.787}, "speedup_best": {"est": 1.045, "lo": 1.041, "hi": 1.049}}]},
 "decision": {"vs_best": "SAME", "margin": 0.006}})";

} // namespace

class TestResultParser : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsAReport();
    void readsAShortReport();
    void survivesAnything_data();
    void survivesAnything();
    void survivesEveryCutAndMistypedValue();
    void readsLines_data();
    void readsLines();
    void readsStatisticsAndIntervals();
    void theLastLineCounts();
    void readsUserJson_data();
    void readsUserJson();
    void readsByPattern_data();
    void readsByPattern();
    void unitsOfAMetric_data();
    void unitsOfAMetric();
    void exitCodeGoesOverWords_data();
    void exitCodeGoesOverWords();
    void roundTrip();
    void toleratesUnknownAndMissingKeys();
    void nothingBlocksWhatIsNotCompared_data();
    void nothingBlocksWhatIsNotCompared();
};

void TestResultParser::readsAReport()
{
    const BenchResult result = resultFromReport(verdictReport);
    QCOMPARE(result.mode, BenchMode::Verdict);
    QCOMPARE(result.state, ResultState::Confirmed);
    QVERIFY(result.compiled && result.correct);
    QCOMPARE(result.exitCode, 0);
    QCOMPARE(*result.solution, (Timing{1, 1.1, 0.9, 2}));
    QCOMPARE(*result.reference, (Timing{2, 2.2, 1, 4}));
    QCOMPARE(*result.speedupOverReference, (Interval{2, 1.9, 2.1}));
    QCOMPARE(*result.speedupOverChampion, (Interval{1.5, 1.4, 1.6}));
    QCOMPARE(result.comparison, Comparison::Improved);
    QCOMPARE(result.margin, 0.006);
    QCOMPARE(result.worstWorkload, QStringLiteral("odd"));
    QCOMPARE(result.compilerFlags, QStringList({QStringLiteral("-O3"), QStringLiteral("-march=native")}));
    QCOMPARE(result.flags, QStringList(QStringLiteral("NONDETERMINISTIC")));
    QCOMPARE(result.problemHash, QStringLiteral("aa"));
    QCOMPARE(result.solutionHash, QStringLiteral("bb"));
    QCOMPARE(result.evaluatorHash, QStringLiteral("cc"));
    QCOMPARE(result.workloads.size(), 2);
    QCOMPARE(result.workloads.at(0).weight, 3.0);
    QCOMPARE(*result.workloads.at(0).champion, (Timing{1.5, 1.5, 1, 2}));
    QCOMPARE(*result.workloads.at(0).floorMs, 0.25);
    QCOMPARE(*result.workloads.at(0).practicalMs, 0.5);
    QCOMPARE(*result.workloads.at(1).solution, (Timing{0.5, 0.5, 0.5, 0.5}));
    QVERIFY(!result.workloads.at(1).reference);
}

void TestResultParser::readsAShortReport()
{
    const BenchResult result = resultFromReport(shortReport);
    QVERIFY(result.compiled && result.correct);
    QCOMPARE(result.solution->median, 0.0912345);
    QCOMPARE(result.reference->median, 0.2531);
    QCOMPARE(*result.speedupOverChampion, (Interval{1.045, 1.041, 1.049}));
    QCOMPARE(result.comparison, Comparison::Same);
    QCOMPARE(result.state, ResultState::Provisional);
}

void TestResultParser::survivesAnything_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("no JSON") << QByteArray("Segmentation fault");
    QTest::newRow("zero bytes") << QByteArray(100, '\0');
    QTest::newRow("not UTF-8") << QByteArray("\xff\xfe{\"a\"");
    QTest::newRow("an array") << QByteArray("[1,2]");
    QTest::newRow("another schema") << QByteArray(R"({"schema": "x", "correct": {"pass": true}})");
    QTest::newRow("only the schema") << QByteArray(R"({"schema": "ako.result/1"})");
    QTest::newRow("wrong types") << QByteArray(
        R"({"schema":"ako.result/1","exit":"0","correct":[true],"timing":{"workloads":{"a":1},"total":7},"flags":"x"})");
    QTest::newRow("null and huge") << QByteArray(
        R"({"schema":"ako.result/1","exit":1e300,"timing":{"total":{"sol":{"median":null},"ref":{"median":1e999}}}})");
    QTest::newRow("deep") << QByteArray(100'000, '[');
}

void TestResultParser::survivesAnything()
{
    QFETCH(const QByteArray, bytes);
    QVERIFY(!resultFromReport(bytes).correct);
    for (const BenchResult &result :
         {resultFromLines(QString::fromUtf8(bytes)), resultFromPattern(QString::fromUtf8(bytes), {})}) {
        QVERIFY(!result.correct);
        QVERIFY(!result.message.isEmpty());
    }
    BenchEvidence evidence;
    evidence.resultJson = bytes;
    evidence.output = QString::fromUtf8(bytes);
    evidence.exitCode = 0;
    QVERIFY(!readBenchResult(evidence).correct);
}

void TestResultParser::survivesEveryCutAndMistypedValue()
{
    const QByteArray whole = verdictReport;
    for (qsizetype size = 0; size < whole.size(); size += 3)
        QVERIFY(!resultFromReport(whole.left(size)).correct);
    for (const char *replacement : {"null", "\"x\"", "[]", "{}", "-1e308", "true"}) {
        nlohmann::json report = nlohmann::json::parse(verdictReport);
        for (auto &item : report) {
            const nlohmann::json kept = item;
            item = nlohmann::json::parse(replacement);
            resultFromReport(QByteArray::fromStdString(report.dump())); // must not throw
            item = kept;
        }
    }
}

void TestResultParser::readsLines_data()
{
    QTest::addColumn<QString>("output");
    QTest::addColumn<bool>("compiled");
    QTest::addColumn<bool>("correct");
    QTest::addColumn<double>("runtime");   // 0: absent
    QTest::addColumn<double>("reference"); // 0: absent
    QTest::addColumn<double>("speedup");   // 0: absent
    QTest::newRow("all") << QStringLiteral("COMPILED: True\nCORRECT: True\nRUNTIME: 0.0235 ms\nREF_RUNTIME: 0.047\n"
                                           "SPEEDUP: 2.00x\nBACKEND: cuda\n")
                         << true << true << 0.0235 << 0.047 << 2.0;
    QTest::newRow("of another system") << QStringLiteral("COMPILED: True\r\nCORRECT: True\r\nRUNTIME: 1\r\n") << true
                                       << true << 1.0 << 0.0 << 0.0;
    QTest::newRow("no reference") << QStringLiteral("CORRECT: True\nRUNTIME: 1e-3\nREF_RUNTIME: -1\nSPEEDUP: N/A\n")
                                  << true << true << 0.001 << 0.0 << 0.0;
    QTest::newRow("wrong") << QStringLiteral("COMPILED: True\nCORRECT: False\nRUNTIME: -1\n") << true << false << 0.0
                           << 0.0 << 0.0;
    QTest::newRow("not compiled") << QStringLiteral("COMPILED: False\nCORRECT: False\n") << false << false << 0.0 << 0.0
                                  << 0.0;
    QTest::newRow("not compiled, says correct")
        << QStringLiteral("COMPILED: False\nCORRECT: True\n") << false << false << 0.0 << 0.0 << 0.0;
    QTest::newRow("a time only") << QStringLiteral("noise\nRUNTIME: 3 ms (mean)\n") << true << true << 3.0 << 0.0
                                 << 0.0;
    QTest::newRow("quoted by somebody") << QStringLiteral("  CORRECT: True\n| RUNTIME: 3\n") << false << false << 0.0
                                        << 0.0 << 0.0;
    QTest::newRow("infinite") << QStringLiteral("CORRECT: True\nRUNTIME: inf\nSPEEDUP: nan\n") << true << true << 0.0
                              << 0.0 << 0.0;
}

void TestResultParser::readsLines()
{
    QFETCH(const QString, output);
    QFETCH(const double, runtime);
    QFETCH(const double, reference);
    QFETCH(const double, speedup);
    const BenchResult result = resultFromLines(output);
    QTEST(result.compiled, "compiled");
    QTEST(result.correct, "correct");
    QCOMPARE(result.solution ? result.solution->mean : 0.0, runtime);
    QCOMPARE(result.reference ? result.reference->mean : 0.0, reference);
    QCOMPARE(result.speedupOverReference ? result.speedupOverReference->estimate : 0.0, speedup);
    QCOMPARE(result.message.isEmpty(), result.correct);
    QVERIFY(result.state == ResultState::Provisional); // lines never confirm anything
}

void TestResultParser::readsStatisticsAndIntervals()
{
    const BenchResult result = resultFromLines(
        QStringLiteral("COMPILED: True\nCORRECT: True\nRUNTIME: 2\nRUNTIME_STATS: mean 2.5 min 1.5 max 4\n"
                       "SPEEDUP: 2x\nSPEEDUP_CI: 2.1x [2, 2.2]\nVS_BEST: IMPROVED 1.05x [1.04, 1.06]\n"
                       "OCCUPANCY: 0.5\nWORST_SHAPE: odd 0.98x\nFLAGS: A B\nSTATUS: OK\n"));
    QCOMPARE(*result.solution, (Timing{2, 2.5, 1.5, 4}));
    QCOMPARE(*result.speedupOverReference, (Interval{2.1, 2, 2.2}));
    QCOMPARE(*result.speedupOverChampion, (Interval{1.05, 1.04, 1.06}));
    QCOMPARE(result.comparison, Comparison::Improved);
    QCOMPARE(result.worstWorkload, QStringLiteral("odd"));
    QCOMPARE(result.flags, QStringList({QStringLiteral("A"), QStringLiteral("B")}));
    QCOMPARE(result.extraColumns.value(QStringLiteral("OCCUPANCY")), QStringLiteral("0.5"));
}

void TestResultParser::theLastLineCounts()
{
    const BenchResult result =
        resultFromLines(QStringLiteral("CORRECT: True\nRUNTIME: 0.001\nCORRECT: False\nRUNTIME: 5\n"));
    QVERIFY(!result.correct);
    QCOMPARE(result.solution->mean, 5.0);
}

void TestResultParser::readsUserJson_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("runtimeKey");
    QTest::addColumn<bool>("understood");
    QTest::addColumn<bool>("correct");
    QTest::addColumn<double>("runtime");
    QTest::newRow("usual names") << QByteArray(R"({"runtime_ms": 1.5, "correct": true, "gbps": 800})") << QString()
                                 << true << true << 1.5;
    QTest::newRow("a line of the output")
        << QByteArray("log\n{\"mean\": 2, \"passed\": false}\n{oops\n") << QString() << true << false << 2.0;
    QTest::newRow("nested") << QByteArray(R"({"perf": {"time": {"p50": 3}}})") << QStringLiteral("perf.time.p50")
                            << true << true << 3.0;
    QTest::newRow("key is not there") << QByteArray(R"({"runtime": 3})") << QStringLiteral("a.b") << false << false
                                      << 0.0;
    QTest::newRow("nothing known") << QByteArray(R"({"a": 1})") << QString() << false << false << 0.0;
    QTest::newRow("negative time") << QByteArray(R"({"runtime": -3})") << QString() << false << false << 0.0;
}

void TestResultParser::readsUserJson()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const QString, runtimeKey);
    QFETCH(const bool, understood);
    QFETCH(const double, runtime);
    CustomReading reading;
    reading.runtimeKey = runtimeKey;
    const BenchResult result = resultFromUserJson(bytes, reading);
    QCOMPARE(result.status != QStringLiteral("NO_RESULT"), understood);
    QTEST(result.correct, "correct");
    QCOMPARE(result.solution ? result.solution->mean : 0.0, runtime);
    if (bytes.contains("gbps"))
        QCOMPARE(result.extraColumns.value(QStringLiteral("gbps")), QStringLiteral("800"));
}

void TestResultParser::readsByPattern_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<bool>("correct");
    QTest::addColumn<double>("runtime");
    QTest::newRow("runtime") << QStringLiteral("time=(?<runtime>[\\d.]+)") << true << 4.5;
    QTest::newRow("correct") << QStringLiteral("result (?<correct>\\w+)") << true << 0.0;
    QTest::newRow("matches nothing") << QStringLiteral("nothing (?<runtime>\\d+)") << false << 0.0;
    QTest::newRow("not a pattern") << QStringLiteral("time=(?<runtime>") << false << 0.0;
    QTest::newRow("first group") << QStringLiteral("time=([\\d.]+)") << true << 4.5;
    QTest::newRow("not above zero") << QStringLiteral("re(sul)t ok") << false << 0.0;
    QTest::newRow("no group") << QStringLiteral("time") << false << 0.0;
}

void TestResultParser::readsByPattern()
{
    QFETCH(const QString, pattern);
    QFETCH(const double, runtime);
    CustomReading reading;
    reading.pattern = pattern;
    const BenchResult result = resultFromPattern(QStringLiteral("time=9\ntime=4.5\nresult ok\n"), reading);
    QTEST(result.correct, "correct");
    QCOMPARE(result.solution ? result.solution->mean : 0.0, runtime);
}

void TestResultParser::unitsOfAMetric_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("unit");
    QTest::addColumn<double>("milliseconds"); // 0: refused
    QTest::addColumn<QString>("says");
    const QString number = QStringLiteral("metric ([\\d.]+)");
    QTest::newRow("none") << number << QString() << 250.0 << QString();
    QTest::newRow("ms") << number << QStringLiteral("ms") << 250.0 << QString();
    QTest::newRow("us") << number << QStringLiteral("us") << 0.25 << QString();
    QTest::newRow("ns") << number << QStringLiteral("ns") << 2.5e-4 << QString();
    QTest::newRow("s") << number << QStringLiteral("s") << 2.5e5 << QString();
    QTest::newRow("rate") << number << QStringLiteral("rate") << 4.0 << QString();
    QTest::newRow("another unit") << number << QStringLiteral("GFLOP/s") << 0.0
                                  << QStringLiteral("no unit of the metric");
    QTest::newRow("no pattern") << QStringLiteral("metric ([") << QString() << 0.0
                                << QStringLiteral("no regular expression");
    QTest::newRow("no group") << QStringLiteral("metric") << QString() << 0.0 << QStringLiteral("has no group");
}

void TestResultParser::unitsOfAMetric()
{
    QFETCH(const QString, pattern);
    QFETCH(const QString, unit);
    QFETCH(const double, milliseconds);
    QFETCH(const QString, says);
    const auto reading = readingFrom(pattern, unit);
    QCOMPARE(reading.has_value(), milliseconds > 0);
    if (!reading) {
        QVERIFY2(reading.error().text().contains(says), qPrintable(reading.error().text()));
        return;
    }
    BenchEvidence evidence{{}, QStringLiteral("RUNTIME: 7\nmetric 250 of them\n"), 0, BenchMode::Custom, *reading};
    QCOMPARE(readBenchResult(evidence).solution->median, milliseconds);
    evidence.output += QStringLiteral("CORRECT: False\n");
    QVERIFY(!readBenchResult(evidence).correct); // whatever its number is
}

void TestResultParser::exitCodeGoesOverWords_data()
{
    QTest::addColumn<QByteArray>("report");
    QTest::addColumn<QString>("output");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<bool>("correct");
    QTest::newRow("report, 0") << QByteArray(verdictReport) << QString() << 0 << true;
    QTest::newRow("report, 1") << QByteArray(verdictReport) << QString() << 1 << false;
    QTest::newRow("report, killed") << QByteArray(verdictReport) << QString() << -9 << false;
    QTest::newRow("lines, 0") << QByteArray() << QStringLiteral("CORRECT: True\n") << 0 << true;
    QTest::newRow("lines, 1") << QByteArray() << QStringLiteral("CORRECT: True\n") << 1 << false;
    QTest::newRow("nothing, 0") << QByteArray() << QString() << 0 << false;
}

void TestResultParser::exitCodeGoesOverWords()
{
    QFETCH(const QByteArray, report);
    QFETCH(const QString, output);
    QFETCH(const int, exitCode);
    BenchEvidence evidence;
    evidence.resultJson = report;
    evidence.output = output;
    evidence.exitCode = exitCode;
    const BenchResult result = readBenchResult(evidence);
    QTEST(result.correct, "correct");
    QCOMPARE(result.exitCode, exitCode);
    QVERIFY(result.correct || result.state != ResultState::Confirmed);
    QVERIFY(result.correct || !result.message.isEmpty());
}

void TestResultParser::roundTrip()
{
    BenchResult result = resultFromReport(verdictReport);
    result.speedupOverBaseline = Interval{3, 2, 4};
    result.extraColumns.insert(QStringLiteral("ü"), QStringLiteral("日"));
    result.message = QStringLiteral("what \"went\" wrong");
    QCOMPARE(benchResultFromJson(toJson(result)), result);
    QCOMPARE(benchResultFromJson(toJson(BenchResult())), BenchResult());
}

void TestResultParser::toleratesUnknownAndMissingKeys()
{
    nlohmann::json object = toJson(resultFromReport(verdictReport));
    object["from a later version"] = {1, 2, 3};
    object.erase("margin");
    object["state"] = "a later state";
    const BenchResult result = benchResultFromJson(object);
    QCOMPARE(result.margin, 0.0);
    QCOMPARE(result.state, ResultState::Provisional);
    QCOMPARE(result.solution->mean, 1.1);
    QCOMPARE(benchResultFromJson(nlohmann::json()), BenchResult());
    QCOMPARE(benchResultFromJson(nlohmann::json::array()), BenchResult());
}

// A baseline has no champion: that it is slower than the reference in a shape keeps it from nothing.
void TestResultParser::nothingBlocksWhatIsNotCompared_data()
{
    QTest::addColumn<QByteArray>("against");
    QTest::addColumn<bool>("blocks");
    QTest::newRow("champion") << QByteArray("champion") << true;
    QTest::newRow("reference") << QByteArray("reference") << false;
    QTest::newRow("nothing") << QByteArray("none") << false;
}

void TestResultParser::nothingBlocksWhatIsNotCompared()
{
    QFETCH(QByteArray, against);
    QFETCH(bool, blocks);
    const BenchResult result = resultFromReport(
        R"({"schema": "ako.result/1", "status": "OK", "exit": 0, "flags": ["SHAPE_REGRESSED", "OTHER"],
            "decision": {"blocked_by": "main", "vs_best": "SAME", "against": ")" +
        against + "\"}}");
    QCOMPARE(result.extraColumns.contains(QStringLiteral("blocked by")), blocks);
    QCOMPARE(result.flags.contains(QStringLiteral("SHAPE_REGRESSED")), blocks);
    QVERIFY(result.flags.contains(QStringLiteral("OTHER")));
}

QTEST_GUILESS_MAIN(TestResultParser)
#include "tst_resultparser.moc"
