// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/agentfactory.h"

#include "agents/acp/acpagent.h"
#include "agents/knownagents.h"
#include "agents/llm/modelagent.h"
#include "agents/tuner/tuneragent.h"

#include <QCoreApplication>

namespace ako {

Result<std::unique_ptr<Agent>> createAgent(const QString &name, const AgentSettings &settings)
{
    if (name == QLatin1String("tuner"))
        return std::make_unique<TunerAgent>();
    const KnownAgent *known = knownAgent(name);
    if (known && known->isExternal())
        return std::make_unique<acp::AcpAgent>(*known, settings);
    if (known && known->isModel)
        return std::make_unique<llm::ModelAgent>(*known, settings);
    QStringList names;
    for (const KnownAgent &agent : knownAgents())
        names << agent.name;
    return fail(QCoreApplication::translate("AgentFactory", "There is no agent named \"%1\".").arg(name),
                QCoreApplication::translate("AgentFactory", "Choose one of: %1.").arg(names.join(QLatin1String(", "))));
}

} // namespace ako
