// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/numbers.h"

#include <QTest>

using namespace ako;

class NumberTextTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void speedups_data();
    void speedups();
    void lopsidedIntervalsShowTheirEnds();
    void figuresHaveNoExponent_data();
    void figuresHaveNoExponent();
    void runtimes_data();
    void runtimes();
    void durations_data();
    void durations();
};

void NumberTextTest::speedups_data()
{
    QTest::addColumn<double>("estimate");
    QTest::addColumn<double>("half");
    QTest::addColumn<QString>("text");
    QTest::newRow("two decimals") << 1.9634 << 0.012 << QStringLiteral("1.96x ± 0.01");
    QTest::newRow("a wide interval supports one") << 1.9634 << 0.21 << QStringLiteral("2.0x ± 0.2");
    QTest::newRow("a narrow one supports more") << 1.96344 << 0.0004 << QStringLiteral("1.9634x ± 0.0004");
    QTest::newRow("never more than four") << 1.96344 << 0.000001 << QStringLiteral("1.9634x ± 0.0000");
    QTest::newRow("wider than one") << 31.4 << 2.5 << QStringLiteral("31.4x ± 2.5");
    QTest::newRow("without interval") << 1.0 << 0.0 << QStringLiteral("1.00x");
}

void NumberTextTest::speedups()
{
    QFETCH(double, estimate);
    QFETCH(double, half);
    QFETCH(QString, text);
    QCOMPARE(speedupWithError({estimate, estimate - half, estimate + half}), text);
}

void NumberTextTest::lopsidedIntervalsShowTheirEnds()
{
    QCOMPARE(speedupWithError({0.0371, 0.0112, 2.81}), QStringLiteral("0.037x (0.011…2.8)"));
    QCOMPARE(speedupWithError({4.0, 3.9, 4.25}), QStringLiteral("4.0x ± 0.2"));
    QCOMPARE(speedupWithError({40.0, 39.0, 103.0}), QStringLiteral("40.0x (39…100)"));
}

void NumberTextTest::figuresHaveNoExponent_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<int>("digits");
    QTest::addColumn<QString>("text");
    QTest::newRow("more digits before the point than asked for") << 103.4 << 2 << QStringLiteral("100");
    QTest::newRow("many more") << 1234567.0 << 3 << QStringLiteral("1230000");
    QTest::newRow("rounded up to another digit") << 99.7 << 2 << QStringLiteral("100");
    QTest::newRow("and below ten") << 9.97 << 2 << QStringLiteral("10");
    QTest::newRow("as many as asked for") << 2.81 << 2 << QStringLiteral("2.8");
    QTest::newRow("small") << 0.0000123 << 2 << QStringLiteral("0.000012");
    QTest::newRow("negative") << -1234.0 << 2 << QStringLiteral("-1200");
    QTest::newRow("no zeros at its end") << 2.0 << 5 << QStringLiteral("2");
    QTest::newRow("a whole number keeps its zeros") << 1000.0 << 3 << QStringLiteral("1000");
    QTest::newRow("nothing") << 0.0 << 3 << QStringLiteral("0");
}

void NumberTextTest::figuresHaveNoExponent()
{
    QFETCH(double, value);
    QFETCH(int, digits);
    QFETCH(QString, text);
    QCOMPARE(plainFigure(value, digits), text);
}

void NumberTextTest::runtimes_data()
{
    QTest::addColumn<double>("milliseconds");
    QTest::addColumn<QString>("text");
    QTest::newRow("seconds") << 1240.0 << QStringLiteral("1.24 s");
    QTest::newRow("milliseconds") << 12.34 << QStringLiteral("12.3 ms");
    QTest::newRow("hundreds") << 845.2 << QStringLiteral("845 ms");
    QTest::newRow("microseconds") << 0.0457 << QStringLiteral("45.7 µs");
}

void NumberTextTest::runtimes()
{
    QFETCH(double, milliseconds);
    QFETCH(QString, text);
    QCOMPARE(runtimeText(milliseconds), text);
}

void NumberTextTest::durations_data()
{
    QTest::addColumn<qint64>("milliseconds");
    QTest::addColumn<QString>("text");
    QTest::newRow("below ten seconds") << qint64(400) << QStringLiteral("0.4 s");
    QTest::newRow("seconds") << qint64(12'300) << QStringLiteral("12 s");
    QTest::newRow("minutes") << qint64(252'000) << QStringLiteral("4:12");
    QTest::newRow("hours") << qint64(3'852'000) << QStringLiteral("1:04:12");
}

void NumberTextTest::durations()
{
    QFETCH(qint64, milliseconds);
    QFETCH(QString, text);
    QCOMPARE(durationText(milliseconds), text);
}

QTEST_GUILESS_MAIN(NumberTextTest)
#include "tst_numbertext.moc"
