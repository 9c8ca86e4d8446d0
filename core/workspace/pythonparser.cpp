// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/pythonparser.h"

#include "process/childprocess.h"
#include "workspace/pythonenvironments.h"
#include "workspace/pythonparserscript.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

namespace ako {

namespace {

using nlohmann::json;

constexpr int timeLimit = 10000; // milliseconds, of one process
constexpr int mostProcesses = 4; // a text that ends the parser costs one

bool isInside(const QString &path, const QString &folder)
{
    return path == folder || path.startsWith(folder.endsWith(QLatin1Char('/')) ? folder : folder + QLatin1Char('/'));
}

// The one that is active, one with torch, the newest: a text that an older Python refuses may be right.
int rank(const PythonEnvironment &environment)
{
    const QString active = qEnvironmentVariable("VIRTUAL_ENV", qEnvironmentVariable("CONDA_PREFIX"));
    const bool isActive = !active.isEmpty() && isInside(environment.interpreter, active);
    const QString name = QFileInfo(QFileInfo(environment.interpreter).canonicalFilePath()).fileName();
    const int minor = name.section(QStringLiteral("python3."), 1).toInt();
    return minor + (environment.torchVersion.isEmpty() ? 0 : 1000) + (isActive ? 2000 : 0);
}

QMap<QString, int> linesOf(const json &object, const char *key)
{
    QMap<QString, int> lines;
    const auto found = object.find(key);
    if (found == object.end() || !found->is_object())
        return lines;
    for (const auto &[name, line] : found->items()) {
        if (line.is_number_integer())
            lines.insert(QString::fromStdString(name), line.get<int>());
    }
    return lines;
}

QString textOf(const json &object, const char *key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? QString::fromStdString(found->get<std::string>()) : QString();
}

int lineOf(const json &object, const char *key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_number_integer() ? found->get<int>() : 0;
}

// What the child said is data of an untrusted text's making: anything else than expected counts as nothing.
PythonFacts factsFrom(const json &object, const QByteArray &text)
{
    if (!object.is_object() || !object.contains("calls")) {
        PythonFacts facts = scanPython(text);
        if (object.is_object() && object.contains("error")) {
            facts.python = textOf(object, "python");
            facts.syntaxError = textOf(object, "error");
            facts.syntaxErrorLine = lineOf(object, "line");
        }
        return facts;
    }
    PythonFacts facts;
    facts.classes = linesOf(object, "classes");
    facts.functions = linesOf(object, "functions");
    facts.imports = linesOf(object, "imports");
    facts.decorators = linesOf(object, "decorators");
    facts.calls = linesOf(object, "calls");
    facts.settings = linesOf(object, "settings");
    facts.forwardCalls = linesOf(object, "forwardCalls");
    facts.forwardLoop = lineOf(object, "forwardLoop");
    facts.weakTypes = linesOf(object, "weakTypes");
    facts.timedInput = lineOf(object, "timedInput");
    const auto guard = object.find("hasMainGuard");
    facts.hasMainGuard = guard != object.end() && guard->is_boolean() && guard->get<bool>();
    facts.python = textOf(object, "python");
    return facts;
}

QProcessEnvironment plainEnvironment()
{
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("PATH"), QStringLiteral("/usr/bin:/bin"));
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C.UTF-8"));
    return environment;
}

// The facts of the texts from `first` on, as far as the child came.
QList<PythonFacts> parsedFrom(const QString &interpreter, const QList<PythonText> &texts, qsizetype first)
{
    CommandSpec spec;
    spec.program = interpreter;
    spec.arguments = {QStringLiteral("-I"),
                      QStringLiteral("-S"),
                      QStringLiteral("-B"),
                      QStringLiteral("-W"),
                      QStringLiteral("ignore"),
                      QStringLiteral("-c"),
                      QString::fromLatin1(pythonParserScript)};
    spec.workingDirectory = QStringLiteral("/");
    spec.environment = plainEnvironment();
    spec.timeoutMilliseconds = timeLimit;
    spec.interruptGraceMilliseconds = 0;
    spec.terminateGraceMilliseconds = 100;
    spec.outputLimitBytes = 64LL * 1024 * 1024;
    for (qsizetype i = first; i < texts.size(); ++i)
        spec.standardInput += QByteArray::number(texts[i].text.size()) + '\n' + texts[i].text;
    const ProcessEnd end = runToEnd(spec);
    QList<PythonFacts> facts;
    for (const QByteArray &line : end.output.split('\n')) {
        if (!line.startsWith("ako:") || first + facts.size() >= texts.size())
            continue;
        const QByteArray answer = line.mid(4);
        facts.append(
            factsFrom(json::parse(answer.cbegin(), answer.cend(), nullptr, false), texts[first + facts.size()].text));
    }
    return facts;
}

} // namespace

QString parsingPython(const QString &workspace)
{
    QList<PythonEnvironment> own = findPythonEnvironments({});
    own.removeIf([&](const PythonEnvironment &environment) {
        return isInside(environment.interpreter, workspace) ||
               isInside(QFileInfo(environment.interpreter).canonicalFilePath(), workspace);
    });
    const auto isOwn = [&](const QString &program) {
        return std::ranges::any_of(own, [&](const PythonEnvironment &environment) {
            return QFileInfo(environment.interpreter).canonicalFilePath() == program;
        });
    };
    // The interpreter of a virtual environment is a link to that of the machine.
    const QDir folder(workspace);
    const QStringList names = folder.entryList(QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot);
    for (const QString &name : names) {
        const QFileInfo interpreter(folder.filePath(name + QStringLiteral("/bin/python3")));
        if (isOwn(interpreter.canonicalFilePath()))
            return interpreter.canonicalFilePath();
    }
    std::ranges::stable_sort(own, std::ranges::greater(), rank);
    return own.isEmpty() ? QString() : QFileInfo(own.first().interpreter).canonicalFilePath();
}

QList<PythonFacts> parsePython(const QString &interpreter, const QList<PythonText> &texts)
{
    QList<PythonFacts> facts;
    for (int process = 0; process < mostProcesses && !interpreter.isEmpty() && facts.size() < texts.size(); ++process) {
        facts += parsedFrom(interpreter, texts, facts.size());
        if (facts.size() < texts.size()) // the text that it ended at
            facts.append(scanPython(texts[facts.size()].text));
    }
    while (facts.size() < texts.size())
        facts.append(scanPython(texts[facts.size()].text));
    return facts;
}

} // namespace ako
