// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/gpustate.h"

#include <QTest>

using namespace ako;

class GpuStateTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isReadFromTheAnswers_data();
    void isReadFromTheAnswers();
};

void GpuStateTest::isReadFromTheAnswers_data()
{
    using States = QList<GpuState>;
    QTest::addColumn<QByteArray>("gpus");
    QTest::addColumn<QByteArray>("processes");
    QTest::addColumn<States>("states");
    QTest::newRow("idle") << QByteArray("0, NVIDIA H200, 345, 27, 75.31, 0x0000000000000001\n") << QByteArray()
                          << States{{QStringLiteral("NVIDIA H200"), 345, 27, 75.31, {}, 0}};
    QTest::newRow("throttled, shared") << QByteArray("0, NVIDIA H200, 1200, 88, 700.02, 0x0000000000000064\n")
                                       << QByteArray("1234\n4321\n")
                                       << States{{QStringLiteral("NVIDIA H200"),
                                                  1200,
                                                  88,
                                                  700.02,
                                                  {QStringLiteral("power cap"), QStringLiteral("temperature")},
                                                  2}};
    QTest::newRow("not told") << QByteArray("0, GRID A100-4C, [N/A], [N/A], [Not Supported], [N/A]\n") << QByteArray()
                              << States{{QStringLiteral("GRID A100-4C"), -1, -1, -1, {}, 0}};
    QTest::newRow("two") << QByteArray("0, A, 1, 2, 3.5, 0x0\n1, B, 4, 5, 6, 0x0\n") << QByteArray("7\n")
                         << States{{QStringLiteral("A"), 1, 2, 3.5, {}, 1}, {QStringLiteral("B"), 4, 5, 6, {}, 1}};
    QTest::newRow("an error") << QByteArray("NVIDIA-SMI has failed because it couldn't communicate\n") << QByteArray()
                              << States{};
}

void GpuStateTest::isReadFromTheAnswers()
{
    QFETCH(QByteArray, gpus);
    QFETCH(QByteArray, processes);
    QFETCH(QList<ako::GpuState>, states);
    QCOMPARE(gpuStatesIn(gpus, processes), states);
}

QTEST_GUILESS_MAIN(GpuStateTest)
#include "tst_gpustate.moc"
