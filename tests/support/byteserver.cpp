// SPDX-License-Identifier: GPL-3.0-or-later
#include "byteserver.h"

#include <QTcpSocket>
#include <QTimer>

#include <memory>

namespace ako::test {

namespace {

// Whole when its body is as long as its head says.
bool isWhole(const QByteArray &request)
{
    const qsizetype end = request.indexOf("\r\n\r\n");
    if (end < 0)
        return false;
    const QByteArray head = request.left(end).toLower();
    const qsizetype at = head.indexOf("content-length:");
    const qsizetype length = at < 0 ? 0 : head.mid(at + 15).split('\r').constFirst().trimmed().toLongLong();
    return request.size() >= end + 4 + length;
}

} // namespace

ByteServer::ByteServer()
{
    if (!listen(QHostAddress::LocalHost))
        qWarning("no port can be listened on");
    connect(this, &QTcpServer::newConnection, this, &ByteServer::accept);
}

QUrl ByteServer::url(const QString &path) const
{
    return QUrl(QStringLiteral("http://127.0.0.1:%1%2").arg(serverPort()).arg(path));
}

void ByteServer::addStream(const QByteArray &body, bool bytewise, bool staysOpen)
{
    Script script;
    script.staysOpen = staysOpen;
    script.pieces << "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    if (!bytewise)
        script.pieces << body;
    for (qsizetype at = 0; bytewise && at < body.size(); ++at)
        script.pieces << body.mid(at, 1);
    add(script);
}

void ByteServer::addStatus(int status, const QByteArray &body, const QByteArray &moreHeaders)
{
    add({{"HTTP/1.1 " + QByteArray::number(status) + " x\r\ncontent-type: application/json\r\n" + moreHeaders +
          "content-length: " + QByteArray::number(body.size()) + "\r\nconnection: close\r\n\r\n" + body}});
}

void ByteServer::accept()
{
    while (QTcpSocket *socket = nextPendingConnection()) {
        socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        auto request = std::make_shared<QByteArray>();
        connect(socket, &QTcpSocket::readyRead, this, [this, socket, request] {
            *request += socket->readAll();
            if (!isWhole(*request))
                return;
            requests << *request;
            request->clear();
            play(socket);
        });
        connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
    }
}

void ByteServer::play(QTcpSocket *socket)
{
    const Script script = m_scripts.isEmpty() ? Script{{"HTTP/1.1 418 no script\r\ncontent-length: 0\r\n\r\n"}, false}
                                              : m_scripts.takeFirst();
    for (const QByteArray &piece : script.pieces) {
        socket->write(piece);
        socket->flush();
    }
    if (!script.staysOpen)
        socket->disconnectFromHost();
}

} // namespace ako::test
