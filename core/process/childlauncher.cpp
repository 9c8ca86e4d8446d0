// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/childlauncher.h"

#include "base/atomicfile.h"
#include "process/programlookup.h"

#include <QCoreApplication>
#include <QFile>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace ako {
namespace {

QString translate(const char *text)
{
    return QCoreApplication::translate("ako::ChildProcess", text);
}

std::unexpected<Error> cannotStart(const CommandSpec &spec, int error)
{
    return fail(translate(QT_TRANSLATE_NOOP("ako::ChildProcess", "Cannot start %1: %2"))
                    .arg(spec.program, qt_error_string(error)));
}

// Strings and the null-terminated array of pointers to them that exec wants.
class StringVector
{
public:
    void add(QByteArray text) { m_texts.push_back(std::move(text)); }
    std::vector<char *> pointers()
    {
        std::vector<char *> result;
        for (QByteArray &text : m_texts)
            result.push_back(text.data());
        result.push_back(nullptr);
        return result;
    }

private:
    std::vector<QByteArray> m_texts;
};

// Everything the forked child needs, made before the fork: after it only async-signal-safe calls are allowed, because
// another thread may have held the allocator's lock.
struct Preparation
{
    QByteArray program;
    QByteArray workingDirectory;
    StringVector argumentTexts;
    StringVector environmentTexts;
    std::vector<char *> arguments;
    std::vector<char *> environment;
    FileDescriptor input;
    FileDescriptor outputWriter;
    FileDescriptor errorsWriter; // a conversation's standard error; invalid: it goes where the output goes
    FileDescriptor errorWriter;
    rlim_t memoryLimit = RLIM_INFINITY;
    pid_t parent = -1;
    sigset_t noSignals = {};
};

// Out of the way of 0, 1 and 2, which the child replaces.
FileDescriptor lifted(FileDescriptor descriptor)
{
    if (!descriptor.isValid() || descriptor.get() > STDERR_FILENO)
        return descriptor;
    return FileDescriptor(::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

bool makePipe(FileDescriptor &reader, FileDescriptor &writer)
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return false;
    reader = lifted(FileDescriptor(ends[0]));
    writer = lifted(FileDescriptor(ends[1]));
    return reader.isValid() && writer.isValid();
}

// Standard input is a file in memory: the child reads it at its own pace, and we never wait for a child that does not.
FileDescriptor makeInput(const QByteArray &content)
{
    if (content.isEmpty())
        return lifted(FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)));
    FileDescriptor file(::memfd_create("standard-input", MFD_CLOEXEC));
    if (file.isValid() && (!writeAll(file.get(), content) || ::lseek(file.get(), 0, SEEK_SET) != 0))
        return {};
    return lifted(std::move(file));
}

bool makeStreams(const CommandSpec &spec, LaunchedChild &child, Preparation &preparation)
{
    if (!spec.isConversation)
        preparation.input = makeInput(spec.standardInput);
    else if (!makePipe(preparation.input, child.input) || !makePipe(child.errors, preparation.errorsWriter))
        return false;
    for (const FileDescriptor *ours : {&child.input, &child.errors}) {
        if (ours->isValid())
            ::fcntl(ours->get(), F_SETFL, O_NONBLOCK);
    }
    return preparation.input.isValid() && makePipe(child.output, preparation.outputWriter);
}

void prepareTexts(const CommandSpec &spec, const QString &program, Preparation &preparation)
{
    preparation.program = QFile::encodeName(program);
    preparation.workingDirectory = QFile::encodeName(spec.workingDirectory);
    preparation.argumentTexts.add(QFile::encodeName(spec.program));
    for (const QString &argument : spec.arguments)
        preparation.argumentTexts.add(argument.toUtf8());
    const QStringList variables = spec.environment.toStringList();
    for (const QString &variable : variables)
        preparation.environmentTexts.add(variable.toUtf8());
    preparation.arguments = preparation.argumentTexts.pointers();
    preparation.environment = preparation.environmentTexts.pointers();
}

[[noreturn]] void giveUp(const Preparation &preparation, LaunchFailure::Stage stage)
{
    const LaunchFailure failure{stage, errno};
    [[maybe_unused]] const ssize_t count = ::write(preparation.errorWriter.get(), &failure, sizeof failure);
    ::_exit(127);
}

// The application's handlers must not run in the child, nor its ignored signals stay ignored in the program.
void resetSignals(const Preparation &preparation)
{
    struct sigaction action = {};
    action.sa_handler = SIG_DFL;
    for (int number = 1; number < NSIG; ++number)
        ::sigaction(number, &action, nullptr);
    ::sigprocmask(SIG_SETMASK, &preparation.noSignals, nullptr);
}

[[noreturn]] void runChild(const Preparation &preparation)
{
    ::setsid();
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != preparation.parent)
        ::_exit(127); // the application ended between fork and prctl: nobody would tell us any more
    resetSignals(preparation);
    if (!preparation.workingDirectory.isEmpty() && ::chdir(preparation.workingDirectory.constData()) != 0)
        giveUp(preparation, LaunchFailure::Stage::WorkingDirectory);
    if (::dup2(preparation.input.get(), STDIN_FILENO) < 0 ||
        ::dup2(preparation.outputWriter.get(), STDOUT_FILENO) < 0 ||
        ::dup2((preparation.errorsWriter.isValid() ? preparation.errorsWriter : preparation.outputWriter).get(),
               STDERR_FILENO) < 0)
        giveUp(preparation, LaunchFailure::Stage::Descriptors);
    if (preparation.memoryLimit != RLIM_INFINITY) {
        const rlimit limit{preparation.memoryLimit, preparation.memoryLimit};
        ::setrlimit(RLIMIT_DATA, &limit); // lowering never fails; above a limit of ours that one holds
    }
    // Descriptors that a library opened without the flag stay ours as well (CLOSE_RANGE_CLOEXEC; Linux 5.11).
    ::syscall(SYS_close_range, 3U, ~0U, 4U);
    ::execve(preparation.program.constData(), preparation.arguments.data(), preparation.environment.data());
    giveUp(preparation, LaunchFailure::Stage::Program);
}

// All signals are blocked from before the fork until the child has reset its handlers.
pid_t forkChild(const Preparation &preparation)
{
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = ::fork();
    if (pid == 0)
        runChild(preparation);
    const int error = errno;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = error;
    return pid;
}

} // namespace

Result<LaunchedChild> launchChild(const CommandSpec &spec)
{
    const Result<QString> program = findProgram(spec.program, spec.workingDirectory);
    if (!program)
        return std::unexpected(program.error());
    LaunchedChild child;
    Preparation preparation;
    prepareTexts(spec, *program, preparation);
    ::sigemptyset(&preparation.noSignals);
    preparation.parent = ::getpid();
    if (spec.memoryLimitBytes > 0)
        preparation.memoryLimit = rlim_t(spec.memoryLimitBytes);
    if (!makeStreams(spec, child, preparation) || !makePipe(child.execError, preparation.errorWriter))
        return cannotStart(spec, errno);
    ::fcntl(child.output.get(), F_SETFL, O_NONBLOCK);
    ::fcntl(child.output.get(), F_SETPIPE_SZ, 1024 * 1024); // fewer wake-ups; a smaller one does too
    ::fcntl(child.execError.get(), F_SETFL, O_NONBLOCK);
    child.pid = forkChild(preparation);
    if (child.pid < 0)
        return cannotStart(spec, errno);
    child.death = FileDescriptor(int(::syscall(SYS_pidfd_open, child.pid, 0U)));
    return child;
}

QString describe(const LaunchFailure &failure, const CommandSpec &spec)
{
    const QString reason = qt_error_string(failure.error);
    if (failure.stage == LaunchFailure::Stage::WorkingDirectory)
        return translate(QT_TRANSLATE_NOOP("ako::ChildProcess", "Cannot start %1 in %2: %3"))
            .arg(spec.program, spec.workingDirectory, reason);
    return translate(QT_TRANSLATE_NOOP("ako::ChildProcess", "Cannot start %1: %2")).arg(spec.program, reason);
}

} // namespace ako
