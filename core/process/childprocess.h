// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "process/commandspec.h"

#include <QObject>

#include <memory>

namespace ako {

// One child in its own session and process group. finished() is emitted exactly once, asynchronously, and only after
// the whole group is gone: when the leader ends, what is left of the group is killed. Destroying a running one kills
// the group, and so does the end of this application, however it ends. It belongs to the thread that calls start(),
// which must live as long as the child: the kernel kills the child when that thread ends. Slots may destroy it.
class ChildProcess : public QObject
{
    Q_OBJECT

public:
    explicit ChildProcess(CommandSpec spec, QObject *parent = nullptr);
    ~ChildProcess() override;

    void start();
    void stop(); // staged: SIGINT, SIGTERM, SIGKILL to the group; ends as Kind::Stopped. A timeout does the same.
    // To a conversation's standard input; what it does not read yet is kept and counted.
    void write(const QByteArray &bytes);
    void closeInput(); // after what was written
    qsizetype unwrittenBytes() const;
    bool isRunning() const;
    qint64 processId() const;

Q_SIGNALS:
    void outputAppended(const QByteArray &chunk); // the first outputLimitBytes; all that is kept is in ProcessEnd
    void errorsAppended(const QByteArray &chunk); // of a conversation, which has no limit on either
    void finished(const ako::ProcessEnd &end);

private:
    class Private;
    std::unique_ptr<Private> d;
};

// Runs to the end with a nested wait on the calling thread; for worker threads and start-up probes, never the GUI.
ProcessEnd runToEnd(const CommandSpec &spec);

} // namespace ako

Q_DECLARE_METATYPE(ako::ProcessEnd)
