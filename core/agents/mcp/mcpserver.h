// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/acp/jsonrpcpeer.h"
#include "agents/tools/toolbox.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <vector>

namespace ako::mcp {

// As agents know it: its tools are ako4all_bench, mcp__ako4all__bench, or the like.
inline constexpr char serverName[] = "ako4all";

// One connection of a client of the Model Context Protocol, which gets the tools of a toolbox. Bytes in and out; one
// JSON-RPC message a line.
class McpServer : public QObject, private acp::JsonRpcPeer::Handler
{
    Q_OBJECT

public:
    McpServer(Toolbox &toolbox, acp::JsonRpcPeer::Send send, QObject *parent = nullptr);
    ~McpServer() override;

    void receive(const QByteArray &bytes);
    bool isBusy() const { return !m_calls.empty(); }

Q_SIGNALS:
    void failed(const QString &why); // the connection is of no use any more
    void busyChanged();

private:
    struct Call
    {
        nlohmann::json id;
        nlohmann::json progressToken;
        int told = 0;
        bool cancelled = false;
    };

    void requested(const nlohmann::json &id, const QString &method, const nlohmann::json &params) override;
    void notified(const QString &method, const nlohmann::json &params) override;
    void noise(const QByteArray &line) override;
    void broken(const QString &why) override;

    void initialize(const nlohmann::json &id, const nlohmann::json &params);
    void list(const nlohmann::json &id);
    void callTool(const nlohmann::json &id, const nlohmann::json &params);
    void ended(const std::shared_ptr<Call> &call, const ToolAnswer &answer);
    void tellProgress();

    Toolbox &m_toolbox;
    acp::JsonRpcPeer m_peer;
    std::vector<std::shared_ptr<Call>> m_calls;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true); // a tool may answer when nobody listens any more
    QTimer m_progress;
};

} // namespace ako::mcp
