// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/tools/looptools.h"
#include "loop/effect.h"
#include "loop/loopevent.h"
#include "loop/ports.h"
#include "loop/probing.h"
#include "loop/session.h"

namespace ako {

// The same tools for an agent that no loop has asked: of a workspace as it is at each call. A bench takes the
// workspace's lock for as long as it runs; where a window or a run holds it, that is the answer.
class WorkspaceTools : public Toolbox
{
    Q_OBJECT

public:
    WorkspaceTools(QString workspace, Ports ports, const QString &benchProgram, QObject *parent = nullptr);

    QList<Tool> tools() const override { return m_tools.tools(); }
    void call(const QString &name, const nlohmann::json &arguments, const Reply &reply) override;
    bool isBusy() const { return m_probing.isRunning(); }
    void stop() { m_probing.stop(); }

Q_SIGNALS:
    void idle(); // a bench has ended

private:
    Result<outcome::Opened> open(bool readOnly);
    void measure(int number, const ProbeReply &reply);

    QString m_workspace;
    Ports m_ports;
    Session m_session;
    Probing m_probing;
    LoopTools m_tools;
};

} // namespace ako
