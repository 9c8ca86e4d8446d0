// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/environmentparts.h"

#include "agents/knownagents.h"
#include "agents/llm/apikey.h"
#include "process/programlookup.h"
#include "process/sandbox.h"

#include <QCoreApplication>

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
    if (!found)
        finding.remedy = agent.install;
    return finding;
}

// Whether a key is in the keyring is not looked up: that may ask a person for its password.
EnvironmentFinding modelFinding(const KnownAgent &agent)
{
    const QString key = llm::keyVariable(agent.name);
    if (!qEnvironmentVariableIsEmpty(key.toLatin1().constData()))
        return agentFinding(agent, tr("%1; its key is that of %2").arg(agent.title, key), true);
    QString detail = tr("%1; %2 is not set").arg(agent.title, key);
    if (llm::hasKeyring())
        detail += tr(" (a key in the keyring would be used)");
    if (agent.usualServer.isEmpty())
        detail += tr("; a server on this machine needs none");
    EnvironmentFinding finding = agentFinding(agent, detail, false);
    finding.remedy = tr("export %1=…").arg(key);
    if (llm::hasKeyring())
        finding.remedy += tr(", or put it into the keyring: ako4all key %1").arg(agent.name);
    return finding;
}

EnvironmentFinding confinement()
{
    EnvironmentFinding finding;
    finding.name = tr("sandbox: agents (bubblewrap)");
    const auto usable = sandboxIsUsable();
    finding.found = usable.has_value();
    finding.detail =
        usable ? tr("an agent writes solution/ only and sees no home but its own settings")
               : tr("%1: an agent would have all your rights, and the plan asks first").arg(usable.error().message);
    finding.remedy = usable ? QString() : usable.error().remedy;
    return finding;
}

} // namespace

QList<EnvironmentFinding> agentFindings(const QString &workspace)
{
    QList<EnvironmentFinding> findings;
    QStringList looked;
    bool hasExternal = false;
    for (const KnownAgent &agent : knownAgents()) {
        if (agent.isModel) {
            findings.append(modelFinding(agent));
            continue;
        }
        if (!agent.isExternal()) {
            findings.append(agentFinding(agent, agent.title, true));
            continue;
        }
        if (agent.program.isEmpty())
            continue;
        looked.append(tr("%1 (%2)").arg(agent.startedAs(), agent.install));
        const auto program = findProgram(agent.program, workspace);
        const auto other = agent.without.isEmpty() ? Result<QString>(fail({})) : findProgram(agent.without, workspace);
        hasExternal = hasExternal || program || other;
        if (program)
            findings.append(agentFinding(agent,
                                         tr("%1, %2, speaks the Agent Client Protocol as \"%3\". %4")
                                             .arg(agent.title, *program, agent.startedAs(), agent.login),
                                         true));
        else if (other)
            findings.append(
                agentFinding(agent,
                             tr("%1 is there, but its part for the Agent Client Protocol, %2, is not on PATH")
                                 .arg(*other, agent.program),
                             false));
    }
    if (!hasExternal) {
        EnvironmentFinding none;
        none.name = tr("agent: others");
        none.detail = tr("none of these is on PATH: %1").arg(looked.join(QStringLiteral(", ")));
        findings.append(none);
    }
    findings.append(confinement());
    return findings;
}

} // namespace ako
