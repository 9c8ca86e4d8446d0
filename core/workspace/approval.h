// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "workspace/integritymanifest.h"
#include "workspace/resolvedplan.h"

#include <QDateTime>

#include <optional>

namespace ako {

// What a person approved: the plan, and the hash of every file its measurement depends on.
struct Approval
{
    ResolvedPlan plan;
    IntegrityManifest manifest;
    QDateTime time;
};

// .ako/approval.json. No file, or one that this user did not write (approvalseal.h): no approval. A broken one is an
// error that names it.
Result<std::optional<Approval>> loadApproval(const QString &workspace);
Result<void> saveApproval(const QString &workspace, const Approval &approval);

} // namespace ako
