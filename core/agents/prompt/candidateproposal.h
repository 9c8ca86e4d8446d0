// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/agent.h"
#include "git/repository.h"

namespace ako {

// What came of a turn that has ended well: what the agent said of its change, and of what it did not say what the
// change itself says. Exhausted only where nothing was changed.
Proposal candidateProposal(const FolderContent &before, const QString &solution, const QString &message);

} // namespace ako
