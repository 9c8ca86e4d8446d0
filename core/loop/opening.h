// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/effect.h"
#include "loop/loopevent.h"
#include "loop/ports.h"
#include "loop/session.h"

namespace ako {

// Opening a workspace: the plan, the history, what an earlier process left unfinished. Writes only where an earlier
// approval has made .ako/, and there only to complete what was interrupted. Without a planner: the history alone.
Result<outcome::Opened> openWorkspace(Session &session, Planner *planner, const effect::Open &open);

// Whether an approval of `before` still holds for `after`: nothing that the measurement depends on is different.
bool measuresTheSame(const ResolvedPlan &before, const ResolvedPlan &after);

} // namespace ako
