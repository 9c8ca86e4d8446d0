// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/benchscript.h"
#include "history/trajectory.h"
#include "support/scratchworkspace.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace ako;
using ako::test::ScratchWorkspace;

namespace {

constexpr int limitMilliseconds = 30'000;

struct Outcome
{
    int exitCode = -1;
    QByteArray output;
    QByteArray errors;
};

// As from a terminal in some other folder: neither the working directory nor a variable helps the script.
Outcome runScript(const ScratchWorkspace &workspace, const QStringList &arguments,
                  const QMap<QString, QString> &variables = {})
{
    QProcess process;
    auto environment = QProcessEnvironment::systemEnvironment();
    for (auto variable = variables.cbegin(); variable != variables.cend(); ++variable)
        environment.insert(variable.key(), variable.value());
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(QDir::rootPath());
    process.start(QStringLiteral("bash"),
                  QStringList{workspace.filePath(QStringLiteral("scripts/bench.sh"))} + arguments);
    if (!process.waitForFinished(limitMilliseconds))
        return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

QString onlyFolder(const ScratchWorkspace &workspace)
{
    const QStringList folders = workspace.folders(QStringLiteral("trajectory"));
    return folders.size() == 1 ? QStringLiteral("trajectory/") + folders.first() : QString();
}

} // namespace

class TestBenchScript : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rendersOrRefuses_data();
    void rendersOrRefuses();
    void refusesWithoutWrapper();
    void isExecutableAndKeepsWithinTheWorkspace();
    void keepsExitCodeOutputAndSnapshot_data();
    void keepsExitCodeOutputAndSnapshot();
    void keepsNoLinesOfProgress_data();
    void keepsNoLinesOfProgress();
    void passesArgumentsAndSetUp();
    void reportsWhereTheResultLies();
    void validatesLabels_data();
    void validatesLabels();
    void sameNameGetsASuffix();
    void refusesALinkedTrajectory();
    void takesTheFolderItIsGiven();
    void keepsWhatAnInterruptedBenchLeft_data();
    void keepsWhatAnInterruptedBenchLeft();
    void boundsWhatIsKept();
    void doesNotWaitForWhatTheBenchLeftBehind();
    void saysThatTheOutputCouldNotBeKept();
    void writesThroughNoLink();
    void runsWithTheTerminalsWrapper();
    void quotes();
};

void TestBenchScript::rendersOrRefuses_data()
{
    QTest::addColumn<QByteArray>("wrapper");
    QTest::addColumn<QString>("command");
    QTest::addColumn<QByteArray>("expected"); // empty: refused
    QTest::newRow("own line") << QByteArray("#!/bin/bash\nAKO_RESULT_JSON=x\n{{BENCH_COMMAND}}\n")
                              << QStringLiteral("run \"$@\"")
                              << QByteArray("#!/bin/bash\nexport A=1\nAKO_RESULT_JSON=x\nrun \"$@\"\n");
    QTest::newRow("in a line") << QByteArray("#!/bin/bash\n{{BENCH_COMMAND}} 2>&1 | tee x\n") << QStringLiteral("run")
                               << QByteArray("#!/bin/bash\nexport A=1\nrun 2>&1 | tee x\n");
    QTest::newRow("environment") << QByteArray("AKO_RESULT_JSON=x\n{{ENVIRONMENT}}\n{{BENCH_COMMAND}}\n")
                                 << QStringLiteral("run") << QByteArray("AKO_RESULT_JSON=x\nexport A=1\nrun\n");
    QTest::newRow("line ends of another system")
        << QByteArray("#!/bin/bash\r\nx {{BENCH_COMMAND}}\r\n") << QStringLiteral("run")
        << QByteArray("#!/bin/bash\nexport A=1\nx run\n");
    QTest::newRow("missing") << QByteArray("#!/bin/bash\nrun\n") << QStringLiteral("run") << QByteArray();
    QTest::newRow("in a comment only") << QByteArray("# {{BENCH_COMMAND}}\nrun\n") << QStringLiteral("run")
                                       << QByteArray();
    QTest::newRow("empty wrapper") << QByteArray() << QStringLiteral("run") << QByteArray();
    QTest::newRow("empty command") << QByteArray("{{BENCH_COMMAND}}") << QStringLiteral("  ") << QByteArray();
}

void TestBenchScript::rendersOrRefuses()
{
    QFETCH(const QByteArray, wrapper);
    QFETCH(const QString, command);
    QFETCH(const QByteArray, expected);
    const auto script = renderBenchScript(wrapper, {command, {QStringLiteral("export A=1")}});
    QCOMPARE(script.has_value(), !expected.isEmpty());
    if (script)
        QCOMPARE(*script, expected);
    else
        QVERIFY(!script.error().message.isEmpty());
}

void TestBenchScript::refusesWithoutWrapper()
{
    const ScratchWorkspace workspace;
    QFile::remove(workspace.filePath(QStringLiteral("bench-wrapper.sh")));
    const auto written = writeBenchScript(workspace.path(), {QStringLiteral("true"), {}});
    QVERIFY(!written);
    QVERIFY2(written.error().message.contains(QStringLiteral("bench-wrapper.sh")), qPrintable(written.error().text()));
    QVERIFY(!workspace.exists(QStringLiteral("scripts/bench.sh")));
}

void TestBenchScript::isExecutableAndKeepsWithinTheWorkspace()
{
    const ScratchWorkspace workspace;
    workspace.renderBench(QStringLiteral("true"));
    QVERIFY(QFileInfo(workspace.filePath(QStringLiteral("scripts/bench.sh"))).isExecutable());

    const QTemporaryDir outside;
    QFile::remove(workspace.filePath(QStringLiteral("scripts/bench.sh")));
    QVERIFY(QFile::link(outside.filePath(QStringLiteral("stolen")),
                        workspace.filePath(QStringLiteral("scripts/bench.sh"))));
    QVERIFY(!writeBenchScript(workspace.path(), {QStringLiteral("true"), {}}));
    QVERIFY(!QFileInfo::exists(outside.filePath(QStringLiteral("stolen"))));
}

void TestBenchScript::keepsExitCodeOutputAndSnapshot_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<int>("exitCode");
    QTest::newRow("success") << QStringLiteral("echo out; echo err >&2") << 0;
    QTest::newRow("failure") << QStringLiteral("echo out; echo err >&2; exit 7") << 7;
    QTest::newRow("status of the last command") << QStringLiteral("echo out; echo err >&2; (exit 3)") << 3;
    QTest::newRow("crash") << QStringLiteral("echo out; echo err >&2; bash -c 'kill -SEGV $$'") << 139;
    QTest::newRow("unset variable") << QStringLiteral("echo out; echo err >&2; echo $no_such_variable") << 1;
}

void TestBenchScript::keepsExitCodeOutputAndSnapshot()
{
    QFETCH(const QString, command);
    QFETCH(const int, exitCode);
    const ScratchWorkspace workspace;
    workspace.write(QStringLiteral("solution/deep er/helper.h"), "// helper\n");
    workspace.renderBench(command);
    const Outcome outcome = runScript(workspace, {QStringLiteral("my-try")});
    QCOMPARE(outcome.exitCode, exitCode);
    QVERIFY(outcome.output.startsWith("out\nerr\n"));
    QVERIFY(workspace.read(QStringLiteral("_bench_output.txt")).startsWith("out\nerr\n"));
    const QString folder = onlyFolder(workspace);
    QVERIFY(folder.endsWith(QStringLiteral("_my-try")));
    QCOMPARE(trajectoryName(QFileInfo(folder).fileName())->label, QStringLiteral("my-try"));
    QVERIFY(workspace.read(folder + QStringLiteral("/output.txt")).startsWith("out\nerr\n"));
    QCOMPARE(workspace.read(folder + QStringLiteral("/solution/kernel.cpp")), QByteArray("// first\n"));
    QCOMPARE(workspace.read(folder + QStringLiteral("/solution/deep er/helper.h")), QByteArray("// helper\n"));
    QVERIFY(outcome.errors.endsWith("Trajectory saved to: " + folder.toUtf8() + '\n'));
}

// They are for the program that asked for them; to whom nobody said so, such a line is as any other.
void TestBenchScript::keepsNoLinesOfProgress_data()
{
    QTest::addColumn<QString>("asked");
    QTest::addColumn<QByteArray>("kept");
    QTest::newRow("asked for") << QStringLiteral("1") << QByteArray("a\n AKO_PROGRESS x\nb");
    QTest::newRow("not asked for") << QString() << QByteArray("a\nAKO_PROGRESS time 0.5\n AKO_PROGRESS x\nb");
}

void TestBenchScript::keepsNoLinesOfProgress()
{
    QFETCH(const QString, asked);
    QFETCH(const QByteArray, kept);
    const ScratchWorkspace workspace;
    workspace.renderBench(QStringLiteral("printf 'a\\nAKO_PROGRESS time 0.5\\n AKO_PROGRESS x\\nb'"),
                          {QStringLiteral("export AKO_PROGRESS=") + asked});
    const Outcome outcome = runScript(workspace, {QStringLiteral("x")});
    QCOMPARE(outcome.exitCode, 0);
    QVERIFY(outcome.output.contains("AKO_PROGRESS time 0.5\n"));
    QCOMPARE(workspace.read(QStringLiteral("_bench_output.txt")), kept);
    QCOMPARE(workspace.read(onlyFolder(workspace) + QStringLiteral("/output.txt")), kept);
}

void TestBenchScript::passesArgumentsAndSetUp()
{
    const ScratchWorkspace workspace;
    workspace.renderBench(QStringLiteral("printf '<%s>' \"$FROM_SET_UP\" \"$AKO_LABEL\" \"$PWD\" \"$@\""),
                          {QStringLiteral("export FROM_SET_UP='a b'")});
    const Outcome outcome =
        runScript(workspace, {QStringLiteral("iter-3"), QStringLiteral("--champion"), QStringLiteral("x y")});
    QCOMPARE(outcome.output,
             "<a b><iter-3><" + QFileInfo(workspace.path()).canonicalFilePath().toUtf8() + "><--champion><x y>");
}

void TestBenchScript::reportsWhereTheResultLies()
{
    const ScratchWorkspace workspace;
    workspace.renderBench(QStringLiteral("echo '{}' > \"$AKO_RESULT_JSON\""));
    QCOMPARE(runScript(workspace, {QStringLiteral("x")}).exitCode, 0);
    QCOMPARE(workspace.read(onlyFolder(workspace) + QStringLiteral("/result.json")), QByteArray("{}\n"));
}

void TestBenchScript::validatesLabels_data()
{
    QTest::addColumn<QString>("label");
    QTest::addColumn<bool>("valid");
    QTest::newRow("plain") << QStringLiteral("iter-12_a.B") << true;
    QTest::newRow("up") << QStringLiteral("..") << false;
    QTest::newRow("slash") << QStringLiteral("a/b") << false;
    QTest::newRow("option") << QStringLiteral("--signal") << false;
    QTest::newRow("space") << QStringLiteral("a b") << false;
    QTest::newRow("letter beyond ASCII") << QStringLiteral("é") << false;
    QTest::newRow("command") << QStringLiteral("$(touch x)") << false;
    QTest::newRow("line") << QStringLiteral("a\nb") << false;
    QTest::newRow("long") << QString(65, QLatin1Char('a')) << false;
    QTest::newRow("as long as may be") << QString(64, QLatin1Char('a')) << true;
}

void TestBenchScript::validatesLabels()
{
    QFETCH(const QString, label);
    QFETCH(const bool, valid);
    QCOMPARE(isValidBenchLabel(label), valid);
    const ScratchWorkspace workspace;
    workspace.renderBench(QStringLiteral("echo ran"));
    const Outcome outcome = runScript(workspace, {label});
    QCOMPARE(outcome.exitCode, valid ? 0 : 2);
    QCOMPARE(outcome.output.contains("ran"), valid);
    QCOMPARE(workspace.exists(QStringLiteral("trajectory")), valid);
}

void TestBenchScript::refusesALinkedTrajectory()
{
    const ScratchWorkspace workspace;
    const QTemporaryDir outside;
    workspace.renderBench(QStringLiteral("echo ran"));
    QVERIFY(QFile::link(outside.path(), workspace.filePath(QStringLiteral("trajectory"))));
    const Outcome outcome = runScript(workspace, {QStringLiteral("a")});
    QCOMPARE(outcome.exitCode, 8);
    QVERIFY(!outcome.output.contains("ran"));
    QVERIFY2(outcome.errors.contains("trajectory is a link"), outcome.errors.constData());
    QVERIFY(QDir(outside.path()).isEmpty());
}

void TestBenchScript::sameNameGetsASuffix()
{
    const ScratchWorkspace workspace;
    workspace.renderBench(QStringLiteral("true"));
    const QMap<QString, QString> fixed{
        {QStringLiteral("AKO_TRAJECTORY"), QStringLiteral("trajectory/20260101-000000_a")}};
    QCOMPARE(runScript(workspace, {QStringLiteral("a")}, fixed).exitCode, 0);
    workspace.write(QStringLiteral("trajectory/20260101-000000_a/output.txt"), "kept");
    const Outcome second = runScript(workspace, {QStringLiteral("a")}, fixed);
    QCOMPARE(second.exitCode, 0);
    QVERIFY(second.errors.endsWith("Trajectory saved to: trajectory/20260101-000000_a-2\n"));
    QCOMPARE(workspace.read(QStringLiteral("trajectory/20260101-000000_a/output.txt")), QByteArray("kept"));
}

void TestBenchScript::takesTheFolderItIsGiven()
{
    const ScratchWorkspace workspace;
    workspace.renderBench(QStringLiteral("echo ran"));
    for (const auto &bad : {QStringLiteral("/tmp/x"), QStringLiteral("trajectory/../x"), QStringLiteral("trajectory/"),
                            QStringLiteral("elsewhere"), QStringLiteral("trajectory/a/b")}) {
        const Outcome outcome = runScript(workspace, {QStringLiteral("a")}, {{QStringLiteral("AKO_TRAJECTORY"), bad}});
        QCOMPARE(outcome.exitCode, 2);
        QVERIFY(!outcome.output.contains("ran"));
    }
}

void TestBenchScript::keepsWhatAnInterruptedBenchLeft_data()
{
    QTest::addColumn<int>("signalNumber");
    QTest::addColumn<QString>("command");
    const QString waiting = QStringLiteral("echo $BASHPID > pid; echo started; sleep 600; echo never");
    const QString stubborn =
        QStringLiteral("bash -c 'trap \"echo cleaned; exit 5\" INT TERM; echo $$ > pid; echo started; "
                       "while :; do sleep 0.05; done'");
    QTest::newRow("interrupt") << SIGINT << waiting;
    QTest::newRow("terminate") << SIGTERM << waiting;
    QTest::newRow("interrupt, bench cleans up") << SIGINT << stubborn;
    QTest::newRow("terminate, bench cleans up") << SIGTERM << stubborn;
}

// The signal goes to the script alone, as `kill PID` would do it; the bench must end all the same.
void TestBenchScript::keepsWhatAnInterruptedBenchLeft()
{
    QFETCH(const int, signalNumber);
    QFETCH(const QString, command);
    const ScratchWorkspace workspace;
    workspace.renderBench(command);
    QProcess process;
    process.start(QStringLiteral("bash"),
                  {workspace.filePath(QStringLiteral("scripts/bench.sh")), QStringLiteral("x")});
    QTRY_VERIFY_WITH_TIMEOUT(workspace.read(QStringLiteral("_bench_output.txt")).contains("started"),
                             limitMilliseconds);
    ::kill(pid_t(process.processId()), signalNumber);
    QVERIFY(process.waitForFinished(limitMilliseconds));
    QCOMPARE(process.exitCode(), 130);
    const QString folder = onlyFolder(workspace);
    const QByteArray output = workspace.read(folder + QStringLiteral("/output.txt"));
    QVERIFY(output.startsWith("started\n"));
    QVERIFY(!output.contains("never"));
    QCOMPARE(output.contains("cleaned"), command.contains(QStringLiteral("cleaned")));
    QVERIFY(workspace.exists(folder + QStringLiteral("/solution/kernel.cpp")));
    const pid_t bench = pid_t(workspace.read(QStringLiteral("pid")).trimmed().toInt());
    QVERIFY(bench > 0);
    QTRY_VERIFY(::kill(bench, 0) != 0);
}

void TestBenchScript::boundsWhatIsKept()
{
    const ScratchWorkspace workspace;
    // Small pieces first: what is kept is bounded by bytes and not by how they came.
    workspace.renderBench(
        QStringLiteral("for i in {1..2000}; do echo small; done; head -c 268435456 /dev/zero; echo end"));
    QProcess process;
    process.setStandardOutputFile(QProcess::nullDevice());
    process.start(QStringLiteral("bash"),
                  {workspace.filePath(QStringLiteral("scripts/bench.sh")), QStringLiteral("x")});
    QVERIFY(process.waitForFinished(4 * limitMilliseconds));
    QCOMPARE(process.exitCode(), 0);
    QCOMPARE(workspace.read(QStringLiteral("_bench_output.txt")).size(), 8 * 1024 * 1024);
    const QByteArray kept = workspace.read(onlyFolder(workspace) + QStringLiteral("/output.txt"));
    QCOMPARE(kept.size(), 8 * 1024 * 1024);
    QCOMPARE(kept.count("small\n"), 2000);
}

void TestBenchScript::doesNotWaitForWhatTheBenchLeftBehind()
{
    const ScratchWorkspace workspace;
    workspace.renderBench(QStringLiteral("sleep 600 & echo $! > pid; echo done"));
    const Outcome outcome = runScript(workspace, {QStringLiteral("x")});
    ::kill(pid_t(workspace.read(QStringLiteral("pid")).trimmed().toInt()), SIGKILL);
    QVERIFY2(outcome.errors.contains("left a process behind"), outcome.errors.constData());
    QVERIFY(outcome.output.startsWith("done\n"));
    QVERIFY(workspace.read(onlyFolder(workspace) + QStringLiteral("/output.txt")).startsWith("done\n"));
}

// As on a full disk: the copy of the output cannot be written, and a success is no success then.
void TestBenchScript::saysThatTheOutputCouldNotBeKept()
{
    const ScratchWorkspace workspace;
    workspace.makeFolder(QStringLiteral("_bench_output.txt/in the way"));
    workspace.renderBench(QStringLiteral("echo out"));
    const Outcome outcome = runScript(workspace, {QStringLiteral("x")});
    QCOMPARE(outcome.exitCode, 8);
    QVERIFY(outcome.errors.contains("is the disk full?"));
    QCOMPARE(outcome.output, QByteArray("out\n"));
}

void TestBenchScript::writesThroughNoLink()
{
    const ScratchWorkspace workspace;
    const QTemporaryDir outside;
    const QString target = outside.filePath(QStringLiteral("target"));
    QVERIFY(QFile::link(target, workspace.filePath(QStringLiteral("_bench_output.txt"))));
    workspace.renderBench(QStringLiteral("echo out"));
    QCOMPARE(runScript(workspace, {QStringLiteral("x")}).exitCode, 0);
    QVERIFY(!QFileInfo::exists(target));
    QCOMPARE(workspace.read(QStringLiteral("_bench_output.txt")), QByteArray("out\n"));
}

// A workspace that the terminal AKO4ALL left behind has a wrapper of its own.
void TestBenchScript::runsWithTheTerminalsWrapper()
{
    const ScratchWorkspace workspace;
    workspace.write(QStringLiteral("bench-wrapper.sh"), "#!/bin/bash\n"
                                                        "set -eo pipefail\n"
                                                        "cd \"$(dirname \"$0\")/..\"\n"
                                                        "LABEL=\"${1:-}\"\n"
                                                        "set +e\n"
                                                        "{{BENCH_COMMAND}}\n"
                                                        "BENCH_EXIT=$?\n"
                                                        "TRAJ_DIR=\"trajectory/$(date +%Y%m%d_%H%M%S)_${LABEL}\"\n"
                                                        "mkdir -p \"$TRAJ_DIR\"\n"
                                                        "cp -r solution/. \"$TRAJ_DIR/\"\n"
                                                        "mv _bench_output.txt \"$TRAJ_DIR/output.txt\"\n"
                                                        "echo \"Trajectory saved to: $TRAJ_DIR\"\n"
                                                        "exit $BENCH_EXIT\n");
    workspace.renderBench(QStringLiteral("echo \"RUNTIME: 0.5 $*\"; exit 4"), {QStringLiteral("export X=1")});
    const Outcome outcome = runScript(workspace, {QStringLiteral("iter-1"), QStringLiteral("--flag")});
    QCOMPARE(outcome.exitCode, 4);
    const QString folder = onlyFolder(workspace);
    QCOMPARE(workspace.read(folder + QStringLiteral("/output.txt")), QByteArray("RUNTIME: 0.5 --flag\n"));
    QVERIFY(workspace.exists(folder + QStringLiteral("/kernel.cpp")));
}

void TestBenchScript::quotes()
{
    const ScratchWorkspace workspace;
    const QString awkward = QStringLiteral("a'b \"c\" $HOME `x` \\ é");
    workspace.renderBench(QStringLiteral("printf %s ") + shellQuoted(awkward));
    QCOMPARE(runScript(workspace, {QStringLiteral("x")}).output, awkward.toUtf8());
    workspace.renderBench(nativeBenchCommand(QStringLiteral("echo"), QStringLiteral("my problem.json")));
    const Outcome native = runScript(workspace, {QStringLiteral("x"), QStringLiteral("--signal")});
    QVERIFY(native.output.startsWith("--problem my problem.json --solution solution --build-dir .ako/build --json /"));
    QVERIFY(native.output.endsWith("/result.json --signal\n"));
}

QTEST_GUILESS_MAIN(TestBenchScript)
#include "tst_benchscript.moc"
