// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/words.h"
#include "workspace/detectors.h"
#include "workspace/planfields.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>

namespace ako::planning {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Plan", text);
}

const QString &nativeText()
{
    static const QString text = QStringLiteral("default (native)");
    return text;
}

const QString &kernelBenchText()
{
    static const QString text = QStringLiteral("default (KernelBench)");
    return text;
}

QString customText(const QString &path)
{
    return QStringLiteral("custom: ") + path;
}

QString nativeText(const QString &problem)
{
    return QStringLiteral("native: ") + problem;
}

class BenchChooser
{
public:
    BenchChooser(const Context &context, ResolvedPlan &plan)
        : m_inventory(context.inventory)
        , m_context(context)
        , m_plan(plan)
        , m_field(newField(planKey::benchMode, tr("Bench mode"), true))
    {
        // By name and content; what only measures counts where a README says that it is called, or for want of others.
        QList<Finding> others;
        for (const Finding &script : context.inventory.withRole(Role::BenchScript))
            (script.certainty == Certainty::Open && !documented(script.path) ? others : m_scripts).append(script);
        const bool measuresOtherwise = !m_inventory.problems.isEmpty() || makesPythonInputs();
        if (m_scripts.isEmpty() && !measuresOtherwise)
            m_scripts = others;
        else
            m_others = others;
    }

    PlanField run()
    {
        addCandidates();
        const QString answer = m_context.answer(planKey::benchMode);
        if (answer.isEmpty())
            choose();
        else
            take(answer);
        return m_field;
    }

private:
    void addCandidates()
    {
        if (m_inventory.problems.size() == 1)
            m_field.candidates.append(nativeText());
        for (const ProblemFacts &problem : m_inventory.problems) {
            if (m_inventory.problems.size() > 1)
                m_field.candidates.append(nativeText(problem.path));
        }
        for (const Finding &script : m_scripts + m_others)
            m_field.candidates.append(customText(script.path));
    }

    const DocumentedCommand *documented(const QString &script) const
    {
        const auto found = std::ranges::find(m_inventory.commands, script, &DocumentedCommand::script);
        return found == m_inventory.commands.cend() ? nullptr : &*found;
    }

    // A module says with what the kernel is called, so that the built-in evaluator can.
    bool makesPythonInputs() const
    {
        return std::ranges::any_of(m_inventory.findings, [](const Finding &finding) {
            return finding.kind == QLatin1String("definition") ||
                   (finding.kind == QLatin1String("kernelbench") && finding.certainty == Certainty::Certain);
        });
    }

    void choose()
    {
        if (!m_inventory.problems.isEmpty())
            chooseProblem();
        else if (m_scripts.size() == 1)
            useCustom(m_scripts.first());
        else if (const Finding *script = onlyDocumented())
            useCustom(*script);
        else if (m_scripts.size() > 1)
            ask(tr("Several scripts could be the bench: %1. Which one measures the kernel?").arg(scriptList()));
        else if (needsPython())
            useKernelBench();
        else
            useNative(nullptr);
    }

    const Finding *onlyDocumented() const
    {
        const auto isDocumented = [this](const Finding &script) { return documented(script.path) != nullptr; };
        const auto first = std::ranges::find_if(m_scripts, isDocumented);
        return std::ranges::count_if(m_scripts, isDocumented) == 1 ? &*first : nullptr;
    }

    QString scriptList() const
    {
        QStringList paths;
        for (const Finding &script : m_scripts)
            paths.append(script.path);
        return words::listed(paths);
    }

    void ask(const QString &question)
    {
        m_field.certainty = Certainty::Open;
        m_field.question = question;
        for (const Finding &script : m_scripts)
            m_field.evidence += script.evidence;
    }

    // The one at the workspace's top, or the only one.
    void chooseProblem()
    {
        const QList<ProblemFacts> &problems = m_inventory.problems;
        const auto atTop = [](const ProblemFacts &problem) { return !problem.path.contains(QLatin1Char('/')); };
        const auto top = std::find_if(problems.cbegin(), problems.cend(), atTop);
        const auto count = std::count_if(problems.cbegin(), problems.cend(), atTop);
        if (problems.size() == 1)
            return useNative(&problems.first());
        if (count == 1)
            return useNative(&*top);
        m_field.certainty = Certainty::Open;
        m_field.question = tr("Several problem files are here. Which one describes the kernel to be made faster?");
        for (const ProblemFacts &problem : problems)
            m_field.evidence.append({problem.path, 0, tr("describes the problem \"%1\"").arg(problem.name)});
    }

    void useNative(const ProblemFacts *problem)
    {
        m_plan.evaluator = EvaluatorKind::Native;
        m_field.value = nativeText();
        if (!problem)
            return; // the row of the input data asks for the shapes
        m_plan.problemFile = problem->path;
        m_field.evidence.append(
            {problem->path, problem->entryLine,
             tr("calls %1() on %2 workloads").arg(problem->entrySymbol).arg(problem->workloads.size())});
        if (!problem->error.isEmpty())
            m_field.problem = problem->error;
        else if (problem->device != QLatin1String("cpu") && !m_context.support.nativeCuda)
            m_field.problem =
                tr("%1 is for the device \"%2\". This version measures C++ kernels on the CPU; CUDA is not "
                   "part of it yet. What can be done: give a bench script of your own (custom: PATH).")
                    .arg(problem->path, problem->device);
    }

    // Plain functions of PyTorch are a kernel only where no other is.
    bool needsPython() const
    {
        const auto isPython = [this](const Finding &finding) {
            return finding.kind == QLatin1String("definition") ||
                   (finding.role == Role::Kernel && !m_inventory.source(finding.path));
        };
        const bool hasSource = std::ranges::any_of(m_inventory.findings, [this](const Finding &finding) {
            return finding.role == Role::Kernel && m_inventory.source(finding.path);
        });
        return std::ranges::any_of(m_inventory.findings, [&](const Finding &finding) {
            return isPython(finding) && (finding.certainty != Certainty::Open || !hasSource);
        });
    }

    void useKernelBench()
    {
        m_plan.evaluator = EvaluatorKind::KernelBench;
        m_field.value = kernelBenchText();
        for (const Finding &finding : m_inventory.findings) {
            if (!m_inventory.source(finding.path) && (finding.role == Role::Kernel || finding.role == Role::Reference))
                m_field.evidence += finding.evidence;
        }
        if (!m_context.support.kernelBench)
            m_field.problem =
                tr("The evaluator for Python kernels (KernelBench) is not part of this version yet. What can be "
                   "done: write the kernel as a C++ function with a problem.json, or give a bench script of "
                   "your own (custom: PATH).");
    }

    void useCustom(const Finding &script)
    {
        m_plan.evaluator = EvaluatorKind::Custom;
        m_plan.benchCommand = script.command;
        m_field.value = customText(script.path);
        m_field.certainty = m_context.answer(planKey::benchMode).isEmpty() ? Certainty::Likely : Certainty::Certain;
        m_field.evidence += script.evidence;
        if (const DocumentedCommand *command = documented(script.path); command && command->line > 0) {
            m_plan.benchCommand = inFolderOf(*command);
            m_field.evidence.append({command->file, command->line, tr("says how it is called")});
        }
        m_field.notes.append(tr("the command: %1").arg(m_plan.benchCommand));
        for (const QString &caution : script.cautions)
            m_plan.warnings.append(
                tr("Your bench script does more than measure. %1. Read it before you approve.").arg(caution));
        const bool usesSolution =
            std::any_of(script.mentions.cbegin(), script.mentions.cend(),
                        [](const QString &path) { return path.contains(QLatin1String("solution")); });
        if (!usesSolution)
            m_plan.warnings.append(tr("%1 does not name solution/, where the loop edits the kernel: if it measures the "
                                      "original file, every iteration will look the same.")
                                       .arg(script.path));
    }

    // A README's command is meant for the folder that it lies in.
    static QString inFolderOf(const DocumentedCommand &command)
    {
        const QString folder = QFileInfo(command.file).path();
        return folder == QLatin1String(".")
                   ? command.command
                   : QStringLiteral("cd %1 && %2").arg(words::shellWord(folder), command.command);
    }

    void take(const QString &answer)
    {
        m_field.evidence.append({{}, 0, tr("your answer")});
        const QString lower = answer.toLower();
        const QString rest = answer.section(QLatin1Char(':'), 1).trimmed();
        if (lower == QLatin1String("native") || lower == nativeText())
            m_inventory.problems.isEmpty() ? useNative(nullptr) : chooseProblem();
        else if (lower.startsWith(QLatin1String("native:")))
            takeProblem(rest);
        else if (lower == QLatin1String("kernelbench") || lower == kernelBenchText().toLower())
            useKernelBench();
        else
            takeCustom(lower.startsWith(QLatin1String("custom:")) ? rest : answer);
    }

    void takeProblem(const QString &path)
    {
        const ProblemFacts *problem = m_inventory.problem(resolvedPath(m_inventory, path));
        useNative(problem);
        if (!problem)
            m_field.problem = tr("%1 is no problem file of this workspace.").arg(path);
    }

    void takeCustom(const QString &text)
    {
        const QString path = resolvedPath(m_inventory, text);
        for (const Finding &script : m_scripts + m_others) {
            if (script.path == path)
                return useCustom(script);
        }
        m_plan.evaluator = EvaluatorKind::Custom;
        m_field.value = customText(text);
        const bool isCommand = text.contains(QLatin1Char(' '));
        if (!path.isEmpty())
            m_plan.benchCommand = detectors::scriptCommand(path);
        else if (isCommand)
            m_plan.benchCommand = text;
        else
            m_field.problem =
                tr("\"%1\" is neither a bench mode nor a script of this workspace. Use native, kernelbench or "
                   "custom: PATH.")
                    .arg(text);
    }

    const Inventory &m_inventory;
    const Context &m_context;
    ResolvedPlan &m_plan;
    PlanField m_field;
    QList<Finding> m_scripts;
    QList<Finding> m_others; // that measure, and are called otherwise
};

} // namespace

PlanField benchModeField(const Context &context, ResolvedPlan &plan)
{
    PlanField field = BenchChooser(context, plan).run();
    if (plan.evaluator == EvaluatorKind::Custom && !context.support.custom && field.problem.isEmpty())
        field.problem = tr("A bench script of your own cannot be used by this version yet.");
    return field;
}

} // namespace ako::planning
