// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/tools/looptools.h"
#include "base/boundedbytes.h"
#include "loop/effect.h"
#include "loop/loopevent.h"
#include "loop/ports.h"
#include "loop/probing.h"
#include "loop/session.h"
#include "loop/treeguard.h"

#include <QElapsedTimer>
#include <QObject>

#include <memory>

namespace ako {

// An agent's turn: the agent itself, and the working tree before and after it.
class Proposing : public QObject
{
    Q_OBJECT

public:
    Proposing(Session &session, Ports &ports, QObject *parent);
    ~Proposing() override;

    Result<void> propose(const ResolvedPlan &plan, const effect::Propose &propose);
    void cancel();
    void forgetAgent();
    void answerPermission(quint64 number, PermissionChoice choice);
    Result<outcome::Compared> compare(const IterationRecord &draft, const QList<IterationRecord> &records,
                                      const QStringList &frozenPaths);

Q_SIGNALS:
    void proposed(const ako::Proposal &proposal, qint64 milliseconds);
    void permissionAsked(const ako::PermissionQuestion &question);
    void permissionSettled(quint64 number, const QString &outcome);
    void transcript(const QString &text);

private:
    void keepTranscript();
    Result<void> needAgent(const ResolvedPlan &plan);
    void answer(const Proposal &proposal);
    void say(const QString &text);
    void measure(int number, const ProbeReply &reply);

    Session &m_session;
    Ports &m_ports;
    Probing m_probing;
    LoopTools m_tools;
    std::unique_ptr<Agent> m_agent; // uses the tools
    std::optional<Proposal> m_held; // its bench has to end first
    Probing::Order m_probe;
    QString m_agentName;
    AgentSettings m_agentSettings;
    QString m_label; // of the iteration that is asked for
    BoundedBytes m_said;
    TreeGuard m_guard;
    FolderContent m_before; // solution/ as it was handed over
    QElapsedTimer m_clock;
    bool m_waiting = false;
};

} // namespace ako
