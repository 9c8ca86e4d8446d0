// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline/invocation.h"

#include "agents/agentsettings.h"
#include "agents/knownagents.h"
#include "base/words.h"
#include "commandline/commandhelp.h"
#include "workspace/resolvedplan.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QHash>

#include <utility>

namespace ako {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("CommandLine", text);
}

QString echo(const QString &text)
{
    return words::shortened(words::oneLine(text));
}

std::unexpected<Error> usageError(const QString &message, const CommandHelp *help)
{
    return fail(message, help ? tr("See: ako4all %1 --help").arg(help->name) : tr("See: ako4all --help"));
}

Result<int> positiveNumber(const QString &text, const QString &what, int least, const CommandHelp *help)
{
    bool isNumber = false;
    const int number = text.toInt(&isNumber);
    if (!isNumber || number < least)
        return usageError(tr("%1: \"%2\" is not a whole number of at least %3.").arg(what, echo(text)).arg(least),
                          help);
    return number;
}

Result<void> takeAnswers(const QStringList &texts, Invocation &invocation, const CommandHelp *help)
{
    for (const QString &text : texts) {
        const qsizetype equals = text.indexOf(QLatin1Char('='));
        if (equals <= 0)
            return usageError(tr("--answer %1: write it as KEY=VALUE.").arg(echo(text)), help);
        invocation.answers.append({text.left(equals), text.mid(equals + 1)});
    }
    return {};
}

QString noFolder()
{
    return tr("The workspace is an empty name: give a folder, or . for the one you are in.");
}

Result<void> takePositional(const QStringList &given, Invocation &invocation, const CommandHelp *help)
{
    const bool optionalWorkspace = help->command == Command::Doctor || help->command == Command::Mcp;
    const qsizetype most = optionalWorkspace ? 1 : help->positional.size();
    if (given.size() < help->positional.size())
        return usageError(tr("%1 is missing.").arg(help->positional.at(given.size())), help);
    if (given.size() > most)
        return usageError(tr("\"%1\" is one argument too many.").arg(echo(given.at(most))), help);
    if (!given.isEmpty() && given.constFirst().trimmed().isEmpty())
        return usageError(noFolder(), help);
    if (!given.isEmpty())
        invocation.workspace = given.constFirst();
    if (given.size() > 1) {
        const Result<int> number = positiveNumber(given.at(1), tr("Iteration"), 0, help);
        if (!number)
            return std::unexpected(number.error());
        invocation.number = *number;
    }
    return {};
}

// What is measured again, and what is said of an iteration.
Result<void> takeOfEntry(Invocation &invocation, const QString &against, const QString &said, bool accept, bool reject,
                         const CommandHelp *help)
{
    if (!against.isEmpty() && against != QLatin1String("champion") && against != QLatin1String("baseline"))
        return usageError(tr("--against %1: it is champion or baseline.").arg(echo(against)), help);
    invocation.againstBaseline = against == QLatin1String("baseline");
    invocation.text = said.trimmed();
    if (accept && reject)
        return usageError(tr("--accept and --reject: choose one."), help);
    if (accept || reject)
        invocation.accepted = accept;
    if (help->command == Command::Note && invocation.text.isEmpty() && !invocation.accepted)
        return usageError(tr("--text is missing: what is to be kept."), help);
    return {};
}

Result<Invocation> parseCommand(const CommandHelp &help, const QStringList &arguments)
{
    Invocation invocation;
    invocation.command = help.command;
    QCommandLineParser parser;
    parser.setOptionsAfterPositionalArgumentsMode(QCommandLineParser::ParseAsOptions);
    parser.addOptions(optionsNamed(help.options));
    const QCommandLineOption helpOption(QStringList{QStringLiteral("h"), QStringLiteral("help")});
    parser.addOption(helpOption);
    if (!parser.parse(QStringList{QStringLiteral("ako4all")} + arguments))
        return usageError(words::shortened(words::oneLine(parser.errorText()), 2 * words::longestEcho), &help);
    if (parser.isSet(helpOption)) {
        invocation.command = Command::Help;
        invocation.helpText = helpFor(help);
        return invocation;
    }
    const auto value = [&](const char *name) {
        const QString option = QString::fromLatin1(name);
        return help.options.contains(option) ? parser.value(option) : QString();
    };
    const auto isSet = [&](const char *name) {
        const QString option = QString::fromLatin1(name);
        return help.options.contains(option) && parser.isSet(option);
    };
    invocation.request = value("request");
    invocation.agent = value("agent");
    invocation.agentCommand = value("agent-command");
    if (!invocation.agentCommand.isEmpty() && invocation.agent.isEmpty())
        invocation.agent = QLatin1String(commandAgent);
    invocation.isolation = value("isolation");
    invocation.permissions = value("permissions");
    invocation.turnLimit = value("turn-limit").trimmed();
    invocation.silenceLimit = value("silence-limit").trimmed();
    invocation.tokenBudget = value("token-budget").trimmed();
    invocation.costBudget = value("cost-budget").trimmed();
    invocation.model = value("model").trimmed();
    invocation.baseUrl = value("base-url").trimmed();
    invocation.gitName = value("git-name").trimmed();
    invocation.gitEmail = value("git-email").trimmed();
    invocation.verbose = isSet("verbose");
    invocation.into = value("into");
    invocation.connectTo = value("connect");
    invocation.title = value("title");
    invocation.hypothesis = value("hypothesis");
    invocation.changes = value("changes");
    invocation.approve = isSet("approve");
    invocation.json = isSet("json");
    invocation.output = value("output");
    invocation.patch = value("patch");
    invocation.write = isSet("write");
    invocation.restore = isSet("restore");
    invocation.remove = isSet("remove");
    invocation.headless = isSet("headless");
    if (isSet("example"))
        invocation.example = value("example");
    if (isSet("iterations")) {
        const Result<int> number = positiveNumber(value("iterations"), QStringLiteral("--iterations"), 1, &help);
        if (!number)
            return std::unexpected(number.error());
        invocation.iterations = *number;
    }
    if (help.options.contains(QStringLiteral("answer"))) {
        if (const auto taken = takeAnswers(parser.values(QStringLiteral("answer")), invocation, &help); !taken)
            return std::unexpected(taken.error());
    }
    if (const auto taken = takePositional(parser.positionalArguments(), invocation, &help); !taken)
        return std::unexpected(taken.error());
    if (const auto taken =
            takeOfEntry(invocation, value("against"), value("text"), isSet("accept"), isSet("reject"), &help);
        !taken)
        return std::unexpected(taken.error());
    if (invocation.gitName.isEmpty() != invocation.gitEmail.isEmpty())
        return usageError(tr("--git-name and --git-email go together: a commit names both."), &help);
    if (help.command == Command::Mcp && invocation.workspace.isEmpty() == invocation.connectTo.isEmpty())
        return usageError(tr("Give the workspace whose tools are to be served: ako4all mcp WORKSPACE."), &help);
    if (help.command == Command::Iterate && invocation.title.trimmed().isEmpty())
        return usageError(tr("--title is missing: say in a few words what was tried."), &help);
    return invocation;
}

} // namespace

QList<QPair<QString, QString>> overridesOf(const Invocation &invocation)
{
    auto overrides = invocation.answers;
    // In this order: the agent decides which rows there are.
    const std::pair<const char *, QString> rows[] = {{planKey::agent, invocation.agent},
                                                     {planKey::agentCommand, invocation.agentCommand},
                                                     {planKey::isolation, invocation.isolation},
                                                     {planKey::permissions, invocation.permissions},
                                                     {planKey::model, invocation.model},
                                                     {planKey::baseUrl, invocation.baseUrl},
                                                     {planKey::turnLimit, invocation.turnLimit},
                                                     {planKey::silenceLimit, invocation.silenceLimit},
                                                     {planKey::tokenBudget, invocation.tokenBudget},
                                                     {planKey::costBudget, invocation.costBudget}};
    for (const auto &[key, value] : rows) {
        if (!value.isEmpty())
            overrides.append({QString::fromLatin1(key), value});
    }
    if (invocation.iterations > 0)
        overrides.append({QString::fromLatin1(planKey::iterationCap), QString::number(invocation.iterations)});
    return overrides;
}

Result<Invocation> parseInvocation(const QStringList &arguments)
{
    Invocation invocation;
    if (arguments.isEmpty())
        return invocation;
    const QString &first = arguments.constFirst();
    if (const CommandHelp *help = findCommand(first))
        return parseCommand(*help, arguments.mid(1));
    if (first == QLatin1String("help") || first == QLatin1String("--help") || first == QLatin1String("-h")) {
        const CommandHelp *topic = arguments.size() > 1 ? findCommand(arguments.at(1)) : nullptr;
        invocation.command = Command::Help;
        invocation.helpText = topic ? helpFor(*topic) : overview();
        return invocation;
    }
    if (first == QLatin1String("--version")) {
        invocation.command = Command::Version;
        return invocation;
    }
    if (first.trimmed().isEmpty())
        return usageError(noFolder(), nullptr);
    if (first.startsWith(QLatin1Char('-')))
        return usageError(tr("Unknown option \"%1\".").arg(echo(first)), nullptr);
    if (arguments.size() > 1)
        return usageError(tr("\"%1\" is not a command.").arg(echo(first)), nullptr);
    invocation.workspace = first;
    return invocation;
}

} // namespace ako
