// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/childrun.h"

#include "eval/boundedtext.h"
#include "eval/descriptor.h"
#include "eval/interrupt.h"
#include "eval/landlock.h"
#include "eval/processtree.h"
#include "eval/status.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

namespace ako::eval {

namespace {

using Clock = std::chrono::steady_clock;

std::vector<char *> pointersTo(std::vector<std::string> &texts)
{
    std::vector<char *> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string &text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

void limit(int resource, std::int64_t bytes)
{
    const auto value = rlim_t(withinOwnLimit(resource, bytes));
    const rlimit both{value, value};
    setrlimit(static_cast<__rlimit_resource_t>(resource), &both);
}

// After fork: only async-signal-safe calls.
[[noreturn]] void becomeChild(const ChildCommand &command, char *const *arguments, char *const *environment, int output)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ})
        std::signal(signal, SIG_DFL);
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    limit(RLIMIT_FSIZE, command.fileBytes);
    if (command.memoryBytes > 0)
        limit(RLIMIT_AS, command.memoryBytes);
    const int input = open("/dev/null", O_RDONLY);
    if (input < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0)
        _exit(126);
    if (!command.folder.empty() && chdir(command.folder.c_str()) != 0)
        _exit(126);
    if (!enterFileRules(command.fileRules))
        _exit(126);
    execve(command.program.c_str(), arguments, environment);
    _exit(127);
}

bool readSome(int descriptor, BoundedText &text)
{
    std::array<char, 65536> buffer;
    const ssize_t count = read(descriptor, buffer.data(), buffer.size());
    if (count > 0)
        text.append({buffer.data(), static_cast<std::size_t>(count)});
    return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

// Until the output is closed or the time is up; false: time is up.
bool drain(int descriptor, Clock::time_point deadline, BoundedText &text)
{
    while (Clock::now() < deadline) {
        throwIfInterrupted();
        pollfd entry{descriptor, POLLIN, 0};
        if (poll(&entry, 1, 100) > 0 && !readSome(descriptor, text))
            return true;
    }
    return false;
}

// One that has closed its output is about to end, or pretends to be.
bool waitUntil(ProcessTree &tree, Clock::time_point deadline, int &status)
{
    while (!tree.hasEnded(status)) {
        throwIfInterrupted();
        if (Clock::now() >= deadline)
            return false;
        const timespec pause{0, 500'000};
        nanosleep(&pause, nullptr);
    }
    return true;
}

} // namespace

ChildOutcome runChild(const ChildCommand &command)
{
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        throw Failure(Status::Infrastructure, std::string("No pipe could be made: ") + std::strerror(errno));
    const Descriptor reading(ends[0]);
    Descriptor writing(ends[1]);
    std::vector<std::string> arguments = command.arguments, environment = command.environment;
    arguments.insert(arguments.begin(), command.program);
    const std::vector<char *> argumentPointers = pointersTo(arguments), environmentPointers = pointersTo(environment);
    const pid_t process = fork();
    if (process < 0)
        throw Failure(Status::Infrastructure, command.program + ": cannot be started: " + std::strerror(errno));
    if (process == 0)
        becomeChild(command, argumentPointers.data(), environmentPointers.data(), writing.get());
    setpgid(process, process);
    ProcessTree tree(process);
    writing.reset();
    BoundedText text;
    ChildOutcome outcome;
    const auto limit =
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(command.timeoutSeconds));
    const Clock::time_point deadline = Clock::now() + limit;
    int status = 0;
    outcome.timedOut = !drain(reading.get(), deadline, text) || !waitUntil(tree, deadline, status);
    if (outcome.timedOut) {
        tree.kill();
        status = tree.wait();
    }
    throwIfInterrupted(); // what stops us may have stopped the child first
    outcome.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    outcome.output = text.text();
    return outcome;
}

std::int64_t withinOwnLimit(int resource, std::int64_t bytes)
{
    rlimit own = {};
    if (getrlimit(static_cast<__rlimit_resource_t>(resource), &own) != 0 || own.rlim_cur == RLIM_INFINITY)
        return bytes;
    return std::int64_t(std::min(own.rlim_cur, rlim_t(bytes)));
}

std::string describeEnd(const ChildOutcome &outcome)
{
    if (outcome.timedOut)
        return "took too long and was ended";
    if (outcome.signal != 0)
        return std::string("was ended by signal ") + std::to_string(outcome.signal) + " (" + strsignal(outcome.signal) +
               ")";
    return "ended with status " + std::to_string(outcome.exitCode);
}

} // namespace ako::eval
