// SPDX-License-Identifier: GPL-3.0-or-later
// Prints how long opening a workspace of 1,000 iterations takes to a full timeline: for the models, and for the real
// window with the memory that it has then.
#include "history/runstore.h"
#include "loop/controller.h"
#include "models/iterationmodel.h"
#include "support/figures.h"
#include "support/longhistory.h"
#include "support/windowprocess.h"

#include <QElapsedTimer>
#include <QTest>

using namespace ako;
using namespace ako::test;

namespace {

constexpr int iterations = 1000;
constexpr int rounds = 5;

} // namespace

class TestOpenFigures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void toTheModel();
    void toTheWindow();
};

void TestOpenFigures::toTheModel()
{
    const QString workspace = longHistory(iterations);
    QList<double> took;
    for (int round = 0; round < rounds; ++round) {
        RunStore store;
        IterationModel model(store);
        LoopController controller;
        connect(&controller, &LoopController::happened, &store, &RunStore::apply);
        double full = 0.0;
        QElapsedTimer sinceOpen;
        connect(&model, &IterationModel::modelReset, this, [&] {
            if (model.rowCount() == iterations + 1)
                full = double(sinceOpen.nsecsElapsed()) / 1e9;
        });
        LoopController::Options options;
        options.readOnly = true;
        controller.setOptions(options);
        sinceOpen.start();
        controller.openWorkspace(workspace);
        QVERIFY(runEventLoopUntil([&] { return full > 0.0; }, 120000));
        took << full;
    }
    printFigure(QStringLiteral("opening 1,000 iterations, to the timeline's model"),
                distribution(took, QStringLiteral("s"), 3) + QStringLiteral(" (wanted: at most 1 s)"));
}

void TestOpenFigures::toTheWindow()
{
    if (!WindowProcess::hasDisplay())
        QSKIP("no display: start it by tests/run.sh --perf");
    const QString workspace = longHistory(iterations);
    QList<double> took;
    WindowProcess::Memory memory;
    for (int round = 0; round < rounds; ++round) {
        WindowProcess window;
        window.start({workspace});
        const QString full = QStringLiteral("AKO_TRACE timeline %1").arg(iterations + 1);
        QVERIFY(runEventLoopUntil([&] { return window.secondsTo(full) > 0.0; }, 120000));
        took << window.secondsTo(full);
        // What is still being drawn and laid out belongs to it.
        QVERIFY(runEventLoopUntil([&] { return window.isSettled(); }, 60000));
        memory = window.memory();
        QVERIFY(memory.residentMegabytes > 0.0);
    }
    printFigure(QStringLiteral("opening 1,000 iterations, from start to the timeline in the window"),
                distribution(took, QStringLiteral("s"), 3));
    printFigure(QStringLiteral("memory of the window with 1,000 iterations"),
                QStringLiteral("%1 MB resident (%2 MB of its own, %3 MB of files), at most %4 MB (wanted: 250 MB)")
                    .arg(memory.residentMegabytes, 0, 'f', 1)
                    .arg(memory.ownMegabytes, 0, 'f', 1)
                    .arg(memory.fileMegabytes, 0, 'f', 1)
                    .arg(memory.peakMegabytes, 0, 'f', 1));
}

QTEST_GUILESS_MAIN(TestOpenFigures)
#include "tst_perf_open.moc"
