// SPDX-License-Identifier: GPL-3.0-or-later
// What an agent may ask the loop: answers in words, limits, and nothing outside of what it may read.
#include "agents/tools/looptools.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace ako;
using nlohmann::json;

class TestLoopTools : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void answers_data();
    void answers();
    void benchIsCounted();
    void profileSaysOfWhat();
    void linesOfAText_data();
    void linesOfAText();

private:
    void write(const QString &name, const QByteArray &content) const;
    ToolAnswer call(LoopTools &tools, const char *name, const json &arguments = json::object()) const;

    QTemporaryDir m_folder;
    ProposalRequest m_request;
};

void TestLoopTools::write(const QString &name, const QByteArray &content) const
{
    const QString path = m_request.workspace + QLatin1Char('/') + name;
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY2(file.open(QIODevice::WriteOnly) && file.write(content) == content.size(), qPrintable(path));
}

void TestLoopTools::initTestCase()
{
    m_request.workspace = m_folder.filePath(QStringLiteral("ws"));
    m_request.iteration = 2;
    m_request.champion = 1;
    IterationRecord base;
    base.kind = IterationRecord::Kind::Baseline;
    base.label = QStringLiteral("baseline");
    base.status = IterationStatus::Baseline;
    base.trajectory = QStringLiteral("trajectory/20261130-100000_baseline");
    IterationRecord first;
    first.number = 1;
    first.label = QStringLiteral("iter-1");
    first.title = QStringLiteral("Unroll by four");
    first.hypothesis = QStringLiteral("fewer branches");
    first.status = IterationStatus::Improved;
    first.becameChampion = true;
    first.trajectory = QStringLiteral("trajectory/20261130-100100_iter-1");
    m_request.history = {base, first};
    m_request.knowledge = {QStringLiteral("notes.md"), QStringLiteral("papers")};
    write(base.trajectory + QStringLiteral("/solution/k.cpp"), "the original\n");
    write(first.trajectory + QStringLiteral("/solution/k.cpp"), "unrolled\n");
    write(first.trajectory + QStringLiteral("/output.txt"), "CORRECT: True\n");
    write(QStringLiteral("notes.md"), "one\ntwo\nthree\n");
    write(QStringLiteral("papers/a.txt"), "a paper\n");
    write(QStringLiteral("papers/a.bin"), QByteArray("a\0b", 3));
    write(QStringLiteral("secret.txt"), "secret\n");
    write(QStringLiteral("../outside.txt"), "outside\n");
    QVERIFY(QFile::link(m_folder.filePath(QStringLiteral("outside.txt")),
                        m_request.workspace + QStringLiteral("/papers/link.txt")));
}

ToolAnswer TestLoopTools::call(LoopTools &tools, const char *name, const json &arguments) const
{
    QList<ToolAnswer> given;
    tools.call(QLatin1String(name), arguments, [&given](const ToolAnswer &answer) { given << answer; });
    if (given.size() != 1)
        qWarning("%s answered %d times", name, int(given.size()));
    return given.value(0);
}

void TestLoopTools::answers_data()
{
    QTest::addColumn<QString>("tool");
    QTest::addColumn<QByteArray>("arguments");
    QTest::addColumn<QString>("part");
    QTest::addColumn<bool>("fails");
    const auto row = [](const char *name, const char *tool, const char *arguments, const char *part,
                        bool fails = false) {
        QTest::newRow(name) << QString::fromLatin1(tool) << QByteArray(arguments) << QString::fromUtf8(part) << fails;
    };
    row("history", "read_history", "{}", "Unroll by four");
    row("history without an object", "read_history", "null", "Unroll by four");
    row("an iteration", "read_history", R"({"iteration":1})", "fewer branches");
    row("a number as text", "read_history", R"({"iteration":"1"})", "CORRECT: True");
    row("the baseline's file", "read_history", R"({"iteration":0,"file":"solution/k.cpp"})", "the original");
    row("no such iteration", "read_history", R"({"iteration":7})", "no iteration 7", true);
    row("below zero", "read_history", R"({"iteration":-1})", "no iteration", true);
    row("far too large", "read_history", R"({"iteration":9000000000000000000})", "no iteration", true);
    row("champion", "read_champion", "{}", "k.cpp");
    row("champion's file", "read_champion", R"({"file":"k.cpp"})", "unrolled");
    row("not its file", "read_champion", R"({"file":"../../../secret.txt"})", "has no file", true);
    row("knowledge", "read_knowledge", "{}", "papers");
    row("a note", "read_knowledge", R"({"file":"notes.md"})", "three");
    row("from a line", "read_knowledge", R"({"file":"notes.md","line":2,"limit":1})",
        "two\n\n… (there is more: ask again "
        "with line 3)");
    row("in a folder", "read_knowledge", R"({"file":"papers/a.txt"})", "a paper");
    row("a folder", "read_knowledge", R"({"file":"papers"})", "a.bin");
    row("a binary file", "read_knowledge", R"({"file":"papers/a.bin"})", "not a text file", true);
    row("not knowledge", "read_knowledge", R"({"file":"secret.txt"})", "none of the knowledge", true);
    row("upwards", "read_knowledge", R"({"file":"papers/../secret.txt"})", "none of the knowledge", true);
    row("out of the workspace", "read_knowledge", R"({"file":"../outside.txt"})", "none of the knowledge", true);
    row("through a link", "read_knowledge", R"({"file":"papers/link.txt"})", "none of the knowledge", true);
    row("missing", "read_knowledge", R"({"file":"papers/b.txt"})", "none of the knowledge", true);
    row("no such tool", "rm", "{}", "no tool named rm", true);
}

void TestLoopTools::answers()
{
    QFETCH(QString, tool);
    QFETCH(QByteArray, arguments);
    QFETCH(QString, part);
    QFETCH(bool, fails);
    LoopTools tools({}, {});
    tools.begin(m_request);
    const ToolAnswer answer = call(tools, tool.toLatin1().constData(), json::parse(arguments.toStdString()));
    QVERIFY2(answer.text.contains(part), qPrintable(answer.text));
    QCOMPARE(answer.failed, fails);
}

void TestLoopTools::benchIsCounted()
{
    QList<ProbeReply> asked;
    LoopTools tools([&asked](int, const ProbeReply &reply) { asked << reply; }, {});
    QSignalSpy told(&tools, &LoopTools::used);
    ProposalRequest request = m_request;
    request.mostProbes = 2;
    tools.begin(request);
    QList<ToolAnswer> given;
    const auto keep = [&given](const ToolAnswer &answer) { given << answer; };
    tools.call(QStringLiteral("bench"), {}, keep);
    QCOMPARE(given.size(), 0);
    QVERIFY(call(tools, "bench").text.contains(QLatin1String("still under way")));
    Probe good;
    good.result.compiled = good.result.correct = true;
    good.result.exitCode = 0;
    good.result.solution = Timing{2.5, 2.5, 2.5, 2.5};
    good.result.speedupOverChampion = Interval{1.25, 1.2, 1.3};
    good.result.comparison = Comparison::Improved;
    asked.constFirst()(good);
    QCOMPARE(given.size(), 1);
    QVERIFY2(given.constFirst().text.contains(QLatin1String("1.250x [1.200, 1.300] (faster)")),
             qPrintable(given.constFirst().text));
    QVERIFY(!given.constFirst().failed);
    tools.call(QStringLiteral("bench"), {}, keep);
    Probe wrong;
    wrong.result.compiled = true;
    wrong.result.status = QStringLiteral("INCORRECT");
    wrong.result.exitCode = 1;
    wrong.output = QStringLiteral("row 7 differs");
    asked.constLast()(wrong);
    QVERIFY2(given.constLast().text.contains(QLatin1String("row 7 differs")), qPrintable(given.constLast().text));
    QVERIFY(call(tools, "bench").text.contains(QLatin1String("2 times")));
    QCOMPARE(asked.size(), 2);
    QCOMPARE(tools.probes(), 2);
    QStringList lines;
    for (const QList<QVariant> &each : std::as_const(told))
        lines << each.constFirst().toString();
    QVERIFY2(lines.join(QLatin1Char('\n')).contains(QLatin1String("probe 1: correct, 2.5 ms, 1.250x")),
             qPrintable(lines.join(QLatin1Char('\n'))));
    tools.begin(request); // the next turn may again
    QCOMPARE(tools.probes(), 0);
    tools.call(QStringLiteral("bench"), {}, keep);
    QCOMPARE(asked.size(), 3);
}

void TestLoopTools::profileSaysOfWhat()
{
    LoopTools tools({}, [](const BenchResult &result) { return QStringLiteral("figures of ") + result.status; });
    ProposalRequest request = m_request;
    request.history[1].bench.status = QStringLiteral("CHAMPION");
    tools.begin(request);
    const QString text = call(tools, "profile").text;
    QVERIFY2(text.contains(QLatin1String("the champion")) && text.contains(QLatin1String("figures of CHAMPION")) &&
                 text.contains(QLatin1String("not measured")),
             qPrintable(text));
    request.profileSummary = QStringLiteral("dram 71 % of peak");
    tools.begin(request);
    const QString withCounters = call(tools, "profile").text;
    QVERIFY2(withCounters.contains(QLatin1String("figures of CHAMPION")) &&
                 withCounters.contains(QLatin1String("last profile")) &&
                 withCounters.contains(QLatin1String("dram 71 % of peak")),
             qPrintable(withCounters));
    request.profileSummary.clear();
    LoopTools none({}, {});
    none.begin(request);
    QVERIFY(call(none, "profile").text.contains(QLatin1String("No profile is available.")));
    QVERIFY(call(none, "bench").text.contains(QLatin1String("No bench can be asked for here.")));
    ProposalRequest empty;
    none.begin(empty);
    QVERIFY(call(none, "profile").failed);
    QVERIFY(call(none, "read_champion").failed);
}

void TestLoopTools::linesOfAText_data()
{
    QTest::addColumn<int>("line");
    QTest::addColumn<int>("limit");
    QTest::addColumn<int>("characters");
    QTest::addColumn<QString>("part");
    QTest::newRow("all") << 1 << -1 << 100 << QStringLiteral("ab\ncd\nef");
    QTest::newRow("the last") << 3 << -1 << 100 << QStringLiteral("ef");
    QTest::newRow("behind the end") << 9 << -1 << 100 << QString();
    QTest::newRow("none") << 1 << 0 << 100 << QStringLiteral("\n… (there is more: ask again with line 1)");
    QTest::newRow("cut") << 1 << -1 << 6 << QStringLiteral("ab\ncd\n\n… (there is more: ask again with line 3)");
    QTest::newRow("a long line") << 1 << -1 << 1 << QStringLiteral("a\n… (there is more: ask again with line 1)");
    QTest::newRow("line zero") << 0 << 1 << 100 << QStringLiteral("ab\n\n… (there is more: ask again with line 2)");
}

void TestLoopTools::linesOfAText()
{
    QFETCH(int, line);
    QFETCH(int, limit);
    QFETCH(int, characters);
    QFETCH(QString, part);
    QCOMPARE(linesOf(QStringLiteral("ab\ncd\nef"), line, limit, characters), part);
}

QTEST_GUILESS_MAIN(TestLoopTools)
#include "tst_looptools.moc"
