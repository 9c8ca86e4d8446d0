// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/movednumbers.h"

#include <QTest>

using namespace ako;

class MovedNumbersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsResourcesTimesAndCounters();
    void whatIsNoResultHasNone_data();
    void whatIsNoResultHasNone();
    void whatMovedMostComesFirst();
};

void MovedNumbersTest::readsResourcesTimesAndCounters()
{
    const auto numbers = numbersIn(R"({
        "kernels": [{"name": "softmax", "registers": 40, "spill_stores": 0}],
        "timing": {"workloads": [{"id": "main", "pairs": 160, "batch": 1, "ref_ms": 3, "cpu_ms": 1.5, "axes": {"n": 4},
                                  "pct_of_floor": 0.5, "floor_ms": null}]},
        "profile": {"kernels": [{"name": "softmax", "occupancy_pct": 62.5, "stalls": [["memory", 0.4], "odd", [1, 2]],
                                 "limiter": "registers"}]}})");
    QStringList lines;
    for (auto number = numbers.cbegin(); number != numbers.cend(); ++number)
        lines << QStringLiteral("%1=%2").arg(number.key()).arg(*number);
    QCOMPARE(lines, (QStringList{QStringLiteral("kernel softmax: occupancy_pct=62.5"),
                                 QStringLiteral("kernel softmax: registers=40"),
                                 QStringLiteral("kernel softmax: spill_stores=0"),
                                 QStringLiteral("kernel softmax: waits for memory=0.4"),
                                 QStringLiteral("main: cpu_ms=1.5"), QStringLiteral("main: pct_of_floor=0.5")}));
}

void MovedNumbersTest::whatIsNoResultHasNone_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char *text : {"", "{", "[]", "{\"kernels\": 3, \"timing\": {\"workloads\": {\"a\": 1}}}"})
        QTest::newRow(text) << QByteArray(text);
}

void MovedNumbersTest::whatIsNoResultHasNone()
{
    QFETCH(QByteArray, text);
    QVERIFY(numbersIn(text).isEmpty());
}

void MovedNumbersTest::whatMovedMostComesFirst()
{
    QStringList names;
    for (const MovedNumber &number : movedNumbers({{QStringLiteral("a"), 10},
                                                   {QStringLiteral("b"), 8},
                                                   {QStringLiteral("gone"), 1},
                                                   {QStringLiteral("same"), 5},
                                                   {QStringLiteral("spills"), 0}},
                                                  {{QStringLiteral("a"), 11},
                                                   {QStringLiteral("b"), 2},
                                                   {QStringLiteral("new"), 1},
                                                   {QStringLiteral("same"), 5},
                                                   {QStringLiteral("spills"), 16}}))
        names << number.name;
    QCOMPARE(names.join(QLatin1Char(' ')), QStringLiteral("spills b a same gone new"));
}

QTEST_GUILESS_MAIN(MovedNumbersTest)
#include "tst_movednumbers.moc"
