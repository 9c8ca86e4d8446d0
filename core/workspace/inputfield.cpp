// SPDX-License-Identifier: GPL-3.0-or-later
// The row of the input data: what the kernel is called with.
#include "workspace/planfields.h"
#include "workspace/problemdraft.h"
#include "workspace/problemreader.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QMap>

#include <algorithm>

namespace ako::planning {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Plan", text);
}

void useProblemInputs(const Context &context, const ProblemFacts &problem, ResolvedPlan &plan, PlanField &field)
{
    plan.inputFiles = problem.dataFiles;
    field.value = problem.dataFiles.isEmpty() ? problem.path : problem.dataFiles.join(comma());
    field.evidence.append(
        {problem.path, 0, tr("gives shapes and distributions: %1").arg(problem.workloads.join(comma()))});
    for (const QString &file : problem.dataFiles) {
        if (!existsFor(context.inventory, file))
            field.problem = tr("The input file %1, which %2 names, does not exist.").arg(file, problem.path);
    }
}

void askForShapes(const ResolvedPlan &plan, PlanField &field)
{
    if (plan.kernelFiles.isEmpty())
        return; // the kernel is asked for first
    field.certainty = Certainty::Open;
    field.question =
        tr("There is no problem.json for %1: its shapes appear nowhere. Write one that names the function to call, "
           "its arguments and the sizes that matter, or give a bench script of your own as the bench mode "
           "(custom: PATH).")
            .arg(plan.kernelFiles.first());
}

// Inputs come from the reference, from a module of their own, or from a definition's workloads.
void askForPythonInputs(const Context &context, const ResolvedPlan &plan, PlanField &field)
{
    const QString source = plan.referenceFile.isEmpty() ? plan.kernelFiles.value(0) : plan.referenceFile;
    const bool hasModule = std::any_of(plan.inputFiles.cbegin(), plan.inputFiles.cend(),
                                       [](const QString &file) { return file.endsWith(QLatin1String(".py")); });
    const QList<Finding> &findings = context.inventory.findings;
    const bool isComplete = std::any_of(findings.cbegin(), findings.cend(), [&](const Finding &finding) {
        const bool makesInputs =
            finding.kind == QLatin1String("definition") ||
            (finding.kind == QLatin1String("kernelbench") && finding.certainty == Certainty::Certain);
        return finding.path == source && makesInputs;
    });
    if (source.isEmpty() || hasModule || isComplete)
        return;
    field.certainty = Certainty::Open;
    field.question = tr("%1 has no get_inputs(): nothing says what the kernel is called with. Name a module with class "
                        "Model and get_inputs() as the reference, or one with get_inputs() as the input data.")
                         .arg(source);
}

// Data files that were seen, or those that were answered.
void chooseInputs(const Context &context, ResolvedPlan &plan, PlanField &field)
{
    field.editable = true;
    const QString answer = context.answer(planKey::input);
    const QStringList written = answer == noneText() ? QStringList() : splitList(answer);
    for (const QString &part : written) {
        const QString path = resolvedPath(context.inventory, part);
        plan.inputFiles.append(path.isEmpty() ? part : path);
        if (path.isEmpty())
            field.problem = tr("%1 is not a file of this workspace.").arg(part);
    }
    if (answer.isEmpty()) {
        for (const Finding &finding : context.inventory.withRole(Role::Input)) {
            plan.inputFiles.append(finding.path);
            field.evidence += finding.evidence;
        }
        field.certainty = plan.inputFiles.isEmpty() ? Certainty::Certain : Certainty::Likely;
    }
    field.value = plan.inputFiles.isEmpty() ? noneText() : plan.inputFiles.join(comma());
    if (plan.inputFiles.isEmpty() && plan.evaluator == EvaluatorKind::KernelBench)
        field.value = QStringLiteral("inline in ref");
}

// What the built-in evaluator compiles.
bool canBeDrafted(const ResolvedPlan &plan)
{
    static const QStringList suffixes{QStringLiteral("cpp"), QStringLiteral("cc"), QStringLiteral("cxx"),
                                      QStringLiteral("cu")};
    return suffixes.contains(QFileInfo(plan.kernelFiles.value(0)).suffix().toLower());
}

// "n=4096, x=n*4; n=1009": of one workload each, what stands before the first semicolon being said of all.
QList<QMap<QString, QString>> givenSizes(const QString &answer)
{
    QList<QMap<QString, QString>> all;
    for (const QString &workload : answer.split(QLatin1Char(';'), Qt::SkipEmptyParts)) {
        QMap<QString, QString> given;
        for (const QString &part : splitList(workload)) {
            if (part.contains(QLatin1Char('=')))
                given.insert(part.section(QLatin1Char('='), 0, 0).trimmed(),
                             part.section(QLatin1Char('='), 1).trimmed());
        }
        all.append(given);
    }
    return all;
}

// The problem's own reader has the last word.
void takeDraft(const ProblemDraft &draft, ResolvedPlan &plan, PlanField &field, PlanField &reference)
{
    const std::optional<ProblemFacts> facts = readProblemFacts(draft.path, draft.text);
    if (!facts || !facts->error.isEmpty()) {
        field.problem = facts ? facts->error : draft.path;
        return;
    }
    plan.problemFile = draft.path;
    plan.problemDraft = QString::fromUtf8(draft.text);
    field.value = draft.path;
    field.certainty = Certainty::Likely;
    field.notes.append(tr("%1 is drafted and written on approval; check it below").arg(draft.path));
    field.notes += draft.assumptions;
    if (draft.isReferenceUsed)
        return;
    plan.referenceFile = plan.kernelFiles.first();
    plan.referenceFiles = plan.kernelFiles;
    reference.value = plan.kernelFiles.join(comma());
    reference.notes.append(tr("the original kernel: it must not change"));
}

void draftInputs(const Context &context, ResolvedPlan &plan, PlanField &field, PlanField &reference)
{
    field.editable = true;
    field.value = noneText();
    const ProblemDraft draft = draftProblem(context.inventory, plan.kernelFiles, plan.kernelRoot, plan.referenceFile,
                                            givenSizes(context.answer(planKey::input)));
    field.evidence = draft.evidence;
    if (!draft.obstacle.isEmpty())
        field.problem = draft.obstacle + QLatin1Char(' ') +
                        tr("Or give a bench script of your own as the bench mode (custom: PATH).");
    else if (!draft.question.isEmpty())
        field.question = draft.question;
    else
        takeDraft(draft, plan, field, reference);
    if (!field.question.isEmpty())
        field.certainty = Certainty::Open;
}

} // namespace

PlanField inputField(const Context &context, ResolvedPlan &plan, PlanField &reference)
{
    PlanField field = newField(planKey::input, tr("Input data"), false);
    if (const ProblemFacts *problem = context.inventory.problem(plan.problemFile)) {
        useProblemInputs(context, *problem, plan, field);
        return field;
    }
    const bool isBenchOpen = !context.inventory.problems.isEmpty();
    const bool isRaw = plan.evaluator == EvaluatorKind::Native && !isBenchOpen && plan.benchCommand.isEmpty();
    if (isRaw && canBeDrafted(plan)) {
        draftInputs(context, plan, field, reference);
        return field;
    }
    chooseInputs(context, plan, field);
    if (isRaw)
        askForShapes(plan, field);
    if (plan.evaluator == EvaluatorKind::KernelBench && field.problem.isEmpty())
        askForPythonInputs(context, plan, field);
    return field;
}

} // namespace ako::planning
