// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/planbuilder.h"

#include "workspace/hints.h"
#include "workspace/kernelcandidates.h"
#include "workspace/planfields.h"

#include <QCoreApplication>
#include <QDir>

#include <algorithm>
#include <utility>

namespace ako {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Plan", text);
}

constexpr qsizetype mostNotes = 12; // of what was not looked at

PlanField workspaceField(const Inventory &inventory)
{
    PlanField field = planning::newField(planKey::workspace, tr("Workspace"), false);
    field.value = inventory.workspace;
    field.evidence = inventory.earlierRun.evidence;
    for (const QString &note : inventory.notes.mid(0, mostNotes))
        field.evidence.append({{}, 0, note});
    if (inventory.notes.size() > mostNotes)
        field.evidence.append({{}, 0, tr("and %1 more").arg(inventory.notes.size() - mostNotes)});
    return field;
}

void checkAnswerKeys(ResolvedPlan &plan, const Answers &answers)
{
    for (auto it = answers.keyBegin(); it != answers.keyEnd(); ++it) {
        const bool isTaken = *it == QLatin1String(planKey::evaluator); // once it is, it is no question any more
        const bool isForAnother = isOfAnAgent(*it);                    // than the agent of this call; kept for it
        if (!plan.field(*it) && !it->endsWith(confirmedSuffix) && !isTaken && !isForAnother)
            plan.warnings.append(tr("The answer for \"%1\" was not used: the plan has no such row.").arg(*it));
    }
}

bool isInSolution(const Inventory &inventory, const QString &written)
{
    return inventory.solution && planning::resolvedPath(inventory, written).isEmpty() &&
           (!planning::resolvedPath(*inventory.solution, written).isEmpty() ||
            QDir::cleanPath(written) == QLatin1String("solution"));
}

// Whether a kernel is in sight outside solution/.
bool hasKernelOutside(const Inventory &inventory)
{
    const auto definesEntry = [&](const ProblemFacts &problem) {
        return std::ranges::any_of(inventory.sources, [&](const SourceFacts &source) {
            return source.definition(problem.entrySymbol) && !problem.referenceSources.contains(source.path);
        });
    };
    if (!inventory.problems.isEmpty())
        return std::ranges::any_of(inventory.problems, definesEntry);
    return std::ranges::any_of(inventory.findings, [&](const Finding &finding) {
        return finding.role == Role::Kernel && finding.certainty != Certainty::Open &&
               !planning::looksLikeReference(inventory, finding.path);
    });
}

// solution/ is the loop's own folder. What is in it counts where a person names it, and where a run in a terminal has
// left its kernel nowhere else.
bool usesSolution(const Inventory &inventory, const ParsedRequest &request, const Answers &answers)
{
    QStringList named = request.kernelPaths + request.mentionedPaths;
    named.append(answers.value(QLatin1String(planKey::kernel)));
    named.removeAll(QString());
    if (std::ranges::any_of(named, [&](const QString &path) { return isInSolution(inventory, path); }))
        return true;
    return inventory.solution && !inventory.earlierRun.ofThisApp && !hasKernelOutside(inventory);
}

// One answer may settle several: only the first is asked. Nothing is asked about what is not done here at all.
void dropDependentQuestions(const ResolvedPlan &plan, const PlanField &bench, PlanField &kernel, PlanField &reference,
                            PlanField &input)
{
    const bool isBenchOpen = !bench.question.isEmpty();
    if (isBenchOpen || !kernel.problem.isEmpty() || !reference.question.isEmpty())
        input.question.clear();
    // Of a draft that is not wanted, or of a kernel that cannot be called anyway.
    if (input.value == planning::noneText() && (isBenchOpen || !kernel.problem.isEmpty()))
        input.problem.clear();
    if (isBenchOpen && plan.problemFile.isEmpty() && plan.benchCommand.isEmpty() &&
        bench.candidates.value(0).startsWith(QLatin1String("native")))
        kernel.question.clear();
    if (plan.refusal.isEmpty())
        return;
    for (PlanField *field : {&kernel, &reference, &input})
        field->question.clear();
}

} // namespace

ResolvedPlan buildPlan(const Inventory &seen, const QString &request, const Answers &answers,
                       const EvaluatorSupport &support)
{
    const ParsedRequest parsed = parseRequest(request);
    const Inventory inventory = usesSolution(seen, parsed, answers) ? seen.withSolution() : seen;
    const planning::Context context{inventory, parsed, answers, support};
    ResolvedPlan plan;
    plan.workspace = inventory.workspace;
    plan.request = request;
    plan.refusal = parsed.refusal;
    plan.resumed = inventory.earlierRun.found;
    // In the order in which they depend on each other, then shown in that of spec 2.
    const PlanField bench = planning::benchModeField(context, plan);
    PlanField kernel = planning::kernelField(context, plan);
    PlanField reference = planning::referenceField(context, plan);
    PlanField input = planning::inputField(context, plan, reference);
    planning::warnOfSources(context, plan, reference);
    dropDependentQuestions(plan, bench, kernel, reference, input);
    const PlanField knowledge = planning::knowledgeField(context, plan);
    const PlanField scaffold = planning::scaffoldField(context, plan);
    const std::optional<PlanField> evaluator = planning::evaluatorField(context, plan);
    const QList<PlanField> agent = planning::agentFields(context, plan);
    const PlanField hints = planning::hintsField(context, plan);
    plan.fields = {workspaceField(inventory), kernel, reference, input, knowledge, bench};
    if (evaluator)
        plan.fields << *evaluator;
    plan.fields << scaffold;
    plan.fields += agent;
    plan.fields << planning::iterationCapField(context, plan);
    plan.fields += planning::metricFields(context, plan);
    plan.fields << hints;
    plan.filesToWrite = planning::filesToWrite(context, plan);
    checkAnswerKeys(plan, answers);
    if (inventory.isCut)
        plan.warnings.append(tr("%1 holds more files than are looked at, so the plan may have missed some. Give the "
                                "folder that holds the kernel and little else.")
                                 .arg(inventory.workspace));
    return plan;
}

PlanBuilder::PlanBuilder(Inventory inventory, QString request, Answers answers, const EvaluatorSupport &support)
    : m_inventory(std::move(inventory))
    , m_request(std::move(request))
    , m_answers(std::move(answers))
    , m_support(support)
    , m_plan(buildPlan(m_inventory, m_request, m_answers, m_support))
{
}

// What the plan is read from, rather than a row of it.
bool PlanBuilder::setSource(const QString &key, const QString &value)
{
    if (key == QLatin1String(planKey::request))
        m_request = value.trimmed();
    else if (key == QLatin1String(planKey::hintsText))
        takeHints(*(m_writtenHints = value.toUtf8()));
    else
        return false;
    m_plan = buildPlan(m_inventory, m_request, m_answers, m_support);
    return true;
}

void PlanBuilder::takeHints(const QByteArray &content)
{
    const bool fits = content.size() <= hintsLimit;
    m_inventory.hintsContent = fits ? content : QByteArray();
    const Error tooBig = hintsTooBig(content.size());
    m_inventory.hintsProblem = fits ? QString() : tooBig.message + QStringLiteral(". ") + tooBig.remedy;
}

void PlanBuilder::setInventory(Inventory inventory)
{
    m_inventory = std::move(inventory);
    if (m_writtenHints == m_inventory.hintsContent) // saved
        m_writtenHints.reset();
    if (m_writtenHints)
        takeHints(*m_writtenHints);
    m_plan = buildPlan(m_inventory, m_request, m_answers, m_support);
}

Result<void> PlanBuilder::setAnswer(const QString &key, const QString &value)
{
    if (setSource(key, value))
        return {};
    const PlanField *field = m_plan.field(key);
    QStringList keys;
    for (const PlanField &known : std::as_const(m_plan.fields)) {
        if (known.editable)
            keys.append(known.key);
    }
    if (!field)
        return fail(tr("The plan has no row \"%1\".").arg(key),
                    tr("Rows that can be answered: %1").arg(keys.join(QStringLiteral(", "))));
    if (!field->editable)
        return fail(tr("\"%1\" cannot be answered here.").arg(field->label),
                    tr("Rows that can be answered: %1").arg(keys.join(QStringLiteral(", "))));
    const QString answer = value.trimmed();
    if (!answer.isEmpty() && m_answers.value(key) == answer && !field->question.isEmpty())
        m_answers.insert(key + confirmedSuffix, answer);
    if (answer.isEmpty())
        m_answers.remove(key);
    else
        m_answers.insert(key, answer);
    m_plan = buildPlan(m_inventory, m_request, m_answers, m_support);
    return {};
}

QString branchComponent(const QString &text)
{
    QString name;
    const QString plain = text.normalized(QString::NormalizationForm_KD).toLower();
    for (const QChar c : plain) {
        const bool isPlain = (c >= QLatin1Char('a') && c <= QLatin1Char('z')) ||
                             (c >= QLatin1Char('0') && c <= QLatin1Char('9')) || c == QLatin1Char('_');
        if (isPlain)
            name += c;
        else if (!c.isMark() && !name.isEmpty() && !name.endsWith(QLatin1Char('-')))
            name += c == QLatin1Char('.') ? QLatin1Char('.') : QLatin1Char('-');
    }
    name.truncate(60);
    while (name.contains(QLatin1String("..")))
        name.replace(QLatin1String(".."), QLatin1String("."));
    while (name.endsWith(QLatin1Char('-')) || name.endsWith(QLatin1Char('.')))
        name.chop(1);
    if (name.endsWith(QLatin1String(".lock")))
        name.replace(name.size() - 5, 1, QLatin1Char('-'));
    return name.isEmpty() ? QStringLiteral("kernel") : name;
}

} // namespace ako
