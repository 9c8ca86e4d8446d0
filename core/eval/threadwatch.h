// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ako::eval {

// Looks from outside at the threads of a process besides its first one (/proc/PID/task): whether they sleep, and
// whether one of them has been awake in between.
class ThreadWatch
{
public:
    explicit ThreadWatch(pid_t process);

    bool allSleep() const;
    // Waits until all of them sleep, so long at most, and takes note of them; false: one still runs.
    bool note(std::int64_t limitNs);
    std::size_t count() const { return m_noted.size(); }
    // None has run since note(), and none is new or gone.
    bool sleptSince() const;

    // The same for a longer time; mark() says whether all of them sleep, and waits for nothing.
    bool mark();
    bool sleptSinceMark() const;

private:
    struct Thread
    {
        std::string number;
        std::uint64_t switches = 0; // away from it: it ran and stopped running
        bool operator==(const Thread &other) const = default;
    };
    bool look(std::vector<Thread> &threads) const; // false: one of them runs, or waits for its turn

    std::string m_folder, m_first;
    std::vector<Thread> m_noted, m_marked;
};

} // namespace ako::eval
