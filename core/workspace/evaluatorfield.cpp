// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/kernelbenchfolder.h"
#include "workspace/planfields.h"
#include "workspace/scaffold.h"

#include <QCoreApplication>

namespace ako::planning {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Plan", text);
}

} // namespace

// A run goes on with what it was approved with until a person takes the other one, by its version: a later program's
// is asked about anew.
std::optional<PlanField> evaluatorField(const Context &context, ResolvedPlan &plan)
{
    if (plan.evaluator != EvaluatorKind::KernelBench)
        return std::nullopt;
    const QString &workspace = context.inventory.workspace;
    const Result<QString> scaffold = locateScaffold();
    const QString present = kernelBenchVersion(workspace);
    const QString offered = scaffold ? kernelBenchVersionOf(*scaffold) : QString();
    const QString folder = kernelBenchFolder(workspace) + QLatin1Char('/');
    if (present.isEmpty() || offered.isEmpty() || present == offered || plan.scaffoldToCopy.contains(folder))
        return std::nullopt;
    PlanField field = newField(planKey::evaluator, tr("Evaluator"), true);
    const QString answer = context.answer(planKey::evaluator);
    field.candidates = {present, offered};
    field.value = answer == offered ? offered : present;
    if (answer == offered) {
        plan.newEvaluator = offered;
        plan.scaffoldToCopy.append(folder);
        field.notes.append(
            tr("the program's: it replaces %1, which is kept in .ako/, and the champion is measured anew").arg(folder));
        return field;
    }
    field.notes.append(tr("%1 is of version %2; this program comes with version %3. To take that, choose it here "
                          "(--answer evaluator=%3): it needs your approval, and the champion is measured anew")
                           .arg(folder, present, offered));
    return field;
}

} // namespace ako::planning
