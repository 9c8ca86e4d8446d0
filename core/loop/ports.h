// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/agent.h"
#include "agents/agentsettings.h"
#include "base/result.h"
#include "bench/benchrun.h"
#include "loop/runevent.h"
#include "profile/profiler.h"
#include "workspace/resolvedplan.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>

namespace ako {

// Where the plan comes from.
class Planner
{
public:
    virtual ~Planner() = default;
    virtual Result<ResolvedPlan> open(const QString &workspace, const QString &request) = 0; // reads only
    virtual Result<ResolvedPlan> change(const QString &key, const QString &value) = 0;
    virtual Result<ResolvedPlan> reload() = 0; // the workspace as it is now, with what was asked and answered so far
    virtual Result<void> save() = 0;           // the answers, once the plan is approved
};

// One run of scripts/bench.sh. Reports exactly once, also after stop() and where it could not be started.
class BenchJob : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;
    virtual void start() = 0;
    virtual void stop() = 0;

Q_SIGNALS:
    void progressChanged(const QString &stage, double fraction);
    void outputAppended(const QString &text);
    void finished(const ako::BenchResult &result, const QString &trajectory); // trajectory workspace-relative
};

// Everything outside the loop that takes long, is replaceable or talks to the world.
struct Ports
{
    std::unique_ptr<Planner> planner;
    std::unique_ptr<Profiler> profiler;
    std::function<std::unique_ptr<BenchJob>(const BenchRequest &)> bench;
    std::function<Result<std::unique_ptr<Agent>>(const QString &name, const AgentSettings &settings)> agent;
    std::function<QList<event::Notice>()> machineNotices; // what to say of the machine before a run; may be empty
};

// The real ones.
Ports standardPorts();

} // namespace ako
