// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/search.h"

#include <QTest>

using namespace ako;
using namespace ako::tuner;

class TestTunerSearch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void order_data();
    void order();
    void measuredIsNeverChosen();
    void resumesFromHistoryAlone();
    void reassessTakesTheLeastTried();
    void otherAgentsAreLearntFromByHashOnly();
    void closes_data();
    void closes();
    void endsExhausted();
    void words();
};

namespace {

Change changeOf(const std::string &direction, double gain, const std::string &variant = {},
                std::optional<long long> from = {}, std::optional<long long> to = {})
{
    Change change;
    change.direction = direction;
    change.key = direction + variant;
    change.gain = gain;
    change.from = from;
    change.to = to;
    change.title = QString::fromStdString(change.key);
    change.files["k.cpp"] = change.key;
    return change;
}

Change constantOf(long long from, long long to, double gain = 0.1)
{
    return changeOf("constant:k.cpp:TILE", gain, "=" + std::to_string(to), from, to);
}

IterationRecord recordOf(int number, const Change &change, IterationStatus status, double ratio, int parent = 0)
{
    IterationRecord record;
    record.number = number;
    record.agent = QStringLiteral("tuner");
    record.parent = parent;
    record.status = status;
    record.bench.speedupOverChampion = Interval{ratio, ratio, ratio};
    record.changes = QStringLiteral("What was done, with tuner: in it.\n") + tagOf(change);
    return record;
}

QString firstKey(const Search &search, const std::vector<Change> &changes, bool reassess = false)
{
    const auto ranked = search.rank(changes, reassess);
    return ranked.empty() ? QString() : QString::fromStdString(ranked.front().change->key);
}

std::string noHash(const FileSet &files)
{
    return files.begin()->second;
}

} // namespace

void TestTunerSearch::order_data()
{
    QTest::addColumn<QString>("expected");
    QTest::addColumn<int>("triedTo"); // TILE 16 -> this
    QTest::addColumn<int>("status");
    QTest::addColumn<double>("ratio");
    QTest::addColumn<int>("now"); // the present value of TILE

    const auto number = [](IterationStatus status) { return static_cast<int>(status); };
    QTest::newRow("nothing known: by expected gain") << "threads" << 0 << 0 << 1.0 << 16;
    QTest::newRow("what helped much is tried further")
        << "constant:k.cpp:TILE=256" << 64 << number(IterationStatus::Improved) << 2.5 << 64;
    QTest::newRow("what did not help waits") << "threads" << 64 << number(IterationStatus::NoChange) << 1.0 << 16;
    QTest::newRow("what made it slower waits") << "threads" << 64 << number(IterationStatus::Regression) << 0.5 << 16;
}

void TestTunerSearch::order()
{
    QFETCH(int, triedTo);
    QFETCH(int, status);
    QFETCH(double, ratio);
    QFETCH(int, now);
    QList<IterationRecord> history;
    const auto outcome = static_cast<IterationStatus>(status);
    if (triedTo > 0)
        history.append(recordOf(1, constantOf(16, triedTo), outcome, ratio));
    std::vector<Change> changes{changeOf("threads", 0.3)};
    for (const int factor : {4, 2})
        changes.push_back(constantOf(now, now * factor));
    changes.push_back(constantOf(now, now / 4, 0.05));
    const Search search(Memory::fromHistory(history), outcome == IterationStatus::Improved ? 1 : 0);
    QTEST(firstKey(search, changes), "expected");
}

void TestTunerSearch::measuredIsNeverChosen()
{
    const std::vector<Change> changes{changeOf("threads", 0.5), changeOf("simd", 0.1)};
    IterationRecord byHand; // the user had exactly this candidate
    byHand.number = 1;
    byHand.solutionHash = QStringLiteral("threads");
    const Search search(Memory::fromHistory({byHand}), 0);
    const auto ranked = search.rank(changes, false);
    const Change *chosen = search.choose(ranked, noHash);
    QVERIFY(chosen);
    QCOMPARE(chosen->key, std::string("simd"));
}

// Two searches over the same records decide the same, whatever came between: there is no state but the history.
void TestTunerSearch::resumesFromHistoryAlone()
{
    const std::vector<Change> changes{changeOf("threads", 0.5), changeOf("simd", 0.1), constantOf(16, 64),
                                      constantOf(16, 32)};
    QList<IterationRecord> history;
    std::set<std::string> seen;
    for (int number = 1; number <= 4; ++number) {
        const Search search(Memory::fromHistory(history), 0);
        const auto ranked = search.rank(changes, false);
        const Change *chosen = search.choose(ranked, noHash);
        QVERIFY(chosen);
        QVERIFY2(seen.insert(chosen->key).second, chosen->key.c_str());
        IterationRecord record = recordOf(number, *chosen, IterationStatus::NoChange, 1.0);
        record.solutionHash = QString::fromStdString(noHash(chosen->files));
        history.append(record);
    }
    QVERIFY(Search(Memory::fromHistory(history), 0).rank(changes, false).empty());
    std::reverse(history.begin(), history.end()); // the order of the list does not matter
    QVERIFY(Search(Memory::fromHistory(history), 0).rank(changes, false).empty());
}

void TestTunerSearch::reassessTakesTheLeastTried()
{
    const std::vector<Change> changes{constantOf(16, 32, 0.9), changeOf("simd", 0.01), changeOf("unroll", 0.02, "2")};
    const QList<IterationRecord> history{recordOf(1, constantOf(16, 64, 0.9), IterationStatus::NoChange, 1.0),
                                         recordOf(2, changeOf("unroll", 0.02, "1"), IterationStatus::NoChange, 1.0)};
    const Search search(Memory::fromHistory(history), 0);
    QCOMPARE(firstKey(search, changes, false), QStringLiteral("constant:k.cpp:TILE=32"));
    QCOMPARE(firstKey(search, changes, true), QStringLiteral("simd"));
}

void TestTunerSearch::otherAgentsAreLearntFromByHashOnly()
{
    IterationRecord record;
    record.number = 1;
    record.agent = QStringLiteral("user");
    record.changes = QStringLiteral("tuner: {broken");
    record.solutionHash = QStringLiteral("abc");
    const Memory memory = Memory::fromHistory({record});
    QVERIFY(memory.attempts.empty());
    QVERIFY(memory.measured.contains("abc"));
    record.changes = QStringLiteral("tuner: {\"direction\": 3}");
    QCOMPARE(Memory::fromHistory({record}).attempts.front().direction, std::string());
}

void TestTunerSearch::closes_data()
{
    QTest::addColumn<QList<int>>("statuses"); // of attempts at the same change, each from a later champion
    QTest::addColumn<bool>("isOpen");

    const int none = static_cast<int>(IterationStatus::NoChange);
    const int failed = static_cast<int>(IterationStatus::Failed);
    QTest::newRow("never tried") << QList<int>{} << true;
    QTest::newRow("once, from an older champion") << QList<int>{none} << true;
    QTest::newRow("twice") << QList<int>{none, none} << false;
    QTest::newRow("failed") << QList<int>{failed} << false;
}

void TestTunerSearch::closes()
{
    QFETCH(QList<int>, statuses);
    QFETCH(bool, isOpen);
    const std::vector<Change> changes{changeOf("simd", 0.1)};
    QList<IterationRecord> history;
    for (int i = 0; i < statuses.size(); ++i)
        history.append(recordOf(i + 1, changes.front(), static_cast<IterationStatus>(statuses[i]), 1.0, i));
    QCOMPARE(Search(Memory::fromHistory(history), 9).rank(changes, false).empty(), !isOpen);
    if (!statuses.isEmpty()) // never again from the same champion
        QVERIFY(
            Search(Memory::fromHistory(history), static_cast<int>(statuses.size()) - 1).rank(changes, false).empty());
}

void TestTunerSearch::endsExhausted()
{
    QList<IterationRecord> history;
    const std::vector<Change> changes{changeOf("threads", 0.5), changeOf("flags:-ffast-math", 0.1), constantOf(16, 64)};
    for (int i = 0; i < 3; ++i)
        history.append(recordOf(i + 1, changes[static_cast<std::size_t>(i)], IterationStatus::Regression, 0.9));
    history.append(recordOf(4, constantOf(16, 32), IterationStatus::NoChange, 1.0));
    const Search search(Memory::fromHistory(history), 0);
    QCOMPARE(search.choose(search.rank(changes, false), noHash), nullptr);
    QCOMPARE(search.directions(), (QStringList{QStringLiteral("threads: iterations 1"),
                                               QStringLiteral("compiler flag -ffast-math: iterations 2"),
                                               QStringLiteral("constant TILE (k.cpp): iterations 3, 4")}));
}

void TestTunerSearch::words()
{
    const Change change = changeOf("simd", 0.1);
    QVERIFY(Search(Memory(), 0).lastInWords().isEmpty());
    QVERIFY(Search(Memory::fromHistory({recordOf(1, change, IterationStatus::Improved, 1.5)}), 1)
                .lastInWords()
                .contains(QLatin1String("50.0%")));
    QVERIFY(Search(Memory::fromHistory({recordOf(1, change, IterationStatus::Failed, 1.0)}), 0)
                .lastInWords()
                .contains(QLatin1String("failed")));
    QVERIFY(Search(Memory::fromHistory({recordOf(1, change, IterationStatus::Regression, 0.5)}), 0)
                .lastInWords()
                .contains(QLatin1String("slower")));
}

QTEST_APPLESS_MAIN(TestTunerSearch)
#include "tst_tunersearch.moc"
