// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/processtree.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <vector>

namespace ako::eval {

namespace {

constexpr int roundsAtMost = 100; // of a process that starts others faster than they are killed

bool adopting = false;
std::mutex guard;        // workers may come up side by side
std::vector<pid_t> ours; // children that somebody here waits for

bool isOurs(pid_t child)
{
    const std::lock_guard lock(guard);
    return std::find(ours.begin(), ours.end(), child) != ours.end();
}

std::vector<pid_t> childrenOf(pid_t process)
{
    std::vector<pid_t> children;
    std::error_code error;
    const std::filesystem::path tasks = "/proc/" + std::to_string(process) + "/task";
    for (auto task = std::filesystem::directory_iterator(tasks, error);
         !error && task != std::filesystem::directory_iterator(); task.increment(error)) {
        std::ifstream list(task->path() / "children");
        pid_t child = 0;
        while (list >> child)
            children.push_back(child);
    }
    return children;
}

void killDescendants(pid_t process)
{
    for (const pid_t child : childrenOf(process)) {
        kill(child, SIGSTOP); // before it starts more
        killDescendants(child);
        kill(child, SIGKILL);
    }
}

// Processes that became our children when their parents ended. Killing one may hand us its own children.
void killOrphans()
{
    for (int round = 0; adopting && round < roundsAtMost; ++round) {
        bool some = false;
        for (const pid_t child : childrenOf(getpid())) {
            if (isOurs(child))
                continue;
            kill(child, SIGKILL);
            some = waitpid(child, nullptr, 0) == child || some;
        }
        if (!some)
            return;
    }
}

} // namespace

ProcessTree::ProcessTree(pid_t child)
    : m_child(child)
{
    const std::lock_guard lock(guard);
    ours.push_back(child);
}

ProcessTree::~ProcessTree()
{
    if (m_child <= 0)
        return;
    kill();
    wait();
}

void ProcessTree::kill() const
{
    if (m_child <= 0)
        return;
    killDescendants(m_child);
    ::kill(-m_child, SIGKILL);
    ::kill(m_child, SIGKILL); // which may not have made its group yet
}

int ProcessTree::wait()
{
    int status = 0;
    while (waitpid(m_child, &status, 0) < 0 && errno == EINTR) {}
    forget();
    return status;
}

bool ProcessTree::hasEnded(int &status)
{
    if (m_child <= 0 || waitpid(m_child, &status, WNOHANG) != m_child)
        return false;
    forget();
    return true;
}

void ProcessTree::forget()
{
    ::kill(-m_child, SIGKILL);
    {
        const std::lock_guard lock(guard);
        ours.erase(std::remove(ours.begin(), ours.end(), m_child), ours.end());
    }
    m_child = -1;
    killOrphans();
}

void adoptOrphans()
{
    adopting = prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
}

} // namespace ako::eval
