// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/mcp/mcpserver.h"
#include "base/result.h"

#include <QLocalServer>
#include <QTemporaryDir>

namespace ako::mcp {

// Serves the tools on a socket in a folder of its own, which only this user may enter, for as long as it lives. An
// agent starts `ako4all mcp --connect <path>`, which passes its lines on: so the tools work here, with the evaluator
// and the history, however the agent is confined.
class ToolSocket : public QObject
{
    Q_OBJECT

public:
    explicit ToolSocket(Toolbox &toolbox, QObject *parent = nullptr);
    ~ToolSocket() override;

    Result<void> listen();
    QString folder() const { return m_folder.path(); }
    QString path() const;
    // What an agent is told in session/new, to start the bridge. An error: there is no program to be started.
    Result<nlohmann::json> descriptor() const;

Q_SIGNALS:
    void busyChanged(bool busy); // a tool is at work for it

private:
    void accept();
    void tellBusy();

    Toolbox &m_toolbox;
    QTemporaryDir m_folder;
    QLocalServer m_server;
    QList<McpServer *> m_connections;
    bool m_busy = false;
};

} // namespace ako::mcp
