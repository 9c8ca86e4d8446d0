// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/cacheflush.h"

#include <QTest>

#include <cstdint>
#include <vector>

using namespace ako::eval;

class TestEvalCacheFlush : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void leavesMemoryAsItIs_data();
    void leavesMemoryAsItIs();
    void walksNoFurtherThanNeeded_data();
    void walksNoFurtherThanNeeded();
};

void TestEvalCacheFlush::leavesMemoryAsItIs_data()
{
    QTest::addColumn<int>("offset");
    QTest::addColumn<int>("bytes");
    QTest::newRow("nothing") << 0 << 0;
    QTest::newRow("a byte at the end of a line") << 63 << 1;
    QTest::newRow("across lines") << 60 << 200;
    QTest::newRow("pages") << 1 << 9000;
}

void TestEvalCacheFlush::leavesMemoryAsItIs()
{
    QFETCH(int, offset);
    QFETCH(int, bytes);
    std::vector<std::uint8_t> memory(16384);
    for (std::size_t i = 0; i < memory.size(); ++i)
        memory[i] = std::uint8_t(i * 7);
    const std::vector<std::uint8_t> before = memory;
    flushLines(memory.data() + offset, std::size_t(bytes));
    QVERIFY(memory == before);
}

void TestEvalCacheFlush::walksNoFurtherThanNeeded_data()
{
    QTest::addColumn<std::size_t>("cacheBytes");
    QTest::addColumn<std::size_t>("withFlush");
    constexpr std::size_t mebibyte = 1 << 20;
    QTest::newRow("none known") << std::size_t(0) << std::size_t(0);
    QTest::newRow("small") << 2 * mebibyte << 4 * mebibyte;
    QTest::newRow("large") << 480 * mebibyte << 32 * mebibyte;
}

void TestEvalCacheFlush::walksNoFurtherThanNeeded()
{
    QFETCH(std::size_t, cacheBytes);
    QFETCH(std::size_t, withFlush);
    QCOMPARE(evictionBytes(cacheBytes), canFlushLines() ? withFlush : 2 * cacheBytes);
}

QTEST_APPLESS_MAIN(TestEvalCacheFlush)
#include "tst_eval_cacheflush.moc"
