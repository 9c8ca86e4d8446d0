// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/gpustate.h"

#include "process/childprocess.h"
#include "process/programlookup.h"

#include <QCoreApplication>

namespace ako {

namespace {

constexpr int limitMilliseconds = 5000;

struct Reason
{
    quint64 bit;
    const char *text;
};

// nvml.h, nvmlClocksThrottleReason*: those that cost speed.
constexpr Reason reasons[] = {
    {0x2, QT_TRANSLATE_NOOP("GpuState", "application clocks")}, {0x4, QT_TRANSLATE_NOOP("GpuState", "power cap")},
    {0x8, QT_TRANSLATE_NOOP("GpuState", "hardware slowdown")},  {0x10, QT_TRANSLATE_NOOP("GpuState", "sync boost")},
    {0x20, QT_TRANSLATE_NOOP("GpuState", "temperature")},       {0x40, QT_TRANSLATE_NOOP("GpuState", "temperature")},
    {0x80, QT_TRANSLATE_NOOP("GpuState", "power brake")}};

QStringList reasonsIn(const QString &mask)
{
    bool isNumber = false;
    const quint64 bits = mask.toULongLong(&isNumber, 16);
    QStringList found;
    for (const Reason &reason : reasons) {
        const QString text = QCoreApplication::translate("GpuState", reason.text);
        if (isNumber && (bits & reason.bit) != 0 && !found.contains(text))
            found << text;
    }
    return found;
}

QByteArray ask(const QString &program, const QString &query)
{
    CommandSpec spec;
    spec.program = program;
    spec.arguments = {query, QStringLiteral("--format=csv,noheader,nounits")};
    spec.timeoutMilliseconds = limitMilliseconds;
    const ProcessEnd end = runToEnd(spec);
    return end.succeeded() ? end.output : QByteArray();
}

int whole(const QString &text)
{
    bool isNumber = false;
    const double value = text.toDouble(&isNumber);
    return isNumber ? qRound(value) : -1;
}

} // namespace

QList<GpuState> gpuStatesIn(const QByteArray &gpus, const QByteArray &processes)
{
    int computing = 0;
    for (const QByteArray &line : processes.split('\n'))
        computing += line.trimmed().isEmpty() ? 0 : 1;
    QList<GpuState> states;
    for (const QByteArray &line : gpus.split('\n')) {
        QStringList cells;
        for (const QString &cell : QString::fromUtf8(line).split(QLatin1Char(',')))
            cells << cell.trimmed();
        if (cells.size() != 6)
            continue;
        bool isNumber = false;
        const double watts = cells.at(4).toDouble(&isNumber);
        states << GpuState{cells.at(1),           whole(cells.at(2)),     whole(cells.at(3)),
                           isNumber ? watts : -1, reasonsIn(cells.at(5)), computing};
    }
    return states;
}

QList<GpuState> readGpuStates()
{
    const auto program = findProgram(QStringLiteral("nvidia-smi"));
    if (!program)
        return {};
    const QByteArray gpus = ask(*program, QStringLiteral("--query-gpu=index,name,clocks.sm,temperature.gpu,power.draw,"
                                                         "clocks_throttle_reasons.active"));
    return gpus.isEmpty() ? QList<GpuState>()
                          : gpuStatesIn(gpus, ask(*program, QStringLiteral("--query-compute-apps=pid")));
}

} // namespace ako
