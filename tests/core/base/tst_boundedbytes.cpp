// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/boundedbytes.h"

#include <QTest>

class TestBoundedBytes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsBothEnds_data();
    void keepsBothEnds();
};

void TestBoundedBytes::keepsBothEnds_data()
{
    QTest::addColumn<int>("limit");
    QTest::addColumn<int>("total");
    QTest::addColumn<int>("chunk");
    QTest::newRow("nothing") << 100 << 0 << 1;
    QTest::newRow("below") << 100 << 99 << 7;
    QTest::newRow("exactly") << 100 << 100 << 100;
    QTest::newRow("one more") << 100 << 101 << 1;
    QTest::newRow("in one piece") << 100 << 100000 << 100000;
    QTest::newRow("in many") << 1000 << 100000 << 13;
    QTest::newRow("limit zero") << 0 << 50000 << 100;
}

void TestBoundedBytes::keepsBothEnds()
{
    QFETCH(int, limit);
    QFETCH(int, total);
    QFETCH(int, chunk);
    QByteArray all;
    for (int i = 0; all.size() < total; ++i)
        all += QByteArray::number(i);
    all.truncate(total);
    ako::BoundedBytes bytes(limit);
    for (int at = 0; at < total; at += chunk)
        bytes.append(all.mid(at, chunk));
    const int dropped = std::max(0, total - limit);
    QCOMPARE(bytes.droppedBytes(), dropped);
    const QByteArray content = bytes.content();
    if (dropped == 0) {
        QCOMPARE(content, all);
        return;
    }
    QVERIFY(content.startsWith(all.left(limit / 4)));
    QVERIFY(content.endsWith(all.right(limit - limit / 4)));
    QCOMPARE(content.size(),
             limit + QByteArray("\n[...  bytes left out ...]\n").size() + QByteArray::number(dropped).size());
}

QTEST_GUILESS_MAIN(TestBoundedBytes)
#include "tst_boundedbytes.moc"
