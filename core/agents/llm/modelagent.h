// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/acp/secrets.h"
#include "agents/agent.h"
#include "agents/agentsettings.h"
#include "agents/knownagents.h"
#include "agents/llm/apikey.h"
#include "agents/llm/modelrequest.h"
#include "agents/tools/filetools.h"
#include "agents/tools/looptools.h"
#include "git/repository.h"

#include <QNetworkAccessManager>
#include <QTimer>

#include <functional>
#include <memory>

namespace ako::llm {

// A model that is asked over HTTP and works with our tools: one conversation for each candidate, which begins with the
// whole prompt. It can touch nothing but what the tools let it.
class ModelAgent : public Agent
{
    Q_OBJECT

public:
    ModelAgent(KnownAgent agent, const AgentSettings &settings, QObject *parent = nullptr);
    ~ModelAgent() override;

    QString name() const override { return m_agent.name; }
    void propose(const ProposalRequest &request) override;
    void cancel() override;
    void setTools(LoopTools *tools) override { m_loopTools = tools; }
    void setLimits(const RequestLimits &limits) { m_limits = limits; }

private:
    // Carried out when control is back in the event loop, unless the turn has ended by then.
    void later(const std::function<void()> &step);
    Result<QString> begin(const ProposalRequest &request);
    void ask();
    void answered(const Result<ModelReply> &reply);
    void useTools(const ModelReply &reply);
    void nextTool();
    void toolAnswered(const ToolAnswer &answer);
    void complete();
    void fail(const Error &error);
    void finish(const Proposal &proposal);
    void tell(const QString &heading, const QString &piece);
    void line(const QString &text);
    QList<Tool> tools() const;
    QString agentData() const;

    KnownAgent m_agent;
    AgentSettings m_settings;
    RequestLimits m_limits;
    acp::Secrets m_secrets;
    QNetworkAccessManager m_network;
    std::unique_ptr<ModelApi> m_api;
    std::unique_ptr<ModelRequest> m_request;
    LoopTools *m_loopTools = nullptr;
    std::unique_ptr<FileTools> m_fileTools;
    std::unique_ptr<QObject> m_turn; // one is under way; what answers later is for that one only
    QTimer m_time;

    nlohmann::json m_messages;
    ModelReply m_reply;          // whose tools are being called
    QList<ToolAnswer> m_answers; // of them, so far
    ApiKey m_key;
    FolderContent m_before;
    QString m_solution;
    QString m_lastText;
    QString m_told;          // the beginning of a line of the transcript
    QString m_heading;       // under which it stands
    qint64 m_tokensLeft = 0; // of the budget when the turn began; 0: none
    qint64 m_inputTokens = 0;
    qint64 m_outputTokens = 0;
    int m_rounds = 0;
};

} // namespace ako::llm
