// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QTcpServer>
#include <QUrl>

class QTcpSocket;

namespace ako::test {

// An HTTP server on this machine that plays bytes: for each request the next script, its pieces in packets of their
// own, then it closes the connection, or leaves it open.
class ByteServer : public QTcpServer
{
    Q_OBJECT

public:
    struct Script
    {
        QList<QByteArray> pieces;
        bool staysOpen = false;
    };

    ByteServer();

    QUrl url(const QString &path = {}) const;
    void add(const Script &script) { m_scripts << script; }
    // 200 with an event stream; every byte in a packet of its own where `bytewise`.
    void addStream(const QByteArray &body, bool bytewise = false, bool staysOpen = false);
    void addStatus(int status, const QByteArray &body, const QByteArray &moreHeaders = {});

    QList<QByteArray> requests; // head and body of each

private:
    void accept();
    void play(QTcpSocket *socket);

    QList<Script> m_scripts;
};

} // namespace ako::test
