// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/recordjson.h"
#include "history/runstore.h"

#include <QSignalSpy>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace ako;

namespace {

IterationRecord entry(IterationRecord::Kind kind, int number, const QString &title = {})
{
    IterationRecord record;
    record.kind = kind;
    record.number = number;
    record.title = title;
    return record;
}

IterationRecord iteration(int number, const QString &title = {})
{
    return entry(IterationRecord::Kind::Iteration, number, title);
}

QStringList described(const RunStore &store)
{
    QStringList lines;
    for (const IterationRecord &record : store.records())
        lines << QStringLiteral("%1 %2").arg(kindName(record.kind)).arg(record.number);
    return lines;
}

} // namespace

class TestRunStore : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsRecordsInOrder();
    void changesAKnownRecordInPlace();
    void everyFinalIsAnEntry();
    void replayEqualsLive();
    void anotherWorkspaceStartsAfresh();
    void tellsOfEachEvent();
    void knowsWhetherItIsBusy_data();
    void knowsWhetherItIsBusy();
    void progressEndsWithItsPhase();
    void eventsAsJson_data();
    void eventsAsJson();
    void phasesHaveDistinctNames();
};

void TestRunStore::keepsRecordsInOrder()
{
    RunStore store;
    QSignalSpy inserted(&store, &RunStore::recordInserted);
    for (const IterationRecord &record :
         {iteration(2), entry(IterationRecord::Kind::Final, 1), entry(IterationRecord::Kind::Baseline, 0),
          iteration(10), iteration(1), entry(IterationRecord::Kind::Final, 0)})
        store.apply(event::IterationRecorded{record});
    QCOMPARE(described(store),
             QStringList({QStringLiteral("baseline 0"), QStringLiteral("iteration 1"), QStringLiteral("iteration 2"),
                          QStringLiteral("final 1"), QStringLiteral("iteration 10"), QStringLiteral("final 0")}));
    QList<int> places;
    for (const auto &arguments : inserted)
        places << arguments.first().toInt();
    QCOMPARE(places, QList<int>({0, 1, 0, 3, 1, 5}));
    QCOMPARE(store.record(10)->number, 10);
    QCOMPARE(store.record(0)->kind, IterationRecord::Kind::Baseline);
    QCOMPARE(store.record(1)->kind, IterationRecord::Kind::Iteration);
    QVERIFY(!store.record(3));
    QVERIFY(!store.record(-1));
}

void TestRunStore::changesAKnownRecordInPlace()
{
    RunStore store;
    store.apply(event::IterationRecorded{iteration(1)});
    store.apply(event::IterationRecorded{iteration(2)});
    QSignalSpy changed(&store, &RunStore::recordChanged);
    QSignalSpy inserted(&store, &RunStore::recordInserted);
    store.apply(event::IterationRecorded{iteration(1, QStringLiteral("later words"))});
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed.first().first().toInt(), 0);
    QCOMPARE(inserted.count(), 0);
    QCOMPARE(store.record(1)->title, QStringLiteral("later words"));
}

void TestRunStore::everyFinalIsAnEntry()
{
    RunStore store;
    store.apply(event::IterationRecorded{iteration(1)});
    for (const char *folder : {"trajectory/a", "trajectory/b", "trajectory/b"}) {
        IterationRecord final = entry(IterationRecord::Kind::Final, 1);
        final.trajectory = QLatin1String(folder);
        store.apply(event::IterationRecorded{final});
        if (store.records().size() == 2)
            store.apply(event::IterationRecorded{iteration(2)});
    }
    QCOMPARE(described(store), QStringList({QStringLiteral("iteration 1"), QStringLiteral("final 1"),
                                            QStringLiteral("iteration 2"), QStringLiteral("final 1")}));
}

void TestRunStore::replayEqualsLive()
{
    RunStore live;
    live.apply(event::IterationRecorded{entry(IterationRecord::Kind::Baseline, 0)});
    live.apply(event::ChampionChanged{0});
    live.apply(event::IterationRecorded{iteration(1)});
    live.apply(event::ChampionChanged{1});
    RunStore replayed;
    QSignalSpy reset(&replayed, &RunStore::recordsReset);
    QSignalSpy champion(&replayed, &RunStore::championChanged);
    replayed.apply(event::HistoryLoaded{live.records(), 1});
    QCOMPARE(replayed.records(), live.records());
    QCOMPARE(replayed.champion(), live.champion());
    QCOMPARE(reset.count(), 1);
    QCOMPARE(champion.count(), 1);
    replayed.apply(event::ChampionChanged{1}); // no news
    QCOMPARE(champion.count(), 1);
}

void TestRunStore::anotherWorkspaceStartsAfresh()
{
    RunStore store;
    store.apply(event::WorkspaceOpened{QStringLiteral("/a"), QStringLiteral("opt/a")});
    ResolvedPlan plan;
    plan.kernelName = QStringLiteral("a");
    store.apply(event::PlanResolved{plan, true});
    store.apply(event::IterationRecorded{iteration(1)});
    store.apply(event::ChampionChanged{1});
    store.apply(event::HintsSeen{2, {}, {}, {}});
    store.apply(event::PhaseChanged{Phase::Ready, -1, {}, {}});
    QVERIFY(store.canRun());
    QSignalSpy reset(&store, &RunStore::recordsReset);
    store.apply(event::WorkspaceOpened{QStringLiteral("/b"), QStringLiteral("opt/b")});
    QCOMPARE(store.workspace(), QStringLiteral("/b"));
    QCOMPARE(store.branch(), QStringLiteral("opt/b"));
    QVERIFY(store.records().isEmpty());
    QVERIFY(store.hintMarks().isEmpty());
    QVERIFY(!store.isApproved());
    QVERIFY(!store.canRun());
    QVERIFY(store.plan().kernelName.isEmpty());
    QCOMPARE(store.champion(), -1);
    QCOMPARE(store.phase().phase, Phase::Idle);
    QCOMPARE(reset.count(), 1);
}

void TestRunStore::tellsOfEachEvent()
{
    RunStore store;
    QSignalSpy output(&store, &RunStore::outputAppended);
    QSignalSpy hints(&store, &RunStore::hintsSeen);
    QSignalSpy notices(&store, &RunStore::noticed);
    QSignalSpy stops(&store, &RunStore::stopped);
    QSignalSpy recoveries(&store, &RunStore::recovered);
    QSignalSpy plans(&store, &RunStore::planChanged);
    store.apply(event::OutputAppended{event::OutputAppended::Source::Bench, QStringLiteral("x")});
    store.apply(event::HintsSeen{4, {QStringLiteral("no ncu")}, {}, {}});
    store.apply(event::Notice{Severity::Warning, QStringLiteral("w"), {}});
    store.apply(event::RunStopped{event::RunStopped::Why::CapReached, QStringLiteral("20"), 0});
    store.apply(event::Recovered{3, QStringLiteral("benched"), QStringLiteral("completed")});
    store.apply(event::PlanResolved{{}, true});
    for (const QSignalSpy *spy : {&output, &hints, &notices, &stops, &recoveries, &plans})
        QCOMPARE(spy->count(), 1);
    QCOMPARE(output.first().at(1).toString(), QStringLiteral("x"));
    QCOMPARE(store.hintMarks().first().firstIteration, 4);
    QVERIFY(store.isApproved());
}

void TestRunStore::knowsWhetherItIsBusy_data()
{
    QTest::addColumn<Phase>("phase");
    QTest::addColumn<bool>("busy");
    QTest::newRow("idle") << Phase::Idle << false;
    QTest::newRow("inventory") << Phase::Inventory << true;
    QTest::newRow("awaiting answers") << Phase::AwaitingAnswers << false;
    QTest::newRow("awaiting approval") << Phase::AwaitingApproval << false;
    QTest::newRow("preparing") << Phase::Preparing << true;
    QTest::newRow("ready") << Phase::Ready << false;
    QTest::newRow("benching") << Phase::Benching << true;
    QTest::newRow("finishing") << Phase::Finishing << true;
    QTest::newRow("finished") << Phase::Finished << false;
    QTest::newRow("failed") << Phase::Failed << false;
}

void TestRunStore::knowsWhetherItIsBusy()
{
    QFETCH(const Phase, phase);
    RunStore store;
    store.apply(event::PhaseChanged{phase, 1, {}, {}});
    QTEST(store.isBusy(), "busy");
    QVERIFY(!store.canRun()); // not approved
    store.apply(event::PlanResolved{{}, true});
    QCOMPARE(store.canRun(), phase == Phase::Ready);
}

void TestRunStore::progressEndsWithItsPhase()
{
    RunStore store;
    store.apply(event::PhaseChanged{Phase::Benching, 1, {}, {}});
    store.apply(event::BenchProgress{QStringLiteral("iter-1"), QStringLiteral("timing"), 0.5});
    QCOMPARE(store.progress().fraction, 0.5);
    QSignalSpy progress(&store, &RunStore::progressChanged);
    store.apply(event::PhaseChanged{Phase::Recording, 1, {}, {}});
    QCOMPARE(progress.count(), 1);
    QVERIFY(store.progress().stage.isEmpty());
    store.apply(event::PhaseChanged{Phase::Ready, -1, {}, {}});
    QCOMPARE(progress.count(), 1);
}

void TestRunStore::eventsAsJson_data()
{
    QTest::addColumn<std::shared_ptr<RunEvent>>("event");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const RunEvent &event, const char *expected) {
        QTest::newRow(name) << std::make_shared<RunEvent>(event) << QString::fromUtf8(expected);
    };
    row("workspace", event::WorkspaceOpened{QStringLiteral("/ü"), QStringLiteral("opt/k")},
        R"({"branch":"opt/k","event":"workspace","path":"/ü"})");
    row("phase", event::PhaseChanged{Phase::Benching, 3, QStringLiteral("d"), {}},
        R"({"detail":"d","event":"phase","iteration":3,"phase":"benching"})");
    row("phase without iteration", event::PhaseChanged{Phase::Ready, -1, {}, {}},
        R"({"event":"phase","phase":"ready"})");
    row("champion", event::ChampionChanged{4}, R"({"event":"champion","iteration":4})");
    row("progress", event::BenchProgress{QStringLiteral("iter-1"), QStringLiteral("timing"), 0.5},
        R"({"event":"progress","fraction":0.5,"label":"iter-1","stage":"timing"})");
    row("progress not known", event::BenchProgress{QStringLiteral("iter-1"), QStringLiteral("timing"), -1},
        R"({"event":"progress","label":"iter-1","stage":"timing"})");
    row("output", event::OutputAppended{event::OutputAppended::Source::Agent, QStringLiteral("a\nb")},
        R"({"event":"output","source":"agent","text":"a\nb"})");
    row("hints",
        event::HintsSeen{2,
                         {QStringLiteral("a")},
                         {QStringLiteral("b")},
                         {QStringLiteral("c")},
                         {QStringLiteral("d")},
                         {QStringLiteral("e")}},
        R"({"added":["a"],"event":"hints","first_iteration":2,"recognised":["c"],"refused":["d"],"removed":["b"],"unrecognised":["e"]})");
    row("notice", event::Notice{Severity::Error, QStringLiteral("no compiler"), QStringLiteral("install g++")},
        R"({"event":"notice","remedy":"install g++","severity":"error","text":"no compiler"})");
    row("stopped", event::RunStopped{event::RunStopped::Why::CapReached, QStringLiteral("20 iterations"), 0},
        R"({"event":"stopped","exit":0,"reason":"20 iterations","why":"cap-reached"})");
    row("stopped with what was not confirmed",
        event::RunStopped{event::RunStopped::Why::Finished, QStringLiteral("asked for"), 0, {5, 3}},
        R"({"event":"stopped","exit":0,"reason":"asked for","unconfirmed":[5,3],"why":"finished"})");
    row("pause", event::PauseAsked{true}, R"({"asked":true,"event":"pause-asked"})");
    row("recovered", event::Recovered{3, QStringLiteral("benched"), QStringLiteral("completed")},
        R"({"action":"completed","event":"recovered","iteration":3,"reached":"benched"})");
    row("recovered, with an edit",
        event::Recovered{3, QStringLiteral("begun"), QStringLiteral("discarded"), 2,
                         QStringLiteral(".ako/discarded/x")},
        R"({"action":"discarded","event":"recovered","iteration":3,"kept":".ako/discarded/x","reached":"begun"})");
    row("history", event::HistoryLoaded{{}, -1}, R"({"champion":-1,"event":"history","records":[]})");
}

void TestRunStore::eventsAsJson()
{
    QFETCH(const std::shared_ptr<RunEvent>, event);
    QFETCH(const QString, expected);
    QCOMPARE(QString::fromStdString(toJson(*event).dump()), expected);
}

void TestRunStore::phasesHaveDistinctNames()
{
    QStringList names;
    for (int phase = int(Phase::Idle); phase <= int(Phase::Failed); ++phase)
        names << phaseName(Phase(phase));
    QVERIFY(!names.contains(QString()));
    QCOMPARE(names.removeDuplicates(), 0);
    const auto record = toJson(RunEvent(event::IterationRecorded{iteration(5)}));
    QCOMPARE(record["event"].get<std::string>(), std::string("iteration"));
    QCOMPARE(record["record"]["number"].get<int>(), 5);
    const auto plan = toJson(RunEvent(event::PlanResolved{{}, true}));
    QCOMPARE(plan["event"].get<std::string>(), std::string("plan"));
    QVERIFY(plan["plan"].is_object());
}

QTEST_GUILESS_MAIN(TestRunStore)
#include "tst_runstore.moc"
