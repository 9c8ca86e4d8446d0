// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/effect.h"
#include "loop/loopevent.h"
#include "loop/session.h"

#include <variant>

namespace ako {

// solution/ byte for byte as that entry committed it. An edit that no entry holds is set aside first.
Result<outcome::SolutionSet> resetSolution(Session &session, const IterationRecord &target,
                                           const QList<IterationRecord> &records);

// Undoes only what that entry changed. Where a later entry touches the same lines nothing is changed and the answer
// names it.
using RevertOutcome = std::variant<outcome::SolutionSet, outcome::RevertRefused>;
Result<RevertOutcome> revertEntry(Session &session, const IterationRecord &target,
                                  const QList<IterationRecord> &records);

} // namespace ako
