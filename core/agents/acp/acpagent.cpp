// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/acp/acpagent.h"

#include "agents/acp/agentcommand.h"
#include "agents/prompt/candidateprompt.h"
#include "agents/prompt/candidateproposal.h"
#include "base/words.h"
#include "git/folderfiles.h"

#include <QFileInfo>

#include <utility>

namespace ako::acp {

namespace {

using nlohmann::json;

// What is kept with an iteration, so that a later start of this program can go on with the session.
QString dataOf(const TurnResult &result)
{
    json data{{"session", result.session.toStdString()}};
    if (result.usedTokens > 0)
        data["contextTokens"] = result.usedTokens;
    if (!result.cost.isEmpty())
        data["cost"] = result.cost.toStdString();
    return QString::fromStdString(data.dump(-1, ' ', false, json::error_handler_t::replace));
}

QString sessionIn(const ProposalRequest &request, const QString &agent)
{
    for (auto record = request.history.crbegin(); record != request.history.crend(); ++record) {
        if (record->agent != agent || record->agentData.isEmpty())
            continue;
        const std::string data = record->agentData.toStdString();
        return textOf(json::parse(data, nullptr, false), "session");
    }
    return {};
}

} // namespace

AcpAgent::AcpAgent(KnownAgent agent, const AgentSettings &settings, QObject *parent)
    : Agent(parent)
    , m_agent(std::move(agent))
    , m_settings(settings)
    , m_secrets(QProcessEnvironment::systemEnvironment())
{
    m_limits.turn = settings.turnSeconds * 1000;
    m_limits.silence = settings.silenceSeconds * 1000;
}

AcpAgent::~AcpAgent() = default;

// Without them the agent can still edit, so that a lack is told and the turn goes on.
json AcpAgent::offerTools()
{
    m_socket.reset();
    if (!m_tools)
        return json::array();
    m_socket = std::make_unique<mcp::ToolSocket>(*m_tools);
    const auto listening = m_socket->listen();
    const auto server = listening ? m_socket->descriptor() : Result<json>(std::unexpected(listening.error()));
    if (server)
        return json::array({*server});
    m_socket.reset();
    Q_EMIT transcript(tr("The agent gets no tools of this program: %1").arg(server.error().text()) + QLatin1Char('\n'));
    return json::array();
}

Result<TurnRequest> AcpAgent::turnFor(const ProposalRequest &asked)
{
    ProposalRequest request = asked;
    TurnRequest turn;
    turn.mcpServers = offerTools();
    request.hasTools = m_socket != nullptr;
    auto before = readFolder(request.solutionDirectory);
    if (!before)
        return std::unexpected(before.error());
    m_before = std::move(*before);
    m_solution = request.solutionDirectory;
    auto command = agentCommand(m_agent, m_settings, request.workspace,
                                m_socket ? QStringList{m_socket->folder()} : QStringList());
    if (!command)
        return std::unexpected(command.error());
    const auto whole = candidatePrompt(request, true);
    if (!whole)
        return std::unexpected(whole.error());
    if (m_session.isEmpty() && !m_beginsAnew)
        m_session = sessionIn(request, m_agent.name);
    turn.command = *command;
    turn.place = {QFileInfo(request.workspace).canonicalFilePath(),
                  QFileInfo(request.solutionDirectory).canonicalFilePath(), m_settings.confined};
    turn.permissions = m_settings.permissions;
    turn.allowedKinds = m_allowedKinds;
    turn.mode = m_agent.mode;
    turn.session = m_session;
    turn.loginHint = m_agent.login;
    turn.limits = m_limits;
    turn.prompt = [this, request, whole = *whole](bool isNew) {
        const QString text = isNew ? whole : candidatePrompt(request, false).value_or(whole);
        Q_EMIT transcript(tr("Asked for iteration %1:").arg(request.iteration) + QLatin1String("\n\n") +
                          m_secrets.masked(text) + QLatin1String("\n\n"));
        return text;
    };
    return turn;
}

void AcpAgent::propose(const ProposalRequest &request)
{
    if (m_turn) { // the first would have no answer otherwise
        m_turn.reset();
        Proposal cancelled;
        cancelled.outcome = Proposal::Outcome::Cancelled;
        finish(cancelled);
    }
    auto turn = turnFor(request);
    if (!turn)
        return failLater(turn.error());
    m_turn = std::make_unique<AcpTurn>(std::move(*turn));
    connect(m_turn.get(), &AcpTurn::said, this,
            [this](const QString &text) { Q_EMIT transcript(m_secrets.masked(text)); });
    connect(m_turn.get(), &AcpTurn::finished, this, &AcpAgent::ended);
    connect(m_turn.get(), &AcpTurn::permissionAsked, this, [this](PermissionQuestion question) {
        question.agent = agentTitle(m_agent, m_settings);
        question.what = m_secrets.masked(question.what);
        m_asked.insert(question.number, question.kind);
        Q_EMIT permissionAsked(question);
    });
    connect(m_turn.get(), &AcpTurn::permissionSettled, this, [this](quint64 number, const QString &outcome) {
        m_asked.remove(number);
        Q_EMIT permissionSettled(number, outcome);
    });
    if (m_socket)
        connect(m_socket.get(), &mcp::ToolSocket::busyChanged, m_turn.get(), &AcpTurn::setToolsBusy);
    m_turn->start();
}

void AcpAgent::answerPermission(quint64 number, PermissionChoice choice)
{
    if (!m_turn || !m_asked.contains(number))
        return;
    if (choice == PermissionChoice::ForThisRun)
        m_allowedKinds << m_asked.value(number);
    m_turn->answerPermission(number, choice);
}

void AcpAgent::cancel()
{
    if (m_turn)
        m_turn->cancel();
}

// Asynchronously, as every other answer.
void AcpAgent::failLater(const Error &error)
{
    QMetaObject::invokeMethod(
        this,
        [this, error] {
            Proposal proposal;
            proposal.error = error.text();
            finish(proposal);
        },
        Qt::QueuedConnection);
}

void AcpAgent::ended(const TurnResult &result)
{
    m_turn.release()->deleteLater(); // it is the sender
    m_socket.reset();
    if (!result.session.isEmpty())
        m_session = result.session;
    Proposal proposal;
    proposal.agentData = dataOf(result);
    switch (result.end) {
    case TurnResult::End::Completed:
        proposal = candidateProposal(m_before, m_solution, m_secrets.masked(result.message));
        proposal.agentData = dataOf(result);
        break;
    case TurnResult::End::Cancelled:
        proposal.outcome = Proposal::Outcome::Cancelled;
        break;
    case TurnResult::End::Failed:
        // Where a turn went wrong, the session may be stuck in it: the next one begins anew and is told everything.
        m_session.clear();
        m_beginsAnew = true;
        proposal.error = m_secrets.masked(result.error.text());
        Q_EMIT transcript(proposal.error + QLatin1Char('\n'));
        break;
    }
    proposal.tokens = result.spentTokens > 0 ? result.spentTokens : result.usedTokens;
    finish(proposal);
}

void AcpAgent::finish(const Proposal &proposal)
{
    Q_EMIT proposed(proposal);
}

} // namespace ako::acp
