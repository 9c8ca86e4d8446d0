// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/kernelcandidates.h"

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

bool namesReference(const QString &name)
{
    static const QRegularExpression rule(
        QStringLiteral("(^|[_.-])(ref|reference|golden|gold|naive|expected|baseline|cpu|host)([_.-]|$)"),
        QRegularExpression::CaseInsensitiveOption);
    return rule.match(name).hasMatch();
}

bool hasDeviceCode(const SourceFacts &source)
{
    return std::any_of(source.functions.cbegin(), source.functions.cend(),
                       [](const FunctionFact &function) { return function.isGlobal; });
}

// An entry defined in a header belongs to the source that includes it.
void addIncluders(const Inventory &inventory, const QStringList &references, const QString &header,
                  KernelCandidates &sources)
{
    for (const SourceFacts &source : inventory.sources) {
        if (source.isHeader() || references.contains(source.path))
            continue;
        for (const IncludeFact &include : source.localIncludes) {
            if (QDir::cleanPath(QFileInfo(source.path).path() + QLatin1Char('/') + include.path) == header)
                sources.append(
                    {source.path, {source.path, include.line, tr("includes %1, which defines the entry").arg(header)}});
        }
    }
}

KernelCandidates definersOfEntry(const Inventory &inventory, const ProblemFacts &problem)
{
    KernelCandidates sources;
    KernelCandidates headers;
    for (const SourceFacts &source : inventory.sources) {
        const FunctionFact *function = source.definition(problem.entrySymbol);
        if (!function || problem.referenceSources.contains(source.path))
            continue;
        const KernelCandidate candidate{
            source.path,
            {source.path, function->line, tr("defines %1(), the entry of the problem").arg(function->name)}};
        (source.isHeader() ? headers : sources).append(candidate);
    }
    for (const KernelCandidate &header : std::as_const(headers))
        addIncluders(inventory, problem.referenceSources, header.path, sources);
    return sources.isEmpty() ? headers : sources;
}

KernelCandidates seenKernels(const Context &context, const ResolvedPlan &plan)
{
    KernelCandidates programs;
    KernelCandidates kernels;
    const bool isPython = plan.evaluator == EvaluatorKind::KernelBench;
    for (const Finding &finding : context.inventory.withRole(Role::Kernel)) {
        if (isPython && context.inventory.source(finding.path))
            continue;
        auto &list = finding.certainty == Certainty::Open ? programs : kernels;
        list.append({finding.path, finding.evidence.value(0)});
    }
    return kernels.isEmpty() ? programs : kernels;
}

class Narrower
{
public:
    Narrower(const Context &context, const ResolvedPlan &plan, KernelCandidates candidates, QList<Evidence> &dropped)
        : m_context(context)
        , m_inventory(context.inventory)
        , m_plan(plan)
        , m_candidates(std::move(candidates))
        , m_dropped(dropped)
    {
    }

    KernelCandidates run()
    {
        drop([this](const QString &path) { return isReferenceOfPerson(path); }, tr("said to be the reference"));
        drop([this](const QString &path) { return looksLikeReference(m_inventory, path); },
             tr("taken for the reference: that is what it or its functions are called"));
        if (m_plan.evaluator == EvaluatorKind::KernelBench)
            narrowModules();
        else
            narrowSources();
        return m_candidates;
    }

private:
    // Where some are left.
    template <typename Rule>
    void drop(const Rule &isOut, const QString &why)
    {
        KernelCandidates left;
        QList<Evidence> out;
        for (const KernelCandidate &candidate : std::as_const(m_candidates)) {
            if (isOut(candidate.path))
                out.append({candidate.path, candidate.evidence.line, why});
            else
                left.append(candidate);
        }
        if (left.isEmpty())
            return;
        m_candidates = left;
        m_dropped += out;
    }

    bool isReferenceOfPerson(const QString &path) const
    {
        const QStringList named = m_context.request.referencePaths + QStringList{m_context.answer(planKey::reference)};
        return std::any_of(named.cbegin(), named.cend(), [&](const QString &written) {
            return !written.isEmpty() && resolvedPath(m_inventory, written) == path;
        });
    }

    // A kernel written for the purpose, beside modules that only say what is to be computed and with which inputs.
    void narrowModules()
    {
        const auto isWritten = [this](const QString &path) {
            const PythonNeeds *module = m_inventory.pythonFile(path);
            return module &&
                   (!module->kernelKind.isEmpty() || (module->facts.classes.contains(QStringLiteral("ModelNew")) &&
                                                      !module->facts.classes.contains(QStringLiteral("Model"))));
        };
        drop([&](const QString &path) { return !isWritten(path); },
             tr("makes the inputs, and defines no kernel of its own"));
        drop([this](const QString &path) { return isImportedByAnother(path); },
             tr("goes with the kernel that imports it"));
        drop([this](const QString &path) { return makesInputs(path) && !isEveryInputMaker(); },
             tr("makes the inputs: the reference"));
    }

    bool makesInputs(const QString &path) const
    {
        const PythonNeeds *module = m_inventory.pythonFile(path);
        return module && module->facts.functions.contains(QStringLiteral("get_inputs"));
    }

    bool isEveryInputMaker() const
    {
        return std::all_of(m_candidates.cbegin(), m_candidates.cend(),
                           [this](const KernelCandidate &candidate) { return makesInputs(candidate.path); });
    }

    bool isImportedByAnother(const QString &path) const
    {
        const QString module = QFileInfo(path).completeBaseName();
        return std::any_of(m_candidates.cbegin(), m_candidates.cend(), [&](const KernelCandidate &other) {
            const PythonNeeds *needs = other.path == path ? nullptr : m_inventory.pythonFile(other.path);
            return needs && std::any_of(needs->imports.keyBegin(), needs->imports.keyEnd(), [&](const QString &name) {
                       return name.section(QLatin1Char('.'), -1) == module ||
                              name.section(QLatin1Char('.'), -2, -2) == module;
                   });
        });
    }

    void narrowSources()
    {
        const auto isOnGpu = [this](const QString &path) {
            const SourceFacts *source = m_inventory.source(path);
            return source && hasDeviceCode(*source);
        };
        drop([this](const QString &path) { return isCalledByAnother(path); }, tr("goes with the kernel that calls it"));
        if (std::any_of(m_candidates.cbegin(), m_candidates.cend(),
                        [&](const KernelCandidate &candidate) { return isOnGpu(candidate.path); }))
            drop([&](const QString &path) { return !isOnGpu(path); }, tr("runs on the CPU, beside code for the GPU"));
    }

    // Its functions are of use to another candidate, which it does not call itself.
    bool isCalledByAnother(const QString &path) const
    {
        return std::any_of(m_candidates.cbegin(), m_candidates.cend(), [&](const KernelCandidate &other) {
            return other.path != path && calls(other.path, path) && !calls(path, other.path);
        });
    }

    bool calls(const QString &caller, const QString &callee) const
    {
        const SourceFacts *from = m_inventory.source(caller);
        const SourceFacts *to = m_inventory.source(callee);
        return from && to && std::any_of(to->functions.cbegin(), to->functions.cend(), [&](const FunctionFact &f) {
                   return !f.isStatic && from->calls.contains(f.name) && !from->definition(f.name);
               });
    }

    const Context &m_context;
    const Inventory &m_inventory;
    const ResolvedPlan &m_plan;
    KernelCandidates m_candidates;
    QList<Evidence> &m_dropped;
};

} // namespace

KernelCandidates kernelCandidates(const Context &context, const ResolvedPlan &plan, const ProblemFacts *problem)
{
    return problem ? definersOfEntry(context.inventory, *problem) : seenKernels(context, plan);
}

KernelCandidates narrowedByContent(const Context &context, const ResolvedPlan &plan, KernelCandidates candidates,
                                   QList<Evidence> &dropped)
{
    return Narrower(context, plan, std::move(candidates), dropped).run();
}

bool looksLikeReference(const Inventory &inventory, const QString &path)
{
    if (namesReference(QFileInfo(path).fileName()))
        return true;
    const SourceFacts *source = inventory.source(path);
    if (!source || hasDeviceCode(*source))
        return false;
    bool hasAny = false;
    for (const FunctionFact &function : source->functions) {
        if (function.isStatic || !function.hasPointers)
            continue;
        if (!namesReference(function.name))
            return false;
        hasAny = true;
    }
    return hasAny;
}

} // namespace ako::planning
