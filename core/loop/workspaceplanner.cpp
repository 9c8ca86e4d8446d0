// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/workspaceplanner.h"

#include "workspace/lacks.h"

#include <QCoreApplication>

namespace ako {

Result<ResolvedPlan> WorkspacePlanner::open(const QString &workspace, const QString &request)
{
    auto inventory = takeInventory(workspace);
    if (!inventory)
        return std::unexpected(inventory.error());
    const auto answers = loadAnswers(workspace);
    if (!answers)
        return std::unexpected(answers.error());
    m_workspace = workspace;
    m_builder.emplace(std::move(*inventory), request, *answers);
    return plan();
}

Result<ResolvedPlan> WorkspacePlanner::change(const QString &key, const QString &value)
{
    if (!m_builder)
        return fail(QCoreApplication::translate("Loop", "No workspace is open"));
    if (const auto set = m_builder->setAnswer(key, value); !set)
        return std::unexpected(set.error());
    return plan();
}

Result<ResolvedPlan> WorkspacePlanner::reload()
{
    if (!m_builder)
        return fail(QCoreApplication::translate("Loop", "No workspace is open"));
    auto inventory = takeInventory(m_workspace);
    if (!inventory)
        return std::unexpected(inventory.error());
    m_builder->setInventory(std::move(*inventory));
    return plan();
}

ResolvedPlan WorkspacePlanner::plan() const
{
    ResolvedPlan plan = m_builder ? m_builder->plan() : ResolvedPlan();
    warnOfLacks(plan);
    return plan;
}

Result<void> WorkspacePlanner::save()
{
    return m_builder ? saveAnswers(m_workspace, m_builder->answers()) : Result<void>{};
}

} // namespace ako
