// SPDX-License-Identifier: GPL-3.0-or-later
#include "heartbeat.h"

#include "figures.h"

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

} // namespace

Heartbeat::Heartbeat()
    : m_processor(processorMilliseconds())
{
    m_timer.setTimerType(Qt::PreciseTimer);
    m_timer.setInterval(2);
    connect(&m_timer, &QTimer::timeout, this, &Heartbeat::beat);
    m_clock.start();
    m_timer.start();
}

void Heartbeat::beat()
{
    const double processor = processorMilliseconds();
    m_gaps.append({double(m_clock.nsecsElapsed()) / 1e6, processor - m_processor});
    m_clock.start();
    m_processor = processor;
}

Heartbeat::Figures Heartbeat::figures() const
{
    Figures figures;
    figures.beats = m_gaps.size();
    QList<double> wall;
    for (const Gap &gap : m_gaps) {
        wall << gap.wall;
        figures.longestProcessor = std::max(figures.longestProcessor, gap.processor);
        if (gap.wall <= figures.longest)
            continue;
        figures.longest = gap.wall;
        figures.processorInLongest = gap.processor;
    }
    figures.permille999 = percentile(wall, 99.9);
    figures.percent99 = percentile(wall, 99);
    figures.median = percentile(wall, 50);
    return figures;
}

} // namespace ako::test
