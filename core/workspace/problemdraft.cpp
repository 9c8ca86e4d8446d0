// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/problemdraft.h"

#include "eval/expression.h"
#include "workspace/draftsizes.h"
#include "workspace/draftwriter.h"
#include "workspace/kernelsignature.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <stdexcept>

namespace ako {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::ProblemDraft", text);
}

using Parameter = KernelParameter;

class Drafter
{
public:
    Drafter(const Inventory &inventory, const QStringList &kernelFiles, const QString &kernelRoot,
            const QString &reference, const QList<QMap<QString, QString>> &given)
        : m_inventory(inventory)
        , m_kernelFiles(kernelFiles)
        , m_root(kernelRoot)
        , m_reference(reference)
        , m_given(given)
    {
    }

    ProblemDraft run()
    {
        m_draft.path = m_root.isEmpty() ? QStringLiteral("problem.json") : m_root + QStringLiteral("/problem.json");
        if (!chooseFunction() || !readSignature())
            return m_draft;
        takeSizes();
        takeGiven();
        if (!m_draft.obstacle.isEmpty())
            return m_draft;
        askForSizes();
        if (m_draft.question.isEmpty())
            write();
        return m_draft;
    }

private:
    // -- the function ------------------------------------------------------------------------------------------------
    bool chooseFunction()
    {
        QList<const FunctionFact *> found;
        for (const QString &file : m_kernelFiles) {
            const SourceFacts *source = m_inventory.source(file);
            for (const FunctionFact &function : source ? source->functions : QList<FunctionFact>()) {
                const QString entry = m_given.value(0).value(QStringLiteral("entry"));
                const bool isAsked = entry.isEmpty() || entry == function.name;
                if (isAsked && !function.isStatic && !function.isGlobal && function.hasPointers &&
                    function.name != QLatin1String("main"))
                    found.append(source->definition(function.name));
            }
        }
        keepPreferred(found);
        if (found.size() == 1)
            m_function = found.first();
        else if (found.isEmpty())
            m_draft.obstacle =
                tr("No function on the host launches the kernel: write one, extern \"C\" void NAME(...), "
                   "that takes pointers and sizes; or write problem.json, and ako-bench --add-launcher makes one.");
        else
            askForFunction(found);
        return m_function != nullptr;
    }

    // What can be called by its name, and what the others do not call.
    void keepPreferred(QList<const FunctionFact *> &found) const
    {
        const auto keep = [&](auto &&isIn) {
            QList<const FunctionFact *> kept;
            std::copy_if(found.cbegin(), found.cend(), std::back_inserter(kept), isIn);
            if (!kept.isEmpty())
                found = kept;
        };
        keep([](const FunctionFact *function) { return function->isExternC; });
        keep([this](const FunctionFact *function) {
            return std::none_of(m_kernelFiles.cbegin(), m_kernelFiles.cend(), [&](const QString &file) {
                const SourceFacts *source = m_inventory.source(file);
                return source && source->calls.contains(function->name) && !source->hasMain;
            });
        });
    }

    void askForFunction(const QList<const FunctionFact *> &found)
    {
        QStringList names;
        for (const FunctionFact *function : found)
            names.append(function->name);
        m_draft.question = tr("%1 functions could be the one to be timed: %2. Answer with entry=NAME.")
                               .arg(names.size())
                               .arg(names.join(QStringLiteral(", ")));
    }

    QString fileOfFunction() const
    {
        for (const QString &file : m_kernelFiles) {
            const SourceFacts *source = m_inventory.source(file);
            if (source && source->definition(m_function->name) == m_function)
                return file;
        }
        return m_kernelFiles.value(0);
    }

    bool readSignature()
    {
        const QString file = fileOfFunction();
        m_draft.symbol = m_function->name;
        m_draft.evidence.append({file, m_function->line, tr("the signature of %1()").arg(m_function->name)});
        const QStringList texts = m_function->parameters.split(u',');
        for (const QString &text : texts) {
            m_parameters.append(parameterFrom(text));
            if (m_parameters.last().kind == Parameter::Kind::Unknown)
                m_draft.obstacle = tr("%1:%2: the parameter \"%3\" of %4() is no pointer to numbers, size or number.")
                                       .arg(file)
                                       .arg(m_function->line)
                                       .arg(text.simplified(), m_function->name);
        }
        if (m_function->returns != QLatin1String("void") && m_function->returns != QLatin1String("int"))
            m_draft.obstacle = tr("%1:%2: %3() returns %4; the evaluator calls functions that return void or int.")
                                   .arg(file)
                                   .arg(m_function->line)
                                   .arg(m_function->name, m_function->returns);
        else if (!m_function->isExternC)
            m_draft.obstacle = tr("%1:%2: %3() cannot be called by its name: put extern \"C\" before it.")
                                   .arg(file)
                                   .arg(m_function->line)
                                   .arg(m_function->name);
        else if (!has(Parameter::Kind::Output) && m_draft.obstacle.isEmpty())
            m_draft.obstacle = tr("%1:%2: %3() writes nothing: every pointer is const.")
                                   .arg(file)
                                   .arg(m_function->line)
                                   .arg(m_function->name);
        return m_draft.obstacle.isEmpty();
    }

    bool has(Parameter::Kind kind) const
    {
        return std::ranges::any_of(m_parameters, [kind](const Parameter &p) { return p.kind == kind; });
    }

    // -- sizes -------------------------------------------------------------------------------------------------------
    void takeSizes()
    {
        const DraftSizes sizes = findDraftSizes(m_inventory, m_kernelFiles, *m_function, m_parameters);
        m_draft.evidence += sizes.evidence;
        m_draft.assumptions += sizes.assumptions;
        m_workloads = sizes.workloads;
        if (m_workloads.isEmpty())
            m_workloads.append(QMap<QString, qint64>());
    }

    // What a person answered holds in every workload; those behind a semicolon make workloads of their own.
    void takeGiven()
    {
        for (const QMap<QString, QString> &given : std::as_const(m_given))
            checkNames(given);
        const QMap<QString, QString> first = m_given.value(0);
        for (QMap<QString, qint64> &workload : m_workloads)
            takeSizesOf(first, workload);
        for (Parameter &parameter : m_parameters) {
            if (!first.contains(parameter.name))
                continue;
            if (parameter.kind == Parameter::Kind::Scalar)
                parameter.scalar = first.value(parameter.name).toDouble(&parameter.isScalarKnown);
            else if (parameter.kind != Parameter::Kind::Axis)
                parameter.length = first.value(parameter.name);
        }
        if (m_given.size() > 1) // as they were written, and no others
            m_workloads.resize(1);
        for (const QMap<QString, QString> &more : m_given.mid(1)) {
            m_workloads.append(m_workloads.first());
            takeSizesOf(more, m_workloads.last());
        }
        assumeLengths();
    }

    void checkNames(const QMap<QString, QString> &given)
    {
        for (auto name = given.keyBegin(); name != given.keyEnd(); ++name) {
            const bool isKnown = std::ranges::any_of(m_parameters, [&](const Parameter &p) { return p.name == *name; });
            if (!isKnown && *name != QLatin1String("entry"))
                m_draft.obstacle = tr("%1() has no parameter \"%2\".").arg(m_draft.symbol, *name);
        }
        for (const Parameter &parameter : std::as_const(m_parameters)) {
            if (parameter.kind == Parameter::Kind::Axis && given.contains(parameter.name) &&
                plainInteger(given.value(parameter.name)).toLongLong() <= 0)
                m_draft.obstacle = tr("%1=%2 is no size: %1 is a whole number above 0, as in %1=4096.")
                                       .arg(parameter.name, given.value(parameter.name).left(40));
        }
    }

    void takeSizesOf(const QMap<QString, QString> &given, QMap<QString, qint64> &workload) const
    {
        for (const Parameter &parameter : m_parameters) {
            if (parameter.kind == Parameter::Kind::Axis && given.contains(parameter.name))
                workload.insert(parameter.name, plainInteger(given.value(parameter.name)).toLongLong());
        }
    }

    void assumeLengths()
    {
        QStringList axes;
        for (const Parameter &parameter : std::as_const(m_parameters)) {
            if (parameter.kind == Parameter::Kind::Axis)
                axes.append(parameter.name);
        }
        for (Parameter &parameter : m_parameters) {
            if (!isPointer(parameter) || !parameter.length.isEmpty() || axes.size() != 1)
                continue;
            parameter.length = axes.first();
            m_draft.assumptions.append(
                tr("%1 holds %2 elements: there is no other size").arg(parameter.name, axes.first()));
        }
    }

    static bool isPointer(const Parameter &parameter)
    {
        return parameter.kind == Parameter::Kind::Input || parameter.kind == Parameter::Kind::Output;
    }

    bool isLength(const QString &expression) const
    {
        return std::ranges::all_of(m_workloads, [&](const QMap<QString, qint64> &workload) {
            eval::AxisValues values;
            for (auto size = workload.cbegin(); size != workload.cend(); ++size)
                values[size.key().toStdString()] = size.value();
            try {
                return !expression.isEmpty() && eval::evaluateExpression(expression.toStdString(), values) > 0;
            } catch (const std::invalid_argument &) {
                return false;
            }
        });
    }

    void askForSizes()
    {
        QStringList lacking;
        for (const Parameter &parameter : std::as_const(m_parameters)) {
            const bool isLacking =
                parameter.kind == Parameter::Kind::Axis &&
                std::ranges::any_of(m_workloads, [&](const auto &sizes) { return sizes.value(parameter.name) <= 0; });
            if (isLacking)
                lacking.append(parameter.name + QStringLiteral("=…"));
        }
        const bool areAxesKnown = lacking.isEmpty();
        for (const Parameter &parameter : std::as_const(m_parameters)) {
            if (isPointer(parameter) && (parameter.length.isEmpty() || (areAxesKnown && !isLength(parameter.length))))
                lacking.append(parameter.name + QStringLiteral("=…"));
        }
        if (lacking.isEmpty())
            return;
        m_draft.question =
            tr("There is no problem.json for %1, and its shapes appear nowhere. One will be written once you say how "
               "large these are, a pointer in elements (x=n*4) and a size as it is timed (n=1048576; another one "
               "behind a semicolon): %2")
                .arg(fileOfFunction(), lacking.join(QStringLiteral(", ")));
    }

    // -- the file ----------------------------------------------------------------------------------------------------
    QString relative(const QString &file) const { return m_root.isEmpty() ? file : file.mid(m_root.size() + 1); }

    QStringList referenceSources()
    {
        const SourceFacts *reference = m_inventory.source(m_reference);
        const bool isBelow = m_root.isEmpty() || m_reference.startsWith(m_root + QLatin1Char('/'));
        m_draft.isReferenceUsed = reference && isBelow && reference->definition(m_draft.symbol);
        if (m_draft.isReferenceUsed)
            return {relative(m_reference)};
        if (!m_reference.isEmpty())
            m_draft.assumptions.append(
                tr("%1 is not used: it does not define %2(); the original kernel is the reference")
                    .arg(m_reference, m_draft.symbol));
        QStringList files;
        for (const QString &file : m_kernelFiles)
            files.append(relative(file));
        return files;
    }

    void write()
    {
        DraftContent content;
        content.name = QFileInfo(m_kernelFiles.first()).completeBaseName();
        content.isCuda =
            std::ranges::any_of(m_kernelFiles, [](const QString &file) { return file.endsWith(QLatin1String(".cu")); });
        content.symbol = m_draft.symbol;
        content.returnsInt = m_function->returns == QLatin1String("int");
        content.references = referenceSources();
        content.parameters = m_parameters;
        content.workloads = m_workloads;
        m_draft.text = draftText(content, m_draft.assumptions);
    }

    const Inventory &m_inventory;
    QStringList m_kernelFiles;
    QString m_root;
    QString m_reference;
    QList<QMap<QString, QString>> m_given;
    QList<QMap<QString, qint64>> m_workloads; // at least one
    ProblemDraft m_draft;
    const FunctionFact *m_function = nullptr;
    QList<Parameter> m_parameters;
};

} // namespace

ProblemDraft draftProblem(const Inventory &inventory, const QStringList &kernelFiles, const QString &kernelRoot,
                          const QString &reference, const QList<QMap<QString, QString>> &given)
{
    return Drafter(inventory, kernelFiles, kernelRoot, reference, given).run();
}

} // namespace ako
