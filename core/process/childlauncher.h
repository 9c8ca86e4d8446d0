// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/filedescriptor.h"
#include "base/result.h"
#include "process/commandspec.h"

#include <sys/types.h>

namespace ako {

// A process that was forked. Whether its program could be started is known once it has ended: see execError.
struct LaunchedChild
{
    pid_t pid = -1;
    FileDescriptor output;    // standard output and error, non-blocking
    FileDescriptor input;     // of a conversation: feeds its standard input, non-blocking
    FileDescriptor errors;    // of a conversation: its standard error, non-blocking
    FileDescriptor execError; // holds a LaunchFailure if the program could not be started, else ends empty
    FileDescriptor death;     // a pidfd, readable when the leader has ended; invalid on a kernel without it
};

struct LaunchFailure
{
    enum class Stage : int { WorkingDirectory, Descriptors, Program };
    Stage stage = Stage::Program;
    int error = 0;
};

// Forks the child as leader of its own session (and so of its own process group and without a terminal). It is killed
// when the calling thread ends; that thread serves the child's events, so it outlives it. An error means that there
// is no process.
Result<LaunchedChild> launchChild(const CommandSpec &spec);

QString describe(const LaunchFailure &failure, const CommandSpec &spec);

} // namespace ako
