// SPDX-License-Identifier: GPL-3.0-or-later
// What is read from profilers, without a GPU: ncu-details.csv is what ncu 2025.3 wrote on an H200 for one kernel,
// without the points of its charts.
#include "eval/cuda/ncureport.h"
#include "eval/cuda/ncurun.h"
#include "eval/cuda/occupancy.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace ako::eval;

namespace {

std::string captured()
{
    QFile file(QStringLiteral(AKO_SOURCE_DIR "/tests/core/eval/ncu-details.csv"));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

// A report of one launch with these rows of section, item, metric, unit, value.
std::string report(const std::vector<std::array<std::string, 5>> &rows, const std::string &ids = "0")
{
    std::string text =
        "==PROF== Connected\n\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"Section Name\",\"Body Item "
        "Label\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n";
    for (const char id : ids) {
        for (const auto &row : rows) {
            text += std::string("\"") + id + "\",\"void work<int, 4>(float \"\"x\"\")\",\"(32, 8, 1)\",\"(10, 2, 1)\"";
            for (const std::string &cell : row)
                text += ",\"" + cell + "\"";
            text += '\n';
        }
    }
    return text;
}

} // namespace

class TestEvalProfile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsWhatNcuWrote();
    void readsUnits_data();
    void readsUnits();
    void putsLaunchesTogether();
    void survivesOddReports_data();
    void survivesOddReports();
    void saysWhyNot_data();
    void saysWhyNot();
    void pointsToTheCause_data();
    void pointsToTheCause();
    void occupancies_data();
    void occupancies();
    void findsNcu();
};

void TestEvalProfile::readsWhatNcuWrote()
{
    const std::vector<KernelProfile> kernels = parseNcuCsv(captured());
    QCOMPARE(kernels.size(), 1U);
    const KernelProfile &kernel = kernels.front();
    QCOMPARE(kernel.name, std::string("rowSum(float *, const float *, int)"));
    QCOMPARE(kernel.calls, 1);
    QCOMPARE(kernel.grid, 4096);
    QCOMPARE(kernel.block, 128);
    QCOMPARE(kernel.registers, 31);
    QCOMPARE(kernel.sharedBytes, 512);
    QCOMPARE(kernel.microseconds.value(), 18.72);
    QCOMPARE(kernel.memory.value(), 77.28);
    QCOMPARE(kernel.compute.value(), 18.65);
    QCOMPARE(kernel.dram.value(), 77.28);
    QCOMPARE(qRound(kernel.bytes.value() / 1e6), 70); // 64 MiB are read; the time is under the profiler
    QCOMPARE(kernel.hitsL2.value(), 1.13);
    QCOMPARE(kernel.occupancy.value(), 87.89);
    QCOMPARE(kernel.possibleOccupancy.value(), 100.0);
    QCOMPARE(kernel.limiter, std::string("registers"));
    QCOMPARE(kernel.waves.value(), 1.94);
    QCOMPARE(kernel.stalls.front().reason, std::string("Long Scoreboard"));
    QVERIFY(qAbs(kernel.stalls.front().share - 38.18 / 82) < 0.02);
}

void TestEvalProfile::readsUnits_data()
{
    QTest::addColumn<QString>("unit");
    QTest::addColumn<QString>("value");
    QTest::addColumn<double>("microseconds");
    QTest::newRow("ns") << QStringLiteral("ns") << QStringLiteral("18,720") << 18.72;
    QTest::newRow("us") << QStringLiteral("us") << QStringLiteral("18.72") << 18.72;
    QTest::newRow("usecond") << QStringLiteral("usecond") << QStringLiteral("18.72") << 18.72;
    QTest::newRow("ms") << QStringLiteral("ms") << QStringLiteral("1.5") << 1500.0;
    QTest::newRow("s") << QStringLiteral("s") << QStringLiteral("2") << 2e6;
    QTest::newRow("second") << QStringLiteral("second") << QStringLiteral("2") << 2e6;
}

void TestEvalProfile::readsUnits()
{
    QFETCH(QString, unit);
    QFETCH(QString, value);
    QFETCH(double, microseconds);
    const auto kernels =
        parseNcuCsv(report({{"GPU Speed Of Light Throughput", "", "Duration", unit.toStdString(), value.toStdString()},
                            {"Memory Workload Analysis", "", "Memory Throughput", "Gbyte/s", "1"}}));
    QCOMPARE(kernels.size(), 1U);
    QCOMPARE(kernels[0].name, std::string("void work<int, 4>(float \"x\")"));
    QCOMPARE(kernels[0].block, 256);
    QCOMPARE(kernels[0].grid, 20);
    QCOMPARE(kernels[0].microseconds.value(), microseconds);
    QCOMPARE(kernels[0].bytes.value(), microseconds * 1e3);
}

void TestEvalProfile::putsLaunchesTogether()
{
    const auto kernels = parseNcuCsv(report({{"Occupancy", "", "Achieved Occupancy", "%", "50"}}, "012"));
    QCOMPARE(kernels.size(), 1U);
    QCOMPARE(kernels[0].calls, 3);
    QCOMPARE(kernels[0].occupancy.value(), 50.0);
}

void TestEvalProfile::survivesOddReports_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("kernels");
    const QString whole = QString::fromStdString(captured());
    QTest::newRow("empty") << QString() << 0;
    QTest::newRow("no table") << QStringLiteral("==PROF== Disconnected\n==WARNING== No kernels were profiled.\n") << 0;
    QTest::newRow("header only") << QStringLiteral("\"ID\",\"Kernel Name\"\n") << 0;
    QTest::newRow("cut in a line") << whole.left(whole.size() / 2) << 1;
    QTest::newRow("no data") << QString::fromStdString(
                                    report({{"Occupancy", "", "Achieved Occupancy", "%", "no data"}}))
                             << 1;
    QTest::newRow("an open quote") << QStringLiteral("\"ID\",\"Kernel Name\"\n\"0\",\"work\n") << 1;
    QTest::newRow("more cells than columns") << QStringLiteral("\"ID\",\"Kernel Name\"\n\"0\",\"work\",\"1\"\n") << 1;
    QTest::newRow("without names") << QStringLiteral("\"ID\"\n\"0\"\n") << 0;
}

void TestEvalProfile::survivesOddReports()
{
    QFETCH(QString, text);
    QFETCH(int, kernels);
    const auto found = parseNcuCsv(text.toStdString());
    QCOMPARE(int(found.size()), kernels);
    DeviceProfile profile;
    profile.kernels = found;
    QVERIFY(describe(profile).size() >= found.size());
}

void TestEvalProfile::saysWhyNot_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("remedy");
    QTest::newRow("permission")
        << QStringLiteral("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU "
                          "Performance Counters on the target device 0.")
        << QStringLiteral("ERR_NVGPUCTRPERM")
        << QStringLiteral("NVreg_RestrictProfilingToAdminUsers=0|--cap-add=SYS_ADMIN");
    QTest::newRow("no kernel") << QStringLiteral("==WARNING== No kernels were profiled.") << QStringLiteral("no kernel")
                               << QString();
    QTest::newRow("its own words") << QStringLiteral("==PROF== x\n==ERROR== Failed to prepare kernel for profiling\n")
                                   << QStringLiteral("Failed to prepare kernel") << QString();
    QTest::newRow("the program's words") << QStringLiteral(
                                                "ako-bench: the solution left a CUDA error: cudaErrorIllegalAddress\n")
                                         << QStringLiteral("the solution left a CUDA error") << QString();
    QTest::newRow("nothing") << QString() << QStringLiteral("no figures") << QString();
}

void TestEvalProfile::saysWhyNot()
{
    QFETCH(QString, text);
    QFETCH(QString, reason);
    QFETCH(QString, remedy);
    const SkippedLevel skipped = whyNoNcu(text.toStdString());
    QVERIFY2(skipped.reason.find(reason.toStdString()) != std::string::npos, skipped.reason.c_str());
    QCOMPARE(skipped.remedy.empty(), remedy.isEmpty());
    const QStringList any = remedy.split(u'|');
    QVERIFY(std::any_of(any.begin(), any.end(), [&](const QString &one) {
        return skipped.remedy.find(one.toStdString()) != std::string::npos;
    }));
}

void TestEvalProfile::pointsToTheCause_data()
{
    QTest::addColumn<double>("memory");
    QTest::addColumn<double>("compute");
    QTest::addColumn<double>("occupancy");
    QTest::addColumn<double>("waves");
    QTest::addColumn<QString>("words");
    QTest::newRow("memory") << 80.0 << 20.0 << 90.0 << 4.0 << QStringLiteral("Memory decides");
    QTest::newRow("arithmetic") << 70.0 << 85.0 << 90.0 << 4.0 << QStringLiteral("Arithmetic");
    QTest::newRow("few warps") << 30.0 << 20.0 << 25.0 << 4.0 << QStringLiteral("limited by registers");
    QTest::newRow("a small grid") << 30.0 << 20.0 << 90.0 << 0.3 << QStringLiteral("does not fill");
    QTest::newRow("waiting") << 30.0 << 20.0 << 90.0 << 4.0 << QStringLiteral("Waiting");
}

void TestEvalProfile::pointsToTheCause()
{
    QFETCH(double, memory);
    QFETCH(double, compute);
    QFETCH(double, occupancy);
    QFETCH(double, waves);
    QFETCH(QString, words);
    KernelProfile kernel;
    kernel.name = "work";
    kernel.memory = memory;
    kernel.compute = compute;
    kernel.occupancy = occupancy;
    kernel.waves = waves;
    kernel.limiter = "registers";
    DeviceProfile profile;
    profile.kernels = {kernel};
    QString text;
    for (const std::string &line : describe(profile))
        text += QString::fromStdString(line) + u'\n';
    QVERIFY2(text.contains(words), qPrintable(text));
}

void TestEvalProfile::occupancies_data()
{
    QTest::addColumn<int>("threads");
    QTest::addColumn<int>("registers");
    QTest::addColumn<int>("shared");
    QTest::addColumn<int>("blocks");
    QTest::addColumn<double>("percent");
    QTest::addColumn<QString>("limiter");
    // On compute capability 9.0; the first as ncu says it of the kernel in ncu-details.csv.
    QTest::newRow("full") << 128 << 31 << 512 << 16 << 100.0 << QStringLiteral("warps");
    QTest::newRow("registers") << 256 << 64 << 0 << 4 << 50.0 << QStringLiteral("registers");
    QTest::newRow("33 count as 40") << 256 << 33 << 0 << 6 << 75.0 << QStringLiteral("registers");
    QTest::newRow("shared memory") << 128 << 32 << 100 * 1024 << 2 << 12.5 << QStringLiteral("shared memory");
    QTest::newRow("small blocks") << 32 << 16 << 0 << 32 << 50.0 << QStringLiteral("blocks");
    QTest::newRow("does not fit") << 1024 << 255 << 0 << 0 << 0.0 << QStringLiteral("registers");
}

void TestEvalProfile::occupancies()
{
    QFETCH(int, threads);
    QFETCH(int, registers);
    QFETCH(int, shared);
    QFETCH(int, blocks);
    QFETCH(double, percent);
    QFETCH(QString, limiter);
    const Occupancy occupancy = occupancyOf(limitsOf(9, 0).value(), threads, registers, shared);
    QCOMPARE(occupancy.blocks, blocks);
    QCOMPARE(occupancy.percent, percent);
    QCOMPARE(QString::fromStdString(occupancy.limiter), limiter);
    QVERIFY(!limitsOf(3, 5));
}

void TestEvalProfile::findsNcu()
{
    const QTemporaryDir folder;
    const QString ncu = folder.filePath(QStringLiteral("ncu"));
    const std::string place = folder.path().toStdString();
    QVERIFY(findNcu(place + "/nvcc", "").empty() || !findNcu(place + "/nvcc", "").starts_with(place));
    QFile file(ncu);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    QVERIFY(QFile::setPermissions(ncu, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QCOMPARE(findNcu(place + "/nvcc", ""), ncu.toStdString());
    QCOMPARE(findNcu("/nonexistent/nvcc", "relative:" + place), ncu.toStdString());
    // What lies where the work is done may be the kernel's own.
    const QString before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(folder.path()));
    QVERIFY(!findNcu("/nonexistent/nvcc", place).starts_with(place));
    QVERIFY(QDir::setCurrent(before));
}

QTEST_APPLESS_MAIN(TestEvalProfile)
#include "tst_eval_profile.moc"
