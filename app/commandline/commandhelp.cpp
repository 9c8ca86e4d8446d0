// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline/commandhelp.h"

#include "agents/tools/looptools.h"

#include <QCoreApplication>

namespace ako {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("CommandLine", text);
}

QString toolsHelp()
{
    QString text = tr("It is a server that your agent starts, not a command for a person: it speaks the Model Context\n"
                      "Protocol on standard input and output, one JSON object a line, until its input ends. For\n"
                      "example:\n"
                      "  claude mcp add ako4all -- ako4all mcp ~/my-kernel\n\n"
                      "Its tools:\n");
    for (const Tool &tool : LoopTools({}, {}).tools()) {
        QStringList arguments;
        if (const auto properties = tool.parameters.find("properties"); properties != tool.parameters.end()) {
            for (const auto &[name, schema] : properties->items())
                arguments << QString::fromStdString(name);
        }
        const QString call = arguments.isEmpty()
                                 ? tool.name
                                 : QStringLiteral("%1 (%2)").arg(tool.name, arguments.join(QStringLiteral(", ")));
        text += QStringLiteral("  %1\n      %2\n").arg(call, tool.description);
    }
    return text;
}

} // namespace

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
          QStringLiteral("base-url"), QStringLiteral("turn-limit"), QStringLiteral("silence-limit"),
          QStringLiteral("token-budget"), QStringLiteral("cost-budget"), QStringLiteral("verbose"),
          QStringLiteral("json")}},
        {Command::Run,
         QStringLiteral("run"),
         QStringLiteral("run WORKSPACE"),
         tr("Run the whole loop: plan, approval, baseline, iterations, final verdict. Resumes an earlier run."),
         {QStringLiteral("WORKSPACE")},
         {QStringLiteral("request"), QStringLiteral("answer"), QStringLiteral("agent"), QStringLiteral("agent-command"),
          QStringLiteral("isolation"), QStringLiteral("permissions"), QStringLiteral("model"),
          QStringLiteral("base-url"), QStringLiteral("turn-limit"), QStringLiteral("silence-limit"),
          QStringLiteral("token-budget"), QStringLiteral("cost-budget"), QStringLiteral("iterations"),
          QStringLiteral("approve"), QStringLiteral("git-name"), QStringLiteral("git-email"), QStringLiteral("verbose"),
          QStringLiteral("json")}},
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
        {Command::Harness,
         QStringLiteral("harness"),
         QStringLiteral("harness WORKSPACE"),
         tr("Show what has changed of what the measurement depends on since it was approved, and put it back."),
         {QStringLiteral("WORKSPACE")},
         {QStringLiteral("restore"), QStringLiteral("json")}},
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
         {QStringLiteral("connect")},
         toolsHelp()},
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
        valued("permissions",
               tr("What it is answered that asks: deny (the default), ask, allow; or \"commands=ask, network=deny\"."),
               "WHAT"),
        valued("model", tr("Which model, for the agents anthropic and openai: its name as its server knows it."),
               "NAME"),
        valued("base-url", tr("Its server: https://api.openai.com/v1, or http://127.0.0.1:8080/v1 on this machine."),
               "ADDRESS"),
        valued("turn-limit", tr("The longest time for one candidate: \"30 minutes\" unless you give another."), "TIME"),
        valued("silence-limit", tr("The longest time without a word from the agent: \"10 minutes\" at first."), "TIME"),
        valued("token-budget", tr("Stop and finish when the agents of this run have used that many tokens: 500k."),
               "NUMBER"),
        valued("cost-budget", tr("The same by what the agent reports that it costs, in dollars: 5."), "DOLLARS"),
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
        QCommandLineOption(QStringLiteral("restore"),
                           tr("Put back what was approved; what is there now is kept in .ako/discarded/.")),
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
    return help.more.isEmpty() ? text : text + QLatin1Char('\n') + help.more;
}

const CommandHelp *findCommand(const QString &name)
{
    for (const CommandHelp &help : commands()) {
        if (help.name == name)
            return &help;
    }
    return nullptr;
}

} // namespace ako
