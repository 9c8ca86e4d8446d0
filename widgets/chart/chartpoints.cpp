// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart/chartpoints.h"

#include "report/headroom.h"
#include "style/status.h"

#include <algorithm>
#include <utility>

namespace ako {

namespace {

const IterationRecord *baselineOf(const QList<IterationRecord> &records)
{
    for (const IterationRecord &record : records) {
        if (record.kind == IterationRecord::Kind::Baseline)
            return &record;
    }
    return nullptr;
}

Interval exactly(double value)
{
    return {value, value, value};
}

// A runtime's interval follows from its speedup's: the faster end is the shorter time.
std::optional<Interval> runtimeOf(const IterationRecord &record)
{
    if (!record.bench.solution)
        return std::nullopt;
    const double median = record.bench.solution->median;
    const auto &ratio = record.speedupOverBaseline ? record.speedupOverBaseline : record.speedup;
    if (!ratio || !(ratio->low > 0) || !(ratio->high > 0))
        return exactly(median);
    return Interval{median, median * ratio->estimate / ratio->high, median * ratio->estimate / ratio->low};
}

std::optional<Interval> valueOf(const IterationRecord &record, ChartScale scale)
{
    const Tone tone = toneOf(record);
    if (tone == Tone::Failed || tone == Tone::Quarantined)
        return std::nullopt;
    switch (scale) {
    case ChartScale::OverReference:
        return record.speedup;
    case ChartScale::Runtime:
        return runtimeOf(record);
    case ChartScale::OverBaseline:
        break;
    }
    if (record.kind == IterationRecord::Kind::Baseline)
        return exactly(1.0);
    return record.speedupOverBaseline;
}

ChartPoint pointOf(const IterationRecord &record, int row, double x, ChartScale scale)
{
    ChartPoint point;
    point.row = row;
    point.x = x;
    point.tone = toneOf(record);
    point.provisional = isProvisional(record);
    const std::optional<Interval> value = valueOf(record, scale);
    point.onFloor = !value;
    if (value) {
        point.y = value->estimate;
        point.low = value->low;
        point.high = value->high;
    }
    return point;
}

std::optional<double> referenceOf(const IterationRecord &baseline, ChartScale scale)
{
    switch (scale) {
    case ChartScale::OverReference:
        return 1.0;
    case ChartScale::Runtime:
        return baseline.bench.reference ? std::optional(baseline.bench.reference->median) : std::nullopt;
    case ChartScale::OverBaseline:
        break;
    }
    if (!baseline.speedup || !(baseline.speedup->estimate > 0))
        return std::nullopt;
    return 1.0 / baseline.speedup->estimate;
}

std::optional<double> floorOf(const IterationRecord &baseline, ChartScale scale)
{
    const std::optional<double> ratio = floorOverBaseline(baseline);
    if (!ratio)
        return std::nullopt;
    if (scale == ChartScale::Runtime && baseline.bench.solution)
        return baseline.bench.solution->median / *ratio;
    if (scale == ChartScale::OverReference)
        return baseline.speedup ? std::optional(*ratio * baseline.speedup->estimate) : std::nullopt;
    return ratio;
}

bool isChained(const IterationRecord &record, ChartScale scale)
{
    switch (scale) {
    case ChartScale::OverBaseline:
        return isOverBaselineChained(record);
    case ChartScale::OverReference:
        return record.speedupIsChained;
    case ChartScale::Runtime:
        break;
    }
    return false;
}

void addChampion(ChartData &data, const IterationRecord &record, const ChartPoint &point, ChartScale scale)
{
    const bool first = record.kind == IterationRecord::Kind::Baseline;
    // A final measured the champion directly, where the figures before are products of steps.
    const bool isDirect = record.kind == IterationRecord::Kind::Final && record.status != IterationStatus::Failed;
    if (point.onFloor || !(first || record.becameChampion || isDirect))
        return;
    data.championSteps.append({point.x, point.y});
    data.championIsChained = isChained(record, scale);
}

// Where each entry stands. By time it stands where it was complete; one without a time where the one before it does.
QList<double> positions(const QList<IterationRecord> &records, ChartAxis axis)
{
    QList<double> xs;
    double last = 0;
    double spent = 0;
    QDateTime begin;
    for (qsizetype row = 0; row < records.size(); ++row) {
        const IterationRecord &record = records.at(row);
        const double own = double(record.agentMilliseconds + record.benchMilliseconds) / 1000.0;
        spent += own;
        if (axis == ChartAxis::TimeSpent) {
            last = spent;
        } else if (axis == ChartAxis::WallTime) {
            if (!begin.isValid())
                begin = record.startedAt;
            if (record.startedAt.isValid())
                last = std::max(last, double(begin.msecsTo(record.startedAt) + record.benchMilliseconds) / 1000.0);
        } else if (record.kind == IterationRecord::Kind::Final) {
            last += row + 1 == records.size() ? 1 : 0.5; // a run may go on after a final
        } else {
            last = std::max(last, double(record.number));
        }
        xs << last;
    }
    return xs;
}

// Whose candidates they are, where there is more than one.
void addAgents(ChartData &data, const QList<IterationRecord> &records)
{
    QList<ChartBand> bands;
    for (const ChartPoint &point : std::as_const(data.points)) {
        const IterationRecord &record = records.at(point.row);
        if (record.kind != IterationRecord::Kind::Iteration || record.agent.isEmpty())
            continue;
        const double before = point.row > 0 ? data.points.at(point.row - 1).x : point.x;
        if (!bands.isEmpty() && bands.constLast().text == record.agent)
            bands.last().to = point.x;
        else
            bands << ChartBand{ChartBand::Kind::Agent, (before + point.x) / 2, point.x, record.agent};
        if (point.row + 1 < data.points.size())
            bands.last().to = (point.x + data.points.at(point.row + 1).x) / 2;
    }
    if (bands.size() > 1)
        data.bands << bands;
}

bool wasUnfit(const IterationRecord &record)
{
    static const QStringList flags{QStringLiteral("GPU_BUSY"), QStringLiteral("HOST_BUSY"),
                                   QStringLiteral("REF_SLOWER")};
    return record.bench.state == ResultState::Invalid ||
           std::ranges::any_of(flags, [&record](const QString &flag) { return record.bench.flags.contains(flag); });
}

void addUnfit(ChartData &data, const QList<IterationRecord> &records)
{
    for (const ChartPoint &point : std::as_const(data.points)) {
        if (!wasUnfit(records.at(point.row)))
            continue;
        const double before = point.row > 0 ? data.points.at(point.row - 1).x : point.x - 1;
        const double after = point.row + 1 < data.points.size() ? data.points.at(point.row + 1).x : point.x;
        data.bands << ChartBand{ChartBand::Kind::Unfit, (before + point.x) / 2, (point.x + after) / 2, {}};
    }
}

} // namespace

ChartData chartData(const QList<IterationRecord> &records, ChartScale scale, ChartAxis axis, const QList<int> &hints)
{
    ChartData data;
    const QList<double> xs = positions(records, axis);
    for (int row = 0; row < records.size(); ++row) {
        const IterationRecord &record = records.at(row);
        data.points.append(pointOf(record, row, xs.at(row), scale));
        data.lastX = std::max(data.lastX, xs.at(row));
        addChampion(data, record, data.points.last(), scale);
        if (record.kind == IterationRecord::Kind::Iteration && hints.contains(record.number))
            data.hints << QPointF(xs.at(row), record.number);
    }
    addAgents(data, records);
    addUnfit(data, records);
    if (const IterationRecord *baseline = baselineOf(records)) {
        if (const std::optional<Interval> value = valueOf(*baseline, scale))
            data.baseline = value->estimate;
        data.reference = referenceOf(*baseline, scale);
        data.floor = floorOf(*baseline, scale);
    }
    if (!data.championSteps.isEmpty()) {
        const double beyond = axis == ChartAxis::Iteration ? 0.5 : data.lastX * 0.02;
        data.championSteps.append({data.lastX + beyond, data.championSteps.constLast().y()});
    }
    return data;
}

} // namespace ako
