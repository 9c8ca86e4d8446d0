// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/machineload.h"

#include <QTest>

using namespace ako;

class TestMachineLoad : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsTicks_data();
    void readsTicks();
    void readsProcesses_data();
    void readsProcesses();
    void saysWhenItIsTooHigh_data();
    void saysWhenItIsTooHigh();
    void measuresHere();
};

void TestMachineLoad::readsTicks_data()
{
    QTest::addColumn<QByteArray>("stat");
    QTest::addColumn<quint64>("ticks");
    QTest::newRow("all but idle and waiting, guests once")
        << QByteArray("cpu  10 20 30 1000 500 5 6 7 9 9\ncpu0 1 1 1 1\n") << quint64(78);
    QTest::newRow("an old kernel") << QByteArray("cpu 10 20 30 1000\n") << quint64(60);
    QTest::newRow("nothing") << QByteArray() << quint64(0);
    QTest::newRow("another text") << QByteArray("intr 1 2 3\n") << quint64(0);
}

void TestMachineLoad::readsTicks()
{
    QFETCH(QByteArray, stat);
    QTEST(busyTicksIn(stat), "ticks");
}

void TestMachineLoad::readsProcesses_data()
{
    QTest::addColumn<QByteArray>("stat");
    QTest::addColumn<QString>("name"); // empty: not one
    QTest::addColumn<quint64>("ticks");
    QTest::newRow("plain") << QByteArray("12 (cc1plus) R 1 1 1 0 -1 4194304 0 0 0 0 70 8 0 0 20 0 1 0 5 0 0")
                           << QStringLiteral("cc1plus") << quint64(78);
    QTest::newRow("a name with blanks and parentheses")
        << QByteArray("12 (a ) 9 (b) S 1 1 1 0 -1 4194304 0 0 0 0 1 2 0 0") << QStringLiteral("a ) 9 (b") << quint64(3);
    QTest::newRow("cut off") << QByteArray("12 (cc1plus) R 1 1") << QString() << quint64(0);
    QTest::newRow("nothing") << QByteArray() << QString() << quint64(0);
}

void TestMachineLoad::readsProcesses()
{
    QFETCH(QByteArray, stat);
    QFETCH(QString, name);
    const auto process = processTicksIn(stat);
    QCOMPARE(process.has_value(), !name.isEmpty());
    if (process) {
        QCOMPARE(process->name, name);
        QTEST(process->ticks, "ticks");
    }
}

void TestMachineLoad::saysWhenItIsTooHigh_data()
{
    QTest::addColumn<int>("cores");
    QTest::addColumn<double>("busy");
    QTest::addColumn<double>("average");
    QTest::addColumn<bool>("tooHigh");
    QTest::newRow("quiet") << 2 << 0.05 << 0.1 << false;
    QTest::newRow("half a core of two") << 2 << 0.6 << 0.1 << true;
    QTest::newRow("the average is that of our own last bench") << 2 << 0.0 << 2.5 << false;
    QTest::newRow("one core of many") << 64 << 1.0 << 1.0 << false;
    QTest::newRow("a quarter of many") << 64 << 17.0 << 20.0 << true;
}

void TestMachineLoad::saysWhenItIsTooHigh()
{
    QFETCH(bool, tooHigh);
    QFETCH(int, cores);
    QFETCH(double, busy);
    QFETCH(double, average);
    const MachineLoad load{cores, average, busy, {QStringLiteral("cc1plus (pid 7) 98 %")}, {}};
    const auto lack = loadLack(load);
    QCOMPARE(lack.has_value(), tooHigh);
    if (lack)
        QVERIFY2(lack->message.contains(QStringLiteral("cc1plus (pid 7) 98 %")) && !lack->remedy.isEmpty(),
                 qPrintable(lack->message));
}

void TestMachineLoad::measuresHere()
{
    const MachineLoad load = measureMachineLoad(50);
    QVERIFY(load.cores >= 1);
    QVERIFY(load.busyCores >= 0.0 && load.busyCores < 2.0 * load.cores + 2.0);
    QVERIFY(load.heaviest.size() <= 3);
}

QTEST_GUILESS_MAIN(TestMachineLoad)
#include "tst_machineload.moc"
