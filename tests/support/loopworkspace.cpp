// SPDX-License-Identifier: GPL-3.0-or-later
#include "loopworkspace.h"

namespace ako::test {

void prepare(LoopDriver &driver)
{
    static const QString source = QStringLiteral(AKO_SOURCE_DIR);
    driver.engine.setSettings({source + QStringLiteral("/tests/run.sh"), source + QStringLiteral("/scaffold"), false});
}

// Open and approved, with a baseline.
std::unique_ptr<LoopDriver> started(const Workspace &workspace, const QList<QByteArray> &kernels)
{
    auto driver = std::make_unique<LoopDriver>(fakePorts(turns(kernels)));
    prepare(*driver);
    driver->engine.handle(workspace.open());
    driver->settle();
    const auto stopped = driver->until(intent::Approve{});
    if (stopped.why != event::RunStopped::Why::StepDone)
        qWarning("not started: %s", qPrintable(driver->notices()));
    return driver;
}

} // namespace ako::test
