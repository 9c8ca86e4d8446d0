// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/acp/jsonrpcpeer.h"
#include "agents/acp/turnrequest.h"
#include "agents/permission.h"

#include <QHash>
#include <QObject>

#include <map>

namespace ako::acp {

class SessionLog;

// An agent's requests for permissions: each is answered once, by the policy or by a person, and told with its outcome.
class PermissionDesk : public QObject
{
    Q_OBJECT

public:
    // The peer and the log outlive it.
    PermissionDesk(JsonRpcPeer &peer, SessionLog &log, const TurnRequest &request);

    void requested(const nlohmann::json &id, const nlohmann::json &params);
    void answer(quint64 number, PermissionChoice choice); // of asked(); any other number is nobody's
    // Nobody waits any more: whoever does is answered, as an agent may hang on any, and so is whoever asks from now on.
    void close();
    bool isWaiting() const { return !m_questions.empty(); } // for a person
    void tellRepeats();                                     // how often what was told once was the case

Q_SIGNALS:
    void asked(const ako::PermissionQuestion &question);
    void settled(quint64 number, const QString &outcome);
    void waitingChanged();

private:
    struct Request
    {
        nlohmann::json id;
        nlohmann::json options;
    };
    struct Question
    {
        QString kind;
        QString subject;
        QString what;
        QList<Request> requests; // that ask it; at least one
    };

    void ask(const Request &request, const PermissionAnswer &answer);
    void deny(const Request &request, const QString &what, const QString &why);
    void put(const Question &question);
    void settle(const Question &question, quint64 number, PermissionChoice choice);
    void tell(const QString &line);

    JsonRpcPeer &m_peer;
    SessionLog &m_log;
    WorkPlace m_place;
    PermissionRules m_rules;
    QStringList m_allowedKinds;              // by a person, for this run
    std::map<quint64, Question> m_questions; // that wait, the oldest first
    QHash<QString, int> m_denials;           // by a person, of the same thing
    QHash<QString, int> m_times;             // that a line would have been told
    QStringList m_told;                      // its lines, in their order
    int m_untold = 0;                        // beyond the most lines
    bool m_closed = false;
};

} // namespace ako::acp
