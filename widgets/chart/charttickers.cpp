// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart/charttickers.h"

#include "bench/numbers.h"

#include <algorithm>
#include <cmath>

namespace ako {

double PlainTicker::getTickStep(const QCPRange &range)
{
    const double rough = range.size() / (tickCount() + 1e-10);
    const double magnitude = std::pow(10.0, std::floor(std::log10(rough)));
    const double share = rough / magnitude;
    m_step = magnitude * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
    return m_step;
}

QVector<double> PlainTicker::createTickVector(double step, const QCPRange &range)
{
    if (m_logarithmic) {
        const QVector<double> ticks = roundValues(range);
        if (ticks.size() >= 3)
            return ticks;
    }
    QVector<double> ticks = QCPAxisTicker::createTickVector(step, range);
    erase_if(ticks, [step](double tick) { return tick < -step / 100; });
    return ticks;
}

// Of a narrow range none of these may be in view; then even steps serve better.
QVector<double> PlainTicker::roundValues(const QCPRange &range) const
{
    static const QList<QVector<double>> choices{{1, 1.5, 2, 3, 4, 5, 7}, {1, 2, 5}, {1}};
    const double least = std::max(range.lower, 1e-12);
    QVector<double> ticks;
    for (const QVector<double> &choice : choices) {
        ticks.clear();
        for (double decade = std::pow(10.0, std::floor(std::log10(least))); decade <= range.upper; decade *= 10) {
            for (const double value : choice) {
                if (value * decade >= range.lower && value * decade <= range.upper)
                    ticks << value * decade;
            }
        }
        if (ticks.size() <= 2 * tickCount())
            break;
    }
    return ticks;
}

QString PlainTicker::getTickLabel(double tick, const QLocale &, QChar, int)
{
    if (m_logarithmic)
        return plainFigure(tick, 3);
    const int decimals = std::max(0, int(std::ceil(-std::log10(m_step) - 1e-9)));
    return QString::number(tick, 'f', decimals);
}

double DurationTicker::getTickStep(const QCPRange &range)
{
    static const QList<double> steps{1,   2,    5,    10,   15,    30,    60,    120,   300,    600,
                                     900, 1800, 3600, 7200, 14400, 21600, 43200, 86400, 172800, 604800};
    const double rough = range.size() / (tickCount() + 1e-10);
    const auto step = std::ranges::lower_bound(steps, rough);
    return step == steps.cend() ? steps.last() * std::ceil(rough / steps.last()) : *step;
}

QVector<double> DurationTicker::createTickVector(double step, const QCPRange &range)
{
    QVector<double> ticks = QCPAxisTicker::createTickVector(step, range);
    erase_if(ticks, [](double tick) { return tick < 0; });
    return ticks;
}

QString DurationTicker::getTickLabel(double tick, const QLocale &, QChar, int)
{
    const auto seconds = qint64(std::llround(tick));
    const auto two = [](qint64 value) { return QStringLiteral("%1").arg(value, 2, 10, QLatin1Char('0')); };
    if (seconds < 3600)
        return QStringLiteral("%1:%2").arg(seconds / 60).arg(two(seconds % 60));
    return QStringLiteral("%1:%2:%3").arg(seconds / 3600).arg(two(seconds / 60 % 60), two(seconds % 60));
}

} // namespace ako
