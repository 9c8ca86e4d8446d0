// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/mcp/mcpserver.h"

#include "base/installation.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace ako::mcp {

namespace {

using acp::memberOf;
using acp::textOf;
using nlohmann::json;

// Newest first. What is used here is the same in all of them.
constexpr std::array<std::string_view, 4> versions{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};
constexpr int progressMilliseconds = 5000; // clients give up after a minute without a word
constexpr std::size_t mostCalls = 32;
constexpr int parseError = -32700;

} // namespace

McpServer::McpServer(Toolbox &toolbox, acp::JsonRpcPeer::Send send, QObject *parent)
    : QObject(parent)
    , m_toolbox(toolbox)
    , m_peer(*this, std::move(send))
{
    m_progress.setInterval(progressMilliseconds);
    connect(&m_progress, &QTimer::timeout, this, &McpServer::tellProgress);
}

McpServer::~McpServer()
{
    *m_alive = false;
}

void McpServer::receive(const QByteArray &bytes)
{
    m_peer.receive(bytes);
}

void McpServer::requested(const json &id, const QString &method, const json &params)
{
    if (method == QLatin1String("initialize"))
        initialize(id, params);
    else if (method == QLatin1String("ping"))
        m_peer.answer(id, json::object());
    else if (method == QLatin1String("tools/list"))
        list(id);
    else if (method == QLatin1String("tools/call"))
        callTool(id, params);
    else
        m_peer.refuse(id, {acp::rpc::methodNotFound, QStringLiteral("Method not found: %1").arg(method), {}});
}

void McpServer::initialize(const json &id, const json &params)
{
    const std::string wanted = textOf(params, "protocolVersion").toStdString();
    const bool isKnown = std::ranges::find(versions, wanted) != versions.end();
    m_peer.answer(id, {{"protocolVersion", isKnown ? wanted : std::string(versions.front())},
                       {"capabilities", {{"tools", json::object()}}},
                       {"serverInfo", {{"name", serverName}, {"version", installation::version().toStdString()}}}});
}

void McpServer::list(const json &id)
{
    json tools = json::array();
    for (const Tool &tool : m_toolbox.tools())
        tools.push_back({{"name", tool.name.toStdString()},
                         {"description", tool.description.toStdString()},
                         {"inputSchema", tool.parameters}});
    m_peer.answer(id, {{"tools", tools}});
}

void McpServer::callTool(const json &id, const json &params)
{
    const QString name = textOf(params, "name");
    if (!m_toolbox.has(name))
        return m_peer.refuse(id, {acp::rpc::invalidParams, QStringLiteral("Unknown tool: %1").arg(name), {}});
    if (m_calls.size() >= mostCalls)
        return m_peer.refuse(id, {acp::rpc::internalError, QStringLiteral("Too many calls at once."), {}});
    auto call = std::make_shared<Call>();
    call->id = id;
    call->progressToken = memberOf(memberOf(params, "_meta"), "progressToken");
    m_calls.push_back(call);
    m_progress.start();
    Q_EMIT busyChanged();
    m_toolbox.call(name, memberOf(params, "arguments"), [this, call, alive = m_alive](const ToolAnswer &answer) {
        if (*alive)
            ended(call, answer);
    });
}

void McpServer::ended(const std::shared_ptr<Call> &call, const ToolAnswer &answer)
{
    std::erase(m_calls, call);
    if (m_calls.empty())
        m_progress.stop();
    if (!call->cancelled)
        m_peer.answer(call->id, {{"content", {{{"type", "text"}, {"text", answer.text.toStdString()}}}},
                                 {"isError", answer.failed}});
    Q_EMIT busyChanged();
}

void McpServer::tellProgress()
{
    for (const auto &call : m_calls) {
        if (!call->progressToken.is_null() && !call->cancelled)
            m_peer.notify(QStringLiteral("notifications/progress"),
                          {{"progressToken", call->progressToken}, {"progress", ++call->told}});
    }
}

// A bench that is cancelled goes on to its end: its figure is known then, and nobody has to wait for it.
void McpServer::notified(const QString &method, const json &params)
{
    if (method != QLatin1String("notifications/cancelled"))
        return;
    for (const auto &call : m_calls)
        call->cancelled = call->cancelled || call->id == memberOf(params, "requestId");
}

void McpServer::noise(const QByteArray &)
{
    m_peer.refuse(nullptr, {parseError, QStringLiteral("Not a JSON-RPC 2.0 message."), {}});
}

void McpServer::broken(const QString &why)
{
    m_peer.close(why);
    Q_EMIT failed(why);
}

} // namespace ako::mcp
