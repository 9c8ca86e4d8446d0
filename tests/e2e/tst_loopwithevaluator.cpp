// SPDX-License-Identifier: GPL-3.0-or-later
// The controller on its own thread with everything real: the tuner, scripts/bench.sh, ako-bench, git.
#include "base/installation.h"
#include "history/runstore.h"
#include "loop/controller.h"
#include "support/scratchrepository.h"

#include <QDir>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

using namespace ako;
using namespace ako::test;

namespace {

constexpr int longest = 240000; // a slow machine under load; nothing here is about time

// An example small enough for a test: the workloads of the softmax, shrunk.
QString smallExample(const QString &folder)
{
    const QString source = QStringLiteral(AKO_SOURCE_DIR "/resources/examples/softmax");
    const QString target = folder + QStringLiteral("/soft max");
    QDir().mkpath(target);
    for (const char *name : {"softmax.cpp", "reference.cpp", "problem.json"}) {
        QFile file(source + QLatin1Char('/') + QLatin1String(name));
        QFile copy(target + QLatin1Char('/') + QLatin1String(name));
        if (!file.open(QIODevice::ReadOnly) || !copy.open(QIODevice::WriteOnly))
            return {};
        QByteArray bytes = file.readAll();
        bytes.replace("\"rows\": 256", "\"rows\": 64").replace("\"cols\": 2048", "\"cols\": 512");
        copy.write(bytes);
    }
    return target;
}

// What a front end does: applies each event to the store and waits for the loop to rest.
class Front : public QObject
{
    Q_OBJECT

public:
    Front()
    {
        connect(&controller, &LoopController::happened, this, [this](const RunEvent &event) {
            store.apply(event);
            if (const auto *stopped = std::get_if<event::RunStopped>(&event))
                stops << *stopped;
            if (const auto *notice = std::get_if<event::Notice>(&event))
                notices << notice->text;
        });
    }

    RunStore store;
    QList<event::RunStopped> stops;
    QStringList notices;
    LoopController controller; // first to go: nothing arrives once the store is gone
};

} // namespace

class TestLoopWithEvaluator : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void tunesAnExample();
    void readOnlyWritesNothing();
    void goesAwayWhileBenching();

private:
    QTemporaryDir m_folder;
};

void TestLoopWithEvaluator::initTestCase()
{
    isolateGitConfiguration();
    if (installation::program(QStringLiteral("ako-bench")).isEmpty())
        QSKIP("ako-bench was not built");
}

void TestLoopWithEvaluator::tunesAnExample()
{
    const QString workspace = smallExample(m_folder.path());
    Front front;
    front.controller.setIdentity(QStringLiteral("Ada"), QStringLiteral("ada@example.org"));
    front.controller.openWorkspace(workspace, QStringLiteral("make it faster, stop after 2 iterations"));
    QTRY_VERIFY_WITH_TIMEOUT(front.store.phase().phase == Phase::AwaitingApproval, longest);
    QVERIFY2(!QDir(workspace + QStringLiteral("/.ako")).exists(), "written before approval");
    front.controller.approve();
    front.controller.run();
    // Reads are answered while the bench runs.
    QTRY_VERIFY_WITH_TIMEOUT(front.store.phase().phase == Phase::Benching || !front.stops.isEmpty(), longest);
    QSignalSpy files(&front.controller, &LoopController::fileReady);
    front.controller.requestFile(0, QStringLiteral("softmax.cpp"), 7);
    QTRY_COMPARE_WITH_TIMEOUT(files.size(), 1, longest);
    QTRY_VERIFY_WITH_TIMEOUT(!front.stops.isEmpty(), longest);
    const event::RunStopped stopped = front.stops.first();
    if (stopped.reason.contains(QStringLiteral("could not be measured")))
        QSKIP("this machine is too busy to measure anything");
    QVERIFY2(stopped.exitCode == 0, qPrintable(stopped.reason + front.notices.join(QLatin1Char('\n'))));
    QCOMPARE(int(stopped.why), int(event::RunStopped::Why::CapReached));
    QCOMPARE(front.store.records().size(), 4);
    QVERIFY(front.store.record(0)->bench.correct);
    QCOMPARE(int(front.store.records().last().kind), int(IterationRecord::Kind::Final));
    QCOMPARE(int(front.store.phase().phase), int(Phase::Finished));
    QVERIFY(!files.first().at(1).toByteArray().isEmpty());
}

void TestLoopWithEvaluator::readOnlyWritesNothing()
{
    Front front;
    const QString workspace = m_folder.path() + QStringLiteral("/soft max");
    LoopController::Options options;
    options.readOnly = true;
    front.controller.setOptions(options);
    front.controller.openWorkspace(workspace);
    QTRY_VERIFY_WITH_TIMEOUT(front.store.phase().phase == Phase::Ready, longest);
    QCOMPARE(front.store.records().size(), 4);
    front.controller.run();
    QTRY_COMPARE_WITH_TIMEOUT(front.stops.size(), 1, longest);
    QCOMPARE(front.stops.first().exitCode, 1);
}

void TestLoopWithEvaluator::goesAwayWhileBenching()
{
    const QString workspace = m_folder.path() + QStringLiteral("/soft max");
    {
        Front front;
        front.controller.openWorkspace(workspace);
        front.controller.step();
        QTRY_VERIFY_WITH_TIMEOUT(front.store.phase().phase == Phase::Benching, longest);
    }
    Front front;
    front.controller.openWorkspace(workspace);
    QSignalSpy recovered(&front.store, &RunStore::recovered);
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, longest);
    QTRY_VERIFY_WITH_TIMEOUT(front.store.phase().phase == Phase::Ready, longest);
    QCOMPARE(front.store.records().size(), 4);
}

QTEST_GUILESS_MAIN(TestLoopWithEvaluator)
#include "tst_loopwithevaluator.moc"
