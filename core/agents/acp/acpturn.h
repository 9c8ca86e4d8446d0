// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/acp/agentprocess.h"
#include "agents/acp/jsonrpcpeer.h"
#include "agents/acp/permissionpolicy.h"
#include "agents/acp/sessionlog.h"
#include "base/result.h"

#include <QObject>
#include <QTimer>

#include <functional>

namespace ako::acp {

// How long each thing may take, in milliseconds.
struct TurnLimits
{
    int handshake = 120'000; // one step of it; a loaded machine starts node slowly
    int turn = 30 * 60'000;
    int silence = 10 * 60'000; // no message of any kind
    int cancelGrace = 10'000;  // from the cancel to the end of the turn
    int closeGrace = 5'000;    // from the end of its input to the first signal
    int drain = 300;           // what comes after the answer still belongs to the turn
    qsizetype longestLine = 32LL * 1024 * 1024;
    qint64 memoryBytes = 8LL * 1024 * 1024 * 1024; // of the whole group
};

struct TurnRequest
{
    CommandSpec command;
    WorkPlace place;
    Permissions permissions = Permissions::Deny;
    QString mode;    // the session mode to be set, by its id; empty: the agent's own
    QString session; // to go on with; empty: a new one
    // What is asked: `isNew` says that the agent remembers nothing, because it was asked to begin or could not go on.
    std::function<QString(bool isNew)> prompt;
    nlohmann::json mcpServers = nlohmann::json::array(); // as the protocol describes them
    QString loginHint;                                   // what to do where it says that nobody is logged in
    TurnLimits limits;
};

struct TurnResult
{
    enum class End { Completed, Cancelled, Failed };
    End end = End::Failed;
    QString stopReason; // Completed: end_turn, max_tokens, max_turn_requests
    Error error;        // Failed
    QString message;    // the agent's own words of this turn
    QString session;    // to go on with; empty: none was made
    qint64 usedTokens = 0;
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
    void setToolsBusy(bool busy); // it waits for us: its silence does not count meanwhile

Q_SIGNALS:
    void said(const QString &text); // whole lines of the transcript
    void finished(const ako::acp::TurnResult &result);

private:
    using Next = std::function<void(const nlohmann::json &result)>;
    using Otherwise = std::function<void(const RpcError &error)>;

    void requested(const nlohmann::json &id, const QString &method, const nlohmann::json &params) override;
    void notified(const QString &method, const nlohmann::json &params) override;
    void noise(const QByteArray &line) override;
    void broken(const QString &why) override;

    void heard();
    void ask(const char *method, const nlohmann::json &params, const Next &next, const Otherwise &otherwise = {});
    void initialized(const nlohmann::json &result);
    void openSession();
    void goOnWithSession(const char *method, bool replays);
    void newSession(const QString &insteadOf);
    void sessionOpened(const nlohmann::json &result);
    void setMode(const nlohmann::json &session);
    void prompt();
    void answered(const nlohmann::json &result);
    void refusedPrompt(const RpcError &error);
    void permit(const nlohmann::json &id, const nlohmann::json &params);
    void answerFile(const nlohmann::json &id, const QString &method, const nlohmann::json &params);

    void fail(const QString &why, const QString &remedy = {});
    void settle(TurnResult::End end);
    void processEnded(const QString &how);
    void giveUp(const QString &why);
    void tell();

    TurnRequest m_request;
    AgentProcess m_process;
    JsonRpcPeer m_peer;
    SessionLog m_log;
    TurnResult m_result;
    nlohmann::json m_capabilities;
    nlohmann::json m_authMethods;
    QTimer m_step;
    QTimer m_silence;
    QTimer m_turn;
    QTimer m_grace;
    QTimer m_tell;
    QString m_waitingFor; // which answer, for messages
    QString m_gaveUpBecause;
    bool m_isNew = true;
    bool m_toolsBusy = false;
    bool m_replaying = false;
    bool m_prompting = false; // the prompt's answer is waited for
    bool m_completed = false; // answered; what still comes is waited for
    bool m_cancelling = false;
    bool m_settled = false; // the outcome is known, the process is ending
    int m_permissions = 0;
    int m_noise = 0;
};

} // namespace ako::acp
