// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline/mcpcommand.h"

#include "agents/mcp/mcpserver.h"
#include "base/atomicfile.h"
#include "base/installation.h"
#include "commandline/exitcode.h"
#include "commandline/interrupt.h"
#include "loop/workspacetools.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocalSocket>
#include <QSocketNotifier>

#include <array>
#include <cerrno>
#include <cstdio>
#include <unistd.h>

namespace ako {

namespace {

constexpr int connectMilliseconds = 10'000;

QString tr(const char *text)
{
    return QCoreApplication::translate("CommandLine", text);
}

int complain(const QString &text)
{
    std::fprintf(stderr, "ako4all: %s\n", qUtf8Printable(text));
    return ExitFailed;
}

} // namespace

StandardStreams::StandardStreams(QObject *parent)
    : QObject(parent)
    , m_input(new QSocketNotifier(STDIN_FILENO, QSocketNotifier::Read, this))
{
    connect(m_input, &QSocketNotifier::activated, this, &StandardStreams::read);
}

void StandardStreams::read()
{
    std::array<char, 64 * 1024> buffer{};
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (count <= 0) {
        m_input->setEnabled(false);
        Q_EMIT ended();
        return;
    }
    Q_EMIT received(QByteArray(buffer.data(), count));
}

void StandardStreams::write(const QByteArray &bytes)
{
    if (!writeAll(STDOUT_FILENO, bytes))
        Q_EMIT ended();
}

int serveTools(const QString &workspace)
{
    if (!QFileInfo(workspace).isDir())
        return complain(tr("%1 is not a folder.").arg(workspace));
    Interrupt interrupt;
    StandardStreams streams;
    WorkspaceTools tools(workspace, standardPorts(), installation::program(QStringLiteral("ako-bench")));
    mcp::McpServer server(tools, [&streams](const QByteArray &bytes) { streams.write(bytes); });
    // A bench under way is ended in order: whoever asked for it has gone.
    const auto leave = [&tools] {
        if (!tools.isBusy())
            return QCoreApplication::exit(ExitDone);
        QObject::connect(
            &tools, &WorkspaceTools::idle, &tools, [] { QCoreApplication::exit(ExitDone); }, Qt::QueuedConnection);
        tools.stop();
    };
    QObject::connect(&streams, &StandardStreams::received, &server, &mcp::McpServer::receive);
    QObject::connect(&streams, &StandardStreams::ended, &tools, leave, Qt::QueuedConnection);
    QObject::connect(&interrupt, &Interrupt::interrupted, &tools, leave);
    QObject::connect(&server, &mcp::McpServer::failed, &tools,
                     [](const QString &why) { QCoreApplication::exit(complain(why)); });
    return QCoreApplication::exec();
}

int connectToTools(const QString &socketPath)
{
    QLocalSocket socket;
    socket.connectToServer(socketPath);
    if (!socket.waitForConnected(connectMilliseconds))
        return complain(
            tr("The tools at %1 cannot be reached (%2): its run has ended.").arg(socketPath, socket.errorString()));
    Interrupt interrupt;
    StandardStreams streams;
    QObject::connect(&streams, &StandardStreams::received, &socket,
                     [&socket](const QByteArray &bytes) { socket.write(bytes); });
    QObject::connect(&socket, &QLocalSocket::readyRead, &streams, [&] { streams.write(socket.readAll()); });
    const auto leave = [] { QCoreApplication::exit(ExitDone); };
    QObject::connect(&socket, &QLocalSocket::disconnected, &streams, leave, Qt::QueuedConnection);
    QObject::connect(&streams, &StandardStreams::ended, &socket, leave, Qt::QueuedConnection);
    QObject::connect(&interrupt, &Interrupt::interrupted, &socket, leave);
    return QCoreApplication::exec();
}

} // namespace ako
