// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/benching.h"

#include "git/folderfiles.h"
#include "history/solutionhash.h"
#include "loop/killpoint.h"
#include "loop/solutionfolder.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace ako {

namespace {

// The evaluator has its own limits; this one is for an evaluator that hangs.
constexpr int longestBench = 60 * 60 * 1000;

QStringList argumentsFor(const effect::Bench &bench)
{
    if (bench.mode == BenchMode::Custom) // the user's script is called as it is
        return {};
    QStringList arguments{bench.mode == BenchMode::Verdict ? QStringLiteral("--verdict") : QStringLiteral("--signal")};
    if (bench.against >= 0)
        arguments << QStringLiteral("--champion") << QStringLiteral(".ako/champion");
    return arguments;
}

} // namespace

Benching::Benching(Session &session, Ports &ports, QObject *parent)
    : QObject(parent)
    , m_session(session)
    , m_ports(ports)
{
}

Benching::~Benching() = default;

Result<void> Benching::layOut(const effect::Bench &bench, const IterationRecord *against)
{
    SolutionFolder folder(m_session);
    if (bench.label == bench.record.label) { // what a killed bench of this entry has left
        if (const auto done = folder.setAsideTrajectories(bench.record.label); !done)
            return done;
    }
    auto content = folder.present();
    if (!content)
        return std::unexpected(content.error());
    m_session.benched = std::move(*content);
    m_session.benchedHash = solutionHash(m_session.benched);
    if (bench.against < 0)
        return {};
    if (!against)
        return fail(QCoreApplication::translate("Loop", "There is no entry %1 to compare with").arg(bench.against));
    const auto other = folder.committed(*against);
    if (!other)
        return std::unexpected(other.error());
    return replaceFolder(m_session.champion(), *other);
}

Result<void> Benching::start(const effect::Bench &bench, const IterationRecord *against)
{
    if (const auto done = layOut(bench, against); !done)
        return done;
    BenchRequest request;
    request.workspace = m_session.workspace;
    request.label = bench.label;
    request.mode = bench.mode;
    request.reading = readingOf(m_session);
    request.arguments = argumentsFor(bench);
    request.timeoutMilliseconds = bench.mode == BenchMode::Custom ? 0 : longestBench;
    m_stopped = false;
    m_isCustom = bench.mode == BenchMode::Custom;
    m_job = m_ports.bench(request);
    const QString label = bench.label;
    connect(m_job.get(), &BenchJob::progressChanged, this,
            [this, label](const QString &stage, double fraction) { Q_EMIT progressChanged(label, stage, fraction); });
    connect(m_job.get(), &BenchJob::outputAppended, this, &Benching::outputAppended);
    connect(m_job.get(), &BenchJob::finished, this, &Benching::finish);
    m_startedAt = QDateTime::currentDateTimeUtc();
    m_clock.start();
    m_job->start();
    return {};
}

void Benching::stop()
{
    m_stopped = true;
    if (m_job)
        m_job->stop();
}

void Benching::drop()
{
    m_job.reset();
}

// The script takes its snapshot before it measures; another solution/ there is not the candidate.
bool Benching::wasChanged(const QString &trajectory) const
{
    const QString snapshot = m_session.path(trajectory + QStringLiteral("/solution"));
    return !trajectory.isEmpty() && QFileInfo(snapshot).isDir() && solutionHash(snapshot) != m_session.benchedHash;
}

void Benching::finish(BenchResult result, const QString &trajectory)
{
    if (!m_job)
        return;
    m_job.release()->deleteLater(); // it is the sender
    if (wasChanged(trajectory)) {
        result.state = ResultState::Invalid;
        result.message = QCoreApplication::translate("Loop", "solution/ was changed while the bench was starting");
    }
    outcome::Benched outcome;
    outcome.result = result;
    outcome.trajectory = trajectory;
    outcome.stopped = m_stopped && !(result.correct && result.exitCode == 0);
    outcome.milliseconds = m_clock.elapsed();
    outcome.startedAt = m_startedAt;
    outcome.solutionHash = m_session.benchedHash;
    if (m_isCustom) // what cannot be read is told at the next boundary
        outcome.products = SolutionFolder(m_session).moveProducts(m_session.benched).value_or(QStringList());
    Q_EMIT benched(outcome);
}

} // namespace ako
