// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/acp/agentprocess.h"
#include "agents/acp/handshake.h"
#include "agents/acp/jsonrpcpeer.h"
#include "agents/acp/permissiondesk.h"
#include "agents/acp/sessionlog.h"
#include "agents/acp/turnrequest.h"
#include "base/result.h"

#include <QObject>
#include <QTimer>

namespace ako::acp {

struct TurnResult
{
    enum class End { Completed, Cancelled, Failed };
    End end = End::Failed;
    QString stopReason;     // Completed: end_turn, max_tokens, max_turn_requests
    Error error;            // Failed
    QString message;        // the agent's own words of this turn
    QString session;        // to go on with; empty: none was made
    qint64 usedTokens = 0;  // of the session's context
    qint64 spentTokens = 0; // of this turn, where the agent tells
    QString cost;
};

// One turn of an agent of the Agent Client Protocol, version 1: a process of its own is started, a session made or gone
// on with, one prompt answered, and the process ended. Between turns nothing of an agent runs, so that nothing of it
// can disturb a bench or write into it. finished() comes once, when the whole process group is gone.
class AcpTurn : public QObject, private JsonRpcPeer::Handler
{
    Q_OBJECT

public:
    explicit AcpTurn(TurnRequest request, QObject *parent = nullptr);
    ~AcpTurn() override;

    void start();
    void cancel();
    void answerPermission(quint64 number, PermissionChoice choice) { m_desk.answer(number, choice); }
    void setToolsBusy(bool busy);                      // it waits for us: its silence does not count meanwhile
    bool isTimed() const { return m_turn.isActive(); } // not before the prompt, nor while a person is asked

Q_SIGNALS:
    // Each question is settled once: by its answer, or because nobody waits for one any more.
    void permissionAsked(const ako::PermissionQuestion &question);
    void permissionSettled(quint64 number, const QString &outcome);
    void said(const QString &text); // whole lines of the transcript
    void finished(const ako::acp::TurnResult &result);

private:
    void requested(const nlohmann::json &id, const QString &method, const nlohmann::json &params) override;
    void notified(const QString &method, const nlohmann::json &params) override;
    void noise(const QByteArray &line) override;
    void broken(const QString &why) override;

    void connectTimers();
    void connectParts();
    void watch();
    void prompt();
    void answered(const nlohmann::json &result);
    void refusedPrompt(const RpcError &error);
    void answerFile(const nlohmann::json &id, const QString &method, const nlohmann::json &params);

    void fail(const Error &error);
    void settle(TurnResult::End end);
    void processEnded(const QString &how);
    void giveUp(const QString &why);
    void tell();
    void tellUsage();

    TurnRequest m_request;
    AgentProcess m_process;
    JsonRpcPeer m_peer;
    SessionLog m_log;
    PermissionDesk m_desk;
    Handshake m_handshake;
    TurnResult m_result;
    QTimer m_silence;
    QTimer m_turn;
    QTimer m_grace;
    QTimer m_tell;
    QString m_gaveUpBecause;
    int m_turnLeft; // ms, while its time stands still
    bool m_toolsBusy = false;
    bool m_prompting = false; // the prompt's answer is waited for
    bool m_completed = false; // answered; what still comes is waited for
    bool m_cancelling = false;
    bool m_settled = false; // the outcome is known, the process is ending
    int m_noise = 0;
};

} // namespace ako::acp
