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
