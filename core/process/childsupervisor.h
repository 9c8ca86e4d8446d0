// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/boundedbytes.h"
#include "process/childlauncher.h"
#include "process/commandspec.h"
#include "process/lifeline.h"

#include <QDeadlineTimer>
#include <QElapsedTimer>

#include <memory>

namespace ako {

// One child from its start to the end of its whole process group, without an event loop: its owner waits for
// outputDescriptor(), deathDescriptor() and millisecondsToWait(), and calls readOutput() and advance() then.
class ChildSupervisor
{
public:
    explicit ChildSupervisor(CommandSpec spec);
    ~ChildSupervisor(); // kills the group of one that still runs and waits for it, within limits
    ChildSupervisor(const ChildSupervisor &) = delete;
    ChildSupervisor &operator=(const ChildSupervisor &) = delete;

    void start();
    void stop();

    QByteArray readOutput();            // what there is now, at most some hundred kilobytes; empty when there is none
    QByteArray readErrors();            // the same of a conversation's standard error
    void feed(const QByteArray &bytes); // written as far as it is taken; the rest waits for inputDescriptor()
    void closeInput();                  // once all of it is written
    void writeInput();
    void advance(); // notices the end, moves through the stages of a stop

    bool hasStarted() const { return m_stage != Stage::New; }
    bool isDone() const { return m_stage == Stage::Done; }
    pid_t pid() const { return m_child.pid; }
    int outputDescriptor() const { return m_child.output.get(); } // -1 once it has ended
    int errorsDescriptor() const { return m_child.errors.get(); }
    int inputDescriptor() const { return m_child.input.get(); } // -1 once it is closed
    qsizetype unwrittenBytes() const { return m_unwritten.size(); }
    int deathDescriptor() const { return m_leaderEnded ? -1 : m_child.death.get(); }
    int millisecondsToWait() const; // until advance() has something to do; -1: nothing is due
    QByteArray takeFinalOutput();   // what the last advance() still found in the pipe
    QByteArray takeFinalErrors();
    ProcessEnd takeEnd();

private:
    enum class Stage { New, Running, Interrupted, Terminated, Killed, Clearing, Done };

    void beginStop(ProcessEnd::Kind kind);
    void escalate();
    void noticeLeaderEnd();
    void recordEnd(int code, int status);
    void clear();
    void finish();
    void failToStart(const QString &error);

    CommandSpec m_spec;
    LaunchedChild m_child;
    std::unique_ptr<Lifeline> m_lifeline;
    Stage m_stage = Stage::New;
    bool m_leaderEnded = false;
    bool m_stopping = false;
    QDeadlineTimer m_timeout{QDeadlineTimer::Forever};
    QDeadlineTimer m_stageEnd{QDeadlineTimer::Forever};
    QElapsedTimer m_clock;
    BoundedBytes m_output;
    QByteArray m_finalOutput;
    QByteArray m_finalErrors;
    QByteArray m_unwritten;
    bool m_closesInput = false;
    ProcessEnd m_end;
};

} // namespace ako
