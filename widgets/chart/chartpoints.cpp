// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart/chartpoints.h"

#include "style/status.h"

#include <cmath>

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

// How much faster than the baseline the work model allows: the weighted geometric mean over the workloads, known only
// if every workload has a floor.
std::optional<double> floorOverBaseline(const IterationRecord &baseline)
{
    double logarithms = 0;
    double weights = 0;
    for (const WorkloadResult &workload : baseline.bench.workloads) {
        if (!workload.floorMs || !workload.solution || !(*workload.floorMs > 0) || !(workload.solution->median > 0))
            return std::nullopt;
        logarithms += workload.weight * std::log(workload.solution->median / *workload.floorMs);
        weights += workload.weight;
    }
    return weights > 0 ? std::optional(std::exp(logarithms / weights)) : std::nullopt;
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

void addChampion(ChartData &data, const IterationRecord &record, const ChartPoint &point)
{
    const bool first = record.kind == IterationRecord::Kind::Baseline;
    if (!point.onFloor && (first || record.becameChampion))
        data.championSteps.append({point.x, point.y});
}

} // namespace

ChartData chartData(const QList<IterationRecord> &records, ChartScale scale)
{
    ChartData data;
    for (int row = 0; row < records.size(); ++row) {
        const IterationRecord &record = records.at(row);
        const bool isFinal = record.kind == IterationRecord::Kind::Final;
        const bool isLast = row + 1 == records.size();
        const double x = isFinal ? data.lastX + (isLast ? 1 : 0.5) : record.number; // a run may go on after a final
        data.points.append(pointOf(record, row, x, scale));
        data.lastX = std::max(data.lastX, x);
        addChampion(data, record, data.points.last());
    }
    if (const IterationRecord *baseline = baselineOf(records)) {
        if (const std::optional<Interval> value = valueOf(*baseline, scale))
            data.baseline = value->estimate;
        data.reference = referenceOf(*baseline, scale);
        data.floor = floorOf(*baseline, scale);
    }
    if (!data.championSteps.isEmpty())
        data.championSteps.append({data.lastX + 0.5, data.championSteps.last().y()});
    return data;
}

} // namespace ako
