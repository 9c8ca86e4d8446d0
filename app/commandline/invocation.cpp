// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline/invocation.h"

#include "agents/knownagents.h"
#include "base/words.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QHash>

namespace ako {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("CommandLine", text);
}

struct CommandHelp
{
    Command command;
    QString name;
    QString synopsis;
    QString summary;
    QStringList positional; // names of the arguments that must be there, in order
    QStringList options;
};

const QList<CommandHelp> &commands()
{
    static const QList<CommandHelp> list{
        {Command::Plan,
         QStringLiteral("plan"),
         QStringLiteral("plan WORKSPACE"),
         tr("Read the workspace and print the resolved plan. Writes and runs nothing."),
         {QStringLiteral("WORKSPACE")},
         {QStringLiteral("request"), QStringLiteral("answer"), QStringLiteral("agent"), QStringLiteral("agent-command"),
          QStringLiteral("isolation"), QStringLiteral("permissions"), QStringLiteral("model"),
          QStringLiteral("base-url"), QStringLiteral("verbose"), QStringLiteral("json")}},
        {Command::Run,
         QStringLiteral("run"),
         QStringLiteral("run WORKSPACE"),
         tr("Run the whole loop: plan, approval, baseline, iterations, final verdict. Resumes an earlier run."),
         {QStringLiteral("WORKSPACE")},
         {QStringLiteral("request"), QStringLiteral("answer"), QStringLiteral("agent"), QStringLiteral("agent-command"),
          QStringLiteral("isolation"), QStringLiteral("permissions"), QStringLiteral("model"),
          QStringLiteral("base-url"), QStringLiteral("iterations"), QStringLiteral("approve"),
          QStringLiteral("git-name"), QStringLiteral("git-email"), QStringLiteral("verbose"), QStringLiteral("json")}},
        {Command::Iterate,
         QStringLiteral("iterate"),
         QStringLiteral("iterate WORKSPACE --title TEXT"),
         tr("Bench solution/ as it is now as the next iteration, log it and commit it."),
         {QStringLiteral("WORKSPACE")},
         {QStringLiteral("title"), QStringLiteral("hypothesis"), QStringLiteral("changes"), QStringLiteral("json")}},
        {Command::History,
         QStringLiteral("history"),
         QStringLiteral("history WORKSPACE"),
         tr("Print the timeline, rebuilt from git and trajectory/."),
         {QStringLiteral("WORKSPACE")},
         {QStringLiteral("json")}},
        {Command::Restore,
         QStringLiteral("restore"),
         QStringLiteral("restore WORKSPACE N"),
         tr("Put solution/ back as iteration N left it (0: the baseline) and bench it as the next iteration."),
         {QStringLiteral("WORKSPACE"), QStringLiteral("N")},
         {QStringLiteral("json")}},
        {Command::Revert,
         QStringLiteral("revert"),
         QStringLiteral("revert WORKSPACE N"),
         tr("Undo only what iteration N changed, keep later changes, and bench it as the next iteration."),
         {QStringLiteral("WORKSPACE"), QStringLiteral("N")},
         {QStringLiteral("json")}},
        {Command::Measure,
         QStringLiteral("measure"),
         QStringLiteral("measure WORKSPACE N"),
         tr("Measure what iteration N left again, side by side with the champion, as the next iteration."),
         {QStringLiteral("WORKSPACE"), QStringLiteral("N")},
         {QStringLiteral("against"), QStringLiteral("json")}},
        {Command::Note,
         QStringLiteral("note"),
         QStringLiteral("note WORKSPACE N"),
         tr("Keep your own words on iteration N, or what you decide of a quarantined one; no number changes."),
         {QStringLiteral("WORKSPACE"), QStringLiteral("N")},
         {QStringLiteral("text"), QStringLiteral("accept"), QStringLiteral("reject"), QStringLiteral("json")}},
        {Command::Finish,
         QStringLiteral("finish"),
         QStringLiteral("finish WORKSPACE"),
         tr("Choose the best iteration, restore it, measure it against the baseline and commit [final]."),
         {QStringLiteral("WORKSPACE")},
         {QStringLiteral("json")}},
        {Command::Report,
         QStringLiteral("report"),
         QStringLiteral("report WORKSPACE"),
         tr("Write what came of it as one HTML page, and the champion as a patch of the original kernel."),
         {QStringLiteral("WORKSPACE")},
         {QStringLiteral("output"), QStringLiteral("patch"), QStringLiteral("json")}},
        {Command::Apply,
         QStringLiteral("apply"),
         QStringLiteral("apply WORKSPACE"),
         tr("Show what the champion changes in your own source, and write it there once you agree."),
         {QStringLiteral("WORKSPACE")},
         {QStringLiteral("write"), QStringLiteral("json")}},
        {Command::Doctor,
         QStringLiteral("doctor"),
         QStringLiteral("doctor [WORKSPACE]"),
         tr("Say what this machine has and lacks: compilers, git identity, CUDA, Python with torch, agents."),
         {},
         {QStringLiteral("json")}},
        {Command::Mcp,
         QStringLiteral("mcp"),
         QStringLiteral("mcp [WORKSPACE]"),
         tr("Serve the history, a bench and a profile to a coding agent by the Model Context Protocol."),
         {},
         {QStringLiteral("connect")}},
        {Command::Key,
         QStringLiteral("key"),
         QStringLiteral("key AGENT"),
         tr("Put the key of anthropic or openai, asked for here, into the system's keyring."),
         {QStringLiteral("AGENT")},
         {QStringLiteral("remove")}},
        {Command::Demo,
         QStringLiteral("demo"),
         QStringLiteral("demo"),
         tr("Copy an example workspace and optimize it with the tuner."),
         {},
         {QStringLiteral("headless"), QStringLiteral("into"), QStringLiteral("example"), QStringLiteral("iterations"),
          QStringLiteral("git-name"), QStringLiteral("git-email"), QStringLiteral("json")}},
    };
    return list;
}

QList<QCommandLineOption> optionsNamed(const QStringList &names)
{
    const auto valued = [](const char *name, const QString &text, const char *value) {
        return QCommandLineOption(QString::fromLatin1(name), text, QString::fromLatin1(value));
    };
    const QList<QCommandLineOption> all{
        valued("request", tr("What you want, in words: \"at most 20 iterations, do not use OpenMP\"."), "TEXT"),
        valued("answer", tr("Answer a question or set a row of the plan: kernel=src/softmax.cpp. May be repeated."),
               "KEY=VALUE"),
        valued("agent", tr("Who proposes candidates: tuner (built in), user, or a coding agent that doctor lists."),
               "NAME"),
        valued("agent-command", tr("Any program that speaks the Agent Client Protocol, as the agent."), "COMMAND"),
        valued("isolation", tr("How a coding agent is confined: bubblewrap, or none, with all your rights."), "HOW"),
        valued("permissions", tr("What it is answered that asks to run commands: deny (the default) or allow."),
               "WHAT"),
        valued("model", tr("Which model, for the agents anthropic and openai: its name as its server knows it."),
               "NAME"),
        valued("base-url", tr("Its server: https://api.openai.com/v1, or http://127.0.0.1:8080/v1 on this machine."),
               "ADDRESS"),
        valued("iterations", tr("Stop after this many iterations."), "N"),
        QCommandLineOption(QStringLiteral("approve"), tr("Approve the resolved plan without asking.")),
        QCommandLineOption(QStringLiteral("json"), tr("One JSON object per event and line; the last is the outcome.")),
        valued("git-name", tr("Who commits, where git knows nobody: set for this repository only."), "NAME"),
        valued("git-email", tr("The e-mail address that goes with --git-name."), "ADDRESS"),
        QCommandLineOption(QStringLiteral("verbose"), tr("Show the evidence for each row of the plan.")),
        valued("title", tr("What was tried, in a few words; becomes the commit's subject."), "TEXT"),
        valued("hypothesis", tr("Why it should be faster."), "TEXT"),
        valued("changes", tr("What was changed."), "TEXT"),
        valued("output", tr("The file for the page; ako-report.html in the folder you are in unless given."), "FILE"),
        valued("patch", tr("A file for the patch, as git apply reads it; - writes it to standard output."), "FILE"),
        QCommandLineOption(QStringLiteral("write"), tr("Write it without asking.")),
        valued("against", tr("With what: champion (the default) or baseline."), "WHAT"),
        valued("text", tr("The words; of a decision, its reason."), "TEXT"),
        QCommandLineOption(QStringLiteral("accept"), tr("The quarantined iteration is honest: worth measuring again.")),
        QCommandLineOption(QStringLiteral("reject"), tr("The quarantine is right.")),
        QCommandLineOption(QStringLiteral("headless"), tr("Without a window; the plan is approved by this call.")),
        valued("connect", tr("The socket of a running run, in the place of WORKSPACE: coding agents are given it."),
               "SOCKET"),
        QCommandLineOption(QStringLiteral("remove"), tr("Remove the key from the keyring.")),
        valued("into", tr("The folder for the example: a new or empty one, or that of a demo to be gone on with."),
               "DIR"),
        valued("example",
               tr("Which example: matmul, softmax, stencil; on a GPU matmul-cuda, rmsnorm-cuda, softmax-cuda, "
                  "transpose-cuda."),
               "NAME"),
    };
    QList<QCommandLineOption> chosen;
    for (const QCommandLineOption &option : all) {
        if (names.contains(option.names().constFirst()))
            chosen.append(option);
    }
    return chosen;
}

QString overview()
{
    QString text = tr("AKO4ALL makes a kernel that you have as fast as it honestly gets: it profiles, modifies,\n"
                      "benchmarks, logs and commits, one iteration at a time.\n\n"
                      "Usage:\n"
                      "  ako4all [WORKSPACE]              open the window\n"
                      "  ako4all COMMAND ...              run without a display\n\n"
                      "Commands:\n");
    for (const CommandHelp &help : commands())
        text += QStringLiteral("  %1%2\n").arg(help.synopsis, -31).arg(QLatin1String("  ") + help.summary);
    text += tr("\n\"ako4all COMMAND --help\" lists a command's options. A first try: ako4all demo --headless\n\n"
               "Exit status: 0 done, 1 failed, 2 usage, 3 a question is open, 4 plan not approved,\n"
               "5 baseline not correct, 6 the iteration is recorded and failed (iterate, restore, revert),\n"
               "130 interrupted.\n");
    return text;
}

QString helpFor(const CommandHelp &help)
{
    QString text = tr("Usage: ako4all %1 [options]\n\n%2\n\nOptions:\n").arg(help.synopsis, help.summary);
    const QList<QCommandLineOption> options = optionsNamed(help.options);
    for (const QCommandLineOption &option : options) {
        QString name = QStringLiteral("--") + option.names().constFirst();
        if (!option.valueName().isEmpty())
            name += QLatin1Char(' ') + option.valueName();
        text += QStringLiteral("  %1  %2\n").arg(name, -20).arg(option.description());
    }
    return text;
}

const CommandHelp *findCommand(const QString &name)
{
    for (const CommandHelp &help : commands()) {
        if (help.name == name)
            return &help;
    }
    return nullptr;
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
