// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/llm/modelagent.h"

#include "agents/prompt/candidateprompt.h"
#include "agents/prompt/candidateproposal.h"
#include "base/words.h"
#include "git/folderfiles.h"

#include <QFileInfo>
#include <QNetworkProxy>
#include <QPointer>
#include <QUrl>

#include <algorithm>
#include <utility>

namespace ako::llm {

namespace {

using nlohmann::json;

constexpr int mostRounds = 80; // questions of one turn
constexpr qsizetype longestTold = 64LL * 1024;

const char *const instructions =
    "You work on one kernel with the tools that you are given; there is no other way to read or change a file, and no "
    "shell. Read what you need, change files below solution/ with edit_file or write_file, and end your turn with the "
    "block that the task asks for. A message without a tool call ends your turn.";

// The person's proxy, as the system knows it.
class SystemProxies : public QNetworkProxyFactory
{
public:
    QList<QNetworkProxy> queryProxy(const QNetworkProxyQuery &query) override { return systemProxyForQuery(query); }
};

// A tool's call in one line: its name and what it names.
QString inOneLine(const ToolUse &call)
{
    QString text = call.name;
    for (const char *key : {"path", "file", "folder", "text", "iteration"}) {
        if (const QString value = textArgument(call.arguments, key); !value.isEmpty())
            text += QLatin1Char(' ') + value;
    }
    return words::title(text);
}

} // namespace

ModelAgent::ModelAgent(KnownAgent agent, const AgentSettings &settings, QObject *parent)
    : Agent(parent)
    , m_agent(std::move(agent))
    , m_settings(settings)
    , m_secrets(QProcessEnvironment::systemEnvironment())
    , m_api(m_agent.name == QLatin1String("anthropic") ? anthropicApi() : openAiApi())
{
    m_network.setProxyFactory(new SystemProxies); // it takes it
    m_limits.silence = std::min(m_limits.silence, settings.silenceSeconds * 1000);
    m_limits.firstByte = std::min(m_limits.firstByte, settings.silenceSeconds * 1000);
    m_time.setSingleShot(true);
    connect(&m_time, &QTimer::timeout, this,
            [this] { fail({tr("Its turn took longer than %1 s.").arg(m_settings.turnSeconds), {}}); });
}

ModelAgent::~ModelAgent() = default;

QList<Tool> ModelAgent::tools() const
{
    QList<Tool> all = m_fileTools->tools();
    if (m_loopTools)
        all += m_loopTools->tools();
    return all;
}

Result<QString> ModelAgent::begin(const ProposalRequest &asked)
{
    if (m_settings.model.isEmpty())
        return ako::fail(tr("No model is chosen."), tr("Choose one: --model NAME, or the plan's row Model."));
    ProposalRequest request = asked;
    request.hasTools = m_loopTools != nullptr;
    auto before = readFolder(request.solutionDirectory);
    if (!before)
        return std::unexpected(before.error());
    m_before = std::move(*before);
    m_solution = request.solutionDirectory;
    m_fileTools =
        std::make_unique<FileTools>(acp::WorkPlace{QFileInfo(request.workspace).canonicalFilePath(),
                                                   QFileInfo(request.solutionDirectory).canonicalFilePath(), true});
    m_inputTokens = m_outputTokens = 0;
    m_tokensLeft = request.tokensLeft;
    m_rounds = 0;
    m_lastText.clear();
    m_heading.clear();
    return candidatePrompt(request, true);
}

void ModelAgent::propose(const ProposalRequest &request)
{
    if (m_turn) { // the first would have no answer otherwise
        Proposal cancelled;
        cancelled.outcome = Proposal::Outcome::Cancelled;
        finish(cancelled);
    }
    m_turn = std::make_unique<QObject>();
    const auto prompt = begin(request);
    if (!prompt) {
        return later([this, error = prompt.error()] { fail(error); });
    }
    m_messages = json::array({{{"role", "user"}, {"content", prompt->toStdString()}}});
    m_time.start(m_settings.turnSeconds * 1000);
    line(tr("Asked %1 for iteration %2:").arg(m_settings.model).arg(request.iteration) + QLatin1String("\n\n") +
         *prompt + QLatin1Char('\n'));
    findApiKey(m_agent.name, m_turn.get(), [this, turn = m_turn.get()](const ApiKey &key) {
        if (turn != m_turn.get())
            return;
        m_key = key;
        m_secrets.add(key.value);
        ask();
    });
}

void ModelAgent::ask()
{
    if (++m_rounds > mostRounds)
        return fail({tr("It has asked for tools %1 times and made no end.").arg(mostRounds), {}});
    m_request = std::make_unique<ModelRequest>(m_network, *m_api, m_limits);
    connect(m_request.get(), &ModelRequest::text, m_turn.get(),
            [this](const QString &piece) { tell(tr("Agent:"), piece); });
    connect(m_request.get(), &ModelRequest::thought, m_turn.get(),
            [this](const QString &piece) { tell(tr("Thought:"), piece); });
    connect(m_request.get(), &ModelRequest::triesAgain, m_turn.get(), [this](const QString &why, int milliseconds) {
        line(tr("%1 It is asked again in %2 s.").arg(why).arg(double(milliseconds) / 1000.0, 0, 'f', 1));
    });
    m_request->start(QUrl(m_settings.baseUrl), m_key.value,
                     m_api->body(m_settings.model, QLatin1String(instructions), m_messages, tools()),
                     [this](const Result<ModelReply> &reply) { answered(reply); });
}

void ModelAgent::answered(const Result<ModelReply> &reply)
{
    m_request.release()->deleteLater(); // it is what calls
    if (!reply)
        return fail(reply.error());
    m_inputTokens += reply->inputTokens;
    m_outputTokens += reply->outputTokens;
    if (!reply->text.isEmpty())
        m_lastText = reply->text;
    if (reply->stop == ModelReply::Stop::Refused)
        return fail({tr("The model refused."), {}});
    if (reply->stop == ModelReply::Stop::Length)
        line(tr("Its answer was cut at its longest."));
    if (m_tokensLeft > 0 && m_inputTokens + m_outputTokens >= m_tokensLeft && !reply->calls.isEmpty()) {
        line(tr("The token budget of the run is used: the turn ends here."));
        return complete();
    }
    if (reply->calls.isEmpty())
        return complete();
    useTools(*reply);
}

void ModelAgent::useTools(const ModelReply &reply)
{
    m_reply = reply;
    m_answers.clear();
    m_messages.push_back(reply.message);
    nextTool();
}

// One after the other: a bench is to see the edits before it.
void ModelAgent::nextTool()
{
    if (m_answers.size() == m_reply.calls.size()) {
        for (const json &message : m_api->toolMessages(m_reply.calls, m_answers))
            m_messages.push_back(message);
        return ask();
    }
    const ToolUse &call = m_reply.calls.at(m_answers.size());
    if (!call.isReadable)
        return toolAnswered({QStringLiteral("The arguments are no JSON object. Call the tool again."), true});
    // Deferred: a tool that answers at once must not deepen the stack with each call.
    const auto reply = [this, turn = QPointer<QObject>(m_turn.get())](const ToolAnswer &answer) {
        if (turn && turn == m_turn.get())
            later([this, answer] { toolAnswered(answer); });
    };
    if (m_loopTools && m_loopTools->has(call.name))
        m_loopTools->call(call.name, call.arguments, reply);
    else
        m_fileTools->call(call.name, call.arguments, reply);
}

void ModelAgent::toolAnswered(const ToolAnswer &answer)
{
    const ToolUse &call = m_reply.calls.at(m_answers.size());
    if (!m_loopTools || !m_loopTools->has(call.name)) // those tell it themselves
        line(answer.failed ? tr("[tool] %1 (failed: %2)").arg(inOneLine(call), words::title(answer.text))
                           : tr("[tool] %1").arg(inOneLine(call)));
    m_answers << answer;
    nextTool();
}

void ModelAgent::complete()
{
    Proposal proposal = candidateProposal(m_before, m_solution, m_secrets.masked(m_lastText));
    proposal.agentData = agentData();
    finish(proposal);
}

void ModelAgent::fail(const Error &error)
{
    Proposal proposal;
    proposal.error = m_secrets.masked(error.text());
    proposal.agentData = agentData();
    line(proposal.error);
    finish(proposal);
}

void ModelAgent::cancel()
{
    if (!m_turn)
        return;
    later([this] {
        Proposal proposal;
        proposal.outcome = Proposal::Outcome::Cancelled;
        finish(proposal);
    });
}

void ModelAgent::later(const std::function<void()> &step)
{
    QMetaObject::invokeMethod(
        m_turn.get(),
        [this, step, turn = m_turn.get()] {
            if (turn == m_turn.get()) // it lives a little longer than its turn
                step();
        },
        Qt::QueuedConnection);
}

void ModelAgent::finish(const Proposal &proposal)
{
    m_time.stop();
    if (m_request) {
        m_request->cancel();
        m_request.release()->deleteLater();
    }
    if (m_turn) // it may be what called
        m_turn.release()->deleteLater();
    line({});
    Proposal counted = proposal;
    counted.tokens = m_inputTokens + m_outputTokens;
    Q_EMIT proposed(counted);
}

// Whole lines only, so that a key that two pieces share is seen.
void ModelAgent::tell(const QString &heading, const QString &piece)
{
    if (m_heading != heading) {
        line(heading);
        m_heading = heading;
    }
    m_told += words::plain(piece);
    const qsizetype end = m_told.size() > longestTold ? m_told.size() : m_told.lastIndexOf(QLatin1Char('\n')) + 1;
    if (end > 0)
        Q_EMIT transcript(m_secrets.masked(m_told.left(end)));
    m_told.remove(0, end);
}

void ModelAgent::line(const QString &text)
{
    if (!m_told.isEmpty())
        Q_EMIT transcript(m_secrets.masked(std::exchange(m_told, {})) + QLatin1Char('\n'));
    m_heading.clear();
    if (!text.isEmpty())
        Q_EMIT transcript(m_secrets.masked(text) + QLatin1Char('\n'));
}

QString ModelAgent::agentData() const
{
    const json data{{"model", m_settings.model.toStdString()},
                    {"inputTokens", m_inputTokens},
                    {"outputTokens", m_outputTokens},
                    {"questions", m_rounds}};
    return QString::fromStdString(data.dump(-1, ' ', false, json::error_handler_t::replace));
}

} // namespace ako::llm
