// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/threadwatch.h"

#include "eval/descriptor.h"
#include "eval/trial.h"

#include <dirent.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

namespace ako::eval {

namespace {

constexpr long pauseNs = 200'000;

// proc_pid_status(5) is short, but lists the processors that a thread may use.
std::string contentOf(const std::string &path)
{
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::array<char, 8192> text;
    const ssize_t count = file.get() < 0 ? -1 : read(file.get(), text.data(), text.size());
    return count > 0 ? std::string(text.data(), std::size_t(count)) : std::string();
}

// What stands behind a name at a line's beginning.
std::string_view field(const std::string &status, const char *name)
{
    const std::size_t at = status.find(std::string("\n") + name);
    if (at == std::string::npos)
        return {};
    const std::size_t begin = status.find_first_not_of(" \t", status.find(':', at) + 1);
    return std::string_view(status).substr(begin, status.find('\n', begin) - begin);
}

std::uint64_t number(std::string_view text)
{
    return std::strtoull(std::string(text).c_str(), nullptr, 10);
}

} // namespace

ThreadWatch::ThreadWatch(pid_t process)
    : m_folder("/proc/" + std::to_string(process) + "/task/")
    , m_first(std::to_string(process))
{
}

bool ThreadWatch::look(std::vector<Thread> &threads) const
{
    threads.clear();
    DIR *folder = opendir(m_folder.c_str());
    if (!folder)
        return true;
    while (const dirent *entry = readdir(folder)) {
        if (entry->d_name[0] != '.' && entry->d_name != m_first)
            threads.push_back({entry->d_name, 0});
    }
    closedir(folder);
    bool sleep = true;
    for (Thread &thread : threads) {
        const std::string status = contentOf(m_folder + thread.number + "/status");
        const std::string_view state = field(status, "State:");
        sleep = sleep && !state.empty() && state.front() != 'R' && state.front() != 'X' && state.front() != 'Z';
        thread.switches =
            number(field(status, "voluntary_ctxt_switches:")) + number(field(status, "nonvoluntary_ctxt_switches:"));
    }
    return sleep;
}

bool ThreadWatch::allSleep() const
{
    std::vector<Thread> threads;
    return look(threads);
}

bool ThreadWatch::note(std::int64_t limitNs)
{
    const std::int64_t begin = monotonicNs();
    while (!look(m_noted)) {
        if (monotonicNs() - begin > limitNs)
            return false;
        const timespec pause{0, pauseNs};
        nanosleep(&pause, nullptr);
    }
    return true;
}

bool ThreadWatch::mark()
{
    return look(m_marked);
}

bool ThreadWatch::sleptSinceMark() const
{
    std::vector<Thread> threads;
    return look(threads) && threads == m_marked;
}

bool ThreadWatch::sleptSince() const
{
    std::vector<Thread> threads;
    return look(threads) && threads == m_noted;
}

} // namespace ako::eval
