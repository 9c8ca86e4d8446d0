// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/prompt/candidateanswer.h"
#include "agents/prompt/candidateprompt.h"
#include "support/scratchworkspace.h"

#include <QTest>

using namespace ako;

namespace {

IterationRecord record(int number, IterationStatus status, const QString &title)
{
    IterationRecord entry;
    entry.kind = number == 0 ? IterationRecord::Kind::Baseline : IterationRecord::Kind::Iteration;
    entry.number = number;
    entry.title = title;
    entry.status = status;
    entry.trajectory = QStringLiteral("trajectory/t-%1").arg(number);
    entry.bench.correct = status != IterationStatus::Failed;
    if (entry.bench.correct) {
        entry.bench.solution = Timing{2.5, 2.6, 2.4, 2.9};
        entry.speedupOverBaseline = Interval{1.25, 1.2, 1.3};
    }
    return entry;
}

} // namespace

class TestCandidatePrompt : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void says_data();
    void says();
    void leavesOutWhatIsNotThere();
    void staysWithinItsBudget();
    void fillsOnce();
    void answers_data();
    void answers();
    void summaries();
};

void TestCandidatePrompt::says_data()
{
    QTest::addColumn<QString>("part");
    QTest::addColumn<bool>("isNew"); // also where the session goes on
    QTest::newRow("goal") << QStringLiteral("making one GPU or CPU kernel faster. This is iteration 4") << true;
    QTest::newRow("rules") << QStringLiteral("Not allowed: moving work out of the timed part") << false;
    QTest::newRow("plan") << QStringLiteral("- **Kernel** — k.cpp") << false;
    QTest::newRow("hints") << QStringLiteral("do not use OpenMP") << true;
    QTest::newRow("knowledge") << QStringLiteral("- `knowledge/notes.md`") << false;
    QTest::newRow("where it starts")
        << QStringLiteral("holds iteration 2 now; your change starts from it. It takes 2.5 ms (median)") << true;
    QTest::newRow("the champion's interval") << QStringLiteral("1.250x [1.200, 1.300]") << true;
    QTest::newRow("what was tried") << QStringLiteral("| 2 | unroll by four |") << true;
    QTest::newRow("what it did") << QStringLiteral("| 3 | a / b | - | failed: COMPILE_ERROR | - | - |") << true;
    QTest::newRow("errors whole") << QStringLiteral("kernel.cpp:3: error: first\n") << true;
    QTest::newRow("profile") << QStringLiteral("77 % of peak") << true;
    QTest::newRow("stall") << QStringLiteral("The last iterations brought nothing") << true;
    QTest::newRow("form of the answer") << QStringLiteral("AKO-ANSWER\nTitle:") << true;
}

void TestCandidatePrompt::says()
{
    QFETCH(QString, part);
    QFETCH(bool, isNew);
    const test::ScratchWorkspace workspace;
    workspace.write(QStringLiteral("trajectory/t-3/output.txt"),
                    "kernel.cpp:3: error: first\n" + QByteArray(5000, 'e') + "\n```\n");
    ProposalRequest request;
    request.workspace = workspace.path();
    request.iteration = 4;
    request.champion = 2;
    request.plan = QStringLiteral("- **Kernel** — k.cpp");
    request.hints = QStringLiteral("- do not use OpenMP");
    request.knowledge = {QStringLiteral("knowledge/notes.md")};
    request.profileSummary = QStringLiteral("77 % of peak");
    request.reassess = true;
    request.history = {record(0, IterationStatus::Baseline, {}),
                       record(1, IterationStatus::NoChange, QStringLiteral("x")),
                       record(2, IterationStatus::Improved, QStringLiteral("unroll by four")),
                       record(3, IterationStatus::Failed, QStringLiteral("a | b"))};
    request.history[3].bench.status = QStringLiteral("COMPILE_ERROR");
    const auto whole = candidatePrompt(request, true);
    QVERIFY(whole);
    QVERIFY2(whole->contains(part), qPrintable(*whole));
    QVERIFY(!whole->contains(QLatin1String("{{")) && !whole->contains(QLatin1String("<!--")));
    QCOMPARE(candidatePrompt(request, false)->contains(part), isNew);
}

void TestCandidatePrompt::leavesOutWhatIsNotThere()
{
    const auto prompt = candidatePrompt(ProposalRequest(), true);
    QVERIFY(prompt);
    for (const char *heading : {"## Plan", "## Directives", "## Knowledge", "## Where", "## What was tried",
                                "## Output", "## Profile", "## A new direction"})
        QVERIFY2(!prompt->contains(QLatin1String(heading)), heading);
    QVERIFY(prompt->contains(QLatin1String("## Rules")) && prompt->contains(QLatin1String("## Your turn")));
}

void TestCandidatePrompt::staysWithinItsBudget()
{
    const test::ScratchWorkspace workspace;
    ProposalRequest request;
    request.workspace = workspace.path();
    for (int number = 0; number < 3000; ++number)
        request.history << record(number, IterationStatus::NoChange,
                                  QStringLiteral("try %1 ").arg(number) + QString(100, QLatin1Char('t')));
    request.history.last().status = IterationStatus::Failed;
    workspace.write(QStringLiteral("trajectory/t-2999/output.txt"), QByteArray(1 << 20, 'o'));
    request.hints = QString(1 << 20, QLatin1Char('h'));
    request.plan = QString(1 << 20, QLatin1Char('p'));
    const auto prompt = candidatePrompt(request, true, 60'000);
    QVERIFY(prompt);
    QVERIFY2(prompt->size() < 62'000, qPrintable(QString::number(prompt->size())));
    QVERIFY(prompt->contains(QLatin1String("| 2999 | try 2999"))); // the newest stay
    QVERIFY(!prompt->contains(QLatin1String("| 5 | try 5")));
    QVERIFY(prompt->contains(QLatin1String("(earlier ones: see ITERATIONS.md)")));
    QVERIFY(prompt->contains(QLatin1String("trajectory/t-2999/output.txt")));
}

void TestCandidatePrompt::fillsOnce()
{
    ProposalRequest request;
    request.hints = QStringLiteral("use {{PLAN}} and {{NUMBER}}");
    request.plan = QStringLiteral("the plan");
    QVERIFY(candidatePrompt(request, true)->contains(QLatin1String("use {{PLAN}} and {{NUMBER}}")));
}

void TestCandidatePrompt::answers_data()
{
    QTest::addColumn<QString>("message");
    QTest::addColumn<QString>("parts"); // title, direction, hypothesis, changes, analysis, exhausted
    const auto row = [](const char *name, const char *message, const char *parts) {
        QTest::newRow(name) << QString::fromUtf8(message) << QString::fromUtf8(parts);
    };
    row("none", "I have changed the kernel.\nTitle: not in a block\n", "|||||");
    row("whole", "Done.\nAKO-ANSWER\nTitle: t\nDirection: d\nHypothesis: h\nChanges: c\nAnalysis: a\nEND\nbye",
        "t|d|h|c|a|");
    row("in a fence", "```\nAKO-ANSWER\nTitle: t\n```\nHypothesis: outside", "t|||||");
    row("without an end", "AKO-ANSWER\nTitle: t\nHypothesis: h", "t||h|||");
    row("Markdown", "**AKO-ANSWER**\n**Title:** t\n- **Hypothesis**: h\n", "t||h|||");
    row("several lines", "AKO-ANSWER\nChanges: a.cpp: x\nb.cpp: y\n\nAnalysis: one\n two\nEND",
        "|||a.cpp: x\nb.cpp: y|one\n two|");
    row("the last counts", "AKO-ANSWER\nTitle: first\nEND\nAKO-ANSWER\nTitle: second\nEND", "second|||||");
    row("exhausted", "AKO-ANSWER\nExhausted: tiling (1, 2); layout (3) ; ; vectors (4)\nEND",
        "|||||tiling (1, 2)+layout (3)+vectors (4)");
    row("a title of two lines and control characters", "AKO-ANSWER\nTitle: a\x1b[31m\nb\nEND", "a[31m b|||||");
}

void TestCandidatePrompt::answers()
{
    QFETCH(QString, message);
    QFETCH(QString, parts);
    const CandidateAnswer answer = parseAnswer(message);
    const QStringList got{answer.title,   answer.direction, answer.hypothesis,
                          answer.changes, answer.analysis,  answer.exhausted.join(QLatin1Char('+'))};
    QCOMPARE(got.join(QLatin1Char('|')), parts);
}

void TestCandidatePrompt::summaries()
{
    FolderContent before;
    before.files = {{QStringLiteral("a.cpp"), "1\n2\n3\n"}, {QStringLiteral("b.h"), "x\n"}};
    FolderContent after = before;
    QVERIFY(summarized(before, after).isEmpty());
    after.files[QStringLiteral("a.cpp")] = "1\n2b\n3\n4\n";
    QCOMPARE(summarized(before, after).title, QStringLiteral("a.cpp: +2 -1 lines"));
    after.files.remove(QStringLiteral("b.h"));
    after.files.insert(QStringLiteral("c.bin"), QByteArray("\0\1", 2));
    const ChangeSummary summary = summarized(before, after);
    QCOMPARE(summary.title, QStringLiteral("3 files changed"));
    QVERIFY2(summary.details.contains(QLatin1String("b.h: removed")), qPrintable(summary.details));
    QVERIFY(summary.details.contains(QLatin1String("c.bin: new")));
}

QTEST_GUILESS_MAIN(TestCandidatePrompt)
#include "tst_candidateprompt.moc"
