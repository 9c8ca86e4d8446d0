// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/childprocess.h"

#include "base/logging.h"
#include "process/childsupervisor.h"

#include <QPointer>
#include <QSocketNotifier>
#include <QTimer>

#include <algorithm>
#include <limits>
#include <utility>

namespace ako {

class ChildProcess::Private
{
public:
    Private(ChildProcess *owner, CommandSpec spec)
        : q(owner)
        , liveBytesLeft(spec.isConversation ? std::numeric_limits<qint64>::max() : spec.outputLimitBytes)
        , supervisor(std::move(spec))
    {
        timer.setSingleShot(true);
        timer.setTimerType(Qt::PreciseTimer);
        QObject::connect(&timer, &QTimer::timeout, q, [this] { proceed(); });
    }

    void begin();
    void proceed();
    void arm();
    void readOutput();
    void readErrors();
    void writeInput();
    void awaitInput();
    void publish(const QByteArray &chunk);
    void listen(std::unique_ptr<QSocketNotifier> &notifier, int descriptor, void (Private::*action)());

    ChildProcess *q;
    qint64 liveBytesLeft;
    ChildSupervisor supervisor;
    // Below the descriptors' owner, so that they go first: a notifier must not outlive its descriptor.
    std::unique_ptr<QSocketNotifier> outputNotifier;
    std::unique_ptr<QSocketNotifier> errorsNotifier;
    std::unique_ptr<QSocketNotifier> inputNotifier; // while there is something to be written
    std::unique_ptr<QSocketNotifier> deathNotifier;
    QTimer timer;
    bool reported = false;
};

void ChildProcess::Private::listen(std::unique_ptr<QSocketNotifier> &notifier, int descriptor,
                                   void (Private::*action)())
{
    if (descriptor < 0)
        return;
    notifier = std::make_unique<QSocketNotifier>(descriptor, QSocketNotifier::Read);
    QObject::connect(notifier.get(), &QSocketNotifier::activated, q, [this, action] { (this->*action)(); });
}

void ChildProcess::Private::begin()
{
    supervisor.start();
    listen(outputNotifier, supervisor.outputDescriptor(), &Private::readOutput);
    listen(errorsNotifier, supervisor.errorsDescriptor(), &Private::readErrors);
    listen(deathNotifier, supervisor.deathDescriptor(), &Private::proceed);
    if (supervisor.isDone())
        timer.start(0); // a failed start too is told from the event loop
    else
        arm();
}

void ChildProcess::Private::arm()
{
    const int wait = supervisor.millisecondsToWait();
    if (wait >= 0)
        timer.start(wait);
    else
        timer.stop();
}

void ChildProcess::Private::readOutput()
{
    const QByteArray chunk = supervisor.readOutput();
    if (supervisor.outputDescriptor() < 0)
        outputNotifier->setEnabled(false);
    publish(chunk);
}

void ChildProcess::Private::readErrors()
{
    const QByteArray chunk = supervisor.readErrors();
    if (supervisor.errorsDescriptor() < 0)
        errorsNotifier->setEnabled(false);
    if (!chunk.isEmpty())
        Q_EMIT q->errorsAppended(chunk);
}

void ChildProcess::Private::writeInput()
{
    supervisor.writeInput();
    awaitInput();
}

// The descriptor is closed by the supervisor: its notifier goes first, or is off when it is.
void ChildProcess::Private::awaitInput()
{
    const bool waits = supervisor.inputDescriptor() >= 0 && supervisor.unwrittenBytes() > 0;
    if (waits && !inputNotifier) {
        inputNotifier = std::make_unique<QSocketNotifier>(supervisor.inputDescriptor(), QSocketNotifier::Write);
        QObject::connect(inputNotifier.get(), &QSocketNotifier::activated, q, [this] { writeInput(); });
    }
    if (inputNotifier)
        inputNotifier->setEnabled(waits);
}

void ChildProcess::Private::publish(const QByteArray &chunk)
{
    const qint64 count = std::min<qint64>(chunk.size(), liveBytesLeft);
    liveBytesLeft -= count;
    if (count > 0)
        Q_EMIT q->outputAppended(chunk.left(count));
}

void ChildProcess::Private::proceed()
{
    supervisor.advance();
    if (supervisor.deathDescriptor() < 0 && deathNotifier)
        deathNotifier->setEnabled(false);
    if (!supervisor.isDone()) {
        arm();
        return;
    }
    if (std::exchange(reported, true))
        return;
    timer.stop();
    for (QSocketNotifier *notifier : {outputNotifier.get(), errorsNotifier.get(), inputNotifier.get()}) {
        if (notifier)
            notifier->setEnabled(false);
    }
    const QPointer<ChildProcess> guard(q);
    publish(supervisor.takeFinalOutput());
    if (const QByteArray errors = guard ? supervisor.takeFinalErrors() : QByteArray(); !errors.isEmpty())
        Q_EMIT q->errorsAppended(errors);
    if (guard)
        Q_EMIT q->finished(supervisor.takeEnd());
}

ChildProcess::ChildProcess(CommandSpec spec, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, std::move(spec)))
{
}

ChildProcess::~ChildProcess() = default;

void ChildProcess::start()
{
    if (d->supervisor.hasStarted()) {
        qCWarning(logProcess) << "a child process was started twice";
        return;
    }
    d->begin();
}

void ChildProcess::stop()
{
    d->supervisor.stop();
    if (d->supervisor.hasStarted() && !d->reported && !d->supervisor.isDone())
        d->arm();
}

void ChildProcess::write(const QByteArray &bytes)
{
    d->supervisor.feed(bytes);
    d->awaitInput();
}

void ChildProcess::closeInput()
{
    d->supervisor.closeInput();
    d->awaitInput();
}

qsizetype ChildProcess::unwrittenBytes() const
{
    return d->supervisor.unwrittenBytes();
}

bool ChildProcess::isRunning() const
{
    return d->supervisor.hasStarted() && !d->reported;
}

qint64 ChildProcess::processId() const
{
    return d->supervisor.pid();
}

} // namespace ako
