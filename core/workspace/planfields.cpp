// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/planfields.h"

#include "base/words.h"
#include "bench/resultparser.h"
#include "workspace/definitionkernel.h"
#include "workspace/kernelcandidates.h"
#include "workspace/scaffold.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace ako::planning {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Plan", text);
}

// It is measured against as it is now, so it must not change.
void useOriginalAsReference(ResolvedPlan &plan, PlanField &field)
{
    plan.referenceFiles = plan.kernelFiles;
    if (plan.kernelFiles.size() > 1)
        field.problem = tr("%1 names no reference, and the kernel is of several files. Name them there: \"reference\": "
                           "{\"source\": [...]}.")
                            .arg(plan.problemFile);
}

void useProblemReference(const Context &context, const ProblemFacts &problem, ResolvedPlan &plan, PlanField &field)
{
    plan.referenceFile = problem.referenceSources.value(0);
    plan.referenceFiles = problem.referenceSources;
    field.value = problem.referenceSources.isEmpty() ? noneText() : problem.referenceSources.join(comma());
    if (!problem.referenceSources.isEmpty())
        field.evidence.append({problem.path, problem.referenceLine, tr("names it as the reference")});
    if (problem.referenceSources.isEmpty())
        useOriginalAsReference(plan, field);
    for (const QString &file : problem.referenceSources) {
        if (!existsFor(context.inventory, file))
            field.problem = tr("%1, which %2 names as the reference in line %3, does not exist.")
                                .arg(file, problem.path)
                                .arg(problem.referenceLine);
    }
}

void askForReference(const QList<Finding> &found, PlanField &field)
{
    field.certainty = Certainty::Open;
    for (const Finding &finding : found) {
        field.candidates.append(finding.path);
        field.evidence += finding.evidence;
    }
    field.question = tr("%1 files could be the reference: %2. Which one says what the kernel has to compute?")
                         .arg(found.size())
                         .arg(words::listed(field.candidates));
}

// Beside a C++ or CUDA kernel: the only file that is called a reference.
void chooseSourceReference(const Context &context, ResolvedPlan &plan, PlanField &field)
{
    QList<Finding> found = context.inventory.withRole(Role::Kernel);
    found.removeIf([&](const Finding &finding) {
        return plan.kernelFiles.contains(finding.path) || !looksLikeReference(context.inventory, finding.path);
    });
    for (const Finding &finding : std::as_const(found))
        field.candidates.append(finding.path);
    if (found.size() != 1 || plan.kernelFiles.isEmpty())
        return;
    plan.referenceFile = found.first().path;
    plan.referenceFiles = {plan.referenceFile};
    field.value = plan.referenceFile;
    field.certainty = Certainty::Likely;
    field.evidence += found.first().evidence;
}

// For a Python kernel: the definition, or the one other module that has Model and get_inputs().
void choosePythonReference(const Context &context, ResolvedPlan &plan, PlanField &field)
{
    QList<Finding> found;
    for (const Finding &finding : context.inventory.findings) {
        const bool isDefinition = finding.kind == QLatin1String("definition");
        const bool isModule = finding.kind == QLatin1String("kernelbench") && finding.certainty == Certainty::Certain;
        if (isDefinition || (isModule && !plan.kernelFiles.contains(finding.path)))
            found.append(finding);
    }
    const PythonNeeds *kernel = context.inventory.pythonFile(plan.kernelFiles.value(0));
    if (found.size() > 1 && kernel && !kernel->facts.functions.contains(QStringLiteral("get_inputs")))
        askForReference(found, field);
    if (found.size() != 1 || plan.kernelFiles.isEmpty())
        return;
    plan.referenceFile = found.first().path;
    plan.referenceFiles = {plan.referenceFile};
    if (found.first().kind == QLatin1String("definition"))
        plan.referenceFiles.append(QFileInfo(plan.referenceFile).path() == QLatin1String(".")
                                       ? QStringLiteral("workload.jsonl")
                                       : QFileInfo(plan.referenceFile).path() + QStringLiteral("/workload.jsonl"));
    field.value = plan.referenceFile;
    field.certainty = Certainty::Likely;
    field.evidence += found.first().evidence;
}

// Without a problem file: what was answered, then what the request names.
void chooseReference(const Context &context, ResolvedPlan &plan, PlanField &field)
{
    const QString answer = context.answer(planKey::reference);
    const QString written = answer.isEmpty() ? context.request.referencePaths.value(0) : answer;
    field.value = noneText();
    field.editable = true;
    if (written.isEmpty() && plan.evaluator == EvaluatorKind::KernelBench)
        choosePythonReference(context, plan, field);
    else if (written.isEmpty())
        chooseSourceReference(context, plan, field);
    if (written.isEmpty() || written == noneText())
        return;
    field.evidence.append({{}, 0, answer.isEmpty() ? tr("named in your request") : tr("your answer")});
    plan.referenceFile = resolvedPath(context.inventory, written);
    field.value = plan.referenceFile.isEmpty() ? written : plan.referenceFile;
    if (!plan.referenceFile.isEmpty())
        plan.referenceFiles = {plan.referenceFile};
    if (plan.referenceFile.isEmpty())
        field.problem = tr("%1 is not a file of this workspace.").arg(written);
}

// "knowledge/" stands for all that lies in it.
QString shortenedList(const QStringList &files)
{
    QStringList names;
    for (const QString &file : files) {
        const QString folder = file.section(QLatin1Char('/'), 0, 0) + QLatin1Char('/');
        const bool isFolder = folder == QLatin1String("knowledge/") || folder == QLatin1String("context/");
        const QString name = isFolder ? folder : file;
        if (!names.contains(name))
            names.append(name);
    }
    return names.join(comma());
}

QStringList knowledgeOf(const Context &context, PlanField &field)
{
    QStringList followed;
    for (const QString &path : context.request.followPaths)
        followed.append(resolvedPath(context.inventory, path));
    QStringList files;
    for (const Finding &finding : context.inventory.withRole(Role::Knowledge)) {
        if (followed.contains(finding.path))
            continue;
        files.append(finding.path);
        field.evidence += finding.evidence;
    }
    return files;
}

QStringList answeredKnowledge(const Context &context, const QString &answer, PlanField &field)
{
    QStringList files;
    const QStringList parts = answer == noneText() ? QStringList() : splitList(answer);
    for (const QString &part : parts) {
        const QString path = resolvedPath(context.inventory, part);
        if (!path.isEmpty())
            files.append(path);
        else if (context.inventory.hasFolder(part))
            files += context.inventory.files.filter(QRegularExpression(
                QLatin1Char('^') + QRegularExpression::escape(QDir::cleanPath(part)) + QLatin1Char('/')));
        else
            field.problem = tr("%1 is not a file or folder of this workspace.").arg(part);
    }
    return files;
}

} // namespace

// A file that the problem names: in the inventory, or in a folder that it skips.
bool existsFor(const Inventory &inventory, const QString &path)
{
    return inventory.contains(path) || QFileInfo(inventory.workspace + QLatin1Char('/') + path).isFile();
}

QStringList splitList(const QString &text)
{
    QStringList parts;
    for (const QString &part : text.split(QLatin1Char(','), Qt::SkipEmptyParts))
        parts.append(part.trimmed());
    return parts;
}

const QString &noneText()
{
    static const QString text = QStringLiteral("none");
    return text;
}

const QString &comma()
{
    static const QString text = QStringLiteral(", ");
    return text;
}

PlanField newField(const char *key, const QString &label, bool isEditable)
{
    PlanField field;
    field.key = QLatin1String(key);
    field.label = label;
    field.editable = isEditable;
    return field;
}

PlanField referenceField(const Context &context, ResolvedPlan &plan)
{
    PlanField field = newField(planKey::reference, tr("Reference"), false);
    if (const ProblemFacts *problem = context.inventory.problem(plan.problemFile))
        useProblemReference(context, *problem, plan, field);
    else
        chooseReference(context, plan, field);
    if (plan.evaluator == EvaluatorKind::KernelBench && !plan.referenceFiles.isEmpty())
        plan.referenceFiles = withDependencies(context.inventory, plan.referenceFiles, {}, field, plan.warnings);
    return field;
}

PlanField knowledgeField(const Context &context, ResolvedPlan &plan)
{
    PlanField field = newField(planKey::knowledge, tr("Knowledge"), true);
    const QString answer = context.answer(planKey::knowledge);
    plan.knowledgeFiles = answer.isEmpty() ? knowledgeOf(context, field) : answeredKnowledge(context, answer, field);
    field.value = plan.knowledgeFiles.isEmpty() ? noneText() : shortenedList(plan.knowledgeFiles);
    if (!field.problem.isEmpty())
        field.value = answer;
    return field;
}

PlanField scaffoldField(const Context &context, ResolvedPlan &plan)
{
    PlanField field = newField(planKey::scaffold, tr("Scaffold to copy"), false);
    plan.scaffoldToCopy = scaffoldFiles(context.inventory.workspace, plan.evaluator);
    plan.scaffoldToCopy.removeIf([&](const QString &file) { return context.inventory.scaffoldPresent.contains(file); });
    field.value = plan.scaffoldToCopy.isEmpty() ? noneText() : plan.scaffoldToCopy.join(comma());
    return field;
}

// Of a bench of one's own also where in its output the number stands, and what it is.
QList<PlanField> metricFields(const Context &context, ResolvedPlan &plan)
{
    const bool isCustom = plan.evaluator == EvaluatorKind::Custom;
    PlanField metric = newField(planKey::metric, tr("Primary metric"), isCustom);
    metric.value = tr("runtime in ms, lower is better");
    if (!isCustom)
        return {metric};
    PlanField pattern = newField(planKey::metricPattern, tr("Metric's pattern"), true);
    plan.metricPattern = context.answer(planKey::metricPattern);
    plan.metricUnit = context.answer(planKey::metric);
    pattern.value = plan.metricPattern;
    metric.candidates = metricUnits();
    if (plan.metricPattern.isEmpty()) {
        pattern.value = noneText();
        pattern.notes.append(
            tr("the bench prints RUNTIME: and CORRECT: lines, or JSON; else give a regular expression with "
               "the number in round brackets"));
    }
    if (!plan.metricUnit.isEmpty())
        metric.value = plan.metricUnit == metricUnits().constLast()
                           ? tr("rate, higher is better; shown as ms for one unit of it")
                           : tr("runtime in %1, lower is better; shown in ms").arg(plan.metricUnit);
    if (const auto reading = readingFrom(plan.metricPattern, plan.metricUnit); !reading) {
        const bool isUnit = !readingFrom({}, plan.metricUnit);
        (isUnit ? metric : pattern).problem = reading.error().text();
        if (isUnit)
            metric.value = plan.metricUnit;
    }
    return {pattern, metric};
}

QStringList filesToWrite(const Context &context, const ResolvedPlan &plan)
{
    QStringList files = plan.scaffoldToCopy;
    if (!context.inventory.isRepository)
        files.append(QStringLiteral(".git/"));
    files.append({QStringLiteral(".ako/"), QStringLiteral("scripts/bench.sh"), QStringLiteral("trajectory/"),
                  QStringLiteral("_bench_output.txt"), QStringLiteral("ITERATIONS.md")});
    if (!plan.problemDraft.isEmpty())
        files.append(plan.problemFile);
    if (!plan.hints.isEmpty())
        files.append(QStringLiteral("HINTS.md"));
    const qsizetype skip = plan.kernelRoot.isEmpty() ? 0 : plan.kernelRoot.size() + 1;
    for (const QString &file : plan.kernelFiles) {
        const QString copy = QStringLiteral("solution/") + solutionName(file.mid(skip));
        if (copy != file) // else it is there
            files.append(copy);
    }
    files.removeDuplicates();
    files.sort();
    return files;
}

} // namespace ako::planning
