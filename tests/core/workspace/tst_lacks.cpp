// SPDX-License-Identifier: GPL-3.0-or-later
// What a plan could not be carried out without is known before anything is written.
#include "workspace/lacks.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace ako;

class TestLacks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cuda_data();
    void cuda();
};

void TestLacks::cuda_data()
{
    QTest::addColumn<QStringList>("kernel");
    QTest::addColumn<int>("evaluator");
    QTest::addColumn<bool>("compiler");
    QTest::addColumn<QString>("device"); // empty: none
    QTest::addColumn<QString>("says");   // empty: nothing is lacking
    const QStringList cuda{QStringLiteral("a.cu"), QStringLiteral("tile.cuh")};
    const QString gpu = QStringLiteral("nvidia0");
    const int native = int(EvaluatorKind::Native);
    QTest::newRow("C++") << QStringList{QStringLiteral("a.cpp")} << native << false << QString() << QString();
    QTest::newRow("all there") << cuda << native << true << gpu << QString();
    QTest::newRow("under Windows") << cuda << native << true << QStringLiteral("dxg") << QString();
    QTest::newRow("no GPU") << cuda << native << true << QString() << QStringLiteral("There is no NVIDIA GPU here");
    QTest::newRow("no compiler") << cuda << native << false << gpu << QStringLiteral("There is no CUDA compiler here");
    QTest::newRow("a bench of one's own") << cuda << int(EvaluatorKind::Custom) << false << QString() << QString();
}

void TestLacks::cuda()
{
    QFETCH(QStringList, kernel);
    QFETCH(int, evaluator);
    QFETCH(bool, compiler);
    QFETCH(QString, device);
    QFETCH(QString, says);
    const QTemporaryDir place;
    const auto put = [&](const QString &name) {
        QFile file(place.filePath(name));
        return file.open(QIODevice::WriteOnly) && file.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
    };
    QVERIFY(QDir(place.path()).mkpath(QStringLiteral("cuda/bin")));
    if (compiler)
        QVERIFY(put(QStringLiteral("cuda/bin/nvcc")));
    else if (says.contains(QLatin1String("compiler")) && QFile::exists(QStringLiteral("/usr/local/cuda/bin/nvcc")))
        QSKIP("this machine has a CUDA compiler in the usual place");
    if (!device.isEmpty())
        QVERIFY(put(device));
    qputenv("CUDA_HOME", QFile::encodeName(place.filePath(QStringLiteral("cuda"))));
    ResolvedPlan plan;
    plan.workspace = place.path();
    plan.kernelFiles = kernel;
    plan.evaluator = EvaluatorKind(evaluator);
    const auto lack = cudaLack(plan, place.path());
    QCOMPARE(lack.has_value(), !says.isEmpty());
    if (lack)
        QVERIFY2(lack->message.startsWith(says), qPrintable(lack->message));
}

QTEST_GUILESS_MAIN(TestLacks)
#include "tst_lacks.moc"
