// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/profiling.h"

#include "base/atomicfile.h"
#include "profile/counterprofile.h"
#include "workspace/problemreader.h"

#include <QCoreApplication>

namespace ako {

namespace {

constexpr int longestProfile = 240 * 1000; // ms; compiling included
constexpr qint64 largestProblem = 1024 * 1024;

} // namespace

Profiling::Profiling(Session &session, Ports &ports, QObject *parent)
    : QObject(parent)
    , m_session(session)
    , m_ports(ports)
{
}

Profiling::~Profiling() = default;

bool Profiling::isForGpu(const ResolvedPlan &plan) const
{
    if (plan.evaluator != EvaluatorKind::Native || plan.problemFile.isEmpty())
        return false;
    const auto text = readRegularFile(m_session.path(plan.problemFile), largestProblem);
    const auto facts = text ? readProblemFacts(plan.problemFile, *text) : std::nullopt;
    return facts && facts->device == QLatin1String("cuda");
}

void Profiling::start(const Order &order, const ResolvedPlan &plan)
{
    drop();
    m_report = m_ports.profiler->profile(order.record);
    const bool onGpu = isForGpu(plan);
    if (!onGpu || !order.mayRun || order.folder.isEmpty() || m_session.benchProgram.isEmpty()) {
        if (const QByteArray kept = onGpu ? keptProfile(m_session.workspace) : QByteArray(); !kept.isEmpty())
            m_report = withCounters(m_report, kept);
        Q_EMIT profiled(m_report);
        return;
    }
    m_file = m_session.path(order.folder + QLatin1Char('/') + QLatin1String(profileFile));
    CommandSpec command;
    command.program = m_session.benchProgram;
    command.workingDirectory = m_session.workspace;
    command.timeoutMilliseconds = longestProfile;
    command.arguments = {QStringLiteral("--profile"),
                         QStringLiteral("--problem"),
                         plan.problemFile,
                         QStringLiteral("--solution"),
                         QStringLiteral("solution"),
                         QStringLiteral("--json"),
                         m_file};
    if (plan.referenceFile.isEmpty())
        command.arguments << QStringLiteral("--reference") << plan.kernelFiles.value(0);
    m_child = std::make_unique<ChildProcess>(command);
    connect(m_child.get(), &ChildProcess::finished, this, &Profiling::finish);
    m_child->start();
}

void Profiling::stop()
{
    if (m_child)
        m_child->stop();
}

void Profiling::drop()
{
    m_child.reset();
}

void Profiling::finish(const ProcessEnd &end)
{
    m_child.release()->deleteLater(); // it is the sender
    const auto written = readRegularFile(m_file, largestProblem);
    if (end.kind == ProcessEnd::Kind::Exited && written)
        m_report = withCounters(m_report, *written);
    else if (end.kind != ProcessEnd::Kind::Stopped)
        m_report.summary +=
            QLatin1Char('\n') + QCoreApplication::translate("Profile", "The kernels could not be profiled: %1")
                                    .arg(end.kind == ProcessEnd::Kind::TimedOut
                                             ? QCoreApplication::translate("Profile", "it took too long")
                                             : end.error);
    Q_EMIT profiled(m_report);
}

} // namespace ako
