// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/agent.h"
#include "base/result.h"

#include <memory>

namespace ako {

// The agents this build has, by the names that --agent and the plan take; the first is the default.
QStringList agentNames();

// A fresh agent of that name, for the thread that calls.
Result<std::unique_ptr<Agent>> createAgent(const QString &name);

} // namespace ako
