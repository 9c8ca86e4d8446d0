// SPDX-License-Identifier: GPL-3.0-or-later
// Prints how often ako-bench calls a kernel improved over itself, and how far apart the ratios are.
//   AKO_PERF_RUNS: runs of each mode (20); AKO_PERF_EXAMPLE: softmax, matmul or stencil
#include "base/installation.h"
#include "process/childprocess.h"
#include "support/figures.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace ako;
using namespace ako::test;

class TestIdenticalFigures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void identicalKernels_data();
    void identicalKernels();

private:
    struct Outcome
    {
        QString verdict;
        double ratio = 0.0;
    };
    Outcome bench(const QString &mode) const;
    QString folder(const QString &name) const { return m_folder.path() + QLatin1Char('/') + name; }
    QTemporaryDir m_folder;
};

void TestIdenticalFigures::identicalKernels_data()
{
    QTest::addColumn<QString>("mode");
    QTest::newRow("signal") << QStringLiteral("--signal");
    QTest::newRow("verdict") << QStringLiteral("--verdict");
}

TestIdenticalFigures::Outcome TestIdenticalFigures::bench(const QString &mode) const
{
    const QString example = qEnvironmentVariable("AKO_PERF_EXAMPLE", QStringLiteral("softmax"));
    const QString source = installation::dataFolder(QStringLiteral("examples")) + QLatin1Char('/') + example;
    for (const QString &name : {QStringLiteral("solution"), QStringLiteral("champion")}) {
        QDir().mkpath(folder(name));
        QFile::copy(source + QStringLiteral("/%1.cpp").arg(example), folder(name) + QStringLiteral("/kernel.cpp"));
    }
    const QString json = folder(QStringLiteral("result.json"));
    QFile::remove(json);
    CommandSpec spec;
    spec.program = installation::program(QStringLiteral("ako-bench"));
    spec.arguments = QStringList{QStringLiteral("--problem"),
                                 source + QStringLiteral("/problem.json"),
                                 QStringLiteral("--solution"),
                                 folder(QStringLiteral("solution")),
                                 QStringLiteral("--champion"),
                                 folder(QStringLiteral("champion")),
                                 QStringLiteral("--build-dir"),
                                 folder(QStringLiteral("build")),
                                 QStringLiteral("--json"),
                                 json,
                                 mode};
    runToEnd(spec);
    QFile file(json);
    if (!file.open(QIODevice::ReadOnly))
        return {QStringLiteral("no result.json"), 0.0};
    const auto result = nlohmann::json::parse(file.readAll().toStdString(), nullptr, false);
    if (result.value("status", "") != "OK" || !result.contains("decision"))
        return {QString::fromStdString(result.value("status", "unreadable")), 0.0};
    const auto &decision = result["decision"];
    return {QString::fromStdString(decision.value("vs_best", "")), decision.value("est", 0.0)};
}

void TestIdenticalFigures::identicalKernels()
{
    QFETCH(QString, mode);
    const int runs = amount("AKO_PERF_RUNS", 20);
    QMap<QString, int> counts;
    QList<double> ratios;
    for (int run = 0; run < runs; ++run) {
        const Outcome outcome = bench(mode);
        ++counts[outcome.verdict];
        if (outcome.ratio > 0.0)
            ratios << outcome.ratio;
    }
    QStringList words;
    for (auto count = counts.cbegin(); count != counts.cend(); ++count)
        words << QStringLiteral("%1 %2").arg(count.key()).arg(count.value());
    const auto ratio = [&ratios](double percent) { return QString::number(percentile(ratios, percent), 'f', 4); };
    printFigure(QStringLiteral("identical kernels, %1, %2 runs").arg(mode).arg(runs),
                QStringLiteral("called improved %1 (wanted: 0); ratio min %2, median %3, max %4; %5")
                    .arg(counts.value(QStringLiteral("IMPROVED")))
                    .arg(ratio(0), ratio(50), ratio(100), words.join(QStringLiteral(", "))));
    QVERIFY2(!ratios.isEmpty(), qPrintable(words.join(QLatin1Char(' '))));
}

QTEST_GUILESS_MAIN(TestIdenticalFigures)
#include "tst_perf_identical.moc"
