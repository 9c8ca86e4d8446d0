// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/environmentparts.h"

#include "agents/knownagents.h"
#include "process/programlookup.h"

#include <QCoreApplication>

#include <algorithm>

namespace ako {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Environment", text);
}

EnvironmentFinding agentFinding(const KnownAgent &agent, const QString &detail, bool found)
{
    EnvironmentFinding finding;
    finding.name = tr("agent: %1").arg(agent.name);
    finding.found = found;
    finding.detail = detail;
    finding.driven = agent.isDriven;
    return finding;
}

QString startedAs(const KnownAgent &agent)
{
    return (QStringList{agent.program} + agent.arguments).join(QLatin1Char(' '));
}

} // namespace

QList<EnvironmentFinding> agentFindings(const QString &workspace)
{
    QList<EnvironmentFinding> findings;
    QStringList looked;
    for (const KnownAgent &agent : knownAgents()) {
        if (agent.program.isEmpty()) {
            findings.append(agentFinding(agent, agent.title, true));
            continue;
        }
        looked.append(startedAs(agent));
        const auto program = findProgram(agent.program, workspace);
        const auto other = agent.without.isEmpty() ? Result<QString>(fail({})) : findProgram(agent.without, workspace);
        if (program) {
            const QString use = agent.isDriven ? tr("ready") : tr("this version cannot drive it yet");
            findings.append(agentFinding(agent,
                                         tr("%1, %2, speaks the Agent Client Protocol as \"%3\"; %4")
                                             .arg(agent.title, *program, startedAs(agent), use),
                                         true));
        } else if (other) {
            findings.append(
                agentFinding(agent,
                             tr("%1 is there, but its part for the Agent Client Protocol, %2, is not on PATH; this "
                                "version cannot drive it yet")
                                 .arg(*other, agent.program),
                             false));
        }
    }
    if (std::all_of(findings.cbegin(), findings.cend(), [](const EnvironmentFinding &each) { return each.driven; })) {
        EnvironmentFinding none;
        none.name = tr("agent: others");
        none.detail = tr("none of these is on PATH: %1; this version cannot drive them yet")
                          .arg(looked.join(QStringLiteral(", ")));
        findings.append(none);
    }
    return findings;
}

} // namespace ako
