// SPDX-License-Identifier: GPL-3.0-or-later
// Prints how long the window's event loop is ever kept waiting, and how much memory the program takes, while an agent
// streams 200 MB of updates in one turn.
//   AKO_PERF_MEGABYTES: how much it streams
#include "agents/agentsettings.h"
#include "agents/knownagents.h"
#include "history/runstore.h"
#include "loop/controller.h"
#include "support/agentworkspace.h"
#include "support/figures.h"
#include "support/heartbeat.h"
#include "support/windowprocess.h"
#include "window/mainwindow.h"
#include "window/wiring.h"

#include <QApplication>
#include <QFile>
#include <QStandardPaths>
#include <QTest>
#include <QThread>

#include <algorithm>

using namespace ako;
using namespace ako::test;

namespace {

double residentMegabytes()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    return file.open(QIODevice::ReadOnly) ? file.readAll().split(' ').value(1).toDouble() * 4096 / 1e6 : 0.0;
}

} // namespace

class TestUpdateFigures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aTurnOfManyUpdates();
};

void TestUpdateFigures::initTestCase()
{
    if (!WindowProcess::hasDisplay())
        QSKIP("no display: start it by tests/run.sh --perf");
    isolateGitConfiguration();
    QStandardPaths::setTestModeEnabled(true);
}

void TestUpdateFigures::aTurnOfManyUpdates()
{
    const ScratchRepository repository;
    agentworkspace::writeTo(repository);
    RunStore store;
    LoopController controller;
    controller.setIdentity(QStringLiteral("Ada Lovelace"), QStringLiteral("ada@example.org"));
    MainWindow window(store);
    connectWindow(window, controller, store);
    QString stopped;
    bool proposing = false;
    connect(&store, &RunStore::stopped, this, [&](const event::RunStopped &stop) { stopped = stop.reason; });
    window.resize(1280, 800);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window, 30000));
    window.openWorkspace(repository.path());
    QVERIFY(runEventLoopUntil([&] { return store.phase().phase == Phase::AwaitingApproval; }, 60000));
    const int megabytes = amount("AKO_PERF_MEGABYTES", 200);
    const std::pair<const char *, QString> rows[] = {
        {planKey::agent, QString::fromLatin1(commandAgent)},
        {planKey::agentCommand, QStringLiteral("\"%1/fake_agent\" flood-megabytes=%2")
                                    .arg(QCoreApplication::applicationDirPath())
                                    .arg(megabytes)},
        {planKey::isolation, QStringLiteral("none")}};
    for (const auto &[key, value] : rows)
        controller.setPlanField(QString::fromLatin1(key), value);
    QVERIFY(runEventLoopUntil(
        [&] {
            const PlanField *last = store.plan().field(QLatin1String(planKey::isolation));
            return last && last->value == QLatin1String("none") && !store.plan().hasOpenQuestions();
        },
        60000));
    controller.approve();
    controller.step(); // the baseline
    QVERIFY(runEventLoopUntil([&] { return !stopped.isEmpty(); }, 60000));
    stopped.clear();

    // What a thread that does nothing else sees is the machine's doing, not the window's.
    QThread idleThread;
    Heartbeat idle;
    idle.moveToThread(&idleThread);
    connect(&idleThread, &QThread::started, &idle, &Heartbeat::start);
    connect(&idleThread, &QThread::finished, &idle, &Heartbeat::stop, Qt::DirectConnection);
    Heartbeat heartbeat;
    double before = 0.0;
    double most = 0.0;
    QTimer memory;
    memory.setInterval(100);
    connect(&memory, &QTimer::timeout, this, [&most] { most = std::max(most, residentMegabytes()); });
    QElapsedTimer clock;
    connect(&store, &RunStore::phaseChanged, this, [&] {
        const bool isTurn = store.phase().phase == Phase::Proposing;
        if (isTurn && !proposing) {
            before = residentMegabytes();
            clock.start();
            heartbeat.start();
            idleThread.start();
            memory.start();
        } else if (!isTurn && proposing) {
            heartbeat.stop();
            idleThread.quit();
            memory.stop();
        }
        proposing = isTurn;
    });
    controller.step();
    QVERIFY2(runEventLoopUntil([&] { return !stopped.isEmpty(); }, 1800000), "the turn does not end");
    const double seconds = double(clock.elapsed()) / 1e3;
    idleThread.quit();
    idleThread.wait();
    QVERIFY2(store.records().size() > 1, qPrintable(stopped)); // the turn came to its end
    const Heartbeat::Figures figures = heartbeat.figures();
    const Heartbeat::Figures others = idle.figures();
    QVERIFY(figures.beats > 0);
    const auto text = [](double wall) { return QString::number(wall, 'f', 1) + QStringLiteral(" ms"); };
    printFigure(
        QStringLiteral("event loop while an agent streams %1 MB in %2 s").arg(megabytes).arg(seconds, 0, 'f', 1),
        QStringLiteral("longest gap %1 (wanted: 50 ms), 99.9th percentile %2, 99th %3, median %4, of %5 beats; "
                       "the longest had %6 of computing and %7 of waiting for a core; most computing in one "
                       "gap %8")
            .arg(text(figures.longest), text(figures.permille999), text(figures.percent99), text(figures.median))
            .arg(figures.beats)
            .arg(text(figures.processorInLongest), text(figures.waitingInLongest), text(figures.longestProcessor)));
    printFigure(QStringLiteral("the same in a thread that does nothing"),
                QStringLiteral("longest gap %1, 99.9th percentile %2, 99th %3")
                    .arg(text(others.longest), text(others.permille999), text(others.percent99)));
    printFigure(QStringLiteral("memory of the program in that turn"),
                QStringLiteral("%1 MB before, %2 MB at most").arg(before, 0, 'f', 0).arg(most, 0, 'f', 0));
}

QTEST_MAIN(TestUpdateFigures)
#include "tst_perf_updates.moc"
