// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "loop/session.h"
#include "workspace/resolvedplan.h"

#include <optional>

namespace ako {

// What solution/ may hold before there is a baseline, which measures it as the original kernel: a copy of the kernel
// that the plan names. An older copy that the program itself has made is replaced; whatever else lies there is a
// person's, is never overwritten and is asked about.

Result<FolderContent> kernelContent(const Session &session, const ResolvedPlan &plan);

// What in solution/ is neither the kernel nor a copy of it that the program has made, with the remedy.
std::optional<Error> foreignSolution(const Session &session, const ResolvedPlan &plan);

// The same as a problem of the plan's kernel.
void askOfForeignSolution(const Session &session, ResolvedPlan &plan);

// Makes solution/ that copy, where nothing foreign is in it. Whether an older one was replaced.
Result<bool> copyKernel(Session &session, const ResolvedPlan &plan);

} // namespace ako
