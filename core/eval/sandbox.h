// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace ako::eval {

struct SandboxLimits
{
    std::int64_t memoryBytes = 0; // address space, 0: unlimited
    std::int64_t cpuSeconds = 3600;
    bool gpu = false; // the driver's device files stay writable; it opens them again for every allocation
};

struct SandboxState
{
    int landlock = 0; // ABI, 0: the kernel has none
    bool seccomp = false, limits = false;
    bool sealed = false;        // what was loaded before, by the kernel itself (mseal), besides the call filter
    bool memoryLimited = false; // a sanitizer's build cannot limit its address space
};

// Confines this process for good: no file can be written (Landlock), no process started, no socket made, no other
// process signalled, traced or watched (on the CPU), no signal handled, no code made or changed, nothing that is loaded
// now replaced or made writable, the evaluator's descriptors neither closed nor replaced (seccomp; starting a process
// raises SIGSYS, the rest fails with EPERM), memory, file size, core and CPU time limited. Threads stay allowed. What
// the kernel lacks is left out and shows in the returned state.
SandboxState enterSandbox(const SandboxLimits &limits);

} // namespace ako::eval
