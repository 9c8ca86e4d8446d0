// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/knownagents.h"
#include "workspace/answers.h"
#include "workspace/inventory.h"
#include "workspace/planbuilder.h"
#include "workspace/requesttext.h"
#include "workspace/resolvedplan.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace ako::planning {

// What a row of the plan is made from. Each function fills its part of the plan and returns the row; they are called
// in the order in which they depend on each other: bench mode, kernel, the rest.
struct Context
{
    const Inventory &inventory;
    const ParsedRequest &request;
    const Answers &answers;
    const EvaluatorSupport &support;

    QString answer(const char *key) const { return answers.value(QLatin1String(key)).trimmed(); }
    // Given again after it was doubted.
    bool isConfirmed(const char *key, const QString &answer) const
    {
        return answers.value(QLatin1String(key) + confirmedSuffix) == answer;
    }
};

PlanField benchModeField(const Context &context, ResolvedPlan &plan);
PlanField kernelField(const Context &context, ResolvedPlan &plan);
PlanField referenceField(const Context &context, ResolvedPlan &plan);
// May make the original kernel the reference, of a problem that is yet to be written.
PlanField inputField(const Context &context, ResolvedPlan &plan, PlanField &reference);
PlanField knowledgeField(const Context &context, ResolvedPlan &plan);
PlanField scaffoldField(const Context &context, ResolvedPlan &plan);
// Where the program has another version of the Python evaluator than the workspace: which of them measures.
std::optional<PlanField> evaluatorField(const Context &context, ResolvedPlan &plan); // after scaffoldField
QList<PlanField> agentFields(const Context &context, ResolvedPlan &plan);            // the agent, and how it is started
QList<PlanField> modelFields(const Context &context, const KnownAgent &agent);       // of one asked over HTTP
QList<PlanField> limitFields(const Context &context);                                // of any agent but ours
PlanField hintsField(const Context &context, ResolvedPlan &plan);
PlanField iterationCapField(const Context &context, ResolvedPlan &plan); // after hintsField
QList<PlanField> metricFields(const Context &context, ResolvedPlan &plan);
// Adds to the plan's warnings and to the notes of that row.
void warnOfSources(const Context &context, ResolvedPlan &plan, PlanField &reference);
QStringList filesToWrite(const Context &context, const ResolvedPlan &plan);

const QString &noneText(); // "none"
const QString &comma();    // between the members of a list

// A file that the problem names: in the inventory, or in a folder that it skips.
bool existsFor(const Inventory &inventory, const QString &path);
QStringList splitList(const QString &text); // at commas

PlanField newField(const char *key, const QString &label, bool isEditable);

// A path as a person writes it (absolute, "./a.cpp", only the file's name) to the workspace's own; empty: none or
// several.
QString resolvedPath(const Inventory &inventory, const QString &written);

// The kernel's files with all that they include from the workspace and the files that define what they call.
QStringList withDependencies(const Inventory &inventory, const QStringList &files, const QStringList &references,
                             PlanField &field, QStringList &warnings);

} // namespace ako::planning
