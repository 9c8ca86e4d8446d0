// SPDX-License-Identifier: GPL-3.0-or-later
// Prints how long inventory and plan take, from nothing in this process: a small workspace, and one of 50,000 files.
#include "support/figures.h"
#include "workspace/planbuilder.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace ako;
using namespace ako::test;

namespace {

const QByteArray model = "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return x\n"
                         "def get_inputs():\n    return [torch.ones(1)]\n";

void write(const QString &path, const QByteArray &content)
{
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
}

void measure(const QString &name, const QString &workspace, int rounds, const QString &wanted)
{
    QList<double> took;
    for (int round = 0; round < rounds; ++round) {
        QElapsedTimer timer;
        timer.start();
        const Result<Inventory> inventory = takeInventory(workspace);
        QVERIFY(inventory);
        const ResolvedPlan plan = buildPlan(*inventory, QStringLiteral("at most 20 iterations"), {});
        took << double(timer.nsecsElapsed()) / 1e6;
        QCOMPARE(plan.kernelFiles, QStringList{QStringLiteral("model.py")});
    }
    printFigure(name, distribution(took, QStringLiteral("ms")) + wanted);
}

} // namespace

class TestPlanFigures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ofASmallWorkspace();
    void of50000Files();
};

void TestPlanFigures::ofASmallWorkspace()
{
    QTemporaryDir folder;
    write(folder.filePath(QStringLiteral("model.py")), model);
    write(folder.filePath(QStringLiteral("README.md")), "A model.\n");
    measure(QStringLiteral("plan of a small workspace"), folder.path(), 20,
            QStringLiteral(" (wanted: at most 300 ms)"));
}

// Sources, Python files, data and notes, as a grown repository has them.
void TestPlanFigures::of50000Files()
{
    QTemporaryDir folder;
    write(folder.filePath(QStringLiteral("model.py")), model);
    const QList<std::pair<QString, QByteArray>> kinds{
        {QStringLiteral("h"), "#pragma once\nstruct A { int x; };\n"},
        {QStringLiteral("cpp"), "#include \"a.h\"\nstatic int f(int x) { return x + 1; }\n"},
        {QStringLiteral("py"), "import os\n\ndef f(x):\n    return os.path.join(x)\n"},
        {QStringLiteral("txt"), "text\n"},
        {QStringLiteral("npy"), "\x93NUMPY"}};
    for (int i = 0; i < 50000; ++i) {
        const auto &[suffix, content] = kinds[i % kinds.size()];
        write(QStringLiteral("%1/lib%2/part%3/f%4.%5").arg(folder.path()).arg(i / 5000).arg(i / 200).arg(i).arg(suffix),
              content);
    }
    measure(QStringLiteral("plan of 50,000 files"), folder.path(), 5, QStringLiteral(" (wanted: at most 2,000 ms)"));
}

QTEST_GUILESS_MAIN(TestPlanFigures)
#include "tst_perf_plan.moc"
