// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/planfields.h"

#include "base/words.h"
#include "workspace/definitionkernel.h"

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

struct Candidate
{
    QString path;
    Evidence evidence;
};

bool looksLikeReference(const QString &path)
{
    static const QRegularExpression rule(QStringLiteral("(^|[_.-])(ref|reference|golden|gold|naive|expected)([_.-]|$)"),
                                         QRegularExpression::CaseInsensitiveOption);
    return rule.match(QFileInfo(path).fileName()).hasMatch();
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
        m_candidates = m_problem ? definersOfEntry() : foundKernels();
        for (const Candidate &candidate : std::as_const(m_candidates))
            m_field.candidates.append(candidate.path);
        const QString answer = m_context.answer(planKey::kernel);
        if (!answer.isEmpty())
            takeAnswer(answer);
        else
            choose();
        checkLanguage();
        return m_field;
    }

private:
    QList<Candidate> definersOfEntry() const
    {
        QList<Candidate> sources;
        QList<Candidate> headers;
        for (const SourceFacts &source : m_inventory.sources) {
            const FunctionFact *function = source.definition(m_problem->entrySymbol);
            if (!function || m_references.contains(source.path))
                continue;
            const Candidate candidate{
                source.path,
                {source.path, function->line, tr("defines %1(), the entry of the problem").arg(function->name)}};
            (source.isHeader() ? headers : sources).append(candidate);
        }
        for (const Candidate &header : std::as_const(headers))
            addIncluders(header.path, sources);
        return sources.isEmpty() ? headers : sources;
    }

    // An entry defined in a header belongs to the source that includes it.
    void addIncluders(const QString &header, QList<Candidate> &sources) const
    {
        for (const SourceFacts &source : m_inventory.sources) {
            if (source.isHeader() || m_references.contains(source.path))
                continue;
            for (const IncludeFact &include : source.localIncludes) {
                if (QDir::cleanPath(QFileInfo(source.path).path() + QLatin1Char('/') + include.path) == header)
                    sources.append(
                        {source.path,
                         {source.path, include.line, tr("includes %1, which defines the entry").arg(header)}});
            }
        }
    }

    QList<Candidate> foundKernels() const
    {
        QList<Candidate> programs;
        QList<Candidate> kernels;
        const QList<Finding> found = m_inventory.withRole(Role::Kernel);
        const bool isPython = m_plan.evaluator == EvaluatorKind::KernelBench;
        for (const Finding &finding : found) {
            if (isPython && m_inventory.source(finding.path))
                continue;
            auto &list = finding.certainty == Certainty::Open ? programs : kernels;
            list.append({finding.path, finding.evidence.value(0)});
        }
        return kernels.isEmpty() ? programs : kernels;
    }

    void choose()
    {
        QList<Candidate> chosen = namedInRequest();
        if (chosen.isEmpty() && m_candidates.size() > 1 && !m_problem)
            chosen = withoutReferences();
        if (chosen.size() > 1 && m_plan.evaluator == EvaluatorKind::KernelBench)
            chosen = withoutInputMakers(chosen);
        if (chosen.isEmpty())
            chosen = m_candidates;
        if (chosen.size() == 1)
            use(chosen.first());
        else if (chosen.isEmpty())
            nothingFound();
        else
            ask(chosen);
    }

    QList<Candidate> namedInRequest()
    {
        QStringList named;
        for (const QString &path : m_context.request.kernelPaths + m_context.request.mentionedPaths)
            named.append(resolvedPath(m_inventory, path));
        QList<Candidate> chosen;
        std::copy_if(m_candidates.cbegin(), m_candidates.cend(), std::back_inserter(chosen),
                     [&](const Candidate &candidate) {
                         return named.contains(candidate.path) && !isReferenceOfRequest(candidate.path);
                     });
        if (chosen.size() == 1)
            m_field.evidence.append({{}, 0, tr("named in your request")});
        return chosen;
    }

    bool isReferenceOfRequest(const QString &path) const
    {
        const QStringList &references = m_context.request.referencePaths;
        return std::any_of(references.cbegin(), references.cend(),
                           [&](const QString &written) { return resolvedPath(m_inventory, written) == path; });
    }

    // Side by side with a reference, told apart by what they are called only where one of them says so.
    QList<Candidate> withoutReferences() const
    {
        QList<Candidate> kernels;
        std::copy_if(
            m_candidates.cbegin(), m_candidates.cend(), std::back_inserter(kernels),
            [this](const Candidate &c) { return !looksLikeReference(c.path) && !isReferenceOfRequest(c.path); });
        return kernels;
    }

    // Of Python modules side by side, the one that makes the inputs is the reference.
    QList<Candidate> withoutInputMakers(const QList<Candidate> &candidates) const
    {
        QList<Candidate> kernels;
        std::copy_if(candidates.cbegin(), candidates.cend(), std::back_inserter(kernels), [this](const Candidate &c) {
            return std::none_of(m_inventory.findings.cbegin(), m_inventory.findings.cend(), [&](const Finding &f) {
                return f.path == c.path && f.kind == QLatin1String("kernelbench") && f.certainty == Certainty::Certain;
            });
        });
        return kernels.size() == 1 ? kernels : candidates;
    }

    void use(const Candidate &candidate)
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
                   "Which file is it?");
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
        if (isCpu && !isUnit && !m_plan.kernelFiles.isEmpty() && m_field.problem.isEmpty())
            m_field.problem =
                tr("%1 is no C++ source: files ending in .cpp, .cc or .cxx are compiled for the CPU. Give it "
                   "such a name, with extern \"C\" before its entry.")
                    .arg(m_plan.kernelFiles.first());
    }

    void ask(const QList<Candidate> &chosen)
    {
        m_field.certainty = Certainty::Open;
        QStringList paths;
        for (const Candidate &candidate : chosen) {
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
    QList<Candidate> m_candidates;
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
