// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/iterationrecord.h"
#include "style/palette.h"

#include <QList>
#include <QPointF>

#include <optional>

namespace ako {

enum class ChartScale { OverBaseline, OverReference, Runtime };
enum class ChartAxis { Iteration, WallTime, TimeSpent }; // the last two in seconds since the first entry began

// One iteration in the chart.
struct ChartPoint
{
    int row = 0;  // in RunStore::records()
    double x = 0; // by number: the final entry stands after the last one; by time: when its entry was complete
    double y = 0; // in the chosen scale; without meaning when onFloor
    double low = 0, high = 0;
    bool onFloor = false; // it has no number: it stands on the floor of the chart, never at zero
    bool provisional = false;
    Tone tone = Tone::Failed;
};

// A stretch of the chart that is told apart: whose candidates it has, or that the machine was not fit there.
struct ChartBand
{
    enum class Kind { Agent, Unfit };
    Kind kind = Kind::Agent;
    double from = 0, to = 0;
    QString text;
};

// All that the chart draws, worked out from the history alone.
struct ChartData
{
    QList<ChartPoint> points;
    QList<QPointF> championSteps;   // where a champion begins, and the end of the last step
    bool championIsChained = false; // the last step's figure was multiplied from steps, not measured
    std::optional<double> baseline; // in the chosen scale
    std::optional<double> reference;
    std::optional<double> floor; // no honest number lies beyond it
    double lastX = 0;
    QList<ChartBand> bands;
    QList<QPointF> hints; // x: the first entry that saw an edit of HINTS.md; y: its iteration
};

// `hints`: the iterations that were the first to see an edit of HINTS.md.
ChartData chartData(const QList<IterationRecord> &records, ChartScale scale, ChartAxis axis = ChartAxis::Iteration,
                    const QList<int> &hints = {});

} // namespace ako
