// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/filedescriptor.h"

#include <sys/types.h>

namespace ako {

// Kills a child's process group when this application ends without having done so itself (SIGKILL, a crash). The
// parent-death signal reaches only the leader, a shell, and not the bench below it; so a small process outside the
// group waits on a pipe whose other end only we hold, and kills the group when it closes.
class Lifeline
{
public:
    Lifeline() = default;
    explicit Lifeline(pid_t group);
    Lifeline(const Lifeline &) = delete;
    Lifeline &operator=(const Lifeline &) = delete;
    ~Lifeline();

    // Ends the watching, before the group's number can be used again.
    void release();

private:
    FileDescriptor m_writer;
    pid_t m_watcher = -1;
};

} // namespace ako
