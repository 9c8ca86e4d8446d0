// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/warmevaluator.h"
#include "support/testfiles.h"

#include <QTemporaryDir>
#include <QTest>

using namespace ako;
using namespace ako::test;

class WarmEvaluatorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyForThisEvaluator();
    void oneProcessUntilTheEvaluatorChanges();
    void startedAnewWhenItHasEnded();

private:
    // An interpreter that notes each start and stays.
    void layWorkspace(const QString &folder)
    {
        writeProgram(folder + QStringLiteral("/python"), "#!/bin/sh\necho \"$4\" >>started\nexec sleep 600\n");
        writeProgram(folder + QStringLiteral("/bench/kernelbench/bench.py"), "from akobench.cli import main\n");
        writeProgram(folder + QStringLiteral("/scripts/bench.sh"),
                     "AKO_PYTHON='" + folder.toUtf8() +
                         "/python'\n\"$AKO_PYTHON\" -I bench/kernelbench/bench.py \"$@\"\n");
    }
};

void WarmEvaluatorTest::onlyForThisEvaluator()
{
    QTemporaryDir folder;
    WarmEvaluator warm;
    QVERIFY(warm.socketFor(folder.path()).isEmpty());
    writeProgram(folder.filePath(QStringLiteral("scripts/bench.sh")),
                 "'/usr/bin/ako-bench' --problem problem.json \"$@\"\n");
    QVERIFY(warm.socketFor(folder.path()).isEmpty());
}

void WarmEvaluatorTest::oneProcessUntilTheEvaluatorChanges()
{
    QTemporaryDir folder;
    layWorkspace(folder.path());
    const QString started = folder.filePath(QStringLiteral("started"));
    WarmEvaluator warm;
    const QString first = warm.socketFor(folder.path());
    QTRY_COMPARE_WITH_TIMEOUT(readFile(started), first.toUtf8() + '\n', 60'000);
    QCOMPARE(warm.socketFor(folder.path()), first);
    writeProgram(folder.filePath(QStringLiteral("bench/kernelbench/bench.py")),
                 "from akobench.cli import main  # newer\n");
    const QString second = warm.socketFor(folder.path());
    QVERIFY(second != first);
    QTRY_COMPARE_WITH_TIMEOUT(readFile(started), first.toUtf8() + '\n' + second.toUtf8() + '\n', 60'000);
}

void WarmEvaluatorTest::startedAnewWhenItHasEnded()
{
    QTemporaryDir folder;
    layWorkspace(folder.path());
    writeProgram(folder.filePath(QStringLiteral("python")),
                 "#!/bin/sh\necho \"$4\" >>started\n"); // as after idle minutes
    const QString started = folder.filePath(QStringLiteral("started"));
    WarmEvaluator warm;
    const QString first = warm.socketFor(folder.path());
    QTRY_COMPARE_WITH_TIMEOUT(readFile(started), first.toUtf8() + '\n', 60'000);
    QTRY_VERIFY_WITH_TIMEOUT(warm.socketFor(folder.path()) != first, 60'000);
}

QTEST_GUILESS_MAIN(WarmEvaluatorTest)
#include "tst_warmevaluator.moc"
