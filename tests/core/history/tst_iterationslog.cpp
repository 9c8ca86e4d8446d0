// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/iterationslog.h"
#include "support/scratchworkspace.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTest>

using namespace ako;
using ako::test::ScratchWorkspace;

namespace {

IterationRecord iteration(int number)
{
    IterationRecord record;
    record.number = number;
    record.label = QStringLiteral("iter-%1").arg(number);
    record.title = QStringLiteral("Change %1").arg(number);
    record.hypothesis = QStringLiteral("It helps");
    record.changes = QStringLiteral("Tile 8 to 16");
    record.status = IterationStatus::Improved;
    record.statusReason = QStringLiteral("4.5 % faster");
    record.trajectory = QStringLiteral("trajectory/20260101-000000_iter-%1").arg(number);
    record.bench.compiled = true;
    record.bench.correct = true;
    record.bench.solution = Timing{0.091, 0.0912, 0.0905, 0.0954};
    record.bench.reference = Timing{0.18, 0.1824, 0.17, 0.2};
    record.speedup = Interval{1.99, 1.98, 2.01};
    return record;
}

IterationRecord baseline()
{
    IterationRecord record = iteration(0);
    record.kind = IterationRecord::Kind::Baseline;
    record.label = QStringLiteral("baseline");
    record.status = IterationStatus::Baseline;
    return record;
}

QByteArray scaffoldFile()
{
    QFile file(QStringLiteral(AKO_SOURCE_DIR "/scaffold/ITERATIONS.md"));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray recorded(const QByteArray &text, const IterationRecord &record)
{
    IterationsLog log(text);
    log.record(record);
    return log.text();
}

// Whether all of `before` is still in `after`, in order, with whole lines put between.
bool onlyLinesWereAdded(const QByteArray &before, const QByteArray &after)
{
    const QList<QByteArray> old = before.split('\n');
    const QList<QByteArray> now = after.split('\n');
    qsizetype at = 0;
    for (const QByteArray &line : now) {
        if (at < old.size() && line == old.at(at))
            ++at;
    }
    return at == old.size();
}

} // namespace

class TestIterationsLog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesTheWholeEntry();
    void startsFromAnything_data();
    void startsFromAnything();
    void leavesUserColumnsEmptyAndKeepsThem();
    void keepsLineEnds();
    void fillsARowLaterWithoutTouchingTheUsersWords();
    void findsReorderedSections();
    void appendsToABrokenTable();
    void commentsAndFencesAreNoStructure();
    void wordsOfAnAgentCannotBecomeStructure();
    void failedHasNoFigures();
    void chainedIsMarked();
    void addsAnalysis();
    void addsAnalysisBesideTheUsersWords();
    void notesRunEvents();
    void finalHasItsOwnEntry();
    void readsTheTerminalsLog();
    void survivesAnything_data();
    void survivesAnything();
    void savesAndLoads();
    void isQuickWithAThousandEntries();
};

void TestIterationsLog::writesTheWholeEntry()
{
    const QByteArray expected = "# Iteration Log\n"
                                "\n"
                                "## Summary\n"
                                "\n"
                                "| Iter | Title | Speedup(mean) | Runtime(mean) | Status |\n"
                                "|------|-------|---------------|---------------|--------|\n"
                                "| 3 | Change 3 | 2.000x | 0.0912 ms | improved |\n"
                                "\n"
                                "## Iterations\n"
                                "\n"
                                "### Iter 3 — Change 3\n"
                                "\n"
                                "- **Hypothesis:** It helps\n"
                                "- **Changes:** Tile 8 to 16\n"
                                "- **Bench:**\n"
                                "  - Compiled: True\n"
                                "  - Correct: True\n"
                                "  - Runtime: 0.0912 ms (mean), 0.0905 ~ 0.0954 ms (min ~ max), median 0.091 ms\n"
                                "  - Speedup: 2.000x (mean), 1.912 ~ 2.015x (min ~ max); median and interval 1.990x "
                                "[1.980, 2.010]\n"
                                "  - Status: improved, 4.5 % faster\n"
                                "  - Output: trajectory/20260101-000000_iter-3\n"
                                "- **Analysis:**\n"
                                "- **Next:**\n";
    QCOMPARE(recorded({}, iteration(3)), expected);
}

void TestIterationsLog::startsFromAnything_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("the scaffold") << scaffoldFile();
    QTest::newRow("the terminal's scaffold") << QByteArray(
        "# Iteration Log\n\n<!--\n### Iter N — Short title\n\n- **Hypothesis:** Why\n-->\n\n## Summary\n\n"
        "| Iter | Title | Speedup(mean) | Runtime(mean) | Status |\n|---|---|---|---|---|\n\n"
        "## Iterations\n");
    QTest::newRow("the user's notes") << QByteArray("My notes\n\n- one\n");
    QTest::newRow("no line end") << QByteArray("# Log\n\nMy notes");
    QTest::newRow("only a title") << QByteArray("# Log\n");
    QTest::newRow("table deleted") << QByteArray("# Log\n\n## Summary\n\n## Iterations\n\n### Iter 1 — a\n\ntext\n");
    QTest::newRow("headings deleted") << QByteArray("### Iter 1 — a\n\n- **Analysis:** mine\n");
    QTest::newRow("text after the iterations")
        << QByteArray("# Log\n\n## Iterations\n\n### Iter 1 — a\n\ntext\n\n## Ideas\n\n- tensor cores\n");
    QTest::newRow("byte order mark") << QByteArray("\xef\xbb\xbf# Log\n\n## Summary\n");
    QTest::newRow("another table") << QByteArray("# Log\n\n| GPU | SMs |\n|---|---|\n| H200 | 132 |\n");
}

void TestIterationsLog::startsFromAnything()
{
    QFETCH(const QByteArray, text);
    QByteArray now = text;
    for (int number = 2; number <= 4; ++number) {
        const QByteArray before = now;
        now = recorded(now, iteration(number));
        QVERIFY2(onlyLinesWereAdded(before, now), now.constData());
        QCOMPARE(recorded(now, iteration(number)), now);
    }
    const IterationsLog log(now);
    QCOMPARE(log.entries().size(), 3);
    QCOMPARE(log.entries().last().iteration, 4);
    QCOMPARE(log.entries().last().title, QStringLiteral("Change 4"));
    QCOMPARE(log.entries().last().speedup, QStringLiteral("2.000x"));
    QCOMPARE(now.count("\n### Iter 3 — Change 3\n"), 1);
    QVERIFY(now.indexOf("### Iter 2 —") < now.indexOf("### Iter 3 —"));
    QVERIFY(now.indexOf("### Iter 3 —") < now.indexOf("### Iter 4 —"));
    if (text.contains("## Ideas"))
        QVERIFY(now.indexOf("### Iter 4 —") < now.indexOf("## Ideas"));
}

void TestIterationsLog::leavesUserColumnsEmptyAndKeepsThem()
{
    const QByteArray text = "## Summary\n\n"
                            "|  Note | Status | Iter |Registers| Runtime (ms) | Title | Speedup vs cuBLAS |\n"
                            "|:--|--|--:|--|--|--|--|\n"
                            "|  look here \\| there  | improved | 1 |   64| 0.5 | first  | 0.9x |\n";
    const QByteArray now = recorded(text, iteration(2));
    QCOMPARE(now.left(text.size()), text);
    QVERIFY(now.contains("|  | improved | 2 |  | 0.0912 ms | Change 2 | 2.000x |\n"));
    const QList<LogEntry> entries = IterationsLog(now).entries();
    QCOMPARE(entries.first().otherColumns.value(QStringLiteral("Note")), QStringLiteral("look here | there"));
    QCOMPARE(entries.first().otherColumns.value(QStringLiteral("Registers")), QStringLiteral("64"));
    QCOMPARE(entries.first().runtime, QStringLiteral("0.5"));
}

void TestIterationsLog::keepsLineEnds()
{
    QByteArray text = "# Log\n\n## Summary\n\n| Iter | Title | Status |\n|---|---|---|\n| 1 | a | failed |\n\nMine\n";
    text.replace("\n", "\r\n");
    IterationsLog log(text);
    log.record(iteration(2));
    QVERIFY(log.setAnalysis(QStringLiteral("iter-2"), QStringLiteral("one\ntwo")));
    log.note(QDateTime(QDate(2026, 1, 2), QTime(3, 4)), QStringLiteral("Stop"), QStringLiteral("cap"));
    const QByteArray now = log.text();
    QCOMPARE(now.count('\n'), now.count("\r\n"));
    QVERIFY(onlyLinesWereAdded(text, now));
    QCOMPARE(recorded(now, iteration(2)), now);
}

void TestIterationsLog::fillsARowLaterWithoutTouchingTheUsersWords()
{
    QByteArray text = recorded(recorded({}, iteration(1)), iteration(2));
    text.replace("| 1 | Change 1 |", "|1|  My better title |");
    text.replace("- **Hypothesis:** It helps\n", "- **Hypothesis:** I think it helps\n\n  Really.\n");
    IterationRecord record = iteration(1);
    QCOMPARE(recorded(text, record), text);
    record.bench.solution = Timing{0.1, 0.1, 0.1, 0.1};
    record.status = IterationStatus::NoChange;
    const QByteArray now = recorded(text, record);
    QVERIFY(now.contains("|1|  My better title | 1.824x | 0.1 ms | no-change |"));
    QVERIFY(now.contains("  - Runtime: 0.1 ms (mean)\n"));
    QVERIFY(now.contains("I think it helps\n\n  Really.\n"));
    QCOMPARE(now.count("### Iter 1 "), 1);
    QVERIFY(now.contains("| 2 | Change 2 | 2.000x | 0.0912 ms | improved |"));
}

void TestIterationsLog::findsReorderedSections()
{
    const QByteArray text =
        "## Iterations\n\n### Iter 3 — c\n\n- **Analysis:**\n\n### Iter 1 — a\n\n- **Analysis:**\n\n"
        "### Iteration 12: l\n\n- **Analysis:**\n";
    IterationsLog log(text);
    QVERIFY(log.setAnalysis(QStringLiteral("iter-1"), QStringLiteral("said of one")));
    QVERIFY(log.setAnalysis(QStringLiteral("iter-12"), QStringLiteral("said of twelve")));
    QVERIFY(!log.setAnalysis(QStringLiteral("iter-2"), QStringLiteral("lost")));
    QVERIFY(log.text().contains("### Iter 1 — a\n\n- **Analysis:** said of one\n\n### Iteration 12"));
    QVERIFY(log.text().endsWith("- **Analysis:** said of twelve\n"));
    QVERIFY(!log.text().contains("lost"));
}

void TestIterationsLog::appendsToABrokenTable()
{
    const QByteArray text =
        "## Summary\n\n| Iter | Title | Status\n| 1 | a\n| 2 | b | improved | too | many |\n|\n\nMine\n";
    const QByteArray now = recorded(text, iteration(3));
    QVERIFY(onlyLinesWereAdded(text, now));
    QVERIFY(now.contains("|\n| 3 | Change 3 | improved |\n\nMine\n"));
    QCOMPARE(recorded(now, iteration(3)), now);
}

void TestIterationsLog::commentsAndFencesAreNoStructure()
{
    const QByteArray text =
        "# Log\n\n<!-- ## Summary -->\n```\n### Iter 1 — in a fence\n| Iter | Title |\n|---|---|\n```\n"
        "<!--\n### Iter 1 — in a comment\n-->\n";
    const QByteArray now = recorded(text, iteration(1));
    QVERIFY(onlyLinesWereAdded(text, now));
    QVERIFY(now.contains("\n### Iter 1 — Change 1\n"));
    QCOMPARE(IterationsLog(now).entries().size(), 1);
    // Never closed: what follows is not swallowed.
    const QByteArray open = "<!-- I forgot to close this\n\n```\n\n## Iterations\n\n### Iter 1 — a\n";
    IterationsLog log(open);
    QVERIFY(log.setAnalysis(QStringLiteral("iter-1"), QStringLiteral("found")));
}

void TestIterationsLog::wordsOfAnAgentCannotBecomeStructure()
{
    IterationRecord record = iteration(1);
    record.title = QStringLiteral("a | b\n## Summary\n<!-- x");
    record.hypothesis = QStringLiteral("# Title\n### Iter 2 — false\n- **Analysis:** false\n| Iter |\n```\n<!--");
    QByteArray now = recorded(recorded(scaffoldFile(), record), iteration(2));
    QVERIFY2(now.contains("| 1 | a \\| b ## Summary &lt;!-- x |"), now.constData());
    QCOMPARE(IterationsLog(now).entries().size(), 2);
    QCOMPARE(IterationsLog(now).entries().first().title, QStringLiteral("a | b ## Summary &lt;!-- x"));
    QCOMPARE(now.count("\n### Iter 2 "), 1);
    IterationsLog log(now);
    QVERIFY(log.setAnalysis(QStringLiteral("iter-1"), QStringLiteral("true")));
    QVERIFY(log.text().contains("\n- **Analysis:** true\n"));
    QCOMPARE(recorded(log.text(), record), log.text());
}

void TestIterationsLog::failedHasNoFigures()
{
    IterationRecord record = iteration(1);
    record.status = IterationStatus::Failed;
    record.bench = {};
    record.speedup.reset();
    const QByteArray now = recorded({}, record);
    QVERIFY(now.contains("| 1 | Change 1 | — | — | failed |"));
    QVERIFY(now.contains("  - Compiled: False\n  - Correct: False\n  - Runtime: —\n  - Speedup: —\n"));
}

void TestIterationsLog::chainedIsMarked()
{
    IterationRecord record = iteration(1);
    record.bench.reference.reset();
    record.speedupIsChained = true;
    const QByteArray now = recorded({}, record);
    QVERIFY(now.contains("| ≈1.990x |"));
    QVERIFY(now.contains("  - Speedup: median and interval 1.990x [1.980, 2.010], through the champion\n"));
}

void TestIterationsLog::addsAnalysis()
{
    const QByteArray before = recorded(recorded({}, iteration(1)), iteration(2));
    IterationsLog log(before);
    QVERIFY(log.setAnalysis(QStringLiteral("iter-1"), QStringLiteral("It was\nthe cache"), QStringLiteral("Prefetch")));
    QByteArray expected = before;
    const qsizetype at = expected.indexOf("- **Analysis:**\n- **Next:**\n");
    expected.replace(at, qstrlen("- **Analysis:**\n- **Next:**\n"),
                     "- **Analysis:** It was\n  the cache\n- **Next:** Prefetch\n");
    QCOMPARE(log.text(), expected);
    QVERIFY(log.setAnalysis(QStringLiteral("iter-1"), QStringLiteral("It was\nthe cache"), QStringLiteral("Prefetch")));
    QCOMPARE(log.text(), expected);
    QCOMPARE(recorded(log.text(), iteration(1)), expected);
}

void TestIterationsLog::addsAnalysisBesideTheUsersWords()
{
    IterationsLog log("### Iter 1 — a\n\n- **Analysis:** My own words\n- **Mine:** kept\n\nA paragraph.\n");
    QVERIFY(log.setAnalysis(QStringLiteral("iter-1"), QStringLiteral("The agent's")));
    const QByteArray expected =
        "### Iter 1 — a\n\n- **Analysis:** My own words\n  The agent's\n- **Mine:** kept\n\nA paragraph.\n";
    QCOMPARE(log.text(), expected);
    QVERIFY(log.setAnalysis(QStringLiteral("iter-1"), QStringLiteral("The agent's")));
    QCOMPARE(log.text(), expected);
    IterationsLog without("### Iter 1 — a\n\nOnly this");
    QVERIFY(without.setAnalysis(QStringLiteral("iter-1"), QStringLiteral("new")));
    QCOMPARE(without.text(), QByteArray("### Iter 1 — a\n\nOnly this\n- **Analysis:** new\n"));
}

void TestIterationsLog::notesRunEvents()
{
    const QDateTime when(QDate(2026, 1, 2), QTime(3, 4));
    IterationsLog log(recorded({}, iteration(1)));
    log.note(when, QStringLiteral("Re-assessment"), QStringLiteral("three iterations without an improvement"));
    log.note(when, QStringLiteral("Stop"), QStringLiteral("directions: tiling (1, 2)\nunrolling (3)"));
    log.note(when, QStringLiteral("Stop"), QStringLiteral("directions: tiling (1, 2)\nunrolling (3)"));
    QVERIFY(log.text().endsWith("- **Next:**\n\n## Run log\n\n"
                                "- 2026-01-02 03:04 — **Re-assessment:** three iterations without an improvement\n"
                                "- 2026-01-02 03:04 — **Stop:** directions: tiling (1, 2)\n  unrolling (3)\n"));
    const QByteArray noted = log.text();
    log.record(iteration(2));
    QVERIFY(onlyLinesWereAdded(noted, log.text()));
    QVERIFY(log.text().indexOf("### Iter 2") < log.text().indexOf("## Run log"));
}

void TestIterationsLog::finalHasItsOwnEntry()
{
    IterationRecord last = iteration(1);
    last.kind = IterationRecord::Kind::Final;
    last.label = QStringLiteral("final");
    last.title = QStringLiteral("Restore iter-1");
    const QByteArray before = recorded(recorded({}, baseline()), iteration(1));
    const QByteArray now = recorded(before, last);
    QVERIFY(onlyLinesWereAdded(before, now));
    QVERIFY(now.contains("| final (1) | Restore iter-1 |"));
    QVERIFY(now.contains("### Baseline — Change 0"));
    QVERIFY(now.contains("### Final (iter-1) — Restore iter-1"));
    QCOMPARE(recorded(now, last), now);
    QCOMPARE(recorded(now, baseline()), now);
    QCOMPARE(recorded(now, iteration(1)), now);
    const QList<LogEntry> entries = IterationsLog(now).entries();
    QCOMPARE(entries.size(), 3);
    QCOMPARE(entries.at(0).iteration, 0);
    QCOMPARE(entries.at(2).iteration, -1);
    QCOMPARE(entries.at(2).iter, QStringLiteral("final (1)"));

    // The same iteration restored once more, after others: another bench, so an entry of its own.
    const QByteArray later = recorded(now, iteration(2));
    IterationRecord again = last;
    again.trajectory = QStringLiteral("trajectory/20270101-000000_final");
    const QByteArray both = recorded(later, again);
    QVERIFY(onlyLinesWereAdded(later, both));
    QCOMPARE(both.count("| final (1) |"), 2);
    QCOMPARE(both.count("### Final (iter-1)"), 2);
    QVERIFY(both.lastIndexOf("| final (1) |") > both.indexOf("| 2 |"));
    QCOMPARE(recorded(both, again), both);
}

// A log as agents in a terminal wrote it: columns of their own, statuses in prose.
void TestIterationsLog::readsTheTerminalsLog()
{
    const QByteArray text = "# Iteration Log (H200)\n\n## Summary\n\n"
                            "| Iter | Title | Scatter(ms) | Total(ms) | Status |\n"
                            "|------|-------|-------------|-----------|--------|\n"
                            "| 0 | Baseline (a, b) | 0.0237 | 0.0355 | baseline |\n"
                            "| 2 | Autotune num_warps | — | — | CUDA error, reverted |\n"
                            "| 8 | Single-pass (TOTAL<=16384) | 0.0203 | 0.0316 | improved -7.1% — much faster |\n";
    const QList<LogEntry> entries = IterationsLog(text).entries();
    QCOMPARE(entries.size(), 3);
    QCOMPARE(entries.at(1).iteration, 2);
    QCOMPARE(entries.at(1).status, QStringLiteral("CUDA error, reverted"));
    QCOMPARE(entries.at(2).otherColumns.value(QStringLiteral("Total(ms)")), QStringLiteral("0.0316"));
    const QByteArray now = recorded(text, iteration(9));
    QVERIFY(onlyLinesWereAdded(text, now));
    QVERIFY(now.contains("| 9 | Change 9 |  |  | improved |\n"));
}

void TestIterationsLog::survivesAnything_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("zero bytes") << QByteArray(50, '\0');
    QTest::newRow("bars") << QByteArray("|||\n|\n||||||\n");
    QTest::newRow("a header of nothing") << QByteArray("| Iter |\n");
    QTest::newRow("separator first") << QByteArray("|---|\n| Iter |\n");
    QTest::newRow("huge number") << QByteArray(
        "| Iter |\n|---|\n| 99999999999999999999 |\n### Iter 99999999999999999\n");
    QTest::newRow("not UTF-8") << QByteArray("\xff\xfe | Iter |\n\xff\n");
    QTest::newRow("carriage returns") << QByteArray("\r\r\r\n\r# Log\r");
    QTest::newRow("headings only") << QByteArray("#\n##\n###\n####### seven\n#no space\n");
}

void TestIterationsLog::survivesAnything()
{
    QFETCH(const QByteArray, text);
    const QByteArray now = recorded(text, iteration(1));
    QVERIFY(onlyLinesWereAdded(text, now));
    QCOMPARE(recorded(now, iteration(1)), now);
    IterationsLog(now).entries();
}

void TestIterationsLog::savesAndLoads()
{
    const ScratchWorkspace workspace;
    auto log = IterationsLog::load(workspace.path());
    QVERIFY(log.has_value());
    QVERIFY(log->save(workspace.path()).has_value());
    QVERIFY(!workspace.exists(QStringLiteral("ITERATIONS.md"))); // nothing changed, nothing written
    log->record(iteration(1));
    QVERIFY(log->isChanged());
    QVERIFY(log->save(workspace.path()).has_value());
    const auto again = IterationsLog::load(workspace.path());
    QCOMPARE(again->text(), log->text());
    QVERIFY(!again->isChanged());

    const ScratchWorkspace folder;
    folder.makeFolder(QStringLiteral("ITERATIONS.md"));
    QVERIFY(!IterationsLog::load(folder.path()));
}

void TestIterationsLog::isQuickWithAThousandEntries()
{
    IterationsLog log;
    for (int number = 1; number <= 1000; ++number)
        log.record(iteration(number));
    QCOMPARE(log.entries().size(), 1000);
    QElapsedTimer clock;
    clock.start();
    log.record(iteration(1001));
    QVERIFY(log.setAnalysis(QStringLiteral("iter-1000"), QStringLiteral("said")));
    qInfo("row, section and analysis with 1,000 entries (%lld kB): %.2f ms", log.text().size() / 1024,
          double(clock.nsecsElapsed()) / 1e6);
    QCOMPARE(log.entries().last().iteration, 1001);
}

QTEST_GUILESS_MAIN(TestIterationsLog)
#include "tst_iterationslog.moc"
