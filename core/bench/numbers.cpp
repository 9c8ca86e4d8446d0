// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/numbers.h"

#include <algorithm>
#include <cmath>

namespace ako {

namespace {

QString fixed(double value, int decimals)
{
    return QString::number(value, 'f', decimals);
}

QString threeDigits(double value)
{
    const int decimals = value >= 100 ? 0 : value >= 10 ? 1 : 2;
    return fixed(value, decimals);
}

double halfOf(const Interval &interval)
{
    return (interval.high - interval.low) / 2;
}

// What the interval supports, but never so few that a small estimate becomes zero.
int decimalsOf(const Interval &interval)
{
    const int needed = interval.estimate > 0 ? int(std::ceil(-std::log10(interval.estimate))) + 1 : 0;
    return std::clamp(std::max(supportedDecimals(halfOf(interval)), needed), 1, 4);
}

// One end is so much farther away than the other that a half width would mislead.
bool isLopsided(const Interval &interval)
{
    const double below = interval.estimate - interval.low;
    const double above = interval.high - interval.estimate;
    return std::max(below, above) > 3 * std::min(below, above) && halfOf(interval) > 0.1 * interval.estimate;
}

} // namespace

int supportedDecimals(double half)
{
    if (!(half > 0))
        return 2;
    return std::clamp(int(-std::floor(std::log10(half))), 1, 4);
}

QString plainFigure(double value, int digits)
{
    if (!std::isfinite(value))
        return QString::number(value);
    if (value == 0)
        return QStringLiteral("0");
    // Rounded before it is written: 9.96 has two digits before the point once it is 10.
    const double rounded = QString::number(value, 'e', digits - 1).toDouble();
    const int decimals = std::max(0, digits - 1 - int(std::floor(std::log10(std::abs(rounded)))));
    QString text = fixed(rounded, decimals);
    while (text.contains(QLatin1Char('.')) && (text.endsWith(QLatin1Char('0')) || text.endsWith(QLatin1Char('.'))))
        text.chop(1);
    return text;
}

QString speedupText(const Interval &interval)
{
    return fixed(interval.estimate, decimalsOf(interval)) + QLatin1Char('x');
}

QString speedupWithError(const Interval &interval)
{
    const double half = halfOf(interval);
    if (!(half > 0))
        return speedupText(interval);
    if (isLopsided(interval))
        return QStringLiteral("%1 (%2…%3)")
            .arg(speedupText(interval), plainFigure(interval.low, 2), plainFigure(interval.high, 2));
    return QStringLiteral("%1 ± %2").arg(speedupText(interval), fixed(half, decimalsOf(interval)));
}

QString intervalText(const Interval &interval)
{
    const int decimals = std::min(decimalsOf(interval) + 1, 4);
    return QStringLiteral("%1x (%2x … %3x)")
        .arg(fixed(interval.estimate, decimals), fixed(interval.low, decimals), fixed(interval.high, decimals));
}

QString runtimeText(double milliseconds)
{
    if (milliseconds >= 1000)
        return threeDigits(milliseconds / 1000) + QStringLiteral(" s");
    if (milliseconds >= 1)
        return threeDigits(milliseconds) + QStringLiteral(" ms");
    return threeDigits(milliseconds * 1000) + QStringLiteral(" µs");
}

QString durationText(qint64 milliseconds)
{
    const qint64 seconds = milliseconds / 1000;
    if (milliseconds < 10'000)
        return fixed(double(milliseconds) / 1000.0, 1) + QStringLiteral(" s");
    if (seconds < 60)
        return QString::number(seconds) + QStringLiteral(" s");
    const auto two = [](qint64 value) { return QStringLiteral("%1").arg(value, 2, 10, QLatin1Char('0')); };
    if (seconds < 3600)
        return QStringLiteral("%1:%2").arg(seconds / 60).arg(two(seconds % 60));
    return QStringLiteral("%1:%2:%3").arg(seconds / 3600).arg(two(seconds / 60 % 60), two(seconds % 60));
}

} // namespace ako
