// SPDX-License-Identifier: GPL-3.0-or-later
// Who proposes the candidates: one that can change this kernel.
#include "agents/knownagents.h"
#include "agents/tuner/catalogue.h"
#include "workspace/planfields.h"

#include <QCoreApplication>

#include <algorithm>

namespace ako::planning {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Plan", text);
}

bool isForTheTuner(const QString &file)
{
    return tuner::isSourceFile(file.toStdString());
}

// The file that is the kernel, not one that goes with it: a Python module may well bring a CUDA file.
QString notForTheTuner(const ResolvedPlan &plan)
{
    const QString file = plan.kernelFiles.value(0);
    return file.isEmpty() || isForTheTuner(file) ? QString() : file;
}

QString tunersLack(const QString &file)
{
    return tr("the tuner changes C++ and CUDA sources only, and %1 is neither").arg(file);
}

} // namespace

PlanField agentField(const Context &context, ResolvedPlan &plan)
{
    const QString tuner = QStringLiteral("tuner");
    PlanField field = newField(planKey::agent, tr("Agent"), true);
    field.candidates = drivenAgents();
    const QString other = notForTheTuner(plan);
    if (!other.isEmpty()) {
        plan.agent = QStringLiteral("user");
        if (std::none_of(plan.kernelFiles.cbegin(), plan.kernelFiles.cend(), isForTheTuner))
            field.candidates.removeAll(tuner);
    }
    const QString answer = context.answer(planKey::agent);
    if (!answer.isEmpty())
        plan.agent = answer;
    field.value = plan.agent;
    if (!other.isEmpty() && plan.agent != tuner)
        field.notes.append(tunersLack(other));
    const QString known = field.candidates.join(QStringLiteral(", "));
    if (plan.agent == tuner && !field.candidates.contains(tuner))
        field.problem =
            tr("The tuner cannot work on this kernel: %1. Choose user: edit solution/ yourself, or with any "
               "coding agent in a terminal, and each edit is benched, logged and committed.")
                .arg(tunersLack(other));
    else if (!field.candidates.contains(plan.agent))
        field.problem = tr("There is no agent \"%1\" in this version. Use one of: %2.").arg(plan.agent, known);
    return field;
}

} // namespace ako::planning
