// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline/invocation.h"

#include <QTest>

using namespace ako;

class TestInvocation : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysWhatIsWrongWithAnArgument_data();
    void saysWhatIsWrongWithAnArgument();
    void accepts_data();
    void accepts();
    void refuses_data();
    void refuses();
    void keepsValues();
    void aCommandIsTheAgent();
    void helpNamesEveryOption();
};

void TestInvocation::accepts_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("command");
    QTest::addColumn<QString>("workspace");
    const auto row = [](const char *line, Command command, const char *workspace) {
        QTest::newRow(line) << QString::fromLatin1(line) << static_cast<int>(command) << QString::fromLatin1(workspace);
    };
    row("", Command::Window, "");
    row("some/folder", Command::Window, "some/folder");
    row("plan w", Command::Plan, "w");
    row("plan w --json", Command::Plan, "w");
    row("plan --json w", Command::Plan, "w");
    row("run w --approve --iterations 3", Command::Run, "w");
    row("run --approve w", Command::Run, "w");
    row("iterate w --title x", Command::Iterate, "w");
    row("history w", Command::History, "w");
    row("measure w 3 --against baseline", Command::Measure, "w");
    row("note w 3 --text odd", Command::Note, "w");
    row("note w 3 --accept", Command::Note, "w");
    row("report w --output a.html --patch -", Command::Report, "w");
    row("apply w --write", Command::Apply, "w");
    row("restore w 0", Command::Restore, "w");
    row("revert w 12", Command::Revert, "w");
    row("finish w", Command::Finish, "w");
    row("doctor", Command::Doctor, "");
    row("doctor w", Command::Doctor, "w");
    row("demo", Command::Demo, "");
    row("demo --headless --into d --example softmax", Command::Demo, "");
    row("--help", Command::Help, "");
    row("help run", Command::Help, "");
    row("run --help", Command::Help, "");
    row("--version", Command::Version, "");
}

void TestInvocation::accepts()
{
    QFETCH(QString, line);
    QFETCH(int, command);
    QFETCH(QString, workspace);
    const Result<Invocation> invocation = parseInvocation(line.split(QLatin1Char(' '), Qt::SkipEmptyParts));
    QVERIFY2(invocation, invocation ? "" : qPrintable(invocation.error().text()));
    QCOMPARE(static_cast<int>(invocation->command), command);
    QCOMPARE(invocation->workspace, workspace);
}

void TestInvocation::refuses_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *line, const char *says) {
        QTest::newRow(line) << QString::fromLatin1(line) << QString::fromLatin1(says);
    };
    row("plan", "WORKSPACE is missing");
    row("plan a b", "one argument too many");
    row("restore w", "N is missing");
    row("measure w 1 --against x", "it is champion or baseline");
    row("note w 1", "--text is missing");
    row("note w 1 --accept --reject", "choose one");
    row("restore w x", "\"x\" is not a whole number");
    row("revert w -1", "");
    row("run w --iterations 0", "--iterations");
    row("run w --iterations many", "\"many\"");
    row("run w --answer kernel", "KEY=VALUE");
    row("run w --answer =a", "KEY=VALUE");
    row("run w --frobnicate", "frobnicate");
    row("plan w --approve", "approve");
    row("iterate w", "--title is missing");
    row("run w --git-name Ada", "go together");
    row("plan w --git-name Ada", "git-name");
    row("--frobnicate", "--frobnicate");
    row("frobnicate w", "\"frobnicate\" is not a command");
    row("doctor a b", "one argument too many");
}

void TestInvocation::refuses()
{
    QFETCH(QString, line);
    QFETCH(QString, says);
    const Result<Invocation> invocation = parseInvocation(line.split(QLatin1Char(' '), Qt::SkipEmptyParts));
    QVERIFY(!invocation);
    QVERIFY2(invocation.error().message.contains(says), qPrintable(invocation.error().message));
    QVERIFY(invocation.error().remedy.contains(QStringLiteral("--help")));
}

// And never repeats more of it than fits on a screen.
void TestInvocation::saysWhatIsWrongWithAnArgument_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    const QString huge = QStringLiteral("\x1b[31m") + QString(100000, QLatin1Char('x'));
    const auto words = [](const char *line) { return QString::fromLatin1(line).split(QLatin1Char(' ')); };
    const QString empty = QStringLiteral("an empty name");
    QTest::newRow("no name") << QStringList{QString()} << empty;
    QTest::newRow("plan, no name") << words("plan") + QStringList{QString()} << empty;
    QTest::newRow("history, blanks") << words("history") + QStringList{QStringLiteral("  ")} << empty;
    QTest::newRow("restore, no name") << words("restore") + QStringList{QString(), QStringLiteral("1")} << empty;
    QTest::newRow("no command") << QStringList{huge, huge} << QStringLiteral("is not a command");
    QTest::newRow("no option") << QStringList{QStringLiteral("--") + huge} << QStringLiteral("Unknown option");
    QTest::newRow("no option of the command")
        << words("plan w") + QStringList{QStringLiteral("--") + huge} << QStringLiteral("Unknown option");
    QTest::newRow("no number") << words("restore w") + QStringList{huge} << QStringLiteral("is not a whole number");
    QTest::newRow("no answer") << words("plan w --answer") + QStringList{huge} << QStringLiteral("KEY=VALUE");
    QTest::newRow("too many") << words("plan w") + QStringList{huge} << QStringLiteral("one argument too many");
}

void TestInvocation::saysWhatIsWrongWithAnArgument()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, says);
    const Result<Invocation> invocation = parseInvocation(arguments);
    QVERIFY(!invocation);
    const QString &message = invocation.error().message;
    QVERIFY2(message.contains(says), qPrintable(message));
    QVERIFY2(message.size() < 300 && !message.contains(QChar(0x1b)), qPrintable(message));
}

void TestInvocation::keepsValues()
{
    const Result<Invocation> invocation = parseInvocation(
        {QStringLiteral("run"), QStringLiteral("w"), QStringLiteral("--request"), QStringLiteral("no OpenMP = please"),
         QStringLiteral("--answer"), QStringLiteral("kernel=a=b.cpp"), QStringLiteral("--answer"),
         QStringLiteral("agent=user"), QStringLiteral("--agent"), QStringLiteral("tuner"),
         QStringLiteral("--iterations"), QStringLiteral("7"), QStringLiteral("--json")});
    QVERIFY(invocation);
    QCOMPARE(invocation->request, QStringLiteral("no OpenMP = please"));
    const QList<QPair<QString, QString>> answers{{QStringLiteral("kernel"), QStringLiteral("a=b.cpp")},
                                                 {QStringLiteral("agent"), QStringLiteral("user")}};
    QCOMPARE(invocation->answers, answers);
    QCOMPARE(invocation->agent, QStringLiteral("tuner"));
    QCOMPARE(invocation->iterations, 7);
    QVERIFY(invocation->json);
    QVERIFY(!invocation->approve);
}

void TestInvocation::aCommandIsTheAgent()
{
    const Result<Invocation> invocation = parseInvocation(
        {QStringLiteral("run"), QStringLiteral("w"), QStringLiteral("--agent-command"), QStringLiteral("mine --acp"),
         QStringLiteral("--isolation"), QStringLiteral("none"), QStringLiteral("--permissions"),
         QStringLiteral("allow"), QStringLiteral("--turn-limit"), QStringLiteral("20 minutes"),
         QStringLiteral("--silence-limit"), QStringLiteral("90 s"), QStringLiteral("--token-budget"),
         QStringLiteral("500k"), QStringLiteral("--cost-budget"), QStringLiteral("$5")});
    QVERIFY(invocation);
    QCOMPARE(invocation->agent, QStringLiteral("command"));
    QCOMPARE(invocation->agentCommand, QStringLiteral("mine --acp"));
    QCOMPARE(invocation->isolation, QStringLiteral("none"));
    QCOMPARE(invocation->permissions, QStringLiteral("allow"));
    QCOMPARE(invocation->turnLimit, QStringLiteral("20 minutes"));
    QCOMPARE(invocation->silenceLimit, QStringLiteral("90 s"));
    QCOMPARE(invocation->tokenBudget, QStringLiteral("500k"));
    QCOMPARE(invocation->costBudget, QStringLiteral("$5"));
}

void TestInvocation::helpNamesEveryOption()
{
    const Result<Invocation> overview = parseInvocation({QStringLiteral("--help")});
    QVERIFY(overview);
    for (const char *word :
         {"plan", "run", "iterate", "history", "restore", "revert", "finish", "doctor", "demo", "130"})
        QVERIFY2(overview->helpText.contains(QString::fromLatin1(word)), word);
    const Result<Invocation> run = parseInvocation({QStringLiteral("run"), QStringLiteral("--help")});
    QVERIFY(run);
    for (const char *word :
         {"--request", "--answer", "--agent", "--agent-command", "--isolation", "--permissions", "--turn-limit",
          "--silence-limit", "--token-budget", "--cost-budget", "--iterations", "--approve", "--json"})
        QVERIFY2(run->helpText.contains(QString::fromLatin1(word)), word);
    const Result<Invocation> mcp = parseInvocation({QStringLiteral("mcp"), QStringLiteral("--help")});
    QVERIFY(mcp);
    for (const char *words : {"standard input and output", "read_history (file, iteration)", "read_champion (file)",
                              "read_knowledge (file, limit, line)", "\n  bench\n", "\n  profile\n"})
        QVERIFY2(mcp->helpText.contains(QString::fromLatin1(words)), qPrintable(mcp->helpText));
}

QTEST_GUILESS_MAIN(TestInvocation)
#include "tst_invocation.moc"
