// SPDX-License-Identifier: GPL-3.0-or-later
#include "git/repository.h"
#include "history/commitsubject.h"
#include "history/historyreader.h"
#include "history/recordjson.h"
#include "history/solutionhash.h"
#include "history/trajectory.h"
#include "support/scratchrepository.h"
#include "support/scratchworkspace.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace ako;
using ako::test::ScratchRepository;
using ako::test::ScratchWorkspace;

namespace {

IterationRecord entry(IterationRecord::Kind kind, int number)
{
    IterationRecord record;
    record.kind = kind;
    record.number = number;
    record.label = kind == IterationRecord::Kind::Baseline ? QStringLiteral("baseline")
                   : kind == IterationRecord::Kind::Final  ? QStringLiteral("final")
                                                           : QStringLiteral("iter-%1").arg(number);
    record.title = QStringLiteral("Ändere \"%1\"").arg(number);
    record.hypothesis = QStringLiteral("one\ntwo");
    record.changes = QStringLiteral("tile");
    record.direction = QStringLiteral("tiles");
    record.agentData = QStringLiteral("tuner: {}");
    record.analysis = QStringLiteral("said");
    record.next = QStringLiteral("next");
    record.agent = QStringLiteral("tuner");
    record.status = IterationStatus::Improved;
    record.parent = number - 1;
    record.solutionHash = QStringLiteral("ab12");
    record.trajectory =
        QStringLiteral("trajectory/20260102-0304%1_%2").arg(number % 100, 2, 10, QLatin1Char('0')).arg(record.label);
    record.verdictTrajectory = record.trajectory + QStringLiteral("-verdict");
    record.bench.mode = BenchMode::Verdict;
    record.bench.compiled = record.bench.correct = true;
    record.bench.exitCode = 0;
    record.bench.solution = Timing{1, 1.1, 0.9, 2};
    record.signal = record.bench;
    record.speedup = Interval{2, 1.9, 2.1};
    record.speedupOverBaseline = Interval{3, 2.9, 3.1};
    record.speedupIsChained = true;
    record.becameChampion = true;
    record.statusReason = QStringLiteral("faster");
    record.startedAt = QDateTime(QDate(2026, 1, 2), QTime(3, 4, 5, 678), Qt::UTC);
    record.agentMilliseconds = 12;
    record.benchMilliseconds = 3456;
    return record;
}

void commitRecord(const ScratchRepository &repository, const IterationRecord &record)
{
    QVERIFY(writeRecord(repository.path(), record).has_value());
    repository.commitAll(commitMessage(record));
}

QStringList described(const History &history)
{
    QStringList lines;
    for (const IterationRecord &record : history.records)
        lines
            << QStringLiteral("%1 %2 %3").arg(kindName(record.kind)).arg(record.number).arg(statusName(record.status));
    return lines;
}

} // namespace

class TestHistoryReader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void recordRoundTrip();
    void readsRecordsTolerantly();
    void namesFolders_data();
    void namesFolders();
    void choosesAFreeFolder();
    void readsCommitSubjects_data();
    void readsCommitSubjects();
    void writesCommitMessages();
    void rebuildsTheTimelineInAClone();
    void finalsStandWhereTheyWereMade_data();
    void finalsStandWhereTheyWereMade();
    void everyFinalIsShown_data();
    void everyFinalIsShown();
    void newestCommitOfAnEntryCounts();
    void foldersThatAreGoneAreReadFromGit_data();
    void foldersThatAreGoneAreReadFromGit();
    void entryWithoutATrajectoryIsKnownFromItsCommit();
    void readsRunsOfTheTerminal();
    void brokenFoldersAreWarnings();
    void championIsTheLastThatBecameOne();
    void hashesASolution();
    void readsBenchOutput();
    void readsAThousandIterations();
};

void TestHistoryReader::recordRoundTrip()
{
    for (const auto kind :
         {IterationRecord::Kind::Baseline, IterationRecord::Kind::Iteration, IterationRecord::Kind::Final}) {
        const IterationRecord record = entry(kind, 3);
        const auto again = recordFromBytes(QByteArray::fromStdString(toJson(record).dump()));
        QVERIFY(again.has_value());
        QCOMPARE(*again, record);
        QCOMPARE(QString::fromStdString(toJson(*again).dump()), QString::fromStdString(toJson(record).dump()));
        QCOMPARE(again->startedAt, record.startedAt);
        QCOMPARE(again->bench, record.bench);
        QCOMPARE(again->signal, record.signal);
    }
    for (const auto status : {IterationStatus::Baseline, IterationStatus::Improved, IterationStatus::NoChange,
                              IterationStatus::Regression, IterationStatus::Failed})
        QCOMPARE(statusFromName(statusName(status)), status);
}

void TestHistoryReader::readsRecordsTolerantly()
{
    const auto record = recordFromBytes(
        R"({"schema": "ako.iteration/2", "number": 7, "status": "unheard of", "later": [1], "bench": 3, "speedup": {}})");
    QVERIFY(record.has_value());
    QCOMPARE(record->number, 7);
    QCOMPARE(record->status, IterationStatus::Failed);
    QVERIFY(!record->speedup);
    for (const char *bytes : {"", "{", "[]", "{}", R"({"schema": "ako.result/1"})", "null"})
        QVERIFY(!recordFromBytes(bytes));
    for (const char *value : {"null", "\"x\"", "[]", "{}", "-1e308", "true"}) {
        nlohmann::json object = toJson(entry(IterationRecord::Kind::Iteration, 1));
        for (auto &item : object) {
            const nlohmann::json kept = item;
            item = nlohmann::json::parse(value);
            recordFromJson(object); // must not throw
            item = kept;
        }
    }
}

void TestHistoryReader::namesFolders_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("label"); // null: not a trajectory folder
    QTest::newRow("ours") << QStringLiteral("20260102-030405_iter-3") << QStringLiteral("iter-3");
    QTest::newRow("the terminal's") << QStringLiteral("20260102_030405_iter_3") << QStringLiteral("iter_3");
    QTest::newRow("no label") << QStringLiteral("20260102_030405") << QStringLiteral("");
    QTest::newRow("no time") << QStringLiteral("iter-3") << QString();
    QTest::newRow("no such time") << QStringLiteral("20261302-030405_x") << QString();
}

void TestHistoryReader::namesFolders()
{
    QFETCH(const QString, name);
    QFETCH(const QString, label);
    const auto parsed = trajectoryName(name);
    QCOMPARE(parsed.has_value(), !label.isNull());
    if (!parsed)
        return;
    QCOMPARE(parsed->label, label);
    QCOMPARE(parsed->time, QDateTime(QDate(2026, 1, 2), QTime(3, 4, 5)));
}

void TestHistoryReader::choosesAFreeFolder()
{
    const ScratchWorkspace workspace;
    const QDateTime when(QDate(2026, 1, 2), QTime(3, 4, 5));
    const QString first = QStringLiteral("trajectory/20260102-030405_iter-1");
    QCOMPARE(newTrajectory(workspace.path(), QStringLiteral("iter-1"), when), first);
    workspace.makeFolder(first);
    workspace.makeFolder(first + QStringLiteral("-2"));
    QCOMPARE(newTrajectory(workspace.path(), QStringLiteral("iter-1"), when), first + QStringLiteral("-3"));
}

void TestHistoryReader::readsCommitSubjects_data()
{
    QTest::addColumn<QString>("subject");
    QTest::addColumn<int>("kind"); // -1: not the loop's
    QTest::addColumn<int>("number");
    QTest::newRow("baseline") << QStringLiteral("[baseline] The original kernel") << 0 << 0;
    QTest::newRow("iteration") << QStringLiteral("[iter 12] Vectorise loads") << 1 << 12;
    QTest::newRow("final") << QStringLiteral("[final] Restore iter-7 (1.96x) — best mean") << 2 << 7;
    QTest::newRow("final of the baseline") << QStringLiteral("[final] Restore baseline — nothing helped") << 2 << 0;
    QTest::newRow("final in other words") << QStringLiteral("[final] Done") << 2 << -1;
    QTest::newRow("somebody else's") << QStringLiteral("Fix [iter 3]") << -1 << 0;
    QTest::newRow("no number") << QStringLiteral("[iter x] a") << -1 << 0;
    QTest::newRow("absurd number") << QStringLiteral("[iter 99999999999] a") << -1 << 0;
    QTest::newRow("empty") << QString() << -1 << 0;
}

void TestHistoryReader::readsCommitSubjects()
{
    QFETCH(const QString, subject);
    QFETCH(const int, kind);
    QFETCH(const int, number);
    const auto mark = commitMark(subject);
    QCOMPARE(mark.has_value(), kind >= 0);
    if (!mark)
        return;
    QCOMPARE(int(mark->kind), kind);
    QCOMPARE(mark->number, number);
}

void TestHistoryReader::writesCommitMessages()
{
    IterationRecord record = entry(IterationRecord::Kind::Iteration, 4);
    record.title = QStringLiteral("Two\nlines [final] ") + QString(300, QLatin1Char('x'));
    const QString message = commitMessage(record);
    const QString subject = message.section(QLatin1Char('\n'), 0, 0);
    QVERIFY(subject.startsWith(QStringLiteral("[iter 4] Two lines [final] xxx")));
    QVERIFY(subject.size() <= 100);
    QVERIFY(message.section(QLatin1Char('\n'), 1, 1).isEmpty());
    QVERIFY(message.contains(QStringLiteral("Hypothesis: one two\n")));
    QCOMPARE(commitMark(subject)->number, 4);
    record = entry(IterationRecord::Kind::Final, 4);
    record.title = QStringLiteral("best mean");
    QVERIFY(commitMessage(record).startsWith(QStringLiteral("[final] Restore iter-4 (3.00x) — best mean\n")));
}

void TestHistoryReader::rebuildsTheTimelineInAClone()
{
    const ScratchRepository repository;
    repository.write(QStringLiteral("solution/k.cpp"), "1");
    repository.commitAll(QStringLiteral("the user's own"));
    commitRecord(repository, entry(IterationRecord::Kind::Baseline, 0));
    for (int number = 1; number <= 12; ++number)
        commitRecord(repository, entry(IterationRecord::Kind::Iteration, number));
    commitRecord(repository, entry(IterationRecord::Kind::Final, 12));

    const QTemporaryDir elsewhere;
    const QString clone = elsewhere.filePath(QStringLiteral("clone"));
    repository.git({QStringLiteral("clone"), QStringLiteral("-q"), repository.path(), clone});
    const auto here = Repository::open(repository.path());
    const auto there = Repository::open(clone);
    QVERIFY(here && there);
    const History original = readHistory(repository.path(), &*here);
    const History cloned = readHistory(clone, &*there);
    QCOMPARE(original.records.size(), 14);
    QCOMPARE(cloned.records, original.records);
    QCOMPARE(cloned.champion, 12);
    QVERIFY(cloned.warnings.isEmpty());
    QCOMPARE(cloned.nextIteration(), 13);
    QCOMPARE(cloned.records.first().kind, IterationRecord::Kind::Baseline);
    QCOMPARE(cloned.records.at(10).number, 10); // by number, not by name
    QCOMPARE(cloned.records.last().kind, IterationRecord::Kind::Final);
    QCOMPARE(cloned.records.last().commit, repository.head());
    QCOMPARE(cloned.at(3)->commit.size(), 40);
    QCOMPARE(there->commit(cloned.at(3)->commit)->subject(),
             commitMessage(*cloned.at(3)).section(QLatin1Char('\n'), 0, 0));
    QCOMPARE(readHistory(clone, nullptr).records.size(), 14);
}

// A run may go on after a final; what the clock said (it may have been put back) does not matter where there are
// commits.
void TestHistoryReader::finalsStandWhereTheyWereMade_data()
{
    QTest::addColumn<bool>("fromGit");
    QTest::addColumn<int>("secondsPerEntry");
    QTest::newRow("by commits") << true << 60;
    QTest::newRow("by commits, the clock was put back") << true << -60;
    QTest::newRow("by time") << false << 60;
}

void TestHistoryReader::finalsStandWhereTheyWereMade()
{
    QFETCH(bool, fromGit);
    QFETCH(int, secondsPerEntry);
    using Kind = IterationRecord::Kind;
    const ScratchRepository repository;
    const QList<std::pair<Kind, int>> made{{Kind::Baseline, 0},  {Kind::Iteration, 1}, {Kind::Final, 1},
                                           {Kind::Iteration, 2}, {Kind::Iteration, 3}, {Kind::Final, 0}};
    QStringList expected;
    for (const auto &[kind, number] : made) {
        IterationRecord record = entry(kind, number);
        record.startedAt = record.startedAt.addSecs(secondsPerEntry * expected.size());
        expected << QStringLiteral("%1 %2 improved").arg(kindName(kind)).arg(number);
        commitRecord(repository, record);
    }
    const auto opened = Repository::open(repository.path());
    QCOMPARE(described(readHistory(repository.path(), fromGit ? &*opened : nullptr)), expected);
}

void TestHistoryReader::everyFinalIsShown_data()
{
    QTest::addColumn<QString>("lost");
    QTest::newRow("folders and commits") << QString();
    QTest::newRow("the first folder is gone") << QStringLiteral("trajectory/20260102-030401_final");
    QTest::newRow("the folders are gone") << QStringLiteral("trajectory");
}

// Also where two restore the same iteration: each with its own commit and its own figures.
void TestHistoryReader::everyFinalIsShown()
{
    QFETCH(QString, lost);
    using Kind = IterationRecord::Kind;
    const ScratchRepository repository;
    QStringList commits;
    int second = 0;
    for (const auto &[kind, number] : QList<std::pair<Kind, int>>{{Kind::Baseline, 0},
                                                                  {Kind::Final, 0},
                                                                  {Kind::Iteration, 1},
                                                                  {Kind::Final, 1},
                                                                  {Kind::Iteration, 2},
                                                                  {Kind::Final, 1}}) {
        IterationRecord record = entry(kind, number);
        record.trajectory =
            QStringLiteral("trajectory/20260102-0304%1_%2").arg(second, 2, 10, QLatin1Char('0')).arg(record.label);
        record.verdictTrajectory.clear();
        record.startedAt = record.startedAt.addSecs(60 * second++);
        record.speedupOverBaseline = Interval{1.0 + second, 1, 20};
        commitRecord(repository, record);
        commits << repository.head();
    }
    if (!lost.isEmpty())
        QVERIFY(QDir(repository.filePath(lost)).removeRecursively());
    const auto opened = Repository::open(repository.path());
    const History history = readHistory(repository.path(), &*opened);
    QCOMPARE(described(history),
             QStringList({QStringLiteral("baseline 0 improved"), QStringLiteral("final 0 improved"),
                          QStringLiteral("iteration 1 improved"), QStringLiteral("final 1 improved"),
                          QStringLiteral("iteration 2 improved"), QStringLiteral("final 1 improved")}));
    for (int row = 0; row < history.records.size(); ++row) {
        QCOMPARE(history.records.at(row).commit, commits.at(row));
        QCOMPARE(history.records.at(row).speedupOverBaseline->estimate, 2.0 + row);
    }
}

void TestHistoryReader::newestCommitOfAnEntryCounts()
{
    const ScratchRepository repository;
    repository.write(QStringLiteral("a"), "1");
    repository.commitAll(QStringLiteral("[iter 1] first try"));
    IterationRecord record = entry(IterationRecord::Kind::Iteration, 1);
    record.title.clear();
    QVERIFY(writeRecord(repository.path(), record).has_value());
    repository.commitAll(QStringLiteral("[iter 1] second try"));
    const auto opened = Repository::open(repository.path());
    const History history = readHistory(repository.path(), &*opened);
    QCOMPARE(history.records.size(), 1);
    QCOMPARE(history.at(1)->commit, repository.head());
    QCOMPARE(history.at(1)->title, QStringLiteral("second try"));
}

void TestHistoryReader::foldersThatAreGoneAreReadFromGit_data()
{
    QTest::addColumn<QStringList>("removed"); // below the workspace
    QTest::addColumn<bool>("committed");      // as removed
    QTest::addColumn<int>("warnings");
    const QString first = QStringLiteral("trajectory/20260102-030401_iter-1");
    QTest::newRow("all") << QStringList{QStringLiteral("trajectory")} << false << 1;
    QTest::newRow("all, and committed so") << QStringList{QStringLiteral("trajectory")} << true << 1;
    QTest::newRow("one") << QStringList{first} << false << 1;
    QTest::newRow("its record only") << QStringList{first + QStringLiteral("/iteration.json")} << false << 1;
    QTest::newRow("none") << QStringList{} << false << 0;
}

void TestHistoryReader::foldersThatAreGoneAreReadFromGit()
{
    QFETCH(QStringList, removed);
    QFETCH(bool, committed);
    QFETCH(int, warnings);
    using Kind = IterationRecord::Kind;
    const ScratchRepository repository;
    for (const auto &[kind, number] :
         QList<std::pair<Kind, int>>{{Kind::Baseline, 0}, {Kind::Iteration, 1}, {Kind::Iteration, 2}, {Kind::Final, 2}})
        commitRecord(repository, entry(kind, number));
    const auto opened = Repository::open(repository.path());
    const History before = readHistory(repository.path(), &*opened);
    for (const QString &path : removed) {
        const QString gone = repository.filePath(path);
        QVERIFY(QFileInfo(gone).isDir() ? QDir(gone).removeRecursively() : QFile::remove(gone));
    }
    if (committed)
        repository.commitAll(QStringLiteral("tidy up"));
    const History after = readHistory(repository.path(), &*opened);
    QCOMPARE(after.records, before.records);
    QCOMPARE(after.champion, 2);
    QCOMPARE(after.warnings.size(), warnings);
}

void TestHistoryReader::entryWithoutATrajectoryIsKnownFromItsCommit()
{
    const ScratchRepository repository;
    repository.write(QStringLiteral("solution/a"), "1");
    repository.commitAll(QStringLiteral("[baseline] kernel"));
    repository.write(QStringLiteral("solution/a"), "2");
    const QString id = repository.commitAll(QStringLiteral("[iter 1] Unroll"));
    repository.write(QStringLiteral("solution/a"), "3");
    repository.commitAll(QStringLiteral("[iter 2] Tile\n\nResult: improved, 2.00x: faster"));
    repository.write(QStringLiteral("solution/a"), "4");
    repository.commitAll(QStringLiteral("[iter 3] Skip\n\nResult: failed: not correct"));
    const auto opened = Repository::open(repository.path());
    const History history = readHistory(repository.path(), &*opened);
    QCOMPARE(described(history),
             QStringList({QStringLiteral("baseline 0 baseline"), QStringLiteral("iteration 1 no-change"),
                          QStringLiteral("iteration 2 improved"), QStringLiteral("iteration 3 failed")}));
    QCOMPARE(history.at(1)->commit, id);
    QCOMPARE(history.at(1)->title, QStringLiteral("Unroll"));
    QCOMPARE(history.champion, 2);
    QCOMPARE(history.at(3)->solutionHash, solutionHash(repository.filePath(QStringLiteral("solution"))));
}

void TestHistoryReader::readsRunsOfTheTerminal()
{
    const ScratchWorkspace workspace;
    workspace.write(QStringLiteral("trajectory/20260101_000000_baseline/output.txt"),
                    "COMPILED: True\nCORRECT: True\nRUNTIME: 2.0\nREF_RUNTIME: 2.0\nSPEEDUP: 1.00x\n");
    workspace.write(QStringLiteral("trajectory/20260101_000100_iter-1/output.txt"), "Traceback\n");
    workspace.write(QStringLiteral("trajectory/20260101_000200_iter2/output.txt"),
                    "CORRECT: True\nRUNTIME: 1.0\nSPEEDUP: 2.0x\n");
    workspace.write(QStringLiteral("trajectory/20260101_000300_iter2/output.txt"),
                    "CORRECT: True\nRUNTIME: 0.8\nSPEEDUP: 2.5x\n");
    workspace.write(QStringLiteral("trajectory/20260101_000400_playing/output.txt"), "CORRECT: True\nRUNTIME: 9\n");
    workspace.write(QStringLiteral("trajectory/20260101_000500_iter-3/kernel.py"), "no output");
    workspace.write(QStringLiteral("trajectory/20260101-000600_iter-4/output.txt"), // ours, discarded
                    "CORRECT: True\nRUNTIME: 0.1\n");
    const History history = readHistory(workspace.path(), nullptr);
    QCOMPARE(described(history),
             QStringList({QStringLiteral("baseline 0 baseline"), QStringLiteral("iteration 1 failed"),
                          QStringLiteral("iteration 2 no-change")}));
    QCOMPARE(history.at(2)->bench.solution->mean, 0.8); // the later of the two
    QCOMPARE(history.at(2)->speedup->estimate, 2.5);
    QCOMPARE(history.at(2)->trajectory, QStringLiteral("trajectory/20260101_000300_iter2"));
    QVERIFY(!history.at(1)->speedup);
}

void TestHistoryReader::brokenFoldersAreWarnings()
{
    const ScratchWorkspace workspace;
    QVERIFY(writeRecord(workspace.path(), entry(IterationRecord::Kind::Iteration, 1)).has_value());
    workspace.write(QStringLiteral("trajectory/20260101-000000_iter-2/iteration.json"), "{\"schema\": \"ako.iter");
    workspace.makeFolder(QStringLiteral("trajectory/20260101-000000_iter-3/iteration.json"));
    workspace.makeFolder(QStringLiteral("trajectory/empty"));
    workspace.write(QStringLiteral("trajectory/a file"), "x");
    const TrajectoryScan scan = scanTrajectory(workspace.path());
    QCOMPARE(scan.records.size(), 1);
    QCOMPARE(scan.warnings.size(), 2);
    QVERIFY(scan.warnings.first().contains(QStringLiteral("iter-2")));
    QVERIFY(scanTrajectory(workspace.filePath(QStringLiteral("nowhere"))).records.isEmpty());
    IterationRecord leading = entry(IterationRecord::Kind::Iteration, 1);
    leading.verdictTrajectory = QStringLiteral("trajectory/../../elsewhere");
    QVERIFY(writeRecord(workspace.path(), leading).has_value());
    QVERIFY(scanTrajectory(workspace.path()).records.first().verdictTrajectory.isEmpty());
    IterationRecord lost = entry(IterationRecord::Kind::Iteration, 4);
    lost.trajectory.clear();
    QVERIFY(!writeRecord(workspace.path(), lost));
}

void TestHistoryReader::championIsTheLastThatBecameOne()
{
    QList<IterationRecord> records{entry(IterationRecord::Kind::Baseline, 0)};
    QCOMPARE(championOf({}), -1);
    QCOMPARE(championOf(records), 0);
    records << entry(IterationRecord::Kind::Iteration, 1) << entry(IterationRecord::Kind::Iteration, 2)
            << entry(IterationRecord::Kind::Final, 5);
    records[2].becameChampion = false;
    QCOMPARE(championOf(records), 1);
}

void TestHistoryReader::hashesASolution()
{
    const ScratchRepository repository;
    repository.write(QStringLiteral("solution/k.cpp"), "one");
    repository.write(QStringLiteral("solution/sub folder/.hidden"), "two");
    repository.link(QStringLiteral("solution/link"), "k.cpp");
    const QString folder = repository.filePath(QStringLiteral("solution"));
    const QString onDisk = solutionHash(folder);
    QCOMPARE(onDisk.size(), 64);
    const QString commit = repository.commitAll(QStringLiteral("x"));
    const auto opened = Repository::open(repository.path());
    const auto content = opened->folderAt(commit, QStringLiteral("solution"));
    QVERIFY(content.has_value());
    QCOMPARE(solutionHash(*content), onDisk);
    repository.makeExecutable(QStringLiteral("solution/k.cpp"));
    QCOMPARE(solutionHash(folder), onDisk);
    repository.write(QStringLiteral("solution/k.cpp"), "onetwo"); // bytes moved between files: not the same
    repository.write(QStringLiteral("solution/sub folder/.hidden"), "");
    QVERIFY(solutionHash(folder) != onDisk);
    QCOMPARE(solutionHash(repository.filePath(QStringLiteral("nowhere"))), solutionHash(FolderContent()));
}

void TestHistoryReader::readsBenchOutput()
{
    const ScratchWorkspace workspace;
    workspace.write(QStringLiteral("trajectory/t/output.txt"), "a\nAKO_PROGRESS x 0.5\nb\n");
    QCOMPARE(*benchOutput(workspace.path(), QStringLiteral("trajectory/t")), QStringLiteral("a\nb\n"));
    QCOMPARE(*benchOutput(workspace.path(), QStringLiteral("trajectory/t"), 1), QStringLiteral("a"));
    QVERIFY(!benchOutput(workspace.path(), QStringLiteral("trajectory/u")));
}

void TestHistoryReader::readsAThousandIterations()
{
    const ScratchWorkspace workspace;
    for (int number = 1; number <= 1000; ++number) {
        IterationRecord record = entry(IterationRecord::Kind::Iteration, number);
        record.trajectory += QLatin1Char('-') + QString::number(number);
        workspace.write(record.trajectory + QStringLiteral("/iteration.json"),
                        QByteArray::fromStdString(toJson(record).dump(2)));
    }
    QElapsedTimer clock;
    clock.start();
    const History history = readHistory(workspace.path(), nullptr);
    qInfo("1,000 iterations read in %lld ms", clock.elapsed());
    QCOMPARE(history.records.size(), 1000);
    QCOMPARE(history.nextIteration(), 1001);
}

QTEST_GUILESS_MAIN(TestHistoryReader)
#include "tst_historyreader.moc"
