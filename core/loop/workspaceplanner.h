// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/ports.h"
#include "workspace/planbuilder.h"

#include <optional>

namespace ako {

// The plan from the inventory, the request and the answers remembered in the workspace.
class WorkspacePlanner : public Planner
{
public:
    Result<ResolvedPlan> open(const QString &workspace, const QString &request) override;
    Result<ResolvedPlan> change(const QString &key, const QString &value) override;
    Result<ResolvedPlan> reload() override;
    Result<void> save() override;

private:
    ResolvedPlan plan() const;

    QString m_workspace;
    std::optional<PlanBuilder> m_builder;
};

} // namespace ako
