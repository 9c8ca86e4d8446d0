// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "process/childprocess.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace ako::acp {

// An agent's process: bytes to and from it, the last of what it says on standard error, and an end in stages that never
// waits: its input is closed, then the whole group is told to end, then it is killed.
class AgentProcess : public QObject
{
    Q_OBJECT

public:
    AgentProcess(CommandSpec spec, int closeGraceMilliseconds, QObject *parent = nullptr);

    void start();
    void send(const QByteArray &bytes);
    void close(); // asks it to end; ended() follows
    void kill();  // the same without the first stage
    // All memory that the group holds, at most; above it the group is killed. 0: not watched.
    void setMemoryLimit(qint64 bytes) { m_memoryLimit = bytes; }

    QString lastErrors() const; // a few lines of its standard error

Q_SIGNALS:
    void received(const QByteArray &bytes);
    void choked();                  // it does not read what it is sent
    void ended(const QString &how); // once, after everything that it still said; the group is gone

private:
    void watchMemory();
    void finish(const ProcessEnd &end);

    ChildProcess m_child;
    QTimer m_close;
    QTimer m_memory;
    qint64 m_memoryLimit = 0;
    QByteArray m_errors;
    QString m_because; // we ended it
};

} // namespace ako::acp
