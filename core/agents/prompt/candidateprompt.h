// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/agent.h"
#include "base/result.h"

#include <QString>

namespace ako {

// What an agent is asked for one candidate, from resources/prompts/iteration.md. A section whose content is empty is
// left out, and so is what was said `once` where the agent remembers its session (not isNew). Over the budget the
// oldest details go first; everything is in the workspace's files in full.
Result<QString> candidatePrompt(const ProposalRequest &request, bool isNew, qsizetype budgetCharacters = 60'000);

} // namespace ako
