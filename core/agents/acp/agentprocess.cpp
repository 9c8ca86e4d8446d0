// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/acp/agentprocess.h"

#include "base/words.h"
#include "process/processsession.h"

namespace ako::acp {

namespace {

constexpr qsizetype keptErrors = 16LL * 1024;
constexpr qsizetype mostUnwritten = 64LL * 1024 * 1024;
constexpr int memoryMilliseconds = 1000;
constexpr qsizetype shownErrors = 800;

CommandSpec asConversation(CommandSpec spec)
{
    spec.isConversation = true;
    spec.outputLimitBytes = keptErrors;    // of what it says nothing is needed at its end
    spec.interruptGraceMilliseconds = 500; // most take SIGINT for a person's wish to stop the turn
    spec.terminateGraceMilliseconds = 3000;
    return spec;
}

} // namespace

AgentProcess::AgentProcess(CommandSpec spec, int closeGraceMilliseconds, QObject *parent)
    : QObject(parent)
    , m_child(asConversation(std::move(spec)))
{
    m_close.setSingleShot(true);
    m_close.setInterval(closeGraceMilliseconds);
    m_memory.setInterval(memoryMilliseconds);
    connect(&m_child, &ChildProcess::outputAppended, this, &AgentProcess::received);
    connect(&m_child, &ChildProcess::errorsAppended, this, [this](const QByteArray &bytes) {
        m_errors.append(bytes.right(keptErrors));
        if (m_errors.size() > 2 * keptErrors)
            m_errors = m_errors.right(keptErrors);
    });
    connect(&m_child, &ChildProcess::finished, this, &AgentProcess::finish);
    connect(&m_close, &QTimer::timeout, this, [this] { m_child.stop(); });
    connect(&m_memory, &QTimer::timeout, this, &AgentProcess::watchMemory);
}

void AgentProcess::start()
{
    if (m_memoryLimit > 0)
        m_memory.start();
    m_child.start();
}

void AgentProcess::send(const QByteArray &bytes)
{
    m_child.write(bytes);
    if (m_child.unwrittenBytes() > mostUnwritten)
        Q_EMIT choked();
}

void AgentProcess::close()
{
    m_child.closeInput();
    if (!m_close.isActive())
        m_close.start();
}

void AgentProcess::kill()
{
    m_child.closeInput();
    m_child.stop();
}

void AgentProcess::watchMemory()
{
    const qint64 used = processsession::residentBytes(pid_t(m_child.processId()));
    if (used <= m_memoryLimit)
        return;
    m_because = tr("It used more than %1 MiB of memory.").arg(m_memoryLimit / (1024LL * 1024));
    processsession::killAll(pid_t(m_child.processId()));
}

QString AgentProcess::lastErrors() const
{
    const QString text = words::plain(QString::fromUtf8(m_errors.right(keptErrors))).trimmed();
    const QString tail = text.section(QLatin1Char('\n'), -8);
    return tail.size() > shownErrors ? QStringLiteral("…") + tail.right(shownErrors) : tail;
}

void AgentProcess::finish(const ProcessEnd &end)
{
    m_close.stop();
    m_memory.stop();
    QString how = m_because;
    if (how.isEmpty()) {
        switch (end.kind) {
        case ProcessEnd::Kind::FailedToStart:
            how = end.error;
            break;
        case ProcessEnd::Kind::Signalled:
            how = tr("The agent's process was ended by signal %1.").arg(end.signalNumber);
            break;
        default:
            how = tr("The agent's process has ended with exit code %1.").arg(end.exitCode);
        }
    }
    Q_EMIT ended(how);
}

} // namespace ako::acp
