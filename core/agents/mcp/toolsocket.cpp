// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/mcp/toolsocket.h"

#include "base/installation.h"

#include <QDir>
#include <QLocalSocket>

#include <algorithm>
#include <utility>

namespace ako::mcp {

namespace {

constexpr qsizetype longestPath = 100; // the kernel takes 107 bytes
constexpr int mostConnections = 8;

QString folderTemplate()
{
    const QString name = QStringLiteral("/ako4all-XXXXXX");
    const QString wanted = QDir::tempPath() + name;
    return wanted.toUtf8().size() + 6 <= longestPath ? wanted : QStringLiteral("/tmp") + name;
}

} // namespace

ToolSocket::ToolSocket(Toolbox &toolbox, QObject *parent)
    : QObject(parent)
    , m_toolbox(toolbox)
    , m_folder(folderTemplate()) // made with rights for its owner only
{
    connect(&m_server, &QLocalServer::newConnection, this, &ToolSocket::accept);
}

ToolSocket::~ToolSocket()
{
    m_server.close();
    for (McpServer *connection : std::as_const(m_connections)) {
        QObject *socket = connection->parent();
        socket->disconnect(this);
        delete socket;
    }
}

QString ToolSocket::path() const
{
    return m_folder.filePath(QStringLiteral("tools"));
}

Result<void> ToolSocket::listen()
{
    if (!m_folder.isValid())
        return fail(tr("There is no folder for the tools' socket: %1").arg(m_folder.errorString()));
    if (!m_server.listen(path()))
        return fail(tr("The tools' socket %1 cannot be made: %2").arg(path(), m_server.errorString()));
    return {};
}

Result<nlohmann::json> ToolSocket::descriptor() const
{
    const QString program = installation::program(QStringLiteral("ako4all"));
    if (program.isEmpty())
        return fail(tr("The program ako4all, which passes tools on, is not beside this one and not on PATH."));
    return nlohmann::json{{"name", serverName},
                          {"command", program.toStdString()},
                          {"args", {"mcp", "--connect", path().toStdString()}},
                          {"env", nlohmann::json::array()}};
}

void ToolSocket::accept()
{
    while (QLocalSocket *socket = m_server.nextPendingConnection()) {
        if (m_connections.size() >= mostConnections) {
            socket->abort();
            socket->deleteLater();
            continue;
        }
        auto *connection =
            new McpServer(m_toolbox, [socket](const QByteArray &bytes) { socket->write(bytes); }, socket);
        m_connections << connection;
        connect(socket, &QLocalSocket::readyRead, connection,
                [socket, connection] { connection->receive(socket->readAll()); });
        connect(connection, &McpServer::busyChanged, this, &ToolSocket::tellBusy);
        connect(connection, &McpServer::failed, socket, [socket] { socket->abort(); });
        connect(socket, &QLocalSocket::disconnected, this, [this, socket, connection] {
            m_connections.removeOne(connection);
            tellBusy();
            socket->deleteLater();
        });
    }
}

void ToolSocket::tellBusy()
{
    const bool busy = std::ranges::any_of(m_connections, [](const McpServer *each) { return each->isBusy(); });
    if (busy != m_busy)
        Q_EMIT busyChanged(m_busy = busy);
}

} // namespace ako::mcp
