// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/resolvedplan.h"

#include "workspace/answers.h"

#include "base/words.h"

#include <QCoreApplication>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ako {

namespace {

using nlohmann::json;

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Plan", text);
}

QString code(const QString &text)
{
    return QLatin1Char('`') + text + QLatin1Char('`');
}

QString codeList(const QString &text)
{
    return code(QString(text).replace(QStringLiteral(", "), QStringLiteral("`, `")));
}

bool isPathRow(const QString &key)
{
    return key == QLatin1String(planKey::workspace) || key == QLatin1String(planKey::kernel) ||
           key == QLatin1String(planKey::reference) || key == QLatin1String(planKey::input) ||
           key == QLatin1String(planKey::knowledge) || key == QLatin1String(planKey::scaffold);
}

QString noneText(const QString &key)
{
    if (key == QLatin1String(planKey::reference))
        return tr("none — will use original kernel");
    if (key == QLatin1String(planKey::scaffold))
        return tr("none — already present");
    return tr("none");
}

QString benchText(const QString &value)
{
    const QString custom = QStringLiteral("custom: ");
    return value.startsWith(custom) ? custom + code(value.mid(custom.size())) : value;
}

QString valueText(const PlanField &field)
{
    if (field.value.isEmpty())
        return tr("open");
    if (field.value == QLatin1String("none"))
        return noneText(field.key);
    if (field.key == QLatin1String(planKey::benchMode))
        return benchText(field.value);
    const bool isSinglePath =
        field.key == QLatin1String(planKey::workspace) || field.key == QLatin1String(planKey::kernel);
    if (isSinglePath)
        return code(field.value);
    return isPathRow(field.key) && field.value != QLatin1String("inline in ref") ? codeList(field.value) : field.value;
}

QString placeText(const Evidence &evidence)
{
    if (evidence.file.isEmpty())
        return evidence.reason;
    const QString place =
        evidence.line > 0 ? QStringLiteral("%1:%2").arg(evidence.file).arg(evidence.line) : evidence.file;
    return QStringLiteral("%1: %2").arg(place, evidence.reason);
}

QString rowText(const PlanField &field, bool withEvidence)
{
    QString text = QStringLiteral("- **%1** — %2").arg(field.label, valueText(field));
    if (!field.question.isEmpty())
        text += QStringLiteral("\n  - %1 %2").arg(tr("**Question (%1):**").arg(field.key), field.question);
    if (!field.problem.isEmpty())
        text += QStringLiteral("\n  - %1 %2").arg(tr("**Problem (%1):**").arg(field.key), field.problem);
    if (!field.candidates.isEmpty() && !field.question.isEmpty())
        text += QStringLiteral("\n  - %1 %2").arg(tr("Candidates:"), codeList(words::listed(field.candidates)));
    for (const QString &note : field.notes)
        text += QStringLiteral("\n  - ") + note;
    for (const Evidence &evidence : withEvidence ? field.evidence : QList<Evidence>())
        text += QStringLiteral("\n  - ") + placeText(evidence);
    return text;
}

// -- JSON ------------------------------------------------------------------------------------------------------------
json toJson(const QString &text)
{
    return text.toStdString();
}

json toJson(const QStringList &list)
{
    json array = json::array();
    for (const QString &text : list)
        array.push_back(text.toStdString());
    return array;
}

const char *certaintyName(Certainty certainty)
{
    return certainty == Certainty::Certain ? "certain" : certainty == Certainty::Likely ? "likely" : "open";
}

const char *evaluatorName(EvaluatorKind kind)
{
    return kind == EvaluatorKind::Native ? "native" : kind == EvaluatorKind::KernelBench ? "kernelbench" : "custom";
}

json toJson(const PlanField &field)
{
    json evidence = json::array();
    for (const Evidence &item : field.evidence)
        evidence.push_back({{"file", toJson(item.file)}, {"line", item.line}, {"reason", toJson(item.reason)}});
    return {{"key", toJson(field.key)},
            {"label", toJson(field.label)},
            {"value", toJson(field.value)},
            {"certainty", certaintyName(field.certainty)},
            {"evidence", evidence},
            {"candidates", toJson(field.candidates)},
            {"editable", field.editable},
            {"question", toJson(field.question)},
            {"problem", toJson(field.problem)},
            {"notes", toJson(field.notes)}};
}

json toJson(const Hint &hint)
{
    return {{"text", toJson(hint.text)}, {"origin", toJson(hint.origin)}, {"recognised", toJson(hint.recognised)}};
}

// Reading, at a trust boundary: a member that is missing or of another type counts as its default.
QString text(const json &object, const char *key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? QString::fromStdString(found->get<std::string>()) : QString();
}

int number(const json &object, const char *key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_number_integer() ? found->get<int>() : 0;
}

bool flag(const json &object, const char *key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_boolean() && found->get<bool>();
}

const json &array(const json &object, const char *key)
{
    static const json none = json::array();
    const auto found = object.find(key);
    return found != object.end() && found->is_array() ? *found : none;
}

QStringList texts(const json &object, const char *key)
{
    QStringList list;
    for (const json &item : array(object, key)) {
        if (item.is_string())
            list.append(QString::fromStdString(item.get<std::string>()));
    }
    return list;
}

Certainty certaintyFrom(const QString &name)
{
    return name == QLatin1String("certain")  ? Certainty::Certain
           : name == QLatin1String("likely") ? Certainty::Likely
                                             : Certainty::Open;
}

EvaluatorKind evaluatorFrom(const QString &name)
{
    return name == QLatin1String("kernelbench") ? EvaluatorKind::KernelBench
           : name == QLatin1String("custom")    ? EvaluatorKind::Custom
                                                : EvaluatorKind::Native;
}

PlanField fieldFrom(const json &object)
{
    PlanField field;
    field.key = text(object, "key");
    field.label = text(object, "label");
    field.value = text(object, "value");
    field.certainty = certaintyFrom(text(object, "certainty"));
    for (const json &item : array(object, "evidence")) {
        if (item.is_object())
            field.evidence.append({text(item, "file"), number(item, "line"), text(item, "reason")});
    }
    field.candidates = texts(object, "candidates");
    field.editable = flag(object, "editable");
    field.question = text(object, "question");
    field.problem = text(object, "problem");
    field.notes = texts(object, "notes");
    return field;
}

void readLists(const json &object, ResolvedPlan &plan)
{
    for (const json &item : array(object, "hints")) {
        if (item.is_object())
            plan.hints.append({text(item, "text"), text(item, "origin"), text(item, "recognised")});
    }
    for (const json &item : array(object, "fields")) {
        if (item.is_object())
            plan.fields.append(fieldFrom(item));
    }
}

} // namespace

QString ResolvedPlan::toMarkdown(bool withEvidence) const
{
    QStringList lines{tr("**📋 Resolved Plan**"), QString()};
    for (const PlanField &field : fields)
        lines.append(rowText(field, withEvidence));
    if (!problemDraft.isEmpty())
        lines += {QString(), tr("**%1, as approval writes it**").arg(problemFile), QStringLiteral("```json"),
                  problemDraft.trimmed(), QStringLiteral("```")};
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

json ResolvedPlan::toJson() const
{
    json object{{"schema", "ako.plan/1"},
                {"workspace", ako::toJson(workspace)},
                {"kernel_name", ako::toJson(kernelName)},
                {"kernel_files", ako::toJson(kernelFiles)},
                {"kernel_root", ako::toJson(kernelRoot)},
                {"problem", ako::toJson(problemFile)},
                {"problem_draft", ako::toJson(problemDraft)},
                {"reference", ako::toJson(referenceFile)},
                {"reference_files", ako::toJson(referenceFiles)},
                {"inputs", ako::toJson(inputFiles)},
                {"knowledge", ako::toJson(knowledgeFiles)},
                {"evaluator", evaluatorName(evaluator)},
                {"bench_command", ako::toJson(benchCommand)},
                {"metric_pattern", ako::toJson(metricPattern)},
                {"metric_unit", ako::toJson(metricUnit)},
                {"scaffold", ako::toJson(scaffoldToCopy)},
                {"new_evaluator", ako::toJson(newEvaluator)},
                {"writes", ako::toJson(filesToWrite)},
                {"agent", ako::toJson(agent)},
                {"iteration_cap", iterationCap},
                {"time_cap_seconds", timeCapSeconds},
                {"hints", json::array()},
                {"request", ako::toJson(request)},
                {"resumed", resumed},
                {"identity_missing", identityMissing},
                {"fields", json::array()},
                {"warnings", ako::toJson(warnings)},
                {"refusal", ako::toJson(refusal)}};
    for (const Hint &hint : hints)
        object["hints"].push_back(ako::toJson(hint));
    for (const PlanField &field : fields)
        object["fields"].push_back(ako::toJson(field));
    return object;
}

Result<ResolvedPlan> ResolvedPlan::fromJson(const json &object)
{
    if (!object.is_object() || text(object, "schema") != QLatin1String("ako.plan/1"))
        return fail(tr("This is no plan that this version can read."));
    ResolvedPlan plan;
    plan.workspace = text(object, "workspace");
    plan.kernelName = text(object, "kernel_name");
    plan.kernelFiles = texts(object, "kernel_files");
    plan.kernelRoot = text(object, "kernel_root");
    plan.problemFile = text(object, "problem");
    plan.problemDraft = text(object, "problem_draft");
    plan.referenceFile = text(object, "reference");
    plan.referenceFiles = texts(object, "reference_files");
    plan.inputFiles = texts(object, "inputs");
    plan.knowledgeFiles = texts(object, "knowledge");
    plan.evaluator = evaluatorFrom(text(object, "evaluator"));
    plan.benchCommand = text(object, "bench_command");
    plan.metricPattern = text(object, "metric_pattern");
    plan.metricUnit = text(object, "metric_unit");
    plan.scaffoldToCopy = texts(object, "scaffold");
    plan.newEvaluator = text(object, "new_evaluator");
    plan.filesToWrite = texts(object, "writes");
    plan.agent = text(object, "agent");
    plan.iterationCap = number(object, "iteration_cap");
    plan.timeCapSeconds = number(object, "time_cap_seconds");
    plan.request = text(object, "request");
    plan.resumed = flag(object, "resumed");
    plan.identityMissing = flag(object, "identity_missing");
    plan.warnings = texts(object, "warnings");
    plan.refusal = text(object, "refusal");
    readLists(object, plan);
    return plan;
}

bool ResolvedPlan::isMeasurementOpen() const
{
    return !refusal.isEmpty() || std::ranges::any_of(fields, [](const PlanField &field) {
        const bool isOpen = !field.question.isEmpty() || !field.problem.isEmpty();
        return isOpen && field.key != QLatin1String(planKey::agent) && !isOfAnAgent(field.key);
    });
}

const PlanField *ResolvedPlan::firstOpen() const
{
    const auto problem = std::ranges::find_if(fields, [](const PlanField &field) { return !field.problem.isEmpty(); });
    if (problem != fields.cend())
        return &*problem;
    const auto question =
        std::ranges::find_if(fields, [](const PlanField &field) { return !field.question.isEmpty(); });
    return question != fields.cend() ? &*question : nullptr;
}

const PlanField *ResolvedPlan::field(const QString &key) const
{
    const auto found =
        std::find_if(fields.cbegin(), fields.cend(), [&](const PlanField &field) { return field.key == key; });
    return found == fields.cend() ? nullptr : &*found;
}

} // namespace ako
