// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/acp/acpturn.h"
#include "agents/acp/secrets.h"
#include "agents/agent.h"
#include "agents/agentsettings.h"
#include "agents/knownagents.h"
#include "agents/mcp/toolsocket.h"
#include "agents/tools/looptools.h"
#include "git/repository.h"

#include <QHash>

#include <memory>

namespace ako::acp {

// A coding agent that speaks the Agent Client Protocol, asked for one candidate a turn. Its session goes on from turn
// to turn, its process does not.
class AcpAgent : public Agent
{
    Q_OBJECT

public:
    AcpAgent(KnownAgent agent, const AgentSettings &settings, QObject *parent = nullptr);
    ~AcpAgent() override;

    QString name() const override { return m_agent.name; }
    void propose(const ProposalRequest &request) override;
    void cancel() override;
    void answerPermission(quint64 number, PermissionChoice choice) override;
    void setTools(LoopTools *tools) override { m_tools = tools; }

    void setLimits(const TurnLimits &limits) { m_limits = limits; }

private:
    nlohmann::json offerTools();
    Result<TurnRequest> turnFor(const ProposalRequest &request);
    void ended(const TurnResult &result);
    void finish(const Proposal &proposal);
    void failLater(const Error &error);

    KnownAgent m_agent;
    AgentSettings m_settings;
    TurnLimits m_limits;
    Secrets m_secrets;
    LoopTools *m_tools = nullptr;
    std::unique_ptr<mcp::ToolSocket> m_socket; // of the turn
    std::unique_ptr<AcpTurn> m_turn;           // while it is asked
    FolderContent m_before;
    QString m_solution;
    QStringList m_allowedKinds;      // by a person, for this run
    QHash<quint64, QString> m_asked; // the kinds of the questions that wait
    QString m_session;               // to go on with
    bool m_beginsAnew = false;
};

} // namespace ako::acp
