// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/correctness.h"
#include "eval/flags.h"
#include "eval/guardedbuffer.h"
#include "eval/hash.h"
#include "eval/inputs.h"

#include <QTest>

#include <cmath>
#include <cstring>
#include <functional>

using namespace ako::eval;

namespace {

constexpr std::size_t count = 20000;

std::vector<unsigned char> filled(DType dtype, const InputRule &rule, InputKey key,
                                  std::optional<std::uint64_t> nudge = {})
{
    std::vector<unsigned char> data(count * sizeOf(dtype));
    fillInput({dtype, count, 100, rule, key, nudge}, data.data());
    return data;
}

std::vector<double> numbers(DType dtype, const InputRule &rule, InputKey key = 1)
{
    const std::vector<unsigned char> data = filled(dtype, rule, key);
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = elementAsDouble(dtype, data.data(), i);
    return values;
}

InputRule rule(Distribution distribution)
{
    InputRule result;
    result.distribution = distribution;
    return result;
}

double meanOf(const std::vector<double> &values)
{
    double sum = 0;
    for (const double value : values)
        sum += value;
    return sum / double(values.size());
}

double deviationOf(const std::vector<double> &values)
{
    const double mean = meanOf(values);
    double sum = 0;
    for (const double value : values)
        sum += (value - mean) * (value - mean);
    return std::sqrt(sum / double(values.size()));
}

} // namespace

class TestEvalInputs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hashesAsTheStandardSays_data();
    void hashesAsTheStandardSays();
    void quickHashSeesEveryByte();
    void isReproducible_data();
    void isReproducible();
    void drawsNormals_data();
    void drawsNormals();
    void keepsRanges_data();
    void keepsRanges();
    void makesOneHotRows();
    void makesDenormals();
    void leavesOutDenormalsWhereTheyAreFlushed_data();
    void leavesOutDenormalsWhereTheyAreFlushed();
    void nudgesOneElement_data();
    void nudgesOneElement();
    void derivesSecretKeys();
    void guardsNotice_data();
    void guardsNotice();
};

void TestEvalInputs::hashesAsTheStandardSays_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("digest"); // FIPS 180-4 examples
    QTest::newRow("empty") << QByteArray()
                           << QByteArray("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    QTest::newRow("abc") << QByteArray("abc")
                         << QByteArray("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    QTest::newRow("two blocks") << QByteArray("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                                << QByteArray("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    QTest::newRow("a million") << QByteArray(1000000, 'a')
                               << QByteArray("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

void TestEvalInputs::hashesAsTheStandardSays()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, digest);
    QCOMPARE(QByteArray::fromStdString(sha256Hex({text.constData(), std::size_t(text.size())})), digest);
}

void TestEvalInputs::quickHashSeesEveryByte()
{
    std::vector<unsigned char> data(101, 7);
    const std::uint64_t before = quickHash(data.data(), data.size(), 3);
    for (unsigned char &byte : data) {
        byte ^= 1;
        QVERIFY(quickHash(data.data(), data.size(), 3) != before);
        byte ^= 1;
    }
    QCOMPARE(quickHash(data.data(), data.size(), 3), before);
    QVERIFY(quickHash(data.data(), data.size(), 4) != before);
}

void TestEvalInputs::isReproducible_data()
{
    QTest::addColumn<int>("dtype");
    QTest::addColumn<int>("distribution");
    for (const DType dtype : {DType::Float64, DType::Float32, DType::Int64, DType::Int32, DType::Int16, DType::Int8,
                              DType::UInt8, DType::Bool}) {
        for (const Distribution distribution :
             {Distribution::Normal, Distribution::Uniform, Distribution::Sparse, Distribution::Sorted}) {
            QTest::addRow("%s %s", std::string(dtypeName(dtype)).c_str(),
                          std::string(distributionName(distribution)).c_str())
                << int(dtype) << int(distribution);
        }
    }
}

void TestEvalInputs::isReproducible()
{
    QFETCH(int, dtype);
    QFETCH(int, distribution);
    const InputRule what = rule(Distribution(distribution));
    const auto first = filled(DType(dtype), what, 5);
    QCOMPARE(filled(DType(dtype), what, 5), first);
    if (DType(dtype) != DType::Bool || Distribution(distribution) != Distribution::Sorted)
        QVERIFY(filled(DType(dtype), what, 6) != first);
}

void TestEvalInputs::drawsNormals_data()
{
    QTest::addColumn<int>("distribution");
    QTest::addColumn<double>("deviation");
    QTest::newRow("normal") << int(Distribution::Normal) << 2.0;
    QTest::newRow("tiny") << int(Distribution::Tiny) << 2e-4;
    QTest::newRow("large") << int(Distribution::Large) << 2e3;
}

void TestEvalInputs::drawsNormals()
{
    QFETCH(int, distribution);
    QFETCH(double, deviation);
    InputRule what = rule(Distribution(distribution));
    what.std = 2;
    for (const DType dtype : {DType::Float32, DType::Float64}) {
        const std::vector<double> values = numbers(dtype, what);
        QVERIFY(std::abs(meanOf(values)) < 0.03 * deviation);
        QVERIFY2(std::abs(deviationOf(values) - deviation) < 0.02 * deviation,
                 qPrintable(QString::number(deviationOf(values))));
        const auto inside =
            std::count_if(values.begin(), values.end(), [&](double value) { return std::abs(value) < deviation; });
        QVERIFY(std::abs(double(inside) / double(count) - 0.6827) < 0.015);
        QVERIFY(*std::max_element(values.begin(), values.end()) > 3 * deviation); // tails are there
    }
}

void TestEvalInputs::keepsRanges_data()
{
    QTest::addColumn<int>("dtype");
    QTest::addColumn<int>("distribution");
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<bool>("given"); // low and high stand in the rule
    const auto row = [](const char *name, DType dtype, Distribution distribution, double low, double high, bool given) {
        QTest::newRow(name) << int(dtype) << int(distribution) << low << high << given;
    };
    row("uniform", DType::Float32, Distribution::Uniform, 0, 1, false);
    row("uniform in a range", DType::Float64, Distribution::Uniform, -80, 80, true);
    row("signed uniform", DType::Float32, Distribution::SignedUniform, -1, 1, false);
    row("sorted", DType::Float32, Distribution::Sorted, -1, 1, false);
    row("int32", DType::Int32, Distribution::Uniform, -1024, 1024, false);
    row("int64 labels", DType::Int64, Distribution::Uniform, 0, 9, true);
    row("int8", DType::Int8, Distribution::Uniform, -128, 127, false);
    row("uint8", DType::UInt8, Distribution::Uniform, 0, 255, false);
    row("bool", DType::Bool, Distribution::Uniform, 0, 1, false);
    row("sorted integers", DType::Int32, Distribution::Sorted, -5, 500, true);
}

void TestEvalInputs::keepsRanges()
{
    QFETCH(int, dtype);
    QFETCH(int, distribution);
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(bool, given);
    InputRule what = rule(Distribution(distribution));
    if (given) {
        what.low = low;
        what.high = high;
    }
    const std::vector<double> values = numbers(DType(dtype), what);
    const auto [smallest, largest] = std::minmax_element(values.begin(), values.end());
    QVERIFY(*smallest >= low && *largest <= high);
    QVERIFY(*smallest <= low + 0.05 * (high - low) && *largest >= high - 0.05 * (high - low));
    if (Distribution(distribution) == Distribution::Sorted)
        QVERIFY(std::is_sorted(values.begin(), values.end()));
}

void TestEvalInputs::makesOneHotRows()
{
    InputRule what = rule(Distribution::OneHot);
    what.value = 3;
    const std::vector<double> values = numbers(DType::Float32, what);
    for (std::size_t row = 0; row < count / 100; ++row) {
        const auto begin = values.begin() + std::ptrdiff_t(row * 100);
        QCOMPARE(std::count(begin, begin + 100, 3.0), 1);
        QCOMPARE(std::count(begin, begin + 100, 0.0), 99);
    }
}

void TestEvalInputs::makesDenormals()
{
    const auto data = filled(DType::Float32, rule(Distribution::Denormals), 1);
    const float *values = reinterpret_cast<const float *>(data.data());
    QVERIFY(std::all_of(values, values + count,
                        [](float value) { return std::fpclassify(value) == FP_SUBNORMAL || value == 0; }));
    QVERIFY(std::any_of(values, values + count, [](float value) { return value < 0; }));
}

void TestEvalInputs::nudgesOneElement_data()
{
    QTest::addColumn<int>("dtype");
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::newRow("float") << int(DType::Float32) << 0.0 << 1.0;
    QTest::newRow("double") << int(DType::Float64) << -5.0 << 5.0;
    QTest::newRow("labels") << int(DType::Int64) << 0.0 << 9.0;
    QTest::newRow("bytes") << int(DType::UInt8) << 0.0 << 255.0;
    QTest::newRow("bool") << int(DType::Bool) << 0.0 << 1.0;
}

void TestEvalInputs::nudgesOneElement()
{
    QFETCH(int, dtype);
    QFETCH(double, low);
    QFETCH(double, high);
    InputRule what = rule(Distribution::Uniform);
    what.low = low;
    what.high = high;
    const auto before = filled(DType(dtype), what, 9), after = filled(DType(dtype), what, 9, 1234);
    for (std::size_t i = 0; i < count; ++i) {
        const double was = elementAsDouble(DType(dtype), before.data(), i),
                     is = elementAsDouble(DType(dtype), after.data(), i);
        QCOMPARE(was != is, i == 1234);
        QVERIFY(is >= low && is <= high);
    }
}

void TestEvalInputs::derivesSecretKeys()
{
    const SecretSeed one("one"), two("two"), random, other;
    QCOMPARE(one.derive("case", 1), SecretSeed("one").derive("case", 1));
    QVERIFY(one.derive("case", 1) != one.derive("case", 2));
    QVERIFY(one.derive("case", 1) != one.derive("guard", 1));
    QVERIFY(one.derive("case", 1) != two.derive("case", 1));
    QVERIFY(random.derive("case") != other.derive("case"));
}

void TestEvalInputs::guardsNotice_data()
{
    QTest::addColumn<int>("bytes");
    QTest::addColumn<int>("align");
    for (const int bytes : {1, 60, 4096, 5000, 65536}) {
        for (const int align : {8, 64, 4096})
            QTest::addRow("%d bytes at %d", bytes, align) << bytes << align;
    }
}

void TestEvalInputs::guardsNotice()
{
    QFETCH(int, bytes);
    QFETCH(int, align);
    for (const bool isInput : {true, false}) {
        GuardedBuffer buffer(std::size_t(bytes), std::size_t(align), isInput);
        QCOMPARE(reinterpret_cast<std::uintptr_t>(buffer.data()) % std::uintptr_t(align), std::uintptr_t(0));
        buffer.fillGuards(77);
        std::memset(buffer.data(), 0, buffer.size());
        QVERIFY(!buffer.damagedSide(77));
        unsigned char *data = static_cast<unsigned char *>(buffer.data());
        data[-1] ^= 1;
        QVERIFY(buffer.damagedSide(77) == GuardedBuffer::Side::Before);
        data[-1] ^= 1;
        const auto end = reinterpret_cast<std::uintptr_t>(data + bytes);
        if (bytes % align == 0) {
            QVERIFY(buffer.sideOfFault(end) == GuardedBuffer::Side::Behind);
        } else {
            QVERIFY(!buffer.sideOfFault(end));
            data[bytes] ^= 1;
            QVERIFY(buffer.damagedSide(77) == GuardedBuffer::Side::Behind);
        }
    }
}

void TestEvalInputs::leavesOutDenormalsWhereTheyAreFlushed_data()
{
    QTest::addColumn<std::vector<std::string>>("flags");
    QTest::addColumn<bool>("drawn");
    using List = std::vector<std::string>;
    QTest::newRow("default") << defaultFlags() << true;
    QTest::newRow("fast-math") << List{"-O3", "-ffast-math"} << false;
    QTest::newRow("Ofast") << List{"-Ofast"} << false;
    QTest::newRow("unsafe") << List{"-funsafe-math-optimizations"} << false;
    QTest::newRow("of nvcc") << List{"-O3", "--use_fast_math"} << false;
    QTest::newRow("no fast-math") << List{"-O3", "-fno-fast-math"} << true;
}

void TestEvalInputs::leavesOutDenormalsWhereTheyAreFlushed()
{
    QFETCH(std::vector<std::string>, flags);
    QFETCH(bool, drawn);
    Problem problem;
    Tensor tensor;
    tensor.name = "x";
    tensor.isInput = true;
    problem.tensors.push_back(tensor);
    Workload workload;
    workload.id = "main";
    workload.inputs["x"] = rule(Distribution::Normal);
    const SecretSeed seed("denormals");
    const CaseMaker cases(problem, seed, !flushesDenormals(flags));
    int found = 0;
    for (std::uint64_t index = 0; index < 200; ++index)
        found += cases.rotated(workload, index).rules.at(0).distribution == Distribution::Denormals;
    QCOMPARE(found > 0, drawn);
}

QTEST_APPLESS_MAIN(TestEvalInputs)
#include "tst_eval_inputs.moc"
