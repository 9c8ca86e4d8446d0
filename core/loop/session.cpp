// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/session.h"

#include "workspace/statefolder.h"

namespace ako {

Result<void> Session::takeLock()
{
    if (lock)
        return {};
    const auto folder = ensureStateFolder(workspace);
    if (!folder)
        return std::unexpected(folder.error());
    auto taken = SingleInstance::acquire(*folder + QStringLiteral("/lock"));
    if (!taken)
        return std::unexpected(taken.error());
    lock = std::move(*taken);
    return {};
}

CustomReading readingOf(const Session &session)
{
    if (!session.approval || session.approval->plan.evaluator != EvaluatorKind::Custom)
        return {};
    const ResolvedPlan &plan = session.approval->plan;
    return readingFrom(plan.metricPattern, plan.metricUnit).value_or(CustomReading{});
}

} // namespace ako
