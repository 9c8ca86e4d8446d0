// SPDX-License-Identifier: GPL-3.0-or-later
// Prints how long it takes from a bench's end to the commit, at 10 and at 1,000 iterations of history. The bench and
// the agent are scripted; the plan, git, trajectory/ and ITERATIONS.md are real.
#include "support/figures.h"
#include "support/longhistory.h"

#include <QTemporaryDir>
#include <QTest>

using namespace ako::test;

class TestCommitFigures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void atTenIterations();
    void atThousandIterations();

private:
    static void print(const QString &at, const QList<double> &took)
    {
        printFigure(QStringLiteral("bench's end to commit, at %1 iterations").arg(at),
                    distribution(took, QStringLiteral("ms")) + QStringLiteral(" (wanted: median at most 50 ms)"));
    }
};

void TestCommitFigures::atTenIterations()
{
    QList<double> took;
    for (int round = 0; round < 3; ++round) {
        const QTemporaryDir folder;
        const QString workspace = emptyHistory(folder.path());
        recordIterations(workspace, 10);
        const QList<double> ten = recordIterations(workspace, 10);
        QCOMPARE(ten.size(), 10);
        took += ten;
    }
    print(QStringLiteral("10"), took);
}

void TestCommitFigures::atThousandIterations()
{
    const QTemporaryDir folder;
    const QList<double> took = recordIterations(copyOfWorkspace(longHistory(1000), folder.path()), 30);
    QCOMPARE(took.size(), 30);
    print(QStringLiteral("1,000"), took);
}

QTEST_GUILESS_MAIN(TestCommitFigures)
#include "tst_perf_commit.moc"
