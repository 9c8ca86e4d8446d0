// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/scriptbenchjob.h"

namespace ako {

ScriptBenchJob::ScriptBenchJob(const BenchRequest &request)
    : m_run(request)
{
    connect(&m_run, &BenchRun::progressChanged, this, &BenchJob::progressChanged);
    connect(&m_run, &BenchRun::outputAppended, this, &BenchJob::outputAppended);
    connect(&m_run, &BenchRun::finished, this,
            [this](const BenchResult &result) { Q_EMIT finished(result, m_run.trajectory()); });
}

void ScriptBenchJob::start()
{
    m_run.start();
}

void ScriptBenchJob::stop()
{
    m_run.stop();
}

} // namespace ako
