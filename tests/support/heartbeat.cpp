// SPDX-License-Identifier: GPL-3.0-or-later
#include "heartbeat.h"

#include "figures.h"

#include <QFile>

#include <algorithm>
#include <ctime>

namespace ako::test {

namespace {

double processorMilliseconds()
{
    timespec now = {};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

// How long the thread could have run and had no core, where the kernel says so; else 0.
double waitingMilliseconds()
{
    QFile file(QStringLiteral("/proc/thread-self/schedstat"));
    return file.open(QIODevice::ReadOnly) ? file.readAll().split(' ').value(1).toDouble() / 1e6 : 0.0;
}

} // namespace

Heartbeat::Heartbeat()
{
    m_timer.setTimerType(Qt::PreciseTimer);
    m_timer.setInterval(2);
    connect(&m_timer, &QTimer::timeout, this, &Heartbeat::beat);
}

void Heartbeat::start()
{
    m_processor = processorMilliseconds();
    m_waiting = waitingMilliseconds();
    m_clock.start();
    m_timer.start();
}

void Heartbeat::stop()
{
    m_timer.stop();
}

void Heartbeat::beat()
{
    const double processor = processorMilliseconds();
    const double waiting = waitingMilliseconds();
    m_gaps.append({double(m_clock.nsecsElapsed()) / 1e6, processor - m_processor, waiting - m_waiting});
    m_clock.start();
    m_processor = processor;
    m_waiting = waiting;
}

Heartbeat::Figures Heartbeat::figures() const
{
    Figures figures;
    figures.beats = m_gaps.size();
    QList<double> wall;
    double since = 0.0;
    for (const Gap &gap : m_gaps) {
        since += gap.wall / 1e3;
        wall << gap.wall;
        figures.longestProcessor = std::max(figures.longestProcessor, gap.processor);
        if (gap.wall <= figures.longest)
            continue;
        figures.longest = gap.wall;
        figures.processorInLongest = gap.processor;
        figures.waitingInLongest = gap.waiting;
        figures.secondsToLongest = since;
    }
    figures.permille999 = percentile(wall, 99.9);
    figures.percent99 = percentile(wall, 99);
    figures.median = percentile(wall, 50);
    return figures;
}

} // namespace ako::test
