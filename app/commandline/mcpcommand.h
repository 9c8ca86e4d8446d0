// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>

class QSocketNotifier;

namespace ako {

// Standard input and output as a stream of bytes; at the input's end or when nobody reads the output any more, ended().
class StandardStreams : public QObject
{
    Q_OBJECT

public:
    explicit StandardStreams(QObject *parent = nullptr);
    void write(const QByteArray &bytes);

Q_SIGNALS:
    void received(const QByteArray &bytes);
    void ended();

private:
    void read();
    QSocketNotifier *m_input;
};

// `ako4all mcp WORKSPACE`: the tools of that workspace for a client of the Model Context Protocol, until its end.
int serveTools(const QString &workspace);

// `ako4all mcp --connect SOCKET`: what a coding agent of a run starts; passes bytes on to that run and back.
int connectToTools(const QString &socketPath);

} // namespace ako
