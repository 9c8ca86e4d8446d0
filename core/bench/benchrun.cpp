// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/benchrun.h"

#include "base/atomicfile.h"
#include "bench/outputfilter.h"
#include "history/trajectory.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QPointer>
#include <QRegularExpression>
#include <QTimer>

#include <utility>

namespace ako {

namespace {

constexpr qint64 largestReport = 16LL * 1024 * 1024;

QString text(const char *source)
{
    return QCoreApplication::translate("BenchRun", source);
}

// What the script says last: it may have had to choose another name than the one it was given.
QString saidTrajectory(const QString &output)
{
    static const QRegularExpression said(QStringLiteral("^Trajectory saved to: (trajectory/[^/\\n]+?)/?\\r?$"),
                                         QRegularExpression::MultilineOption);
    QString last;
    for (auto match = said.globalMatch(output); match.hasNext();)
        last = match.next().captured(1);
    return last;
}

QString withoutProgress(const QByteArray &bytes)
{
    OutputFilter filter;
    const QString shown = filter.feed(bytes);
    return shown + filter.finish();
}

} // namespace

class BenchRun::Private
{
public:
    Private(BenchRun *owner, BenchRequest what)
        : q(owner)
        , request(std::move(what))
    {
    }

    CommandSpec command() const;
    void refuse(const QString &why);
    void pass(const QByteArray &chunk);
    void end(const ProcessEnd &processEnd);
    bool isOurs(const QString &folder) const;
    QByteArray report() const;
    BenchResult judge(const ProcessEnd &processEnd) const;

    BenchRun *q;
    BenchRequest request;
    QString trajectory;
    OutputFilter filter;
    std::unique_ptr<ChildProcess> child;
    bool started = false;
    bool done = false;
};

CommandSpec BenchRun::Private::command() const
{
    CommandSpec spec;
    spec.program = QStringLiteral("bash");
    spec.arguments = QStringList{QStringLiteral("scripts/bench.sh"), request.label} + request.arguments;
    spec.workingDirectory = request.workspace;
    spec.environment.insert(QStringLiteral("AKO_TRAJECTORY"), trajectory);
    spec.environment.insert(QStringLiteral("AKO_PROGRESS"), QStringLiteral("1")); // a built-in evaluator's cue
    for (auto it = request.environment.cbegin(); it != request.environment.cend(); ++it)
        spec.environment.insert(it.key(), it.value());
    spec.timeoutMilliseconds = request.timeoutMilliseconds;
    spec.outputLimitBytes = request.outputLimitBytes;
    return spec;
}

// Asynchronous as every other end.
void BenchRun::Private::refuse(const QString &why)
{
    ProcessEnd failed;
    failed.kind = ProcessEnd::Kind::FailedToStart;
    failed.error = why;
    QTimer::singleShot(0, q, [this, failed] { end(failed); });
}

void BenchRun::Private::pass(const QByteArray &chunk)
{
    const QPointer<BenchRun> guard(q);
    const QString shown = filter.feed(chunk);
    const QList<OutputFilter::Progress> progress = filter.takeProgress();
    if (!shown.isEmpty())
        Q_EMIT q->outputAppended(shown);
    for (const OutputFilter::Progress &step : progress) {
        if (guard)
            Q_EMIT q->progressChanged(step.stage, step.fraction);
    }
}

// A bench may print anything; only a folder that this run can have made is believed.
bool BenchRun::Private::isOurs(const QString &folder) const
{
    const auto name = trajectoryName(folder.section(QLatin1Char('/'), 1));
    return QFileInfo(QDir(request.workspace).filePath(folder)).isDir() &&
           (folder == trajectory || folder.startsWith(trajectory + QLatin1Char('-')) ||
            (name && name->label == request.label));
}

QByteArray BenchRun::Private::report() const
{
    const QString path = QDir(request.workspace).filePath(trajectory + QStringLiteral("/result.json"));
    return readRegularFile(path, largestReport).value_or(QByteArray());
}

BenchResult BenchRun::Private::judge(const ProcessEnd &processEnd) const
{
    BenchEvidence evidence{report(), withoutProgress(processEnd.output), processEnd.exitCode, request.mode,
                           request.reading};
    if (processEnd.kind == ProcessEnd::Kind::Signalled)
        evidence.exitCode = -processEnd.signalNumber;
    BenchResult result = readBenchResult(evidence);
    const auto failedAs = [&result](const QString &status, const QString &message) {
        result.status = status;
        result.message = message;
        result.correct = false;
        result.state = ResultState::Provisional;
    };
    switch (processEnd.kind) {
    case ProcessEnd::Kind::FailedToStart:
        failedAs(QStringLiteral("NOT_STARTED"), processEnd.error);
        break;
    case ProcessEnd::Kind::TimedOut:
        failedAs(QStringLiteral("TIMEOUT"),
                 text("The bench took longer than %1 s and was ended").arg(request.timeoutMilliseconds / 1000));
        break;
    case ProcessEnd::Kind::Stopped:
        failedAs(QStringLiteral("STOPPED"), text("The bench was stopped"));
        break;
    case ProcessEnd::Kind::Exited:
    case ProcessEnd::Kind::Signalled:
        break;
    }
    result.durationSeconds = double(processEnd.elapsedMilliseconds) / 1000.0;
    return result;
}

void BenchRun::Private::end(const ProcessEnd &processEnd)
{
    if (std::exchange(done, true))
        return;
    const QPointer<BenchRun> guard(q);
    const QString said = saidTrajectory(QString::fromUtf8(processEnd.output));
    if (!said.isEmpty() && isOurs(said))
        trajectory = said;
    const BenchResult result = judge(processEnd);
    const QString rest = filter.finish();
    if (!rest.isEmpty())
        Q_EMIT q->outputAppended(rest);
    if (guard)
        Q_EMIT q->finished(result, processEnd);
}

BenchRun::BenchRun(BenchRequest request, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, std::move(request)))
{
    d->trajectory = d->request.trajectory.isEmpty()
                        ? newTrajectory(d->request.workspace, d->request.label, QDateTime::currentDateTime())
                        : d->request.trajectory;
}

BenchRun::~BenchRun() = default;

void BenchRun::start()
{
    if (std::exchange(d->started, true))
        return;
    if (!QFileInfo(QDir(d->request.workspace).filePath(QStringLiteral("scripts/bench.sh"))).isFile()) {
        d->refuse(text("There is no scripts/bench.sh in %1").arg(d->request.workspace));
        return;
    }
    d->child = std::make_unique<ChildProcess>(d->command());
    connect(d->child.get(), &ChildProcess::outputAppended, this, [this](const QByteArray &chunk) { d->pass(chunk); });
    connect(d->child.get(), &ChildProcess::finished, this, [this](const ProcessEnd &end) { d->end(end); });
    d->child->start();
}

void BenchRun::stop()
{
    if (d->child)
        d->child->stop();
}

bool BenchRun::isRunning() const
{
    return d->started && !d->done;
}

QString BenchRun::trajectory() const
{
    return d->trajectory;
}

} // namespace ako
