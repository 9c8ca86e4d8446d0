// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/ports.h"
#include "loop/session.h"
#include "process/childprocess.h"
#include "profile/profiler.h"
#include "workspace/resolvedplan.h"

#include <QObject>

#include <memory>

namespace ako {

// What is known of an entry's time, and of a CUDA kernel also what ako-bench --profile finds out about solution/. Best
// effort: whatever fails is said in the report.
class Profiling : public QObject
{
    Q_OBJECT

public:
    struct Order
    {
        IterationRecord record; // whose figures are at hand
        QString folder;         // workspace-relative: the trajectory that the profile is kept in
        bool mayRun = true;     // false: only what was kept of an earlier one is told
    };

    Profiling(Session &session, Ports &ports, QObject *parent);
    ~Profiling() override;

    void start(const Order &order, const ResolvedPlan &plan); // profiled() follows, where nothing has to be run at once
    void stop();                                              // the counters are done without
    void drop();                                              // ends it without a word

Q_SIGNALS:
    void profiled(const ako::ProfileReport &report);

private:
    bool isForGpu(const ResolvedPlan &plan) const;
    void finish(const ProcessEnd &end);

    Session &m_session;
    Ports &m_ports;
    std::unique_ptr<ChildProcess> m_child;
    ProfileReport m_report;
    QString m_file; // absolute
};

} // namespace ako
