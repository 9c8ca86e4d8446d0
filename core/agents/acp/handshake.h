// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/acp/jsonrpcpeer.h"
#include "agents/acp/turnrequest.h"
#include "base/result.h"

#include <QCoreApplication>
#include <QTimer>

#include <functional>

namespace ako::acp {

class SessionLog;

// From the agent's start to a session that can be prompted: initialize, then a session resumed, loaded or made, then
// its mode. Each step has its own limit.
class Handshake
{
    Q_DECLARE_TR_FUNCTIONS(ako::acp::Handshake)

public:
    using Done = std::function<void(const Result<> &)>; // once, unless it is stopped before

    // All but `done` outlive it.
    Handshake(const TurnRequest &request, JsonRpcPeer &peer, SessionLog &log, Done done);
    Handshake(const Handshake &) = delete;
    Handshake &operator=(const Handshake &) = delete;

    void start();
    void stop();                                       // answers that still come mean nothing
    QString session() const { return m_session; }      // empty: there is none yet
    bool isNewSession() const { return m_isNew; }      // it remembers nothing
    bool isReplaying() const { return m_isReplaying; } // what the agent tells is of the past

private:
    using Next = std::function<void(const nlohmann::json &result)>;
    using Otherwise = std::function<void(const RpcError &error)>;

    void ask(const char *method, const nlohmann::json &params, const Next &next, const Otherwise &otherwise = {});
    void initialized(const nlohmann::json &result);
    void openSession();
    void goOnWithSession(const char *method, bool replays);
    void newSession(const QString &insteadOf);
    void refusedSession(const RpcError &error);
    void setMode(const nlohmann::json &session);
    void end(const Result<> &result);

    const TurnRequest &m_request;
    JsonRpcPeer &m_peer;
    SessionLog &m_log;
    Done m_done;
    QTimer m_step;
    QString m_waitingFor; // which answer, for messages
    nlohmann::json m_capabilities;
    nlohmann::json m_authMethods;
    QString m_session;
    bool m_isNew = true;
    bool m_isReplaying = false;
    bool m_ended = false;
};

} // namespace ako::acp
