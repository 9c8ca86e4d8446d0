// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/compare.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <limits>

using namespace ako::eval;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t rows = 20, columns = 50;

GoldenOutput golden(bool hasGolden = true)
{
    GoldenOutput output{"y", DType::Float32, {rows, columns}, {}, {}, hasGolden, 0, 0};
    for (std::size_t i = 0; i < rows * columns; ++i)
        output.values.push_back(static_cast<double>(static_cast<float>(std::sin(double(i)) * 2 + 0.001)));
    return output;
}

std::vector<float> answerTo(const GoldenOutput &output)
{
    return {output.values.begin(), output.values.end()};
}

using Change = std::function<void(std::vector<float> &)>;

} // namespace
Q_DECLARE_METATYPE(Change)

class TestEvalCompare : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void judges_data();
    void judges();
    void findsFirstBadAndWorstRow();
    void matchesClasses_data();
    void matchesClasses();
    void knowsTheRangeOfTheOutput();
    void budgetsTheError_data();
    void budgetsTheError();
    void needsEveryRow();
    void comparesIntegersExactly();
    void ratesTheReference();
};

void TestEvalCompare::judges_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<bool>("pass");
    const auto row = [](const char *name, bool pass, const Change &change) { QTest::newRow(name) << change << pass; };
    row("equal", true, [](std::vector<float> &) {});
    row("last bit", true, [](std::vector<float> &y) { y[7] = std::nextafter(y[7], 9.0f); });
    row("one element", false, [](std::vector<float> &y) { y[7] += 0.01f; });
    row("all twice", false, [](std::vector<float> &y) {
        for (float &value : y)
            value *= 2;
    });
    row("zeros", false, [](std::vector<float> &y) { std::fill(y.begin(), y.end(), 0.0f); });
    row("NaN everywhere", false, [](std::vector<float> &y) { std::fill(y.begin(), y.end(), float(notANumber)); });
    row("one NaN", false, [](std::vector<float> &y) { y[999] = float(notANumber); });
    row("one infinity", false, [](std::vector<float> &y) { y[0] = float(infinity); });
    row("last row missing", false, [](std::vector<float> &y) { std::fill(y.end() - columns, y.end(), 0.0f); });
    row("shifted", false, [](std::vector<float> &y) { std::rotate(y.begin(), y.begin() + 1, y.end()); });
}

void TestEvalCompare::judges()
{
    QFETCH(Change, change);
    QFETCH(bool, pass);
    const GoldenOutput expected = golden();
    std::vector<float> got = answerTo(expected);
    change(got);
    QCOMPARE(compareOutput(expected, got.data(), {}).pass, pass);
}

void TestEvalCompare::findsFirstBadAndWorstRow()
{
    const GoldenOutput expected = golden();
    std::vector<float> got = answerTo(expected);
    got[3 * columns + 17] += 1;
    for (std::size_t i = 0; i < 12; ++i)
        got[9 * columns + i] += 1;
    const Comparison comparison = compareOutput(expected, got.data(), {});
    QVERIFY(!comparison.pass);
    QCOMPARE(comparison.firstBad->index, (std::vector<std::int64_t>{3, 17}));
    QCOMPARE(comparison.firstBad->output, std::string("y"));
    QCOMPARE(comparison.worstRow->row, std::int64_t(9));
    QCOMPARE(comparison.worstRow->bad, std::int64_t(12));
    QVERIFY(std::abs(comparison.matchedRatio - (1 - 13.0 / (rows * columns))) < 1e-12);
    QVERIFY(std::abs(comparison.maxAbs - 1) < 1e-6);
}

void TestEvalCompare::matchesClasses_data()
{
    QTest::addColumn<double>("expected");
    QTest::addColumn<double>("got");
    QTest::addColumn<bool>("pass");
    QTest::newRow("NaN for NaN") << notANumber << notANumber << true;
    QTest::newRow("number for NaN") << notANumber << 1.0 << false;
    QTest::newRow("infinity for NaN") << notANumber << infinity << false;
    QTest::newRow("infinity for infinity") << infinity << infinity << true;
    QTest::newRow("other sign") << infinity << -infinity << false;
    QTest::newRow("number for infinity") << infinity << 1e38 << false;
    QTest::newRow("NaN for infinity") << infinity << notANumber << false;
    QTest::newRow("NaN for a number") << 1.0 << notANumber << false;
}

void TestEvalCompare::matchesClasses()
{
    QFETCH(double, expected);
    QFETCH(double, got);
    QFETCH(bool, pass);
    GoldenOutput output = golden();
    std::vector<float> answer = answerTo(output);
    output.values[5] = expected;
    answer[5] = float(got);
    QCOMPARE(compareOutput(output, answer.data(), {}).pass, pass);
    QCOMPARE(allFinite(output), std::isfinite(expected));
}

void TestEvalCompare::knowsTheRangeOfTheOutput()
{
    GoldenOutput output = golden();
    std::vector<float> answer = answerTo(output);
    output.values[5] = 1e39; // no float
    answer[5] = float(infinity);
    QVERIFY(compareOutput(output, answer.data(), {}).pass);
    answer[5] = std::numeric_limits<float>::max();
    QVERIFY(!compareOutput(output, answer.data(), {}).pass);
}

void TestEvalCompare::budgetsTheError_data()
{
    QTest::addColumn<double>("error"); // of every element, relative to the rms
    QTest::addColumn<double>("referenceRms");
    QTest::addColumn<bool>("hasGolden");
    QTest::addColumn<bool>("pass");
    QTest::newRow("like the reference") << 1e-6 << 1e-6 << true << true;
    QTest::newRow("three times the reference's") << 3e-6 << 1e-6 << true << true;
    QTest::newRow("ten times the reference's") << 1e-5 << 1e-6 << true << false;
    QTest::newRow("an exact reference allows a few roundings") << 1e-7 << 0.0 << true << true;
    QTest::newRow("but not a shorter type") << 1e-3 << 0.0 << true << false;
    QTest::newRow("no golden, no budget") << 1e-3 << 0.0 << false << true;
}

void TestEvalCompare::budgetsTheError()
{
    QFETCH(double, error);
    QFETCH(double, referenceRms);
    QFETCH(bool, hasGolden);
    QFETCH(bool, pass);
    GoldenOutput output = golden(hasGolden);
    output.referenceRms = referenceRms;
    std::vector<float> answer = answerTo(output);
    for (std::size_t i = 0; i < answer.size(); ++i)
        answer[i] += float(i % 2 == 0 ? error : -error);
    Tolerance loose;
    loose.rtol = loose.atol = 0.01;
    const Comparison comparison = compareOutput(output, answer.data(), loose);
    QCOMPARE(comparison.pass, pass);
    QCOMPARE(comparison.precisionLost, !pass);
}

void TestEvalCompare::needsEveryRow()
{
    const GoldenOutput expected = golden();
    Tolerance most;
    most.matchedRatio = 0.9;
    std::vector<float> scattered = answerTo(expected), row = scattered;
    for (std::size_t i = 0; i < rows; ++i)
        scattered[i * columns] = 0;
    QVERIFY(compareOutput(expected, scattered.data(), most).matchedRatio > 0.9);
    std::fill(row.begin(), row.begin() + columns, 0.0f);
    const Comparison comparison = compareOutput(expected, row.data(), most);
    QVERIFY(comparison.matchedRatio > 0.9);
    QVERIFY(!comparison.pass); // one row fully wrong
}

void TestEvalCompare::comparesIntegersExactly()
{
    GoldenOutput output{"labels", DType::Int64, {3}, {}, {}, true, 0, 0};
    std::vector<std::int64_t> values{1, (std::int64_t(1) << 60) + 1, -3};
    output.exact.assign(reinterpret_cast<unsigned char *>(values.data()),
                        reinterpret_cast<unsigned char *>(values.data() + 3));
    QVERIFY(compareOutput(output, values.data(), {}).pass);
    values[1] -= 1; // a double could not tell
    QVERIFY(!compareOutput(output, values.data(), {}).pass);
}

void TestEvalCompare::ratesTheReference()
{
    GoldenOutput output = golden();
    std::vector<float> reference = answerTo(output);
    for (std::size_t i = 0; i < reference.size(); ++i)
        reference[i] += i % 2 == 0 ? 2e-6f : -2e-6f;
    QVERIFY(rateReference(output, reference.data(), {}).pass);
    QVERIFY(std::abs(output.referenceRms - 2e-6) < 1e-6);
    reference[0] += 5;
    Tolerance fixed;
    fixed.rtol = fixed.atol = 1e-5;
    QVERIFY(!rateReference(output, reference.data(), fixed).pass);
}

QTEST_APPLESS_MAIN(TestEvalCompare)
#include "tst_eval_compare.moc"
