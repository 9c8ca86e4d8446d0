// SPDX-License-Identifier: GPL-3.0-or-later
// One candidate by a model that is asked over HTTP: a server that plays bytes is the model.
#include "agents/llm/modelagent.h"
#include "support/byteserver.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace ako;
using namespace ako::llm;
using namespace ako::test;
using nlohmann::json;

namespace {

constexpr int patience = 30'000;

struct Call
{
    const char *name;
    json arguments;
};

QByteArray reply(const QByteArray &text, const QList<Call> &calls = {})
{
    json delta{{"content", text.toStdString()}};
    json list = json::array();
    for (const Call &call : calls)
        list.push_back({{"index", list.size()},
                        {"id", "call_" + std::to_string(list.size())},
                        {"function",
                         {{"name", call.name},
                          {"arguments", call.arguments.is_string() ? call.arguments : json(call.arguments.dump())}}}});
    if (!list.empty())
        delta["tool_calls"] = list;
    const json chunk{{"choices", {{{"delta", delta}, {"finish_reason", list.empty() ? "stop" : "tool_calls"}}}},
                     {"usage", {{"prompt_tokens", 100}, {"completion_tokens", 10}}}};
    return "data: " + QByteArray::fromStdString(chunk.dump()) + "\n\ndata: [DONE]\n\n";
}

const QByteArray answer = "Done.\nAKO-ANSWER\nTitle: Two at a time\nHypothesis: fewer loops\nEND\n";

} // namespace

class TestModelAgent : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void wholeTurn();
    void turns_data();
    void turns();
    void cancelled_data();
    void cancelled();
    void keysAreNotTold();

private:
    Proposal propose(ModelAgent &agent);
    QByteArray kernel() const;

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<ByteServer> m_server;
    AgentSettings m_settings;
    ProposalRequest m_request;
    QString m_transcript;
    int m_proposals = 0;
};

void TestModelAgent::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_server = std::make_unique<ByteServer>();
    m_settings = {};
    m_settings.model = QStringLiteral("m");
    m_settings.baseUrl = m_server->url(QStringLiteral("/v1")).toString();
    m_request = {};
    m_request.workspace = m_folder->path();
    m_request.solutionDirectory = m_folder->filePath(QStringLiteral("solution"));
    QVERIFY(QDir().mkpath(m_request.solutionDirectory));
    QFile file(m_folder->filePath(QStringLiteral("solution/k.cpp")));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("int a;\n") == 7);
    m_transcript.clear();
    m_proposals = 0;
}

QByteArray TestModelAgent::kernel() const
{
    QFile file(m_folder->filePath(QStringLiteral("solution/k.cpp")));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

Proposal TestModelAgent::propose(ModelAgent &agent)
{
    RequestLimits limits;
    limits.firstWait = limits.longestWait = limits.retries = 1;
    agent.setLimits(limits);
    Proposal result;
    connect(&agent, &Agent::transcript, this, [this](const QString &text) { m_transcript += text; });
    connect(&agent, &Agent::proposed, this, [this, &result](const Proposal &proposal) {
        ++m_proposals;
        result = proposal;
    });
    agent.propose(m_request);
    if (!QTest::qWaitFor([this] { return m_proposals > 0; }, patience))
        qWarning("there was no proposal");
    QCoreApplication::processEvents();
    agent.disconnect(this);
    return result;
}

void TestModelAgent::wholeTurn()
{
    m_server->addStream(reply("Let me look.", {{"read_file", {{"path", "solution/k.cpp"}}}}), true);
    m_server->addStream(reply("", {{"edit_file", {{"path", "solution/k.cpp"}, {"old_text", "a"}, {"new_text", "b"}}},
                                   {"bench", json::object()}}));
    m_server->addStream(reply(answer));
    int benches = 0;
    LoopTools tools(
        [this, &benches](int, const ProbeReply &done) {
            ++benches;
            Probe probe;
            probe.result.compiled = probe.result.correct = kernel() == "int b;\n"; // the edit came first
            probe.result.exitCode = 0;
            QTimer::singleShot(0, this, [done, probe] { done(probe); });
        },
        {});
    tools.begin(m_request);
    ModelAgent agent(*knownAgent(QStringLiteral("openai")), m_settings);
    agent.setTools(&tools);
    const Proposal proposal = propose(agent);
    QVERIFY2(proposal.outcome == Proposal::Outcome::Candidate, qPrintable(proposal.error));
    QCOMPARE(proposal.title, QStringLiteral("Two at a time"));
    QCOMPARE(proposal.changes, QStringLiteral("k.cpp: +1 -1 lines"));
    QCOMPARE(kernel(), QByteArray("int b;\n"));
    QCOMPARE(benches, 1);
    QCOMPARE(m_proposals, 1);
    const json data = json::parse(proposal.agentData.toStdString());
    QCOMPARE(data["inputTokens"].get<int>(), 300);
    QCOMPARE(data["outputTokens"].get<int>(), 30);
    for (const char *part :
         {"Asked m for iteration 1", "Let me look.", "[tool] read_file solution/k.cpp", "[tool] edit_file"})
        QVERIFY2(m_transcript.contains(QLatin1String(part)), qPrintable(m_transcript));
    // What the tools said went back, in order and by id.
    QCOMPARE(m_server->requests.size(), 3);
    const QByteArray last = m_server->requests.constLast();
    const json body = json::parse(last.mid(last.indexOf("\r\n\r\n") + 4).toStdString());
    const json &messages = body["messages"];
    QCOMPARE(messages.size(), std::size_t(7)); // system, user, assistant, tool, assistant, two tools
    QCOMPARE(messages[3]["content"].get<std::string>(), std::string("int a;\n"));
    QCOMPARE(messages[5]["tool_call_id"].get<std::string>(), std::string("call_0"));
    QVERIFY(messages[6]["content"].get<std::string>().find("correct: yes") != std::string::npos);
    QVERIFY(body["stream"].get<bool>());
    QCOMPARE(body["tools"].size(), std::size_t(11));
}

void TestModelAgent::turns_data()
{
    QTest::addColumn<QList<QByteArray>>("replies");
    QTest::addColumn<int>("outcome");
    QTest::addColumn<QString>("said");
    QTest::addColumn<QByteArray>("kernel");
    const auto row = [](const char *name, const QList<QByteArray> &replies, Proposal::Outcome outcome, const char *said,
                        const QByteArray &kernel) {
        QTest::newRow(name) << replies << int(outcome) << QString::fromUtf8(said) << kernel;
    };
    using Outcome = Proposal::Outcome;
    const Call write{"write_file", {{"path", "solution/k.cpp"}, {"content", "int c;\n"}}};
    row("edits without a word", {reply("", {write}), reply("")}, Outcome::Candidate, "k.cpp: +1 -1 lines", "int c;\n");
    row("edits nothing", {reply("I would rather not.")}, Outcome::Candidate, "", "int a;\n");
    row("is exhausted", {reply("AKO-ANSWER\nExhausted: a (1); b (2); c (3)\nEND")}, Outcome::Exhausted, "", "int a;\n");
    row("arguments that are no JSON", {reply("", {{"write_file", "{\"path\""}}), reply("", {write}), reply("")},
        Outcome::Candidate, "[tool] write_file (failed: The arguments are no JSON", "int c;\n");
    row("a tool that is not there", {reply("", {{"run_shell", {{"command", "ls"}}}}), reply("")}, Outcome::Candidate,
        "no tool named run_shell", "int a;\n");
    row("writes elsewhere", {reply("", {{"write_file", {{"path", "bench.sh"}, {"content", "x"}}}}), reply("")},
        Outcome::Candidate, "nothing else may be changed", "int a;\n");
    row("breaks off after an edit", {reply("", {write}), "data: {", "data: {"}, Outcome::Failed, "broke off",
        "int c;\n");
}

void TestModelAgent::turns()
{
    QFETCH(QList<QByteArray>, replies);
    QFETCH(int, outcome);
    QFETCH(QString, said);
    QFETCH(QByteArray, kernel);
    for (const QByteArray &each : replies)
        m_server->addStream(each);
    ModelAgent agent(*knownAgent(QStringLiteral("openai")), m_settings);
    const Proposal proposal = propose(agent);
    QCOMPARE(int(proposal.outcome), outcome);
    const QString told = m_transcript + proposal.changes + proposal.error;
    QVERIFY2(told.contains(said), qPrintable(told));
    QCOMPARE(this->kernel(), kernel);
    QVERIFY(!QFile::exists(m_folder->filePath(QStringLiteral("bench.sh"))));
    QCOMPARE(m_proposals, 1);
}

void TestModelAgent::cancelled_data()
{
    QTest::addColumn<bool>("hangs");
    QTest::newRow("at once") << false;
    QTest::newRow("in an answer") << true;
}

void TestModelAgent::cancelled()
{
    QFETCH(bool, hangs);
    m_server->addStream("data: {\"choices\":[{\"delta\":{\"content\":\"a\\n\"}}]}\n\n", false, true);
    ModelAgent agent(*knownAgent(QStringLiteral("openai")), m_settings);
    QSignalSpy proposed(&agent, &Agent::proposed);
    QString said;
    connect(&agent, &Agent::transcript, this, [&said](const QString &text) { said += text; });
    agent.propose(m_request);
    if (hangs)
        QTRY_VERIFY_WITH_TIMEOUT(said.contains(QLatin1String("a\n")) && m_server->requests.size() == 1, patience);
    agent.cancel();
    agent.cancel();
    QTRY_COMPARE_WITH_TIMEOUT(proposed.count(), 1, patience);
    QCoreApplication::processEvents();
    QCOMPARE(proposed.count(), 1);
    QCOMPARE(int(proposed.constFirst().constFirst().value<Proposal>().outcome), int(Proposal::Outcome::Cancelled));
}

void TestModelAgent::keysAreNotTold()
{
    const QByteArray key = "a-key-of-somebody-1234";
    qputenv("OPENAI_API_KEY", key);
    m_server->addStatus(400, R"({"error":{"message":"Incorrect API key provided: )" + key + "\"}}");
    ModelAgent agent(*knownAgent(QStringLiteral("openai")), m_settings);
    const Proposal proposal = propose(agent);
    qunsetenv("OPENAI_API_KEY");
    QVERIFY(m_server->requests.constFirst().contains("Bearer " + key));
    const QString told = m_transcript + proposal.error + proposal.agentData;
    QVERIFY2(told.contains(QLatin1String("Incorrect API key")) && !told.contains(QString::fromLatin1(key)),
             qPrintable(told));
}

QTEST_GUILESS_MAIN(TestModelAgent)
#include "tst_modelagent.moc"
