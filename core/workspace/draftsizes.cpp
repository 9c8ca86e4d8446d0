// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/draftsizes.h"

#include "workspace/sizeexpression.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <utility>

namespace ako {

namespace {

constexpr qsizetype mostWorkloads = 8;
constexpr int deepest = 4; // functions that hand a pointer on

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::ProblemDraft", text);
}

using Sizes = QMap<QString, qint64>;

class SizeFinder
{
public:
    SizeFinder(const Inventory &inventory, const QStringList &kernelFiles, const FunctionFact &function,
               QList<KernelParameter> &parameters)
        : m_inventory(inventory)
        , m_kernelFiles(kernelFiles)
        , m_function(function)
        , m_parameters(parameters)
    {
    }

    DraftSizes run()
    {
        for (const SourceFacts &source : m_inventory.sources)
            takeCallsIn(source);
        if (m_found.workloads.isEmpty())
            takeDocument();
        takeIndices();
        return m_found;
    }

private:
    bool isAxis(qsizetype i) const { return m_parameters[i].kind == KernelParameter::Kind::Axis; }
    bool isPointer(const KernelParameter &parameter) const
    {
        return parameter.kind == KernelParameter::Kind::Input || parameter.kind == KernelParameter::Kind::Output;
    }

    // -- programs that call it ---------------------------------------------------------------------------------------
    void takeCallsIn(const SourceFacts &source)
    {
        for (const CallFact &call : source.sizes.calls) {
            if (call.name != m_function.name || call.arguments.size() != m_parameters.size())
                continue;
            if (m_found.evidence.isEmpty())
                takeArguments(source.sizes, call);
            const qsizetype before = m_found.workloads.size();
            expand(source.sizes, call);
            if (m_found.evidence.isEmpty() || m_found.workloads.size() > before)
                m_found.evidence.append({source.path, call.line, tr("calls it with the sizes taken here")});
        }
    }

    // A size that a loop goes through is one workload for each of its values.
    void expand(SizeFacts facts, const CallFact &call)
    {
        static const QRegularExpression name(QStringLiteral("[A-Za-z_]\\w*"));
        for (qsizetype i = 0; i < m_parameters.size(); ++i) {
            for (const auto &match : isAxis(i) ? name.globalMatch(call.arguments[i]) : name.globalMatch(QString())) {
                const QStringList values = facts.lists.take(match.captured());
                for (const QString &value : values) {
                    facts.constants.insert(match.captured(), value);
                    expand(facts, call);
                }
                if (!values.isEmpty())
                    return;
            }
        }
        Sizes sizes;
        for (qsizetype i = 0; i < m_parameters.size(); ++i) {
            const qint64 value = isAxis(i) ? sizeOf(call.arguments[i], facts) : 0;
            if (value > 0)
                sizes.insert(m_parameters[i].name, value);
        }
        addWorkload(sizes);
    }

    void addWorkload(const Sizes &sizes)
    {
        const bool isFull = m_found.workloads.size() >= mostWorkloads;
        if (!sizes.isEmpty() && !isFull && !m_found.workloads.contains(sizes))
            m_found.workloads.append(sizes);
    }

    void takeArguments(const SizeFacts &facts, const CallFact &call)
    {
        QMap<QString, QString> axes; // the caller's name -> ours
        for (qsizetype i = 0; i < m_parameters.size(); ++i) {
            if (isAxis(i))
                axes.insert(call.arguments[i], m_parameters[i].name);
        }
        for (qsizetype i = 0; i < m_parameters.size(); ++i) {
            KernelParameter &parameter = m_parameters[i];
            if (isPointer(parameter))
                parameter.length = lengthOf(call.arguments[i], facts, axes);
            if (parameter.kind != KernelParameter::Kind::Scalar)
                continue;
            parameter.scalar = QString(call.arguments[i])
                                   .remove(QRegularExpression(QStringLiteral("[fF]$")))
                                   .toDouble(&parameter.isScalarKnown);
            if (!parameter.isScalarKnown)
                parameter.scalar = 1.0;
        }
    }

    // -- a README ----------------------------------------------------------------------------------------------------
    // Values of several sizes belong together in their order, where there are as many of each.
    void takeDocument()
    {
        qsizetype count = 1;
        for (qsizetype i = 0; i < m_parameters.size(); ++i)
            count = isAxis(i) ? std::max(count, documented(i).size()) : count;
        for (qsizetype place = 0; place < count; ++place) {
            Sizes sizes;
            for (qsizetype i = 0; i < m_parameters.size(); ++i) {
                const QList<qint64> values = isAxis(i) ? documented(i) : QList<qint64>();
                const bool isTogether = values.size() == count || values.size() == 1;
                if (!values.isEmpty() && (isTogether || place == 0))
                    sizes.insert(m_parameters[i].name, values.value(values.size() == count ? place : 0));
            }
            addWorkload(sizes);
        }
        const Sizes first = m_found.workloads.value(0);
        for (auto size = first.cbegin(); size != first.cend(); ++size)
            m_found.assumptions.append(tr("%1 = %2, as the README says").arg(size.key()).arg(size.value()));
    }

    QList<qint64> documented(qsizetype parameter) const
    {
        return m_inventory.documentedSizes.value(m_parameters[parameter].name.toLower());
    }

    // Also through a function that it is handed on to.
    bool isAddedTo(const FunctionFact &function, const QString &pointer, int depth) const
    {
        return function.addedTo.contains(pointer) ||
               (depth < deepest && std::ranges::any_of(
                                       function.calls,
                                       [&](const CallFact &call) {
                                           const FunctionFact *callee = functionNamed(call.name, call.arguments.size());
                                           const qsizetype place = call.arguments.indexOf(pointer);
                                           return callee && place >= 0 &&
                                                  isAddedTo(*callee, parameterNames(*callee).value(place), depth + 1);
                                       }));
    }

    // -- its own index expressions -----------------------------------------------------------------------------------
    void takeIndices()
    {
        for (KernelParameter &parameter : m_parameters) {
            parameter.isAddedTo =
                parameter.kind == KernelParameter::Kind::Output && isAddedTo(m_function, parameter.name, 0);
            if (!isPointer(parameter) || !parameter.length.isEmpty())
                continue;
            parameter.length = reachedBy(m_function, parameter.name, 0);
            if (!parameter.length.isEmpty())
                m_found.assumptions.append(tr("%1 holds %2 elements: its index expressions reach no further")
                                               .arg(parameter.name, parameter.length));
        }
    }

    QString reachedBy(const FunctionFact &function, const QString &pointer, int depth) const
    {
        if (function.lengths.contains(pointer))
            return function.lengths.value(pointer);
        if (depth > deepest || !function.passedOn.contains(pointer))
            return {};
        QString length;
        for (const CallFact &call : function.calls) {
            if (!call.arguments.contains(pointer))
                continue;
            const QString reached = reachedByCall(call, pointer, depth);
            if (reached.isEmpty() || (!length.isEmpty() && length != reached))
                return {};
            length = reached;
        }
        return length;
    }

    // In the words of the function that calls.
    QString reachedByCall(const CallFact &call, const QString &pointer, int depth) const
    {
        const FunctionFact *callee = functionNamed(call.name, call.arguments.size());
        if (!callee || call.arguments.count(pointer) != 1)
            return {};
        const QStringList names = parameterNames(*callee);
        const QString length = reachedBy(*callee, names.value(call.arguments.indexOf(pointer)), depth + 1);
        static const QRegularExpression word(QStringLiteral("[A-Za-z_]\\w*"));
        QString result;
        qsizetype from = 0;
        for (const auto &match : word.globalMatch(length)) {
            const QString argument = call.arguments.value(names.indexOf(match.captured()));
            const bool isName = word.match(argument).capturedLength() == argument.size();
            result += length.mid(from, match.capturedStart() - from) +
                      (isName ? argument : QLatin1Char('(') + argument + QLatin1Char(')'));
            from = match.capturedEnd();
        }
        return length.isEmpty() ? QString() : result + length.mid(from);
    }

    const FunctionFact *functionNamed(const QString &name, qsizetype arguments) const
    {
        for (const QString &file : m_kernelFiles) {
            const SourceFacts *source = m_inventory.source(file);
            for (const FunctionFact &function : source ? source->functions : std::as_const(m_none)) {
                if (function.name == name && parameterNames(function).size() == arguments)
                    return &function;
            }
        }
        return nullptr;
    }

    static QStringList parameterNames(const FunctionFact &function)
    {
        QStringList names;
        for (const QString &parameter : function.parameters.split(u','))
            names.append(parameterFrom(parameter).name);
        return names;
    }

    const Inventory &m_inventory;
    const QStringList &m_kernelFiles;
    const FunctionFact &m_function;
    QList<KernelParameter> &m_parameters;
    const QList<FunctionFact> m_none;
    DraftSizes m_found;
};

} // namespace

DraftSizes findDraftSizes(const Inventory &inventory, const QStringList &kernelFiles, const FunctionFact &function,
                          QList<KernelParameter> &parameters)
{
    return SizeFinder(inventory, kernelFiles, function, parameters).run();
}

} // namespace ako
