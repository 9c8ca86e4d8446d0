// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/draftwriter.h"

#include <QCoreApplication>

#include <nlohmann/json.hpp>

namespace ako {

namespace {

using nlohmann::ordered_json;
using Parameter = KernelParameter;

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::ProblemDraft", text);
}

class DraftWriter
{
public:
    DraftWriter(const DraftContent &content, QStringList &assumptions)
        : m_content(content)
        , m_assumptions(assumptions)
    {
    }

    QByteArray write()
    {
        ordered_json problem{{"schema", "ako.problem/1"},
                             {"name", m_content.name.toStdString()},
                             {"device", m_content.isCuda ? "cuda" : "cpu"}};
        problem["axes"] = ordered_json::object();
        ordered_json arguments = ordered_json::array();
        for (const Parameter &parameter : std::as_const(m_content.parameters)) {
            const bool isStream = parameter.kind == Parameter::Kind::Stream;
            arguments.push_back(isStream ? std::string("@stream") : parameter.name.toStdString());
            if (parameter.kind == Parameter::Kind::Axis)
                problem["axes"][parameter.name.toStdString()] = {{"type", "var"}};
            else if (parameter.kind == Parameter::Kind::Scalar)
                problem["scalars"][parameter.name.toStdString()] = {{"dtype", parameter.dtype.toStdString()}};
            else if (parameter.isAddedTo)
                m_assumptions.append(
                    tr("%1 is changed by what it held, so it is read and written").arg(parameter.name));
            else if (parameter.kind == Parameter::Kind::Output)
                m_assumptions.append(tr("%1 is written and not read").arg(parameter.name));
        }
        problem["inputs"] = tensors(true);
        problem["outputs"] = tensors(false);
        problem["entry"] = {{"symbol", m_content.symbol.toStdString()}, {"args", arguments}};
        if (m_content.returnsInt)
            problem["entry"]["returns"] = "int";
        problem["reference"] = {{"source", references()}};
        problem["workloads"] = workloads();
        return QByteArray::fromStdString(problem.dump(2)) + '\n';
    }

private:
    ordered_json references() const
    {
        if (m_content.references.size() == 1)
            return m_content.references.first().toStdString();
        ordered_json files = ordered_json::array();
        for (const QString &file : m_content.references)
            files.push_back(file.toStdString());
        return files;
    }

    // What is changed by what it held needs content too.
    static bool isInput(const Parameter &parameter)
    {
        return parameter.kind == Parameter::Kind::Input || parameter.isAddedTo;
    }

    ordered_json tensors(bool areInputs) const
    {
        ordered_json group = ordered_json::object();
        for (const Parameter &p : m_content.parameters) {
            const bool isPointer = p.kind == Parameter::Kind::Input || p.kind == Parameter::Kind::Output;
            if (!isPointer || isInput(p) != areInputs)
                continue;
            ordered_json tensor{{"shape", {p.length.toStdString()}}, {"dtype", p.dtype.toStdString()}};
            if (p.isAddedTo)
                tensor["inout"] = true;
            group[p.name.toStdString()] = tensor;
        }
        return group;
    }

    ordered_json workload(const QMap<QString, qint64> &sizes, bool isFirst)
    {
        QStringList id;
        ordered_json result{{"id", "main"}, {"axes", ordered_json::object()}, {"inputs", ordered_json::object()}};
        for (const Parameter &p : std::as_const(m_content.parameters)) {
            const std::string name = p.name.toStdString();
            if (p.kind == Parameter::Kind::Axis) {
                result["axes"][name] = sizes.value(p.name);
                id.append(QStringLiteral("%1=%2").arg(p.name).arg(sizes.value(p.name)));
            } else if (isInput(p)) {
                result["inputs"][name] = rule(p, isFirst);
            } else if (p.kind == Parameter::Kind::Scalar) {
                result["scalars"][name] = p.scalar;
            }
            if (isFirst && p.kind == Parameter::Kind::Scalar && !p.isScalarKnown)
                m_assumptions.append(tr("%1 is 1: no call says otherwise").arg(p.name));
        }
        if (!isFirst)
            result["id"] = id.join(QLatin1Char(',')).toStdString();
        return result;
    }

    ordered_json workloads()
    {
        ordered_json all = ordered_json::array();
        for (const QMap<QString, qint64> &sizes : std::as_const(m_content.workloads))
            all.push_back(workload(sizes, all.empty()));
        if (all.size() > 1)
            m_assumptions.append(tr("%1 workloads count alike").arg(all.size()));
        return all;
    }

    ordered_json rule(const Parameter &parameter, bool isFirst)
    {
        if (parameter.dtype.startsWith(QLatin1String("float")) || parameter.dtype == QLatin1String("bfloat16"))
            return {{"type", "random"}, {"dist", "normal"}};
        if (isFirst)
            m_assumptions.append(
                tr("%1 holds whole numbers from 0 to 1: other values need another rule").arg(parameter.name));
        return {{"type", "random"}, {"dist", "uniform"}, {"low", 0}, {"high", 1}};
    }

    const DraftContent &m_content;
    QStringList &m_assumptions;
};

} // namespace

QByteArray draftText(const DraftContent &content, QStringList &assumptions)
{
    return DraftWriter(content, assumptions).write();
}

} // namespace ako
