// SPDX-License-Identifier: GPL-3.0-or-later
// Prints how soon the window's first content is on the screen, and how long its event loop is ever kept waiting while
// the tuner runs an example.
//   AKO_PERF_ITERATIONS: iterations of the run (5); AKO_PERF_EXAMPLE: softmax, matmul or stencil
#include "base/installation.h"
#include "history/runstore.h"
#include "loop/controller.h"
#include "support/figures.h"
#include "support/heartbeat.h"
#include "support/longhistory.h"
#include "support/scratchrepository.h"
#include "support/windowprocess.h"
#include "window/mainwindow.h"
#include "window/wiring.h"

#include <QApplication>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace ako;
using namespace ako::test;

class TestWindowFigures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void firstPaint_data();
    void firstPaint();
    void eventLoopDuringRun();
};

void TestWindowFigures::initTestCase()
{
    if (!WindowProcess::hasDisplay())
        QSKIP("no display: start it by tests/run.sh --perf");
    isolateGitConfiguration();
    QStandardPaths::setTestModeEnabled(true);
}

void TestWindowFigures::firstPaint_data()
{
    QTest::addColumn<int>("iterations");
    QTest::newRow("start page") << 0;
    QTest::newRow("workspace of 1,000 iterations") << 1000;
}

void TestWindowFigures::firstPaint()
{
    QFETCH(int, iterations);
    const QStringList arguments = iterations > 0 ? QStringList{longHistory(iterations)} : QStringList{};
    const QString painted = QStringLiteral("AKO_TRACE first-paint");
    QList<double> took;
    for (int round = 0; round < 7; ++round) {
        WindowProcess window;
        window.start(arguments);
        QVERIFY(runEventLoopUntil([&] { return window.secondsTo(painted) > 0.0; }, 60000));
        took << window.secondsTo(painted) * 1e3;
    }
    printFigure(QStringLiteral("first paint after start, %1").arg(QString::fromUtf8(QTest::currentDataTag())),
                distribution(took, QStringLiteral("ms")) +
                    QStringLiteral(", the first %1 ms (wanted: at most 500 ms)").arg(took.first(), 0, 'f', 1));
}

void TestWindowFigures::eventLoopDuringRun()
{
    const QTemporaryDir folder;
    const QString example = qEnvironmentVariable("AKO_PERF_EXAMPLE", QStringLiteral("softmax"));
    const QString workspace = copyOfWorkspace(
        installation::dataFolder(QStringLiteral("examples")) + QLatin1Char('/') + example, folder.path());
    RunStore store;
    LoopController controller;
    controller.setIdentity(QStringLiteral("Ada Lovelace"), QStringLiteral("ada@example.org"));
    MainWindow window(store);
    connectWindow(window, controller, store);
    QString stopped;
    connect(&store, &RunStore::stopped, this, [&](const event::RunStopped &stop) { stopped = stop.reason; });
    window.resize(1280, 800);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window, 30000));

    Heartbeat heartbeat;
    window.openWorkspace(workspace);
    QVERIFY(runEventLoopUntil([&] { return store.phase().phase == Phase::AwaitingApproval; }, 60000));
    controller.setPlanField(QString::fromLatin1(planKey::iterationCap),
                            QString::number(amount("AKO_PERF_ITERATIONS", 5)));
    controller.approve();
    controller.run();
    QVERIFY2(runEventLoopUntil([&] { return !stopped.isEmpty(); }, 1800000), "the run does not end");
    const Heartbeat::Figures figures = heartbeat.figures();
    QVERIFY2(store.records().size() > 1, qPrintable(stopped));
    const auto text = [](double wall) { return QString::number(wall, 'f', 1) + QStringLiteral(" ms"); };
    printFigure(
        QStringLiteral("event loop during a run of %1 entries").arg(store.records().size()),
        QStringLiteral("longest gap %1 (wanted: 50 ms; its own processor time %2), 99.9th percentile %3 "
                       "(wanted: 16 ms), 99th %4, median %5, of %6 beats; longest processor time between two %7")
            .arg(text(figures.longest), text(figures.processorInLongest), text(figures.permille999),
                 text(figures.percent99), text(figures.median))
            .arg(figures.beats)
            .arg(text(figures.longestProcessor)));
    printFigure(QStringLiteral("where that run ended"), stopped);
}

QTEST_MAIN(TestWindowFigures)
#include "tst_perf_window.moc"
