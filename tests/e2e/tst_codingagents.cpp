// SPDX-License-Identifier: GPL-3.0-or-later
// The real ako4all with coding agents: consent where nothing confines them, and the real opencode, whose model is a
// mock on this machine (tests/run.sh installs both from npm): a wrong edit, one that does not compile, and an
// improvement.
#include "eval/sanitized.h"
#include "history/trajectory.h"
#include "process/sandbox.h"
#include "support/agentworkspace.h"
#include "support/mockmodel.h"
#include "support/programrun.h"
#include "support/scratchrepository.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace ako;
using namespace ako::test;
using nlohmann::json;

namespace {

constexpr int patience = 120'000;

// In that iteration it calls the edit tool and then says that.
void addTurn(json &fixtures, int iteration, const QString &file, const char *before, const char *after,
             const QString &said)
{
    const std::string call = "call_" + std::to_string(iteration);
    fixtures.push_back({{"match", {{"toolCallId", call}}}, {"response", {{"content", said.toStdString()}}}});
    fixtures.push_back(
        {{"match",
          {{"userMessage", "This is iteration " + std::to_string(iteration) + " of a loop"}, {"hasToolResult", false}}},
         {"response",
          {{"reasoning", "Let me think."},
           {"content", "Editing."},
           {"toolCalls",
            {{{"id", call},
              {"name", "edit"},
              {"arguments", {{"filePath", file.toStdString()}, {"oldString", before}, {"newString", after}}}}}}}}});
}

// Before its edit it asks for a bench of what lies there.
void addBench(json &fixtures, int iteration)
{
    const std::string call = "bench_" + std::to_string(iteration);
    json edit = fixtures.back();
    edit["match"] = {{"toolCallId", call}};
    fixtures.insert(fixtures.begin(), edit);
    fixtures.back()["response"] = {
        {"content", "Measuring."},
        {"toolCalls", {{{"id", call}, {"name", "ako4all_bench"}, {"arguments", json::object()}}}}};
}

QString answerOf(const char *title)
{
    return QStringLiteral(
               "Done.\n\nAKO-ANSWER\nTitle: %1\nDirection: loops\nHypothesis: fewer passes\nChanges: scale.cpp\n"
               "Analysis: the one before was what it was\nEND\n")
        .arg(QLatin1String(title));
}

} // namespace

class TestCodingAgents : public QObject
{
    Q_OBJECT

public:
    static void initMain() { qputenv("QTEST_FUNCTION_TIMEOUT", "590000"); } // opencode is slow on a loaded machine

private Q_SLOTS:
    void initTestCase() { isolateGitConfiguration(); }
    void cleanup() { m_model.stop(); }
    void consentWhereNothingConfines_data();
    void consentWhereNothingConfines();
    void threeIterationsOfOpenCode();
    void modelByHttp_data();
    void modelByHttp();

private:
    void write(const QString &path, const QByteArray &content) const;
    void makeWorkspace();
    void configureOpenCode();
    void toolsFromOutside(const QProcessEnvironment &environment) const;

    QTemporaryDir m_folder;
    QString m_home;
    QString m_workspace;
    MockModel m_model;
};

void TestCodingAgents::write(const QString &path, const QByteArray &content) const
{
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY2(file.open(QIODevice::WriteOnly) && file.write(content) == content.size(), qPrintable(path));
}

void TestCodingAgents::consentWhereNothingConfines_data()
{
    QTest::addColumn<QStringList>("more");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QString>("said");
    const QString isolation = QStringLiteral("--isolation");
    QTest::newRow("none is given") << QStringList{} << 3 << QStringLiteral("Shall it run with all your rights?");
    QTest::newRow("bubblewrap is asked for") << QStringList{isolation, QStringLiteral("bubblewrap")} << 3
                                             << QStringLiteral("bubblewrap (bwrap) is not installed");
    QTest::newRow("consent") << QStringList{isolation, QStringLiteral("none")} << 0
                             << QStringLiteral("the agent has all your rights");
}

void TestCodingAgents::consentWhereNothingConfines()
{
    QFETCH(QStringList, more);
    QFETCH(int, exitCode);
    QFETCH(QString, said);
    const ScratchRepository repository;
    const QHash<QString, QByteArray> files = smallProblem();
    for (auto file = files.cbegin(); file != files.cend(); ++file)
        repository.write(file.key(), file.value());
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PATH"), m_folder.path()); // without bwrap
    const ProgramRun run = runProgram(QStringList{QStringLiteral("plan"), repository.path(),
                                                  QStringLiteral("--agent-command"), QStringLiteral("/bin/sh")} +
                                          more,
                                      environment);
    QVERIFY2(run.exitCode == exitCode && run.output.contains(said), qPrintable(run.output));
}

void TestCodingAgents::makeWorkspace()
{
    m_home = m_folder.filePath(QStringLiteral("home"));
    m_workspace = m_folder.filePath(QStringLiteral("my kernel"));
    QDir(m_workspace).removeRecursively();
    write(m_workspace + QStringLiteral("/bench.sh"), agentworkspace::bench());
    write(m_workspace + QStringLiteral("/scale.cpp"), agentworkspace::kernel());
    write(m_workspace + QStringLiteral("/reference.cpp"), agentworkspace::reference());
    QFile::setPermissions(m_workspace + QStringLiteral("/bench.sh"),
                          QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
}

void TestCodingAgents::configureOpenCode()
{
    const json configuration{
        {"autoupdate", false},
        {"share", "disabled"},
        {"model", "mock/m"},
        {"small_model", "mock/m"},
        {"enabled_providers", {"mock"}},
        {"permission", {{"edit", "ask"}, {"bash", "ask"}}},
        {"provider",
         {{"mock",
           {{"npm", "@ai-sdk/openai-compatible"},
            {"name", "mock"},
            {"options", {{"baseURL", m_model.address().toStdString() + "/v1"}, {"apiKey", "test-key"}}},
            {"models", {{"m", {{"name", "m"}, {"limit", {{"context", 128000}, {"output", 8192}}}}}}}}}}}};
    write(m_home + QStringLiteral("/.config/opencode/opencode.json"), QByteArray::fromStdString(configuration.dump()));
}

// The same tools for a client that no run has started.
void TestCodingAgents::toolsFromOutside(const QProcessEnvironment &environment) const
{
    QProcess server;
    server.setProcessEnvironment(environment);
    server.start(QStringLiteral(AKO_BINARY_DIR "/app/ako4all"), {QStringLiteral("mcp"), m_workspace});
    QVERIFY(server.waitForStarted(patience));
    int id = 0;
    const auto ask = [&server, &id](const char *method, const json &params) {
        const json request{{"jsonrpc", "2.0"}, {"id", ++id}, {"method", method}, {"params", params}};
        server.write(QByteArray::fromStdString(request.dump()) + '\n');
        for (int waited = 0; !server.canReadLine() && waited < 10; ++waited)
            server.waitForReadyRead(patience / 10);
        return json::parse(server.readLine().toStdString(), nullptr, false);
    };
    const auto call = [&ask](const char *tool, const json &arguments = json::object()) {
        const json answer = ask("tools/call", {{"name", tool}, {"arguments", arguments}});
        const json::json_pointer content("/result/content/0/text");
        return answer.contains(content) ? QString::fromStdString(answer[content].get<std::string>())
                                        : QString::fromStdString(answer.dump());
    };
    QVERIFY(ask("initialize", {{"protocolVersion", "2025-06-18"}}).contains("result"));
    QCOMPARE(ask("tools/list", json::object())["result"]["tools"].size(), std::size_t(5));
    const QString history = call("read_history");
    QVERIFY2(history.contains(QLatin1String("One pass instead of four")), qPrintable(history));
    const QString champion = call("read_champion", {{"file", "scale.cpp"}});
    QVERIFY2(champion.contains(QLatin1String("round < 1")), qPrintable(champion));
    const QString benched = call("bench");
    QVERIFY2(benched.contains(QLatin1String("correct: yes")) && benched.contains(QLatin1String("1 ms")),
             qPrintable(benched));
    const QString profile = call("profile");
    QVERIFY2(profile.contains(QLatin1String("your last bench")), qPrintable(profile));
    server.closeWriteChannel();
    QVERIFY(server.waitForFinished(patience));
    QCOMPARE(server.exitCode(), 0);
}

void TestCodingAgents::threeIterationsOfOpenCode()
{
    if (!isInstalled(QStringLiteral("opencode-linux-x64/bin/opencode")) || !MockModel::isThere())
        QSKIP("opencode and the mock model are not in build/agents: tests/run.sh installs them where npm and node are");
    makeWorkspace();
    const QString edited = m_workspace + QStringLiteral("/solution/scale.cpp");
    json fixtures = json::array({{{"match", {{"userMessage", "Generate a title"}}}, {"response", {{"content", "t"}}}}});
    addTurn(fixtures, 1, edited, "2.0 * x[i]", "3.0 * x[i]", answerOf("Multiply by three"));
    addTurn(fixtures, 2, edited, "2.0 * x[i]", "2.0 * x[i", answerOf("Leave a bracket out"));
    addTurn(fixtures, 3, edited, "round < 4", "round < 1", answerOf("One pass instead of four"));
    addBench(fixtures, 3);
    QVERIFY2(m_model.start(fixtures), qPrintable(m_model.output()));
    configureOpenCode();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char *name : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"})
        environment.remove(QLatin1String(name));
    environment.insert(QStringLiteral("HOME"), m_home);
    environment.insert(QStringLiteral("PATH"), agentModules() + QStringLiteral("/opencode-linux-x64/bin:") +
                                                   environment.value(QStringLiteral("PATH")));
    for (const char *name :
         {"OPENCODE_DISABLE_AUTOUPDATE", "OPENCODE_DISABLE_MODELS_FETCH", "OPENCODE_DISABLE_LSP_DOWNLOAD"})
        environment.insert(QLatin1String(name), QStringLiteral("1"));
    const QHash<QString, QByteArray> before = filesBelow(m_workspace);
    QStringList arguments{QStringLiteral("run"),
                          m_workspace,
                          QStringLiteral("--agent"),
                          QStringLiteral("opencode"),
                          QStringLiteral("--iterations"),
                          QStringLiteral("3"),
                          QStringLiteral("--approve"),
                          QStringLiteral("--git-name"),
                          QStringLiteral("T"),
                          QStringLiteral("--git-email"),
                          QStringLiteral("t@example.org")};
    const bool isConfined = sandboxIsUsable().has_value();
    if (!isConfined) {
        qWarning("bubblewrap cannot be used here: the agent is not confined in this test");
        arguments << QStringLiteral("--isolation") << QStringLiteral("none");
    }
    const ProgramRun run = runProgram(arguments, environment);
    const QString told = run.output + m_model.output();
    QVERIFY2(run.exitCode == 0, qPrintable(told.right(1500)));

    const TrajectoryScan history = scanTrajectory(m_workspace);
    QVERIFY2(history.records.size() >= 4, qPrintable(run.output));
    const IterationRecord &wrong = history.records.at(1);
    QCOMPARE(wrong.title, QStringLiteral("Multiply by three"));
    QCOMPARE(wrong.status, IterationStatus::Failed);
    QVERIFY2(wrong.bench.compiled && !wrong.bench.correct, qPrintable(run.output));
    QCOMPARE(wrong.agent, QStringLiteral("opencode"));
    QCOMPARE(wrong.hypothesis, QStringLiteral("fewer passes"));
    QCOMPARE(wrong.analysis, QStringLiteral("the one before was what it was")); // the next turn's words of it
    const IterationRecord &broken = history.records.at(2);
    QCOMPARE(broken.title, QStringLiteral("Leave a bracket out"));
    QVERIFY2(!broken.bench.compiled, qPrintable(run.output));
    const IterationRecord &better = history.records.at(3);
    QCOMPARE(better.title, QStringLiteral("One pass instead of four"));
    QVERIFY2(better.status == IterationStatus::Improved && better.becameChampion, qPrintable(run.output));

    // Its own words are kept with each, and it asked before it wrote.
    for (const IterationRecord &record : {wrong, broken, better}) {
        QFile file(m_workspace + QLatin1Char('/') + record.trajectory + QStringLiteral("/transcript.txt"));
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
        const QString transcript = QString::fromUtf8(file.readAll());
        for (const char *part :
             {"Asked for iteration", "Let me think.", "[allowed] edit solution/scale.cpp", "AKO-ANSWER"})
            QVERIFY2(transcript.contains(QLatin1String(part)), qPrintable(transcript));
    }
    // Its bench was carried out by us, though it is confined: of the champion, which lay there.
    QFile said(m_workspace + QLatin1Char('/') + better.trajectory + QStringLiteral("/transcript.txt"));
    QVERIFY(said.open(QIODevice::ReadOnly));
    const QString probed = QString::fromUtf8(said.readAll());
#ifndef AKO_SANITIZER // which cannot start where an agent's memory is limited, and so the tools are not there
    QVERIFY2(probed.contains(QLatin1String("[bench] probe 1: correct, 4 ms")), qPrintable(probed));
    QVERIFY(QFile::exists(m_workspace + QStringLiteral("/.ako/probes/iter-3/1/output.txt")));
#endif
    for (const QString &name : QDir(m_workspace + QStringLiteral("/trajectory")).entryList(QDir::Dirs))
        QVERIFY2(!name.contains(QLatin1String("probe")), qPrintable(name));
    // One session through all turns.
    const auto session = [](const IterationRecord &record) {
        return QString::fromStdString(json::parse(record.agentData.toStdString()).value("session", ""));
    };
    QVERIFY(!session(wrong).isEmpty());
    QCOMPARE(session(better), session(wrong));

    toolsFromOutside(environment);

    // The person's own files are as they were.
    const QHash<QString, QByteArray> after = filesBelow(m_workspace);
    for (auto file = before.cbegin(); file != before.cend(); ++file)
        QCOMPARE(after.value(file.key()), file.value());
}

void TestCodingAgents::modelByHttp_data()
{
    QTest::addColumn<QString>("agent");
    QTest::addColumn<QString>("path");
    QTest::newRow("Anthropic Messages") << QStringLiteral("anthropic") << QString();
    QTest::newRow("chat completions") << QStringLiteral("openai") << QStringLiteral("/v1");
}

// Asked directly, with our tools: too many requests at first, then a bench and an edit.
void TestCodingAgents::modelByHttp()
{
    QFETCH(QString, agent);
    QFETCH(QString, path);
    if (!MockModel::isThere())
        QSKIP("the mock model is not in build/agents: tests/run.sh installs it where npm and node are");
    makeWorkspace();
    const json asked{{"userMessage", "This is iteration 1 of a loop"}, {"hasToolResult", false}};
    json first = asked;
    first["sequenceIndex"] = 0;
    const json edit{{"path", "solution/scale.cpp"}, {"old_text", "round < 4"}, {"new_text", "round < 1"}};
    const auto tool = [](const char *id, const char *name, const json &arguments) {
        return json{{"content", "Working."}, {"toolCalls", {{{"id", id}, {"name", name}, {"arguments", arguments}}}}};
    };
    const std::string said = answerOf("One pass instead of four").toStdString();
    const json fixtures = json::array({{{"match", {{"toolCallId", "e1"}}}, {"response", {{"content", said}}}},
                                       {{"match", {{"toolCallId", "b1"}}}, {"response", tool("e1", "edit_file", edit)}},
                                       {{"match", first},
                                        {"response",
                                         {{"error", {{"message", "Too many requests"}, {"type", "rate_limit_error"}}},
                                          {"status", 429},
                                          {"retryAfter", 1}}}},
                                       {{"match", asked}, {"response", tool("b1", "bench", json::object())}}});
    QVERIFY2(m_model.start(fixtures), qPrintable(m_model.output()));
    const QString variable =
        agent == QLatin1String("anthropic") ? QStringLiteral("ANTHROPIC_API_KEY") : QStringLiteral("OPENAI_API_KEY");
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(variable, QStringLiteral("a-key-for-this-test"));
    const ProgramRun run = runProgram({QStringLiteral("run"), m_workspace, QStringLiteral("--agent"), agent,
                                       QStringLiteral("--model"), QStringLiteral("m"), QStringLiteral("--base-url"),
                                       m_model.address() + path, QStringLiteral("--iterations"), QStringLiteral("1"),
                                       QStringLiteral("--approve"), QStringLiteral("--git-name"), QStringLiteral("T"),
                                       QStringLiteral("--git-email"), QStringLiteral("t@example.org")},
                                      environment);
    const QString told = run.output + m_model.output();
    QVERIFY2(run.exitCode == 0, qPrintable(told.right(3000)));
    const TrajectoryScan history = scanTrajectory(m_workspace);
    QVERIFY2(history.records.size() >= 2, qPrintable(told));
    const IterationRecord &better = history.records.at(1);
    QCOMPARE(better.title, QStringLiteral("One pass instead of four"));
    QCOMPARE(better.agent, agent);
    QVERIFY2(better.status == IterationStatus::Improved && better.becameChampion, qPrintable(told));
    QFile file(m_workspace + QLatin1Char('/') + better.trajectory + QStringLiteral("/transcript.txt"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString transcript = QString::fromUtf8(file.readAll());
    for (const char *part : {"Too many requests", "asked again in 1.0 s", "[bench] probe 1: correct, 4 ms",
                             "[tool] edit_file solution/scale.cpp"})
        QVERIFY2(transcript.contains(QLatin1String(part)), qPrintable(transcript));
    // The key is nowhere below the workspace, in git neither.
    const QHash<QString, QByteArray> files = filesBelow(m_workspace);
    for (auto each = files.cbegin(); each != files.cend(); ++each)
        QVERIFY2(!each->contains("a-key-for-this-test"), qPrintable(each.key()));
}

QTEST_GUILESS_MAIN(TestCodingAgents)
#include "tst_codingagents.moc"
