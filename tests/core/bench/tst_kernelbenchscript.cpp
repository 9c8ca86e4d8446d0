// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/kernelbenchscript.h"
#include "support/testfiles.h"
#include "workspace/integritymanifest.h"
#include "workspace/kernelbenchfolder.h"
#include "workspace/scaffold.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace ako;
using namespace ako::test;

namespace {

// A virtual environment as far as its files tell, in the workspace itself.
void layEnvironment(const QString &workspace)
{
    writeProgram(workspace + QStringLiteral("/.venv/bin/python3"), "#!/bin/sh\n");
    writeProgram(workspace + QStringLiteral("/.venv/lib/python3.11/site-packages/torch/version.py"),
                 "__version__ = '2.11.0'\n");
}

ResolvedPlan planIn(const QString &workspace)
{
    ResolvedPlan plan;
    plan.workspace = workspace;
    plan.evaluator = EvaluatorKind::KernelBench;
    plan.kernelFiles = {QStringLiteral("my kernel.py")};
    return plan;
}

} // namespace

class KernelBenchScriptTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void commandNamesReferenceAndInputs();
    void environmentOfCondaIsActivated();
    void folderStaysTheirs();
    void folderIsCopiedAndCompleted();
    void anotherVersionStaysAsItIs();
    void measurementDependsOnTheEvaluator();
};

void KernelBenchScriptTest::initTestCase()
{
    qunsetenv("VIRTUAL_ENV");
    qunsetenv("CONDA_PREFIX");
}

void KernelBenchScriptTest::commandNamesReferenceAndInputs()
{
    QTemporaryDir folder;
    layEnvironment(folder.path());
    ResolvedPlan plan = planIn(folder.path());
    const auto own = kernelBenchScript(plan);
    QVERIFY(own);
    QVERIFY(own->setUpLines.contains(
        QStringLiteral("AKO_PYTHON='%1/.venv/bin/python3'").arg(QFileInfo(folder.path()).absoluteFilePath())));
    QCOMPARE(own->command, QStringLiteral("\"$AKO_PYTHON\" -I bench/kernelbench/bench.py --ref 'my kernel.py' "
                                          "--solution solution ${AKO_RESULT_JSON:+--json \"$AKO_RESULT_JSON\"} "
                                          "\"$@\""));
    plan.referenceFile = QStringLiteral("ref.py");
    plan.inputFiles = {QStringLiteral("inputs.py")};
    const auto given = kernelBenchScript(plan);
    QVERIFY(given);
    QVERIFY(given->command.contains(QStringLiteral("--ref 'ref.py' --solution solution --inputs 'inputs.py'")));
    plan.inputFiles = {QStringLiteral("weights.npz")};
    QVERIFY(!kernelBenchScript(plan)->command.contains(QStringLiteral("--inputs")));
}

void KernelBenchScriptTest::environmentOfCondaIsActivated()
{
    QTemporaryDir folder;
    const QString root = folder.filePath(QStringLiteral("conda"));
    writeProgram(root + QStringLiteral("/etc/profile.d/conda.sh"), "");
    writeProgram(root + QStringLiteral("/envs/gpu/conda-meta/history"), "");
    const QStringList lines = pythonSetUpLines(root + QStringLiteral("/envs/gpu/bin/python3"));
    QCOMPARE(lines.at(0), QStringLiteral(". '%1/etc/profile.d/conda.sh'").arg(root));
    QCOMPARE(lines.at(1), QStringLiteral("conda activate '%1/envs/gpu'").arg(root));
    QVERIFY(pythonSetUpLines(QStringLiteral("/usr/bin/python3")).first().startsWith(QLatin1String("AKO_PYTHON=")));
}

void KernelBenchScriptTest::folderStaysTheirs()
{
    QTemporaryDir folder;
    QCOMPARE(kernelBenchFolder(folder.path()), QStringLiteral("bench/kernelbench"));
    writeProgram(folder.filePath(QStringLiteral("bench/kernelbench/bench.py")), "print('theirs')\n");
    QCOMPARE(kernelBenchFolder(folder.path()), QStringLiteral("bench/ako-kernelbench"));
    writeProgram(folder.filePath(QStringLiteral("bench/kernelbench/bench.py")), "from akobench.cli import main\n");
    QCOMPARE(kernelBenchFolder(folder.path()), QStringLiteral("bench/kernelbench"));
}

void KernelBenchScriptTest::folderIsCopiedAndCompleted()
{
    const QString source = QStringLiteral(AKO_SOURCE_DIR "/scaffold");
    QTemporaryDir folder;
    const QStringList missing = missingScaffold(folder.path(), EvaluatorKind::KernelBench);
    QVERIFY(missing.contains(QStringLiteral("bench/kernelbench/")));
    QVERIFY(!missingScaffold(folder.path(), EvaluatorKind::Native).contains(QStringLiteral("bench/kernelbench/")));
    QCOMPARE(copyScaffold(source, folder.path(), missing).value(), missing);
    QVERIFY(missingScaffold(folder.path(), EvaluatorKind::KernelBench).isEmpty());
    const QString part = folder.filePath(QStringLiteral("bench/kernelbench/akobench/cli.py"));
    QVERIFY(QFile::remove(part));
    writeProgram(folder.filePath(QStringLiteral("bench/kernelbench/GUIDE.md")), "mine\n");
    QCOMPARE(missingScaffold(folder.path(), EvaluatorKind::KernelBench),
             QStringList{QStringLiteral("bench/kernelbench/")});
    QVERIFY(copyScaffold(source, folder.path(), {QStringLiteral("bench/kernelbench/")}));
    QVERIFY(QFile::exists(part));
    QFile guide(folder.filePath(QStringLiteral("bench/kernelbench/GUIDE.md")));
    QVERIFY(guide.open(QIODevice::ReadOnly));
    QCOMPARE(guide.readAll(), QByteArray("mine\n"));
}

// A workspace that an older program approved: its evaluator lacks a module that this one has, and another differs.
void KernelBenchScriptTest::anotherVersionStaysAsItIs()
{
    const QString source = QStringLiteral(AKO_SOURCE_DIR "/scaffold");
    QTemporaryDir folder;
    QVERIFY(copyScaffold(source, folder.path(), {QStringLiteral("bench/kernelbench/")}));
    QVERIFY(QFile::remove(folder.filePath(QStringLiteral("bench/kernelbench/akobench/gate.py"))));
    QVERIFY(missingScaffold(folder.path(), EvaluatorKind::KernelBench).contains(QStringLiteral("bench/kernelbench/")));
    writeProgram(folder.filePath(QStringLiteral("bench/kernelbench/akobench/cli.py")), "older = True\n");
    QVERIFY(!missingScaffold(folder.path(), EvaluatorKind::KernelBench).contains(QStringLiteral("bench/kernelbench/")));
}

void KernelBenchScriptTest::measurementDependsOnTheEvaluator()
{
    QTemporaryDir folder;
    writeProgram(folder.filePath(QStringLiteral("my kernel.py")), "x\n");
    const QString program = QStringLiteral("bench/kernelbench/bench.py");
    writeProgram(folder.filePath(program), "from akobench.cli import main\n");
    const auto manifest = IntegrityManifest::of(planIn(folder.path()), {});
    QVERIFY(manifest);
    QVERIFY(manifest->changes(folder.path()).isEmpty());
    writeProgram(folder.filePath(program), "from akobench.cli import other\n");
    QCOMPARE(manifest->changes(folder.path()).size(), 1);
    QCOMPARE(manifest->changes(folder.path()).first().file, program);
    writeProgram(folder.filePath(QStringLiteral("my kernel.py")), "y\n");
    QCOMPARE(manifest->changes(folder.path()).size(), 2);
}

QTEST_GUILESS_MAIN(KernelBenchScriptTest)
#include "tst_kernelbenchscript.moc"
