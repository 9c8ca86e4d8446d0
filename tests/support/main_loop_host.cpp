// SPDX-License-Identifier: GPL-3.0-or-later
// A loop with real git and history and a scripted agent and bench, in a process of its own that can be killed:
//   loop_host WORKSPACE SCAFFOLD
// Opens, approves where that is missing, runs to the end and prints what was recovered.
#include "loopfakes.h"
#include "scratchrepository.h"

#include <QCoreApplication>
#include <QFile>

#include <cstdio>

using namespace ako;
using namespace ako::test;

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() < 3)
        return 2;
    isolateGitConfiguration();
    FakePlanner::iterationCap = 4;
    const QList<ScriptedAgent::Turn> turns{{kernel(8.0), QStringLiteral("eight"), {}},
                                           {kernel(12.0), QStringLiteral("twelve"), {}},
                                           {kernel(7.0, "// wrong\n"), QStringLiteral("wrong"), {}},
                                           {kernel(5.0), QStringLiteral("five"), {}}};
    LoopDriver driver(fakePorts(turns, true));
    // Any small file stands for the evaluator's program: its hash is part of the approval.
    driver.engine.setSettings({arguments.at(2) + QStringLiteral("/HINTS.md"), arguments.at(2), false});
    driver.engine.handle(intent::Open{arguments.at(1), {}, false});
    driver.settle();
    if (!driver.engine.state().approved)
        driver.until(intent::Approve{});
    const event::RunStopped stopped = driver.until(intent::Run{});
    for (const event::Recovered &recovered : driver.all<event::Recovered>())
        std::printf("recovered %d %s %s\n", recovered.iteration, qPrintable(recovered.reached),
                    qPrintable(recovered.action));
    std::printf("%s\n%s\n", qPrintable(stopped.reason), qPrintable(driver.notices()));
    return stopped.exitCode;
}
