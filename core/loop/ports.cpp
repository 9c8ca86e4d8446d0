// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/ports.h"

#include "agents/agentfactory.h"
#include "bench/warmevaluator.h"
#include "loop/scriptbenchjob.h"
#include "loop/workspaceplanner.h"
#include "profile/workmodelprofiler.h"
#include "workspace/machineload.h"

#include <QCoreApplication>

namespace ako {

namespace {

QList<event::Notice> machineNotices()
{
    const auto translated = [](const char *text) { return QCoreApplication::translate("Loop", text); };
    QList<event::Notice> notices;
    const MachineLoad load = measureMachineLoad();
    if (const auto lack = loadLack(load))
        notices << event::Notice{Severity::Warning, lack->message, lack->remedy};
    if (load.clocksVary())
        notices << event::Notice{Severity::Warning,
                                 translated("The CPU governor is %1: clocks vary while measuring").arg(load.governor),
                                 translated("sudo cpupower frequency-set -g performance")};
    return notices;
}

} // namespace

Ports standardPorts()
{
    Ports ports;
    ports.planner = std::make_unique<WorkspacePlanner>();
    ports.profiler = std::make_unique<WorkModelProfiler>();
    ports.bench = [warm = std::make_shared<WarmEvaluator>()](BenchRequest request) {
        if (const QString socket = warm->socketFor(request.workspace); !socket.isEmpty())
            request.environment.insert(QStringLiteral("AKO_KERNELBENCH_SERVER"), socket);
        return std::make_unique<ScriptBenchJob>(request);
    };
    ports.agent = createAgent;
    ports.machineNotices = machineNotices;
    return ports;
}

} // namespace ako
