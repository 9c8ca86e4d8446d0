// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/effect.h"
#include "loop/loopevent.h"
#include "loop/session.h"

namespace ako {

// The approval and the steps of spec 5 before the baseline. Each can be repeated without harm.
Result<void> recordApproval(Session &session, const effect::RecordApproval &approval);
Result<outcome::Prepared> prepareRepository(Session &session, const ResolvedPlan &plan);
Result<outcome::Prepared> prepareScaffold(Session &session, const ResolvedPlan &plan);
Result<outcome::Prepared> prepareSolution(Session &session, const ResolvedPlan &plan, bool hasBaseline);
Result<outcome::Prepared> prepareBenchScript(Session &session, const ResolvedPlan &plan);

// Whether the loop may commit in this repository as it stands now.
Result<void> fitForCommits(const Repository &repository);

// The first iteration measured under the approved harness (.ako/harness.json); 0 where nothing says otherwise.
int comparableFrom(const QString &workspace);

} // namespace ako
