// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/benchrun.h"
#include "bench/outputfilter.h"
#include "support/scratchworkspace.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace ako;
using ako::test::ScratchWorkspace;

namespace {

constexpr int limitMilliseconds = 30'000;

constexpr char goodReport[] =
    R"({"schema":"ako.result/1","mode":"verdict","status":"OK","state":"confirmed","compiled":true,)"
    R"("correct":{"pass":true},"timing":{"total":{"sol":{"median":2,"mean":2.1,"min":1.9,"max":3}}}})";

BenchRequest requestFor(const ScratchWorkspace &workspace, BenchMode mode = BenchMode::Verdict)
{
    BenchRequest request;
    request.workspace = workspace.path();
    request.label = QStringLiteral("iter-1");
    request.mode = mode;
    return request;
}

struct Watched
{
    explicit Watched(const BenchRequest &request)
        : run(request)
    {
        QObject::connect(&run, &BenchRun::finished, &run, [this](const BenchResult &r, const ProcessEnd &e) {
            result = r;
            end = e;
            ++count;
        });
        QObject::connect(&run, &BenchRun::outputAppended, &run, [this](const QString &text) { shown += text; });
        QObject::connect(&run, &BenchRun::progressChanged, &run, [this](const QString &stage, double fraction) {
            progress << QStringLiteral("%1 %2").arg(stage).arg(fraction);
        });
    }
    bool waitForEnd()
    {
        return QTest::qWaitFor([this] { return count > 0; }, limitMilliseconds);
    }

    BenchRun run;
    BenchResult result;
    ProcessEnd end;
    QString shown;
    QStringList progress;
    int count = 0;
};

} // namespace

class TestBenchRun : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsTheReport();
    void aFailingBenchIsNeverASuccess();
    void readsACustomBench();
    void filtersProgress();
    void cutsProgressOutOfAnyPieces_data();
    void cutsProgressOutOfAnyPieces();
    void timesOut();
    void stops();
    void endsOnceWithoutAScript();
    void believesOnlyItsOwnFolder();
    void boundsTheOutput();
    void mayBeDestroyedWhileRunning();
};

void TestBenchRun::readsTheReport()
{
    const ScratchWorkspace workspace;
    workspace.renderBench(
        QStringLiteral("echo hello; echo '%1' > \"$AKO_RESULT_JSON\"").arg(QLatin1String(goodReport)));
    Watched bench(requestFor(workspace));
    bench.run.start();
    QVERIFY(bench.run.isRunning());
    QVERIFY(bench.waitForEnd());
    QVERIFY(!bench.run.isRunning());
    QVERIFY(bench.result.correct);
    QCOMPARE(bench.result.state, ResultState::Confirmed);
    QCOMPARE(bench.result.exitCode, 0);
    QCOMPARE(bench.result.solution->mean, 2.1);
    QVERIFY(bench.shown.startsWith(QStringLiteral("hello\n")));
    QVERIFY(workspace.exists(bench.run.trajectory() + QStringLiteral("/output.txt")));
    QVERIFY(bench.run.trajectory().endsWith(QStringLiteral("_iter-1")));
}

void TestBenchRun::aFailingBenchIsNeverASuccess()
{
    const ScratchWorkspace workspace;
    workspace.renderBench(QStringLiteral("echo '%1' > \"$AKO_RESULT_JSON\"; exit 6").arg(QLatin1String(goodReport)));
    Watched bench(requestFor(workspace));
    bench.run.start();
    QVERIFY(bench.waitForEnd());
    QVERIFY(!bench.result.correct);
    QCOMPARE(bench.result.exitCode, 6);
    QVERIFY(bench.result.state != ResultState::Confirmed);
    QVERIFY(!bench.result.message.isEmpty());
}

void TestBenchRun::readsACustomBench()
{
    const ScratchWorkspace workspace;
    workspace.renderBench(QStringLiteral("echo 'scatter took 12 us'; echo 'CORRECT: True'"));
    BenchRequest request = requestFor(workspace, BenchMode::Custom);
    request.reading.pattern = QStringLiteral("(?<kernel>\\w+) took (?<runtime>[\\d.]+) us");
    request.reading.millisecondsPerUnit = 0.001;
    Watched bench(request);
    bench.run.start();
    QVERIFY(bench.waitForEnd());
    QVERIFY(bench.result.correct);
    QCOMPARE(bench.result.mode, BenchMode::Custom);
    QCOMPARE(bench.result.solution->mean, 0.012);
    QCOMPARE(bench.result.extraColumns.value(QStringLiteral("kernel")), QStringLiteral("scatter"));
}

void TestBenchRun::filtersProgress()
{
    const ScratchWorkspace workspace;
    workspace.renderBench(
        QStringLiteral("echo a; [ $AKO_PROGRESS = 1 ] && echo 'AKO_PROGRESS compile 0.25' >&2; echo b; "
                       "echo 'AKO_PROGRESS timing' >&2; printf c"));
    Watched bench(requestFor(workspace));
    bench.run.start();
    QVERIFY(bench.waitForEnd());
    QCOMPARE(bench.progress, QStringList({QStringLiteral("compile 0.25"), QStringLiteral("timing -1")}));
    QVERIFY2(bench.shown.startsWith(QStringLiteral("a\nb\nc")), qPrintable(bench.shown));
}

void TestBenchRun::cutsProgressOutOfAnyPieces_data()
{
    QTest::addColumn<int>("size");
    for (const int size : {1, 2, 3, 5, 7, 13, 1000})
        QTest::addRow("pieces of %d bytes", size) << size;
}

void TestBenchRun::cutsProgressOutOfAnyPieces()
{
    QFETCH(const int, size);
    const QByteArray stream = "é AKO_PROGRESS x 1\nAKO_PROGRESS check 0.5\nAKO_PROG\n日本\nAKO_PROGRESS bad 7\nAKO_P";
    OutputFilter filter;
    QString shown;
    for (qsizetype at = 0; at < stream.size(); at += size)
        shown += filter.feed(stream.mid(at, size));
    shown += filter.finish();
    QCOMPARE(shown, QStringLiteral("é AKO_PROGRESS x 1\nAKO_PROG\n日本\nAKO_P"));
    const QList<OutputFilter::Progress> expected{{QStringLiteral("check"), 0.5}, {QStringLiteral("bad"), 1.0}};
    QCOMPARE(filter.takeProgress(), expected);
}

void TestBenchRun::timesOut()
{
    const ScratchWorkspace workspace;
    workspace.renderBench(QStringLiteral("echo begun; sleep 600"));
    BenchRequest request = requestFor(workspace);
    request.timeoutMilliseconds = 500;
    Watched bench(request);
    bench.run.start();
    QVERIFY(bench.waitForEnd());
    QCOMPARE(bench.end.kind, ProcessEnd::Kind::TimedOut);
    QCOMPARE(bench.result.status, QStringLiteral("TIMEOUT"));
    QVERIFY(!bench.result.correct);
    QVERIFY(workspace.read(bench.run.trajectory() + QStringLiteral("/output.txt")).startsWith("begun\n"));
    QVERIFY(workspace.exists(bench.run.trajectory() + QStringLiteral("/solution/kernel.cpp")));
}

void TestBenchRun::stops()
{
    const ScratchWorkspace workspace;
    workspace.renderBench(QStringLiteral("echo begun; sleep 600"));
    Watched bench(requestFor(workspace));
    bench.run.start();
    QTRY_VERIFY_WITH_TIMEOUT(bench.shown.contains(QStringLiteral("begun")), limitMilliseconds);
    bench.run.stop();
    QVERIFY(bench.waitForEnd());
    QCOMPARE(bench.end.kind, ProcessEnd::Kind::Stopped);
    QCOMPARE(bench.result.status, QStringLiteral("STOPPED"));
    bench.run.stop();
    QCoreApplication::processEvents();
    QCOMPARE(bench.count, 1);
}

void TestBenchRun::endsOnceWithoutAScript()
{
    const ScratchWorkspace workspace;
    Watched bench(requestFor(workspace));
    bench.run.start();
    QCOMPARE(bench.count, 0);
    QVERIFY(bench.waitForEnd());
    QCoreApplication::processEvents();
    QCOMPARE(bench.count, 1);
    QCOMPARE(bench.end.kind, ProcessEnd::Kind::FailedToStart);
    QVERIFY2(bench.result.message.contains(QStringLiteral("scripts/bench.sh")), qPrintable(bench.result.message));
}

void TestBenchRun::believesOnlyItsOwnFolder()
{
    const ScratchWorkspace workspace;
    workspace.write(QStringLiteral("trajectory/20200101-000000_old/result.json"), goodReport);
    workspace.renderBench(QStringLiteral("echo 'Trajectory saved to: trajectory/20200101-000000_old'; kill -KILL $$"));
    Watched bench(requestFor(workspace));
    bench.run.start();
    QVERIFY(bench.waitForEnd());
    QVERIFY(!bench.result.correct);
    QCOMPARE(bench.result.exitCode, -9);
    QVERIFY(bench.run.trajectory().endsWith(QStringLiteral("_iter-1")));
}

void TestBenchRun::boundsTheOutput()
{
    const ScratchWorkspace workspace;
    workspace.renderBench(QStringLiteral("head -c 50000000 /dev/zero | tr '\\0' 'x'; echo; echo 'RUNTIME: 1.5'"));
    BenchRequest request = requestFor(workspace, BenchMode::Custom);
    request.outputLimitBytes = 100'000;
    Watched bench(request);
    bench.run.start();
    QVERIFY(bench.waitForEnd());
    QVERIFY(bench.end.droppedBytes > 49'000'000);
    QVERIFY(bench.shown.size() <= 100'000);
    QCOMPARE(bench.result.solution->mean, 1.5); // what a bench says last is kept
}

void TestBenchRun::mayBeDestroyedWhileRunning()
{
    const ScratchWorkspace workspace;
    workspace.renderBench(QStringLiteral("echo begun; sleep 600"));
    auto bench = std::make_unique<BenchRun>(requestFor(workspace));
    QSignalSpy finished(bench.get(), &BenchRun::finished);
    QSignalSpy output(bench.get(), &BenchRun::outputAppended);
    bench->start();
    QVERIFY(output.wait(limitMilliseconds));
    bench.reset();
    QCOMPARE(finished.count(), 0);
}

QTEST_GUILESS_MAIN(TestBenchRun)
#include "tst_benchrun.moc"
