// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/ports.h"

namespace ako {

// scripts/bench.sh as a child process group.
class ScriptBenchJob : public BenchJob
{
    Q_OBJECT

public:
    explicit ScriptBenchJob(const BenchRequest &request);
    void start() override;
    void stop() override;

private:
    BenchRun m_run;
};

} // namespace ako
