// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chart/customplot.h"

namespace ako {

// Steps of 1, 2 and 5, so that every label is exact with as many decimals as the step has. Below zero there is room
// for what failed, and nothing to read. On a logarithmic axis round values of each decade, as many as there is room
// for.
class PlainTicker : public QCPAxisTicker
{
public:
    void setLogarithmic(bool logarithmic) { m_logarithmic = logarithmic; }

protected:
    double getTickStep(const QCPRange &range) override;
    QVector<double> createTickVector(double step, const QCPRange &range) override;
    QString getTickLabel(double tick, const QLocale &locale, QChar format, int precision) override;

private:
    QVector<double> roundValues(const QCPRange &range) const;

    bool m_logarithmic = false;
    double m_step = 1;
};

// Seconds as 0:05, 1:30, 12:00:00, at steps that a clock has.
class DurationTicker : public QCPAxisTicker
{
protected:
    double getTickStep(const QCPRange &range) override;
    QVector<double> createTickVector(double step, const QCPRange &range) override;
    QString getTickLabel(double tick, const QLocale &locale, QChar format, int precision) override;
};

} // namespace ako
