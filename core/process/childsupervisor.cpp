// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/childsupervisor.h"

#include "base/logging.h"
#include "process/processsession.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace ako {
namespace {

constexpr int pollMilliseconds = 5;          // while something must be asked for again and again
constexpr int clearingMilliseconds = 10'000; // for killed processes to be gone; one in the kernel's hands may take long
constexpr int reapMilliseconds = 2'000;
constexpr qsizetype chunkBytes = 256 * 1024;
constexpr qsizetype finalReadBytes = 4 * 1024 * 1024; // more than a pipe can hold

QByteArray readChunk(FileDescriptor &from)
{
    QByteArray chunk;
    if (!from.isValid())
        return chunk;
    chunk.resize(chunkBytes);
    ssize_t count = 0;
    do {
        count = ::read(from.get(), chunk.data(), size_t(chunk.size()));
    } while (count < 0 && errno == EINTR);
    if (count == 0 || (count < 0 && errno != EAGAIN))
        from.reset();
    chunk.resize(std::max<ssize_t>(count, 0));
    return chunk;
}

// How many bytes were taken, -1 when nobody reads any more. The SIGPIPE that this brings is for this thread, and is
// taken away before anybody sees it: not every program of ours ignores it.
qsizetype writeQuietly(int descriptor, QByteArrayView bytes)
{
    sigset_t pipe;
    sigset_t before;
    sigset_t waiting;
    ::sigemptyset(&pipe);
    ::sigaddset(&pipe, SIGPIPE);
    ::sigpending(&waiting);
    ::pthread_sigmask(SIG_BLOCK, &pipe, &before);
    qsizetype written = 0;
    while (written < bytes.size()) {
        const ssize_t count = ::write(descriptor, bytes.data() + written, size_t(bytes.size() - written));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && errno != EAGAIN)
            written = -1;
        if (count < 0)
            break;
        written += count;
    }
    const timespec now = {};
    if (written < 0 && ::sigismember(&waiting, SIGPIPE) == 0)
        ::sigtimedwait(&pipe, nullptr, &now);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return written;
}

} // namespace

ChildSupervisor::ChildSupervisor(CommandSpec spec)
    : m_spec(std::move(spec))
    , m_output(m_spec.outputLimitBytes)
{
}

ChildSupervisor::~ChildSupervisor()
{
    if (m_child.pid < 0 || m_stage == Stage::Done)
        return;
    processsession::killAll(m_child.pid);
    m_lifeline.reset();
    const QDeadlineTimer limit(reapMilliseconds);
    while (!m_leaderEnded && ::waitpid(m_child.pid, nullptr, WNOHANG) == 0 && !limit.hasExpired())
        ::usleep(500);
}

void ChildSupervisor::start()
{
    m_clock.start();
    Result<LaunchedChild> child = launchChild(m_spec);
    if (!child) {
        failToStart(child.error().text());
        return;
    }
    m_child = std::move(*child);
    m_lifeline = std::make_unique<Lifeline>(m_child.pid);
    m_stage = Stage::Running;
    if (m_spec.timeoutMilliseconds > 0)
        m_timeout.setRemainingTime(m_spec.timeoutMilliseconds);
}

void ChildSupervisor::failToStart(const QString &error)
{
    m_end.kind = ProcessEnd::Kind::FailedToStart;
    m_end.error = error;
    m_end.exitCode = -1;
    m_stage = Stage::Done;
}

void ChildSupervisor::stop()
{
    if (m_stage == Stage::Running)
        beginStop(ProcessEnd::Kind::Stopped);
}

void ChildSupervisor::beginStop(ProcessEnd::Kind kind)
{
    m_end.kind = kind;
    m_stopping = true;
    m_timeout = QDeadlineTimer(QDeadlineTimer::Forever);
    m_stage = Stage::Interrupted;
    m_stageEnd.setRemainingTime(m_spec.interruptGraceMilliseconds);
    processsession::signalGroup(m_child.pid, SIGINT);
}

void ChildSupervisor::escalate()
{
    if (m_stage == Stage::Interrupted) {
        m_stage = Stage::Terminated;
        m_stageEnd.setRemainingTime(m_spec.terminateGraceMilliseconds);
        processsession::signalGroup(m_child.pid, SIGTERM);
    } else if (m_stage == Stage::Terminated) {
        m_stage = Stage::Killed;
        m_stageEnd = QDeadlineTimer(QDeadlineTimer::Forever);
        processsession::killAll(m_child.pid);
    }
}

QByteArray ChildSupervisor::readOutput()
{
    const QByteArray chunk = readChunk(m_child.output);
    m_output.append(chunk);
    return chunk;
}

QByteArray ChildSupervisor::readErrors()
{
    return readChunk(m_child.errors);
}

void ChildSupervisor::feed(const QByteArray &bytes)
{
    if (!m_child.input.isValid() || m_closesInput)
        return;
    m_unwritten.append(bytes);
    writeInput();
}

void ChildSupervisor::closeInput()
{
    m_closesInput = true;
    writeInput();
}

// Whoever no longer reads is given nothing more; that it has ended is noticed by itself.
void ChildSupervisor::writeInput()
{
    if (!m_child.input.isValid())
        return;
    const qsizetype count = writeQuietly(m_child.input.get(), m_unwritten);
    if (count < 0) {
        m_child.input.reset();
        m_unwritten.clear();
        return;
    }
    m_unwritten.remove(0, count);
    if (m_closesInput && m_unwritten.isEmpty())
        m_child.input.reset();
}

void ChildSupervisor::advance()
{
    if (m_stage == Stage::New || m_stage == Stage::Done)
        return;
    if (!m_leaderEnded)
        noticeLeaderEnd();
    if (m_leaderEnded)
        clear();
    else if (m_timeout.hasExpired())
        beginStop(ProcessEnd::Kind::TimedOut);
    else if (m_stageEnd.hasExpired())
        escalate();
}

// The leader is first seen dead and left as a zombie: as long as it is one, its number belongs to this group, and a
// kill cannot hit anybody else's.
void ChildSupervisor::noticeLeaderEnd()
{
    siginfo_t info = {};
    const int result = ::waitid(P_PID, id_t(m_child.pid), &info, WEXITED | WNOHANG | WNOWAIT);
    if (result == 0 && info.si_pid == 0)
        return;
    m_leaderEnded = true;
    m_stage = Stage::Clearing;
    m_stageEnd.setRemainingTime(clearingMilliseconds);
    processsession::killAll(m_child.pid);
    m_lifeline.reset();
    ::waitpid(m_child.pid, nullptr, WNOHANG);
    // An error means that somebody else took the status: the outcome is unknown, and that is no success.
    recordEnd(result == 0 ? info.si_code : CLD_EXITED, result == 0 ? info.si_status : -1);
}

void ChildSupervisor::recordEnd(int code, int status)
{
    LaunchFailure failure;
    if (::read(m_child.execError.get(), &failure, sizeof failure) == ssize_t(sizeof failure)) {
        m_end.kind = ProcessEnd::Kind::FailedToStart;
        m_end.error = describe(failure, m_spec);
    } else if (!m_stopping) {
        m_end.kind = code == CLD_EXITED ? ProcessEnd::Kind::Exited : ProcessEnd::Kind::Signalled;
        (code == CLD_EXITED ? m_end.exitCode : m_end.signalNumber) = status;
    }
}

void ChildSupervisor::clear()
{
    const bool living = processsession::hasLivingMembers(m_child.pid);
    if (living && !m_stageEnd.hasExpired())
        return;
    if (living)
        qCWarning(logProcess) << "processes of" << m_spec.program << "could not be killed";
    finish();
}

// The pipe holds what the group still wrote. Somebody outside the group may hold it open and go on writing, so its end
// is not waited for.
void ChildSupervisor::finish()
{
    while (m_finalOutput.size() < finalReadBytes) {
        const QByteArray chunk = readOutput();
        if (chunk.isEmpty())
            break;
        m_finalOutput.append(chunk);
    }
    while (m_finalErrors.size() < finalReadBytes) {
        const QByteArray chunk = readErrors();
        if (chunk.isEmpty())
            break;
        m_finalErrors.append(chunk);
    }
    m_child.output.reset();
    m_child.errors.reset();
    m_child.input.reset();
    m_stage = Stage::Done;
}

int ChildSupervisor::millisecondsToWait() const
{
    if (m_stage == Stage::New || m_stage == Stage::Done)
        return -1;
    if (m_stage == Stage::Clearing || m_child.death.get() < 0)
        return pollMilliseconds;
    const QDeadlineTimer next = std::min(m_timeout, m_stageEnd);
    return next.isForever() ? -1 : int(next.remainingTime());
}

QByteArray ChildSupervisor::takeFinalOutput()
{
    return std::exchange(m_finalOutput, QByteArray());
}

QByteArray ChildSupervisor::takeFinalErrors()
{
    return std::exchange(m_finalErrors, QByteArray());
}

ProcessEnd ChildSupervisor::takeEnd()
{
    m_end.output = m_output.content();
    m_end.droppedBytes = m_output.droppedBytes();
    m_end.elapsedMilliseconds = m_clock.elapsed();
    return std::move(m_end);
}

} // namespace ako
