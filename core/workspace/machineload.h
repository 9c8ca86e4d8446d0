// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <QHash>
#include <QString>
#include <QStringList>

#include <optional>

namespace ako {

// What others do on this machine: measured over a moment, as the load average still speaks of our own last bench.
struct MachineLoad
{
    int cores = 1;
    double average = 0.0;   // the load average of the last minute
    double busyCores = 0.0; // used by others during that moment
    QStringList heaviest;   // "cc1plus (pid 4711) 98 %", at most three
    QString governor;       // empty where there is none to set

    bool isTooHigh() const; // for a measurement that can be relied on
    bool clocksVary() const { return !governor.isEmpty() && governor != QLatin1String("performance"); }
};

// Looks twice, so long apart; blocks for that time.
MachineLoad measureMachineLoad(int milliseconds = 200);

// What there is to be said of it before measuring, and what to do; nothing on a quiet machine.
std::optional<Error> loadLack(const MachineLoad &load);

// The parts that can be tried on any text: ticks of all cores that were not idle, of /proc/stat; name and ticks of one
// process, of /proc/PID/stat.
quint64 busyTicksIn(const QByteArray &stat);
struct ProcessTicks
{
    QString name;
    quint64 ticks = 0;
};
std::optional<ProcessTicks> processTicksIn(const QByteArray &stat);

} // namespace ako
