// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/lifeline.h"

#include "base/logging.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <string>
#include <sys/wait.h>

namespace ako {
namespace {

// In a session of its own, with nothing but the pipe as its input and all signals as they are by default.
int spawnWatcher(pid_t *watcher, int pipe, const char *group)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawn_file_actions_adddup2(&actions, pipe, STDIN_FILENO);
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    ::posix_spawn_file_actions_addchdir_np(&actions, "/");
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    const char *arguments[] = {"sh", "-c", "read -r line; kill -s KILL -- \"-$1\"", "ako-lifeline", group, nullptr};
    char *noEnvironment[] = {nullptr};
    const int error =
        ::posix_spawn(watcher, "/bin/sh", &actions, &attributes, const_cast<char **>(arguments), noEnvironment);
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
    return error;
}

} // namespace

Lifeline::Lifeline(pid_t group)
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        qCWarning(logProcess) << "no lifeline for process group" << group << qt_error_string(errno);
        return;
    }
    const FileDescriptor reader(ends[0]);
    m_writer = FileDescriptor(ends[1]);
    const int error = spawnWatcher(&m_watcher, reader.get(), std::to_string(group).c_str());
    if (error != 0) {
        m_watcher = -1;
        qCWarning(logProcess) << "no lifeline for process group" << group << qt_error_string(error);
    }
}

Lifeline::~Lifeline()
{
    release();
}

void Lifeline::release()
{
    if (m_watcher > 0) {
        // Killed, not told: it is our child and unreaped, so the number is still its own and it ends at once.
        ::kill(m_watcher, SIGKILL);
        while (::waitpid(m_watcher, nullptr, 0) < 0 && errno == EINTR) {}
        m_watcher = -1;
    }
    m_writer.reset();
}

} // namespace ako
