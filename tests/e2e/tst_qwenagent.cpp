// SPDX-License-Identifier: GPL-3.0-or-later
// One turn of the real Qwen Code, whose model is a mock on this machine (tests/run.sh installs both from npm): it reads
// and writes by our file methods, and asks before it calls a tool of ours.
#include "eval/sanitized.h"
#include "history/trajectory.h"
#include "process/sandbox.h"
#include "support/agentworkspace.h"
#include "support/mockmodel.h"
#include "support/programrun.h"
#include "support/scratchrepository.h"

#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace ako;
using namespace ako::test;
using nlohmann::json;

class TestQwenAgent : public QObject
{
    Q_OBJECT

public:
    static void initMain() { qputenv("QTEST_FUNCTION_TIMEOUT", "590000"); }

private Q_SLOTS:
    void initTestCase() { isolateGitConfiguration(); }
    void aTurn();

private:
    static json fixtures(const QString &file);
};

// A bench by MCP, then the file is read and edited.
json TestQwenAgent::fixtures(const QString &file)
{
    const std::string path = file.toStdString();
    const auto tool = [](const char *id, const char *name, const json &arguments) {
        return json{{"content", "Working."},
                    {"reasoning", "Let me think."},
                    {"toolCalls", {{{"id", id}, {"name", name}, {"arguments", arguments}}}}};
    };
    const json edit{{"file_path", path}, {"old_string", "round < 4"}, {"new_string", "round < 1"}};
    const char *const said = "Done.\n\nAKO-ANSWER\nTitle: One pass instead of four\nDirection: loops\n"
                             "Hypothesis: fewer passes\nChanges: scale.cpp\nAnalysis: none\nEND\n";
    return json::array(
        {{{"match", {{"toolCallId", "e1"}}}, {"response", {{"content", said}}}},
         {{"match", {{"toolCallId", "r1"}}}, {"response", tool("e1", "edit", edit)}},
         {{"match", {{"toolCallId", "b1"}}}, {"response", tool("r1", "read_file", {{"file_path", path}})}},
         {{"match", {{"userMessage", "This is iteration 1 of a loop"}, {"hasToolResult", false}}},
          {"response", tool("b1", "mcp__ako4all__bench", json::object())}}});
}

void TestQwenAgent::aTurn()
{
    if (!isInstalled(QStringLiteral(".bin/qwen")) || !MockModel::isThere())
        QSKIP(
            "Qwen Code and the mock model are not in build/agents: tests/run.sh installs them where npm and node are");
    const ScratchRepository repository;
    agentworkspace::writeTo(repository);
    MockModel model;
    QVERIFY2(model.start(fixtures(repository.filePath(QStringLiteral("solution/scale.cpp")))),
             qPrintable(model.output()));
    const QTemporaryDir home;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("HOME"), home.path());
    environment.insert(QStringLiteral("PATH"),
                       agentModules() + QStringLiteral("/.bin:") + environment.value(QStringLiteral("PATH")));
    environment.insert(QStringLiteral("OPENAI_BASE_URL"), model.address() + QStringLiteral("/v1"));
    environment.insert(QStringLiteral("OPENAI_API_KEY"), QStringLiteral("test-key"));
    environment.insert(QStringLiteral("OPENAI_MODEL"), QStringLiteral("ako-mock"));
    QStringList arguments = agentworkspace::run(repository, QString(), 1);
    const qsizetype agent = arguments.indexOf(QStringLiteral("--agent-command"));
    arguments[agent] = QStringLiteral("--agent");
    arguments[agent + 1] = QStringLiteral("qwen");
    if (sandboxIsUsable())
        arguments[arguments.indexOf(QStringLiteral("none"))] = QStringLiteral("bubblewrap");
    const ProgramRun run = runProgram(arguments, environment);
    QVERIFY2(run.exitCode == 0, qPrintable(run.output + model.output()));
    const TrajectoryScan history = scanTrajectory(repository.path());
    QVERIFY2(history.records.size() >= 2, qPrintable(run.output));
    const IterationRecord &better = history.records.at(1);
    QCOMPARE(better.title, QStringLiteral("One pass instead of four"));
    QVERIFY2(better.status == IterationStatus::Improved && better.becameChampion, qPrintable(run.output));
    const QString transcript =
        QString::fromUtf8(repository.read(better.trajectory + QStringLiteral("/transcript.txt")));
    for (const char *part : {"Agent: qwen-code", "Let me think.", "[allowed] edit solution/scale.cpp", "[written]",
                             "solution/scale.cpp", "[usage]", "AKO-ANSWER"})
        QVERIFY2(transcript.contains(QLatin1String(part)), qPrintable(transcript));
#ifndef AKO_SANITIZER // which cannot start where an agent's memory is limited, and so the tools are not there
    for (const char *part : {"[allowed] other bench", "[bench] probe 1: correct, 4 ms"})
        QVERIFY2(transcript.contains(QLatin1String(part)), qPrintable(transcript));
#endif
}

QTEST_GUILESS_MAIN(TestQwenAgent)
#include "tst_qwenagent.moc"
