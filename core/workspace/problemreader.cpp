// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/problemreader.h"

#include "eval/problem.h"

#include <QCoreApplication>
#include <QDir>

#include <exception>
#include <nlohmann/json.hpp>

namespace ako {

namespace {

using nlohmann::json;

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::ProblemReader", text);
}

int lineOfOffset(const QByteArray &text, qsizetype offset)
{
    return int(text.left(offset).count('\n')) + 1;
}

// The first line on which a key's quoted text stands: good enough to point a reader at it.
int lineOf(const QByteArray &text, const QByteArray &key)
{
    const qsizetype at = text.indexOf('"' + key + '"');
    return at < 0 ? 0 : lineOfOffset(text, at);
}

// Means to be a problem: says so, or is called so.
bool claimsToBeProblem(const QString &path, const QByteArray &text)
{
    return text.contains("ako.problem/") || QFileInfo(path).fileName() == QLatin1String("problem.json");
}

QString stringAt(const json &object, const char *key)
{
    const auto found = object.is_object() ? object.find(key) : object.end();
    if (!object.is_object() || found == object.end() || !found->is_string())
        return {};
    return QString::fromStdString(found->get<std::string>());
}

const json &objectAt(const json &object, const char *key)
{
    static const json none = json::object();
    const auto found = object.find(key);
    return found == object.end() || !found->is_object() ? none : *found;
}

QString besideProblem(const QString &problem, const QString &path)
{
    const QString folder = QFileInfo(problem).path();
    return QDir::cleanPath(folder == QLatin1String(".") ? path : folder + QLatin1Char('/') + path);
}

// One path or a list of them.
void readReference(const json &reference, ProblemFacts &facts)
{
    const auto source = reference.find("source");
    if (source == reference.end())
        return;
    const json list = source->is_array() ? *source : json::array({*source});
    for (const json &file : list) {
        if (file.is_string())
            facts.referenceSources.append(besideProblem(facts.path, QString::fromStdString(file.get<std::string>())));
    }
}

void readWorkloads(const json &problem, ProblemFacts &facts)
{
    const auto workloads = problem.find("workloads");
    if (workloads == problem.end() || !workloads->is_array())
        return;
    for (const json &workload : *workloads) {
        if (!workload.is_object())
            continue;
        facts.workloads.append(stringAt(workload, "id"));
        for (const auto &[name, input] : objectAt(workload, "inputs").items()) {
            const QString file = stringAt(input, "path");
            if (!file.isEmpty())
                facts.dataFiles.append(besideProblem(facts.path, file));
        }
    }
    facts.dataFiles.removeDuplicates();
}

QString syntaxError(const QString &path, const QByteArray &text)
{
    try {
        [[maybe_unused]] const json parsed = json::parse(text.cbegin(), text.cend());
    } catch (const json::parse_error &error) {
        const qsizetype offset = qsizetype(error.byte) - 1;
        const qsizetype lineStart = text.lastIndexOf('\n', std::max<qsizetype>(offset - 1, 0)) + 1;
        return tr("%1:%2:%3 is not valid JSON: %4.")
            .arg(path)
            .arg(lineOfOffset(text, offset))
            .arg(offset - lineStart + 1)
            .arg(QString::fromUtf8(error.what()).section(QStringLiteral("; "), -1).section(QStringLiteral(" - "), -1));
    }
    return tr("%1 is not a JSON object.").arg(path);
}

// The evaluator's own parser has the last word: what it refuses must not be approved.
QString complaintOfEvaluator(const QString &path, const QByteArray &text)
{
    try {
        eval::parseProblem(text.toStdString(), path.toStdString());
    } catch (const std::exception &failure) {
        return QString::fromUtf8(failure.what());
    }
    return {};
}

} // namespace

std::optional<ProblemFacts> readProblemFacts(const QString &path, const QByteArray &text)
{
    if (!claimsToBeProblem(path, text))
        return std::nullopt;
    ProblemFacts facts;
    facts.path = path;
    const json problem = json::parse(text.cbegin(), text.cend(), nullptr, false);
    if (problem.is_discarded() || !problem.is_object()) {
        facts.error = syntaxError(path, text);
        return facts;
    }
    facts.name = stringAt(problem, "name");
    facts.device = problem.contains("device") ? stringAt(problem, "device") : QStringLiteral("cpu");
    facts.entrySymbol = stringAt(objectAt(problem, "entry"), "symbol");
    facts.entryLine = lineOf(text, "symbol");
    readReference(objectAt(problem, "reference"), facts);
    facts.referenceLine = lineOf(text, "reference");
    readWorkloads(problem, facts);
    if (stringAt(problem, "schema") != QLatin1String("ako.problem/1"))
        facts.error = tr("%1: \"schema\" must be \"ako.problem/1\".").arg(path);
    else if (facts.entrySymbol.isEmpty())
        facts.error = tr("%1: \"entry\" names no \"symbol\", the function to be called.").arg(path);
    else if (facts.workloads.isEmpty())
        facts.error = tr("%1: \"workloads\" is empty, so no shapes are known.").arg(path);
    else if (facts.device == QLatin1String("cpu"))
        facts.error = complaintOfEvaluator(path, text);
    return facts;
}

} // namespace ako
