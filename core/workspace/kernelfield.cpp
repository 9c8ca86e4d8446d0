// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/planfields.h"

#include "base/words.h"
#include "workspace/definitionkernel.h"
#include "workspace/kernelcandidates.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QHash>
#include <QRegularExpression>

#include <algorithm>

namespace ako::planning {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Plan", text);
}

class KernelChooser
{
public:
    KernelChooser(const Context &context, ResolvedPlan &plan)
        : m_inventory(context.inventory)
        , m_context(context)
        , m_plan(plan)
        , m_problem(context.inventory.problem(plan.problemFile))
        , m_field(newField(planKey::kernel, tr("Kernel"), true))
    {
    }

    PlanField run()
    {
        if (m_problem)
            m_references = m_problem->referenceSources;
        m_candidates = kernelCandidates(m_context, m_plan, m_problem);
        for (const KernelCandidate &candidate : std::as_const(m_candidates))
            m_field.candidates.append(candidate.path);
        const QString answer = m_context.answer(planKey::kernel);
        if (!answer.isEmpty())
            takeAnswer(answer);
        else
            choose();
        checkLanguage();
        checkPython();
        return m_field;
    }

private:
    void choose()
    {
        KernelCandidates chosen = namedInRequest();
        if (chosen.isEmpty())
            chosen = m_candidates;
        if (chosen.size() > 1 && !m_problem)
            chosen = narrowedByContent(m_context, m_plan, chosen, m_field.evidence);
        if (chosen.size() == 1)
            use(chosen.first());
        else if (chosen.isEmpty())
            nothingFound();
        else
            ask(chosen);
    }

    // Of the candidates; or any other source, where the request says that it shall be made faster.
    KernelCandidates namedInRequest()
    {
        const QStringList goals = resolvedAll(m_context.request.kernelPaths);
        const QStringList named = goals + resolvedAll(m_context.request.mentionedPaths);
        KernelCandidates chosen;
        std::copy_if(m_candidates.cbegin(), m_candidates.cend(), std::back_inserter(chosen),
                     [&](const KernelCandidate &candidate) {
                         return named.contains(candidate.path) && !isReferenceOfRequest(candidate.path);
                     });
        for (const QString &path : goals) {
            const bool isSource = m_inventory.source(path) || m_inventory.pythonFile(path);
            if (chosen.isEmpty() && isSource && !m_problem && !isReferenceOfRequest(path))
                chosen.append({path, {path, 0, tr("your request asks for it to be made faster")}});
        }
        if (chosen.size() == 1)
            m_field.evidence.append({{}, 0, tr("named in your request")});
        return chosen;
    }

    QStringList resolvedAll(const QStringList &written) const
    {
        QStringList paths;
        for (const QString &path : written)
            paths.append(resolvedPath(m_inventory, path));
        paths.removeAll(QString());
        paths.removeDuplicates();
        return paths;
    }

    bool isReferenceOfRequest(const QString &path) const
    {
        return resolvedAll(m_context.request.referencePaths).contains(path);
    }

    void use(const KernelCandidate &candidate)
    {
        m_field.value = candidate.path;
        m_field.evidence.append(candidate.evidence);
        m_field.certainty = m_problem ? Certainty::Certain : Certainty::Likely;
        setFiles({candidate.path});
    }

    void setFiles(const QStringList &files)
    {
        m_plan.kernelFiles = withDependencies(m_inventory, files, m_references, m_field, m_plan.warnings);
        m_plan.kernelRoot = commonFolder(m_plan.kernelFiles);
    }

    static QString commonFolder(const QStringList &files)
    {
        QStringList common = files.value(0).split(QLatin1Char('/')).mid(0);
        common.removeLast();
        for (const QString &file : files) {
            const QStringList parts = file.split(QLatin1Char('/'));
            qsizetype same = 0;
            while (same < common.size() && same + 1 < parts.size() && common[same] == parts[same])
                ++same;
            common = common.mid(0, same);
        }
        return common.join(QLatin1Char('/'));
    }

    void nothingFound()
    {
        m_field.certainty = Certainty::Open;
        if (m_problem ? startFromReference() : startFromDefinition())
            return;
        if (m_problem && m_problem->error.isEmpty())
            m_field.problem = tr("No file of the workspace defines %1(), the entry that %2 names in line %3.")
                                  .arg(m_problem->entrySymbol, m_problem->path)
                                  .arg(m_problem->entryLine);
        else if (m_problem)
            m_field.question = tr("The kernel cannot be found before %1 is right.").arg(m_problem->path);
        else
            m_field.question =
                tr("No kernel was found: no C++ or CUDA function that works on memory, no Python kernel. "
                   "Which file is it?") +
                whatCouldNotBeRead();
    }

    // A kernel may be in what has a fault.
    QString whatCouldNotBeRead() const
    {
        QStringList faults;
        for (const PythonNeeds &module : m_inventory.pythonFiles) {
            if (!module.facts.syntaxError.isEmpty())
                faults.append(faultOf(module));
        }
        for (const QString &note : m_inventory.notes) {
            if (note.contains(QLatin1String("cannot be read")))
                faults.append(note);
        }
        return faults.isEmpty() ? QString() : QLatin1Char(' ') + words::listed(faults, 3);
    }

    static QString faultOf(const PythonNeeds &module)
    {
        return tr("%1:%2 is not valid Python %3: %4.")
            .arg(module.path)
            .arg(module.facts.syntaxErrorLine)
            .arg(module.facts.python, module.facts.syntaxError);
    }

    void checkPython()
    {
        for (const QString &file : std::as_const(m_plan.kernelFiles)) {
            const PythonNeeds *module = m_inventory.pythonFile(file);
            if (module && !module->facts.syntaxError.isEmpty() && m_field.problem.isEmpty())
                m_field.problem = faultOf(*module);
        }
    }

    // One file only, named as its own reference: the run starts from a copy of it.
    bool startFromReference()
    {
        for (const QString &path : std::as_const(m_references)) {
            const SourceFacts *reference = m_inventory.source(path);
            const FunctionFact *function = reference ? reference->definition(m_problem->entrySymbol) : nullptr;
            if (!function)
                continue;
            const QString reason = tr("the only file that defines %1(): the run starts from a copy of the reference");
            use({path, {path, function->line, reason.arg(function->name)}});
            m_field.certainty = Certainty::Likely;
            return true;
        }
        return false;
    }

    // A definition says all there is to know: the run starts from the reference in it.
    bool startFromDefinition()
    {
        QList<Finding> definitions = m_inventory.withRole(Role::Reference);
        definitions.removeIf([](const Finding &finding) { return finding.kind != QLatin1String("definition"); });
        if (definitions.size() != 1 || m_plan.evaluator != EvaluatorKind::KernelBench)
            return false;
        QStringList written;
        for (const PythonNeeds &module : m_inventory.pythonFiles) {
            if (module.definesRun)
                written.append(module.path);
        }
        if (written.size() == 1) {
            use({written.first(), {written.first(), 0, tr("defines run(), as the definition asks for")}});
            return true;
        }
        const QString path = definitions.first().path;
        use({path, {path, 0, tr("no other kernel is here: the run starts from the reference in it")}});
        return true;
    }

    // What the evaluator compiles from solution/: C++ units; the rest of a kernel may be headers.
    void checkLanguage()
    {
        static const QStringList units{QStringLiteral("cpp"), QStringLiteral("cc"), QStringLiteral("cxx"),
                                       QStringLiteral("c++")};
        const bool isCpu = m_problem && m_problem->error.isEmpty() && m_problem->device == QLatin1String("cpu");
        const bool isUnit =
            std::any_of(m_plan.kernelFiles.cbegin(), m_plan.kernelFiles.cend(),
                        [](const QString &file) { return units.contains(QFileInfo(file).suffix().toLower()); });
        if (m_plan.evaluator == EvaluatorKind::Native && m_field.problem.isEmpty())
            checkBuild();
        if (isCpu && !isUnit && !m_plan.kernelFiles.isEmpty() && m_field.problem.isEmpty())
            m_field.problem =
                tr("%1 is no C++ source: files ending in .cpp, .cc or .cxx are compiled for the CPU. Give it "
                   "such a name, with extern \"C\" before its entry.")
                    .arg(m_plan.kernelFiles.first());
    }

    // What neither evaluator can build by itself.
    void checkBuild()
    {
        for (const Finding &finding : m_inventory.withRole(Role::Kernel)) {
            if (finding.path != m_plan.kernelFiles.value(0))
                continue;
            if (finding.kind == QLatin1String("hip"))
                m_field.problem =
                    tr("%1 is HIP code, which the built-in evaluator cannot build. Give a bench script of "
                       "your own as the bench mode (custom: PATH).")
                        .arg(finding.path);
            else if (finding.kind == QLatin1String("torch-cpp"))
                m_field.problem = tr("%1 is bound to PyTorch. Put a Python module beside it that builds it with "
                                     "torch.utils.cpp_extension.load() and calls it in class ModelNew, or give a bench "
                                     "script of your "
                                     "own as the bench mode (custom: PATH).")
                                      .arg(finding.path);
        }
    }

    void ask(const KernelCandidates &chosen)
    {
        m_field.certainty = Certainty::Open;
        QStringList paths;
        for (const KernelCandidate &candidate : chosen) {
            paths.append(candidate.path);
            m_field.evidence.append(candidate.evidence);
        }
        m_field.candidates = paths;
        m_field.question = tr("%1 files could be the kernel: %2. Which one shall be made faster?")
                               .arg(paths.size())
                               .arg(words::listed(paths));
    }

    void takeAnswer(const QString &answer)
    {
        m_field.evidence.append({{}, 0, tr("your answer")});
        const QString path = resolvedPath(m_inventory, answer);
        m_field.value = path.isEmpty() ? answer : path;
        const QStringList files = path.isEmpty() ? filesOfFolder(answer) : QStringList{path};
        if (files.isEmpty()) {
            m_field.problem = tr("%1 is not a file of this workspace.").arg(answer);
            return;
        }
        setFiles(files);
        if (m_problem && m_problem->error.isEmpty() && !anyDefinesEntry())
            m_field.problem = tr("%1 does not define %2(), the entry that %3 names in line %4.")
                                  .arg(m_field.value, m_problem->entrySymbol, m_problem->path)
                                  .arg(m_problem->entryLine);
        else if (!m_problem && !isAnyCandidate(files))
            challenge(answer);
    }

    bool isAnyCandidate(const QStringList &files) const
    {
        return std::any_of(m_candidates.cbegin(), m_candidates.cend(),
                           [&](const KernelCandidate &candidate) { return files.contains(candidate.path); });
    }

    // Said once: whoever gives the same answer again means it.
    void challenge(const QString &answer)
    {
        const QString doubt = tr("%1 does not look like a kernel: nothing in it defines one.").arg(m_field.value);
        if (m_context.isConfirmed(planKey::kernel, answer))
            m_plan.warnings.append(doubt);
        else
            m_field.question = doubt + QLatin1Char(' ') + tr("Give the same answer again if it is the one.");
    }

    QStringList filesOfFolder(const QString &answer) const
    {
        QString folder = QDir::cleanPath(answer);
        if (folder.startsWith(m_inventory.workspace + QLatin1Char('/')))
            folder = folder.mid(m_inventory.workspace.size() + 1);
        QStringList files;
        for (const SourceFacts &source : m_inventory.sources) {
            if (source.path.startsWith(folder + QLatin1Char('/')) && !m_references.contains(source.path))
                files.append(source.path);
        }
        if (m_plan.evaluator == EvaluatorKind::KernelBench) {
            for (const PythonNeeds &module : m_inventory.pythonFiles) {
                if (module.path.startsWith(folder + QLatin1Char('/')))
                    files.append(module.path);
            }
        }
        return files;
    }

    bool anyDefinesEntry() const
    {
        return std::any_of(m_plan.kernelFiles.cbegin(), m_plan.kernelFiles.cend(), [this](const QString &file) {
            const SourceFacts *source = m_inventory.source(file);
            return source && source->definition(m_problem->entrySymbol);
        });
    }

    const Inventory &m_inventory;
    const Context &m_context;
    ResolvedPlan &m_plan;
    const ProblemFacts *m_problem = nullptr;
    QStringList m_references;
    PlanField m_field;
    KernelCandidates m_candidates;
};

QString kernelNameFor(const Context &context, const ResolvedPlan &plan, const QString &kernel)
{
    const ProblemFacts *problem = context.inventory.problem(plan.problemFile);
    if (context.inventory.earlierRun.found && !context.inventory.earlierRun.branchKernel.isEmpty())
        return context.inventory.earlierRun.branchKernel; // go on with the branch that is there
    if (isDefinition(kernel))
        return branchComponent(QFileInfo(context.inventory.workspace + QLatin1Char('/') + kernel).dir().dirName());
    return branchComponent(problem && !problem->name.isEmpty() ? problem->name : QFileInfo(kernel).completeBaseName());
}

} // namespace

PlanField kernelField(const Context &context, ResolvedPlan &plan)
{
    PlanField field = KernelChooser(context, plan).run();
    plan.kernelName = kernelNameFor(context, plan, field.value);
    return field;
}

QString resolvedPath(const Inventory &inventory, const QString &written)
{
    QString path = QDir::cleanPath(written.trimmed());
    if (path.startsWith(inventory.workspace + QLatin1Char('/')))
        path = path.mid(inventory.workspace.size() + 1);
    if (inventory.contains(path))
        return path;
    const QStringList found = inventory.files.filter(
        QRegularExpression(QStringLiteral("(^|/)") + QRegularExpression::escape(path) + QLatin1Char('$')));
    return found.size() == 1 ? found.first() : QString();
}

} // namespace ako::planning
