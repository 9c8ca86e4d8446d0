// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "history/iterationrecord.h"

#include <QDateTime>
#include <QList>
#include <QString>

namespace ako {

// A folder below trajectory/: <YYYYmmdd-HHMMSS>_<label>[-2], or the terminal AKO4ALL's <YYYYmmdd_HHMMSS>_<label>.
struct TrajectoryName
{
    QDateTime time;
    QString label;
    bool operator==(const TrajectoryName &) const = default;
};
std::optional<TrajectoryName> trajectoryName(const QString &folderName);

// A name that is free now, workspace-relative: trajectory/20261130-101500_iter-3, with -2, -3 ... on a collision.
QString newTrajectory(const QString &workspace, const QString &label, const QDateTime &when);

// <workspace>/<record.trajectory>/iteration.json, written by temp file + rename; the folder is made where it is
// missing.
Result<void> writeRecord(const QString &workspace, const IterationRecord &record);

// Every record found below trajectory/: iteration.json where there is one, else (runs of the terminal AKO4ALL) what
// output.txt says. In order: baseline, iterations by number, final. One per kind and number: the newest.
struct TrajectoryScan
{
    QList<IterationRecord> records;
    QStringList warnings; // folders that could not be read, each with the reason
};
TrajectoryScan scanTrajectory(const QString &workspace);

// What an iteration.json says that was found in that folder ("trajectory/...").
Result<IterationRecord> recordIn(const QString &folder, const QByteArray &bytes);

// Of a bench's output what is meant for a person.
QString shownOutput(const QByteArray &bytes);

// output.txt of a trajectory folder, cut to the limit.
Result<QString> benchOutput(const QString &workspace, const QString &trajectory, qint64 limitBytes = 4LL * 1024 * 1024);

} // namespace ako
