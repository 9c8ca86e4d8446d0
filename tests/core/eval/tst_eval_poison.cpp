// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/poison.h"

#include <QTest>

#include <vector>

using namespace ako::eval;

class TestEvalPoison : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isFoundWhereItWasLeft_data();
    void isFoundWhereItWasLeft();
};

void TestEvalPoison::isFoundWhereItWasLeft_data()
{
    QTest::addColumn<int>("type");
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("left"); // the element that nobody wrote; -1: none
    QTest::addColumn<bool>("found");
    QTest::newRow("float, all written") << int(DType::Float32) << 5000 << -1 << false;
    QTest::newRow("float, the first") << int(DType::Float32) << 5000 << 0 << true;
    QTest::newRow("float, the last") << int(DType::Float32) << 5000 << 4999 << true;
    QTest::newRow("float, in the middle of a block") << int(DType::Float32) << 5000 << 2500 << true;
    QTest::newRow("float, only one") << int(DType::Float32) << 1 << 0 << true;
    QTest::newRow("double") << int(DType::Float64) << 1025 << 1024 << true;
    QTest::newRow("half") << int(DType::Float16) << 3000 << 1023 << true;
    QTest::newRow("int32") << int(DType::Int32) << 100 << 7 << true;
    QTest::newRow("int32, all written") << int(DType::Int32) << 100 << -1 << false;
    QTest::newRow("bytes say nothing") << int(DType::UInt8) << 100 << 7 << false;
    QTest::newRow("empty") << int(DType::Float32) << 0 << -1 << false;
}

void TestEvalPoison::isFoundWhereItWasLeft()
{
    QFETCH(int, type);
    QFETCH(int, count);
    QFETCH(int, left);
    QFETCH(bool, found);
    BufferSpec spec;
    spec.dtype = spec.storage = DType(type);
    spec.count = std::size_t(count);
    const std::size_t size = sizeOf(spec.storage);
    std::vector<unsigned char> data(spec.bytes(), 0x3c);
    for (std::size_t i = 0; left >= 0 && i < size; ++i)
        data[std::size_t(left) * size + i] = poisonOf(spec);
    QCOMPARE(holdsPoison(spec, data.data()), found);
}

QTEST_APPLESS_MAIN(TestEvalPoison)
#include "tst_eval_poison.moc"
