// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/processsession.h"

#include "base/filedescriptor.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <vector>

namespace ako::processsession {
namespace {

struct CloseFolder
{
    void operator()(DIR *folder) const { ::closedir(folder); }
};

// /proc/<pid>/stat is "pid (name) state ppid pgrp session ..."; the name may hold anything, so it is read from the last
// parenthesis on.
bool isLivingMember(const char *pidText, pid_t leader)
{
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%s/stat", pidText);
    const FileDescriptor file(::open(path, O_RDONLY | O_CLOEXEC));
    char text[512];
    const ssize_t count = file.isValid() ? ::read(file.get(), text, sizeof text - 1) : -1;
    if (count <= 0)
        return false;
    text[count] = '\0';
    const char *afterName = std::strrchr(text, ')');
    char state = 'X';
    int parent = 0;
    int group = 0;
    int session = 0;
    if (!afterName || std::sscanf(afterName + 1, " %c %d %d %d", &state, &parent, &group, &session) != 4)
        return false;
    return (group == leader || session == leader) && state != 'Z' && state != 'X';
}

std::vector<pid_t> livingMembers(pid_t leader)
{
    std::vector<pid_t> members;
    const std::unique_ptr<DIR, CloseFolder> folder(::opendir("/proc"));
    while (const dirent *entry = folder ? ::readdir(folder.get()) : nullptr) {
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && isLivingMember(entry->d_name, leader))
            members.push_back(pid_t(std::atol(entry->d_name)));
    }
    return members;
}

} // namespace

void signalGroup(pid_t leader, int signalNumber)
{
    if (::kill(-leader, signalNumber) != 0 && errno == ESRCH)
        ::kill(leader, signalNumber);
}

void killAll(pid_t leader)
{
    signalGroup(leader, SIGKILL);
    for (const pid_t member : livingMembers(leader))
        ::kill(member, SIGKILL);
}

qint64 residentBytes(pid_t leader)
{
    const qint64 page = ::sysconf(_SC_PAGESIZE);
    qint64 total = 0;
    for (const pid_t member : livingMembers(leader)) {
        char path[64];
        std::snprintf(path, sizeof path, "/proc/%d/statm", int(member));
        const FileDescriptor file(::open(path, O_RDONLY | O_CLOEXEC));
        char text[128];
        const ssize_t count = file.isValid() ? ::read(file.get(), text, sizeof text - 1) : -1;
        if (count <= 0)
            continue;
        text[count] = '\0';
        long long size = 0;
        long long resident = 0;
        long long shared = 0; // files that others map too: programs and libraries
        if (std::sscanf(text, "%lld %lld %lld", &size, &resident, &shared) == 3)
            total += (resident - shared) * page;
    }
    return total;
}

bool hasLivingMembers(pid_t leader)
{
    return !livingMembers(leader).empty();
}

} // namespace ako::processsession
