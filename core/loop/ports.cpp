// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/ports.h"

#include "agents/agentfactory.h"
#include "bench/warmevaluator.h"
#include "loop/scriptbenchjob.h"
#include "loop/workspaceplanner.h"
#include "profile/workmodelprofiler.h"

namespace ako {

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
    ports.agent = [](const QString &name) { return createAgent(name); };
    return ports;
}

} // namespace ako
