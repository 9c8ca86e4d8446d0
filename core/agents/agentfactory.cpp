// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/agentfactory.h"

#include "agents/tuner/tuneragent.h"

#include <QCoreApplication>

namespace ako {

QStringList agentNames()
{
    return {QStringLiteral("tuner")};
}

Result<std::unique_ptr<Agent>> createAgent(const QString &name)
{
    if (name == QLatin1String("tuner"))
        return std::make_unique<TunerAgent>();
    return fail(
        QCoreApplication::translate("AgentFactory", "There is no agent named \"%1\".").arg(name),
        QCoreApplication::translate("AgentFactory", "Choose one of: %1.").arg(agentNames().join(QLatin1String(", "))));
}

} // namespace ako
