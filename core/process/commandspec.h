// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

namespace ako {

// A child to be started. The program is an absolute path or found on the application's PATH, never in the working
// directory.
struct CommandSpec
{
    QString program;
    QStringList arguments;
    QString workingDirectory;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    QByteArray standardInput;
    bool isConversation = false; // fed by write() instead; what it says is not limited, its errors come apart
    qint64 memoryLimitBytes = 0; // of data, for each of its processes (RLIMIT_DATA); 0: none
    int timeoutMilliseconds = 0; // 0: none
    qint64 outputLimitBytes = 8LL * 1024 * 1024; // what is kept; the rest is read, counted and dropped
    int interruptGraceMilliseconds = 2000;       // SIGINT to SIGTERM when stopped
    int terminateGraceMilliseconds = 2000;       // SIGTERM to SIGKILL
};

// How it ended. Reported exactly once, a failed start included.
struct ProcessEnd
{
    enum class Kind { Exited, Signalled, FailedToStart, TimedOut, Stopped };
    Kind kind = Kind::Exited;
    int exitCode = -1;    // Exited
    int signalNumber = 0; // Signalled
    QString error;        // FailedToStart: why
    QByteArray output;    // standard output and error as they came; over the limit, its first quarter and the last
                          // three, with a line between them that says how much is left out
    qint64 droppedBytes = 0;
    qint64 elapsedMilliseconds = 0;

    bool succeeded() const { return kind == Kind::Exited && exitCode == 0; }
};

} // namespace ako
