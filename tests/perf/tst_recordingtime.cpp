// SPDX-License-Identifier: GPL-3.0-or-later
// Prints how long it takes from a bench's end to the commit, with 10 and with 1,000 iterations of history, and how long
// opening that history takes. The bench and the agent are scripted; git, trajectory/ and ITERATIONS.md are real.
#include "support/loopfakes.h"
#include "support/scratchrepository.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <cstdio>

using namespace ako;
using namespace ako::test;

namespace {

constexpr int longHistory = 1000;
constexpr double budget = 50.0; // ms, median

double median(QList<double> values)
{
    std::ranges::sort(values);
    return values.isEmpty() ? 0.0 : values.at(values.size() / 2);
}

} // namespace

class TestRecordingTime : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fromBenchToCommit();

private:
    static void print(const char *what, double milliseconds)
    {
        std::printf("FIGURE %s: %.1f ms\n", what, milliseconds);
        std::fflush(stdout);
    }
};

void TestRecordingTime::fromBenchToCommit()
{
    ScratchRepository repository;
    repository.write(QStringLiteral("kernel.cpp"), kernel(10.0));
    repository.write(QStringLiteral("reference.cpp"), "void r() {}\n");
    repository.write(QStringLiteral("problem.json"), "{}\n");
    repository.commitAll(QStringLiteral("mine"));
    QList<ScriptedAgent::Turn> turns;
    for (int i = 0; i < longHistory; ++i)
        turns << ScriptedAgent::Turn{
            kernel(10.1, "// " + QByteArray::number(i) + '\n'), QStringLiteral("try %1").arg(i), {}};
    FakePlanner::iterationCap = longHistory;
    const QString source = QStringLiteral(AKO_SOURCE_DIR);
    LoopDriver driver(fakePorts(turns));
    driver.engine.setSettings({source + QStringLiteral("/tests/run.sh"), source + QStringLiteral("/scaffold"), false});

    QElapsedTimer sinceBench;
    QList<double> took;
    connect(&driver.engine, &LoopEngine::event, this, [&](const RunEvent &event) {
        if (std::holds_alternative<event::OutputAppended>(event))
            sinceBench.start();
        if (const auto *recorded = std::get_if<event::IterationRecorded>(&event)) {
            if (recorded->record.analysis.isEmpty() && !recorded->record.commit.isEmpty())
                took << double(sinceBench.nsecsElapsed()) / 1e6;
        }
    });
    driver.engine.handle(intent::Open{repository.path(), {}, false});
    driver.settle();
    driver.until(intent::Approve{});
    driver.engine.handle(intent::Run{});
    QTRY_VERIFY_WITH_TIMEOUT(driver.engine.state().stage == Stage::Finished, 900000);
    const double early = median(took.mid(1, 20));
    const double late = median(took.mid(longHistory - 20, 20));
    print("bench's end to commit, 10 iterations of history", early);
    print("bench's end to commit, 1,000 iterations of history", late);

    LoopDriver again(fakePorts({}));
    again.engine.setSettings({source + QStringLiteral("/tests/run.sh"), source + QStringLiteral("/scaffold"), true});
    QElapsedTimer opening;
    opening.start();
    again.engine.handle(intent::Open{repository.path(), {}, true});
    again.settle();
    print("opening 1,000 iterations", double(opening.nsecsElapsed()) / 1e6);
    QCOMPARE(again.engine.state().nextNumber(), longHistory + 1);
    if (early > budget || late > budget)
        qWarning("over the 50 ms that are wanted");
}

QTEST_GUILESS_MAIN(TestRecordingTime)
#include "tst_recordingtime.moc"
