// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/agent.h"
#include "agents/agentsettings.h"
#include "base/result.h"

#include <memory>

namespace ako {

// A fresh agent of that name, as --agent and the plan take it, for the thread that calls.
Result<std::unique_ptr<Agent>> createAgent(const QString &name, const AgentSettings &settings = {});

} // namespace ako
