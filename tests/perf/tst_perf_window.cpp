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
#include <QThread>

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

    // What a thread that does nothing else sees is the machine's doing, not the window's.
    QThread idleThread;
    Heartbeat idle;
    idle.moveToThread(&idleThread);
    connect(&idleThread, &QThread::started, &idle, &Heartbeat::start);
    connect(&idleThread, &QThread::finished, &idle, &Heartbeat::stop, Qt::DirectConnection);
    idleThread.start();
    Heartbeat heartbeat;
    heartbeat.start();
    window.openWorkspace(workspace);
    QVERIFY(runEventLoopUntil([&] { return store.phase().phase == Phase::AwaitingApproval; }, 60000));
    controller.setPlanField(QString::fromLatin1(planKey::iterationCap),
                            QString::number(amount("AKO_PERF_ITERATIONS", 5)));
    controller.approve();
    controller.run();
    QVERIFY2(runEventLoopUntil([&] { return !stopped.isEmpty(); }, 1800000), "the run does not end");
    idleThread.quit();
    idleThread.wait();
    const Heartbeat::Figures figures = heartbeat.figures();
    const Heartbeat::Figures others = idle.figures();
    QVERIFY2(store.records().size() > 1, qPrintable(stopped));
    const auto text = [](double wall) { return QString::number(wall, 'f', 1) + QStringLiteral(" ms"); };
    printFigure(
        QStringLiteral("event loop during a run of %1 entries").arg(store.records().size()),
        QStringLiteral("longest gap %1 (wanted: 50 ms), 99.9th percentile %2 (wanted: 16 ms), 99th %3, median %4, "
                       "of %5 beats; the longest came %6 s after opening and had %7 of computing and %8 of "
                       "waiting for a core; most computing in one gap %9")
            .arg(text(figures.longest), text(figures.permille999), text(figures.percent99), text(figures.median))
            .arg(figures.beats)
            .arg(figures.secondsToLongest, 0, 'f', 1)
            .arg(text(figures.processorInLongest), text(figures.waitingInLongest), text(figures.longestProcessor)));
    printFigure(QStringLiteral("the same in a thread that does nothing"),
                QStringLiteral("longest gap %1, 99.9th percentile %2, 99th %3")
                    .arg(text(others.longest), text(others.permille999), text(others.percent99)));
    printFigure(QStringLiteral("where that run ended"), stopped);
}

QTEST_MAIN(TestWindowFigures)
#include "tst_perf_window.moc"
