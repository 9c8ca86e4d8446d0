// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/iterationrecord.h"
#include "style/palette.h"

#include <QList>
#include <QPointF>

#include <optional>

namespace ako {

enum class ChartScale { OverBaseline, OverReference, Runtime };

// One iteration in the chart.
struct ChartPoint
{
    int row = 0;  // in RunStore::records()
    double x = 0; // the iteration's number; the final entry stands after the last one
    double y = 0; // in the chosen scale; without meaning when onFloor
    double low = 0, high = 0;
    bool onFloor = false; // it has no number: it stands on the floor of the chart, never at zero
    bool provisional = false;
    Tone tone = Tone::Failed;
};

// All that the chart draws, worked out from the history alone.
struct ChartData
{
    QList<ChartPoint> points;
    QList<QPointF> championSteps;   // where a champion begins, and the end of the last step
    std::optional<double> baseline; // in the chosen scale
    std::optional<double> reference;
    std::optional<double> floor; // no honest number lies beyond it
    double lastX = 0;
};

ChartData chartData(const QList<IterationRecord> &records, ChartScale scale);

} // namespace ako
