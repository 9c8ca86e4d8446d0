// SPDX-License-Identifier: GPL-3.0-or-later
// The real command line: what it says of an open question, how it waits for a person's edits, and how it ends.
#include "git/repository.h"
#include "support/programrun.h"
#include "support/scratchrepository.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QTest>

#include <csignal>
#include <memory>

using namespace ako::test;

namespace {

const QString program = QStringLiteral(AKO_BINARY_DIR "/app/ako4all");

std::unique_ptr<ScratchRepository> workspace()
{
    auto repository = std::make_unique<ScratchRepository>();
    const QHash<QString, QByteArray> files = smallProblem();
    for (auto file = files.cbegin(); file != files.cend(); ++file)
        repository->write(file.key(), file.value());
    repository->commitAll(QStringLiteral("mine"));
    return repository;
}

// On a terminal of its own, as a person has it.
class Terminal
{
public:
    explicit Terminal(const QStringList &arguments)
    {
        QStringList words;
        for (const QString &word : QStringList{program} + arguments)
            words << QLatin1Char('\'') + word + QLatin1Char('\'');
        m_process.setProcessChannelMode(QProcess::MergedChannels);
        m_process.start(QStringLiteral("script"),
                        {QStringLiteral("-qefc"), words.join(QLatin1Char(' ')), QStringLiteral("/dev/null")});
    }
    ~Terminal()
    {
        m_process.kill();
        m_process.waitForFinished();
    }

    // Whether it says that (so often), before it ends.
    bool says(const QString &words, int times = 1)
    {
        QElapsedTimer timer;
        timer.start();
        while (m_output.count(words) < times && timer.elapsed() < 120000) {
            if (m_process.state() == QProcess::NotRunning)
                break;
            m_process.waitForReadyRead(500);
            m_output += QString::fromUtf8(m_process.readAll());
        }
        return m_output.count(words) >= times;
    }
    void type(const QByteArray &keys) { m_process.write(keys); }
    int exitCode()
    {
        if (!m_process.waitForFinished(60000))
            return -1;
        m_output += QString::fromUtf8(m_process.readAll());
        return m_process.exitCode();
    }
    const QString &output() const { return m_output; }

private:
    QProcess m_process;
    QString m_output;
};

bool isTooBusy(const QString &output)
{
    return output.contains(QLatin1String("could not be measured"));
}

} // namespace

class TestCommandLine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { isolateGitConfiguration(); }
    void saysWhatIsOpen_data();
    void saysWhatIsOpen();
    void pathsCanBeCopied();
    void measuresTheKernelThatThePlanNames();
    void identityForThisRepositoryOnly();
    void demoOnANewMachine();
    void waitsForEditsOnATerminal();
    void failedIterationHasAStatusOfItsOwn();
    void endsInOrderWhenTerminated();
};

void TestCommandLine::saysWhatIsOpen_data()
{
    QTest::addColumn<QStringList>("arguments"); // after the workspace
    QTest::addColumn<QByteArray>("problem");    // replaces problem.json; "-": there is none
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QStringList>("said");
    const QStringList json{QStringLiteral("--json")};
    const auto set = [](const char *answer) { return QStringList{QStringLiteral("--answer"), QLatin1String(answer)}; };
    QTest::newRow("a question and its key")
        << QStringList{} << QByteArray("-") << 3
        << QStringList{QStringLiteral("**Question (input):**"), QStringLiteral("--answer input=VALUE")};
    QTest::newRow("a question as JSON") << json << QByteArray("-") << 3
                                        << QStringList{QStringLiteral("\"questions\":[{"),
                                                       QStringLiteral("\"key\":\"input\"")};
    QTest::newRow("a problem with its place") << QStringList{} << QByteArray("{\n  \"schema\": x\n}\n") << 3
                                              << QStringList{QStringLiteral("\nproblem.json:2:13 is not valid JSON")};
    QTest::newRow("a problem with its place as JSON")
        << json << QByteArray("{\n  \"schema\": x\n}\n") << 3
        << QStringList{QStringLiteral("\"reason\":\"problem.json:2:13 is not valid JSON")};
    QTest::newRow("a row that cannot be set")
        << set("metric=time") << QByteArray() << 2 << QStringList{QStringLiteral("cannot be answered here")};
    QTest::newRow("no row of that name") << set("colour=red") << QByteArray() << 2
                                         << QStringList{QStringLiteral("no such row")};
    QTest::newRow("no agent of that name")
        << set("agent=nobody") << QByteArray() << 3 << QStringList{QStringLiteral("no agent \"nobody\"")};
    QTest::newRow("evidence") << QStringList{QStringLiteral("--verbose")} << QByteArray() << 0
                              << QStringList{
                                     QStringLiteral("- **Reference** — `reference.cpp`\n  - problem.json:9: names it")};
    QTest::newRow("no evidence") << QStringList{} << QByteArray() << 0
                                 << QStringList{QStringLiteral("- **Reference** — `reference.cpp`\n- **Input")};
}

void TestCommandLine::saysWhatIsOpen()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, problem);
    QFETCH(int, exitCode);
    QFETCH(QStringList, said);
    const auto repository = workspace();
    if (problem == "-")
        repository->remove(QStringLiteral("problem.json"));
    else if (!problem.isEmpty())
        repository->write(QStringLiteral("problem.json"), problem);
    const ProgramRun run = runProgram(QStringList{QStringLiteral("plan"), repository->path()} + arguments);
    QVERIFY2(run.exitCode == exitCode, qPrintable(QStringLiteral("%1\n%2").arg(run.exitCode).arg(run.output)));
    for (const QString &words : said)
        QVERIFY2(run.output.contains(words), qPrintable(words + QStringLiteral(" is not in:\n") + run.output));
}

// A command in a message is to be copied into a shell.
void TestCommandLine::pathsCanBeCopied()
{
    const ScratchRepository repository;
    const QHash<QString, QByteArray> files = smallProblem();
    for (auto file = files.cbegin(); file != files.cend(); ++file)
        repository.write(QStringLiteral("it's mine/") + file.key(), file.value());
    const QString workspace = repository.filePath(QStringLiteral("it's mine"));
    const ProgramRun run = runProgram({QStringLiteral("finish"), workspace});
    QCOMPARE(run.exitCode, 4);
    const QString word =
        QStringLiteral("'%1'").arg(QString(workspace).replace(QLatin1String("'"), QLatin1String("'\\''")));
    QVERIFY2(run.output.contains(QStringLiteral("Start one with: ako4all run ") + word), qPrintable(run.output));
}

// Not what lies in solution/ from before: neither a person's file nor the copy of a kernel that has been mended since.
void TestCommandLine::measuresTheKernelThatThePlanNames()
{
    const auto repository = workspace();
    const QString kernel = QStringLiteral("scale.cpp");
    const QByteArray right = repository->read(kernel);
    const QStringList call{QStringLiteral("run"), repository->path(), QStringLiteral("--approve"),
                           QStringLiteral("--agent"), QStringLiteral("user")};
    repository->write(QStringLiteral("solution/old.cpp"), right);
    const ProgramRun foreign = runProgram(call);
    QVERIFY2(foreign.exitCode == 3 && foreign.output.contains(QStringLiteral("solution/ holds old.cpp")) &&
                 foreign.output.contains(QStringLiteral("Move it out of solution/")),
             qPrintable(foreign.output));
    QCOMPARE(repository->read(QStringLiteral("solution/old.cpp")), right);
    QVERIFY(!repository->exists(QStringLiteral(".ako")));
    repository->remove(QStringLiteral("solution/old.cpp"));

    repository->write(kernel, right + "typo\n");
    const ProgramRun failed = runProgram(call);
    QVERIFY2(failed.exitCode == 5 && failed.output.contains(QStringLiteral("Mend scale.cpp")),
             qPrintable(failed.output));
    repository->write(kernel, right + "// mended\n");
    const ProgramRun run = runProgram(call);
    if (isTooBusy(run.output))
        QSKIP("this machine is too busy to measure anything");
    QVERIFY2(run.exitCode == 0, qPrintable(run.output));
    QCOMPARE(repository->git({QStringLiteral("show"), QStringLiteral("HEAD:solution/scale.cpp")}) + QLatin1Char('\n'),
             QString::fromUtf8(right + "// mended\n"));
}

// And without a terminal the person who is the agent is told how to go on.
void TestCommandLine::identityForThisRepositoryOnly()
{
    const auto repository = workspace();
    repository->git({QStringLiteral("config"), QStringLiteral("--remove-section"), QStringLiteral("user")});
    const ProgramRun run =
        runProgram({QStringLiteral("run"), repository->path(), QStringLiteral("--approve"), QStringLiteral("--agent"),
                    QStringLiteral("user"), QStringLiteral("--git-name"), QStringLiteral("Ada L"),
                    QStringLiteral("--git-email"), QStringLiteral("ada@example.org")});
    if (isTooBusy(run.output))
        QSKIP("this machine is too busy to measure anything");
    QVERIFY2(run.exitCode == 0, qPrintable(run.output));
    QVERIFY2(run.output.contains(QStringLiteral("ako4all iterate")), qPrintable(run.output));
    QCOMPARE(repository->git({QStringLiteral("config"), QStringLiteral("--local"), QStringLiteral("user.name")}),
             QStringLiteral("Ada L"));
    QCOMPARE(repository->git({QStringLiteral("log"), QStringLiteral("-1"), QStringLiteral("--format=%an <%ae>")}),
             QStringLiteral("Ada L <ada@example.org>"));
    QVERIFY(repository->gitExitCode(
                {QStringLiteral("config"), QStringLiteral("--global"), QStringLiteral("user.name")}) != 0);
}

// The first command there: git knows nobody yet, and a compiler comes only after it was found missing.
void TestCommandLine::demoOnANewMachine()
{
    QTemporaryDir folder;
    const QString into = folder.filePath(QStringLiteral("demo"));
    const QStringList demo{QStringLiteral("demo"),         QStringLiteral("--headless"),
                           QStringLiteral("--example"),    QStringLiteral("softmax"),
                           QStringLiteral("--iterations"), QStringLiteral("1"),
                           QStringLiteral("--into"),       into};
    QProcessEnvironment bare = QProcessEnvironment::systemEnvironment();
    bare.insert(QStringLiteral("PATH"), folder.path());
    const ProgramRun failed = runProgram(demo, bare);
    QCOMPARE(failed.exitCode, 1);
    QVERIFY2(failed.output.contains(QStringLiteral("There is no C++ compiler")), qPrintable(failed.output));
    const ProgramRun run = runProgram(demo);
    if (isTooBusy(run.output))
        QSKIP("this machine is too busy to measure anything");
    QVERIFY2(run.exitCode == 0, qPrintable(run.output));
    QCOMPARE(ako::Repository::knownIdentity(into).name, QStringLiteral("AKO4ALL demo"));
    QVERIFY(!ako::Repository::knownIdentity(folder.path()).isComplete());
    const auto repository = ako::Repository::open(into);
    QVERIFY(repository);
    QCOMPARE(repository->status().value_or(QStringList{QStringLiteral("?")}),
             QStringList()); // the example is committed
    QCOMPARE(repository->log()->last().subject(), QStringLiteral("The example softmax as it came"));
    QStringList lines = run.output.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QCOMPARE(lines.removeDuplicates(), 0);
}

void TestCommandLine::waitsForEditsOnATerminal()
{
    if (QProcess::execute(QStringLiteral("script"), {QStringLiteral("--version")}) != 0)
        QSKIP("script(1), which gives a program a terminal, is not installed");
    const auto repository = workspace();
    Terminal terminal({QStringLiteral("run"), repository->path(), QStringLiteral("--approve"),
                       QStringLiteral("--agent"), QStringLiteral("user")});
    const bool waits = terminal.says(QStringLiteral("Waiting for an edit of"));
    if (isTooBusy(terminal.output()))
        QSKIP("this machine is too busy to measure anything");
    QVERIFY2(waits, qPrintable(terminal.output()));
    const QString kernel = QStringLiteral("solution/scale.cpp");
    repository->write(kernel, repository->read(kernel).replace("2.0 * x[i]", "3.0 * x[i]"));
    QVERIFY2(terminal.says(QStringLiteral("Waiting for an edit of"), 2), qPrintable(terminal.output()));
    QVERIFY2(terminal.output().contains(QStringLiteral("iter-1")), qPrintable(terminal.output()));
    terminal.type("\x03");
    QCOMPARE(terminal.exitCode(), 130);
    QVERIFY2(terminal.output().contains(QStringLiteral("Resume with")), qPrintable(terminal.output()));
    QCOMPARE(repository->git({QStringLiteral("log"), QStringLiteral("-1"), QStringLiteral("--format=%s")}),
             QStringLiteral("[iter 1] Edit by hand"));
}

// It is recorded, and whoever calls is told without reading; an earlier entry is not told again.
void TestCommandLine::failedIterationHasAStatusOfItsOwn()
{
    const auto repository = workspace();
    const ProgramRun run = runProgram({QStringLiteral("run"), repository->path(), QStringLiteral("--approve"),
                                       QStringLiteral("--agent"), QStringLiteral("user")});
    if (isTooBusy(run.output))
        QSKIP("this machine is too busy to measure anything");
    QVERIFY2(run.exitCode == 0, qPrintable(run.output));
    const QString kernel = QStringLiteral("solution/scale.cpp");
    const QByteArray right = repository->read(kernel);
    repository->write(kernel, QByteArray(right).replace("2.0 * x[i]", "3.0 * x[i]"));
    const auto iterate = [&](const char *title) {
        return runProgram(
            {QStringLiteral("iterate"), repository->path(), QStringLiteral("--title"), QLatin1String(title)});
    };
    const ProgramRun failed = iterate("three");
    QVERIFY2(failed.exitCode == 6 && failed.output.contains(QStringLiteral("iter-1 is recorded as failed")),
             qPrintable(failed.output));
    const ProgramRun nothing = iterate("nothing");
    QVERIFY2(nothing.exitCode == 1, qPrintable(nothing.output));
    const ProgramRun restored = runProgram({QStringLiteral("restore"), repository->path(), QStringLiteral("0")});
    if (isTooBusy(restored.output))
        QSKIP("this machine is too busy to measure anything");
    QVERIFY2(restored.exitCode == 0, qPrintable(restored.output));
    QVERIFY2(!restored.output.contains(QStringLiteral("three")), qPrintable(restored.output));
    QVERIFY(runProgram({QStringLiteral("--help")})
                .output.contains(QStringLiteral("6 the iteration is recorded and failed")));
}

// As with Ctrl+C: the bench's processes end, nothing is left under way, and it can be resumed.
void TestCommandLine::endsInOrderWhenTerminated()
{
    const auto repository = workspace();
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, {QStringLiteral("run"), repository->path(), QStringLiteral("--approve"),
                            QStringLiteral("--json"), QStringLiteral("--iterations"), QStringLiteral("3")});
    QString output;
    const auto benches = [&] {
        process.waitForReadyRead(500);
        output += QString::fromUtf8(process.readAll());
        return output.contains(QStringLiteral("\"phase\":\"benching\"")) || process.state() == QProcess::NotRunning;
    };
    QTRY_VERIFY_WITH_TIMEOUT(benches(), 120000);
    if (isTooBusy(output))
        QSKIP("this machine is too busy to measure anything");
    QVERIFY2(process.state() == QProcess::Running, qPrintable(output));
    ::kill(pid_t(process.processId()), SIGTERM);
    QVERIFY(process.waitForFinished(30000));
    output += QString::fromUtf8(process.readAll());
    QCOMPARE(process.exitCode(), 130);
    const ProgramRun again = runProgram({QStringLiteral("history"), repository->path()});
    QVERIFY2(again.exitCode == 0 && again.output.startsWith(QStringLiteral("baseline")), qPrintable(again.output));
    QVERIFY2(!again.output.contains(QStringLiteral("failed")), qPrintable(again.output));
    QCOMPARE(repository->status(), QString());
}

QTEST_GUILESS_MAIN(TestCommandLine)
#include "tst_commandline.moc"
