// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

namespace ako::eval {

// A child process of ours and all that it starts: killed as a whole, also what has left its process group or lost its
// parent. The child's group has the child's number.
class ProcessTree
{
public:
    explicit ProcessTree(pid_t child);
    ~ProcessTree(); // kills and reaps
    ProcessTree(const ProcessTree &) = delete;
    ProcessTree &operator=(const ProcessTree &) = delete;

    pid_t child() const { return m_child; } // -1: reaped
    void kill() const;
    int wait();                 // for its end; kills what it leaves behind; returns its wait status
    bool hasEnded(int &status); // the same if it has ended already

private:
    void forget();

    pid_t m_child;
};

// Orphans of our children become our children instead of init's; once, at the program's start.
void adoptOrphans();

} // namespace ako::eval
