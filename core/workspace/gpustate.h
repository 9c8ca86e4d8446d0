// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QMetaType>
#include <QString>
#include <QStringList>

namespace ako {

// A GPU at one moment, as nvidia-smi tells; what it does not tell is negative or empty.
struct GpuState
{
    QString name;
    int clockMhz = -1;    // of the multiprocessors
    int temperature = -1; // °C
    double watts = -1;
    QStringList throttled; // why it runs slower than it could; idling is no reason
    int processes = -1;    // that compute on this machine's GPUs
    bool operator==(const GpuState &) const = default;
};

// Asks nvidia-smi, which takes a part of a second: for worker threads. Empty where there is none.
QList<GpuState> readGpuStates();

// From its answers in CSV without header and units: index, name, SM clock, temperature, power, throttle reasons as a
// bit mask; and of the processes a line each.
QList<GpuState> gpuStatesIn(const QByteArray &gpus, const QByteArray &processes);

} // namespace ako

Q_DECLARE_METATYPE(ako::GpuState)
