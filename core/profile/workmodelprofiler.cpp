// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/workmodelprofiler.h"

#include <QCoreApplication>
#include <QStringList>

namespace ako {

namespace {

QString translated(const char *text)
{
    return QCoreApplication::translate("Profile", text);
}

QString milliseconds(double value)
{
    return QString::number(value, 'g', 4) + QStringLiteral(" ms");
}

std::optional<FloorFigure> figureOf(const WorkloadResult &workload)
{
    if (!workload.solution || workload.solution->median <= 0.0)
        return std::nullopt;
    if (!workload.floorMs && !workload.practicalMs)
        return std::nullopt;
    return FloorFigure{workload.id, workload.solution->median, workload.floorMs, workload.practicalMs};
}

QString line(const FloorFigure &figure)
{
    QStringList limits;
    if (figure.practical)
        limits << translated("%1 by measured peaks (%2 % reached)")
                      .arg(milliseconds(*figure.practical))
                      .arg(qRound(100.0 * *figure.practical / figure.measured));
    if (figure.floor)
        limits << translated("%1 physical floor").arg(milliseconds(*figure.floor));
    return translated("%1: %2 measured; %3")
        .arg(figure.workload, milliseconds(figure.measured), limits.join(QStringLiteral(", ")));
}

QString summaryText(const ProfileReport &report)
{
    if (report.level == ProfileLevel::None)
        return translated(
            "No profile: the bench reports no work model, so how near the machine's limit is stays open.");
    QStringList lines{translated("Profile level: work model (bytes and operations against the machine's limits)")};
    for (const FloorFigure &figure : report.figures)
        lines << line(figure);
    return lines.join(QLatin1Char('\n'));
}

} // namespace

ProfileReport WorkModelProfiler::profile(const IterationRecord &record)
{
    ProfileReport report;
    for (const WorkloadResult &workload : record.bench.workloads) {
        if (const auto figure = figureOf(workload))
            report.figures << *figure;
    }
    if (!report.figures.isEmpty())
        report.level = ProfileLevel::WorkModel;
    report.summary = summaryText(report);
    return report;
}

} // namespace ako
