// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/tools/probe.h"
#include "git/repository.h"
#include "loop/ports.h"
#include "loop/session.h"

#include <QObject>

#include <memory>

namespace ako {

// A bench that an agent has asked for in the middle of its turn. What it leaves goes to .ako/probes/, so that it is no
// part of the history and no change of the agent's.
class Probing : public QObject
{
    Q_OBJECT

public:
    struct Order
    {
        QString label; // of the iteration that is being made
        int number = 1;
        BenchMode mode = BenchMode::Signal;
        IterationRecord against; // whose sources are timed interleaved with it
    };

    Probing(Session &session, Ports &ports, QObject *parent);
    ~Probing() override;

    void start(const Order &order, const ProbeReply &reply); // one reply, unless it is dropped
    bool isRunning() const { return m_job != nullptr; }
    void stop(); // the reply follows
    void drop(); // ends it without a word
    // Of benches that ended with this program, before it could keep what they left.
    static void putAsideLeftovers(const Session &session);

Q_SIGNALS:
    void ended(); // after the reply

private:
    Result<void> layOut(const Order &order);
    void finish(const BenchResult &result, const QString &trajectory);
    QString putAside(const QString &trajectory) const; // its output

    Session &m_session;
    Ports &m_ports;
    std::unique_ptr<BenchJob> m_job;
    Order m_order;
    ProbeReply m_reply;
    FolderContent m_benched;
    bool m_stopped = false;
};

} // namespace ako
