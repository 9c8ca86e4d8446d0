// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/exhaustion.h"
#include "base/installation.h"
#include "base/words.h"
#include "commandline/commandsession.h"
#include "commandline/doctor.h"
#include "commandline/interrupt.h"
#include "commandline/invocation.h"
#include "commandline/keycommand.h"
#include "commandline/mcpcommand.h"
#include "commandline/terminal.h"
#include "examples.h"

#ifdef AKO_HAVE_WINDOW
#include "windowapplication.h"
#endif

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>
#include <cstdio>
#include <new>
#include <string_view>

namespace {

void describe()
{
    QCoreApplication::setOrganizationName(QStringLiteral("AKO4ALL"));
    QCoreApplication::setApplicationName(QStringLiteral("ako4all"));
    QCoreApplication::setApplicationVersion(ako::installation::version());
}

int reportError(const ako::Error &error, int exitCode)
{
    std::fprintf(stderr, "ako4all: %s\n", qUtf8Printable(ako::words::plain(error.message)));
    const QStringList remedies = ako::words::plain(error.remedy).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (const QString &remedy : remedies)
        std::fprintf(stderr, "         %s\n", qUtf8Printable(remedy));
    return exitCode;
}

int openWindow(int &argc, char **argv, [[maybe_unused]] const QString &workspace)
{
#ifdef AKO_HAVE_WINDOW
    const bool hasDisplay = qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
                            qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
    if (!hasDisplay)
        return reportError({QStringLiteral("There is no display for the window."),
                            QStringLiteral("Without one: ako4all run WORKSPACE, or ako4all demo --headless")},
                           ako::ExitUsage);
    return ako::runWindow(argc, argv, workspace);
#else
    Q_UNUSED(argc)
    Q_UNUSED(argv)
    return reportError({QStringLiteral("This build has no window."), QStringLiteral("See: ako4all --help")},
                       ako::ExitUsage);
#endif
}

// What a handler throws for want of memory is told in our words, on every thread.
class Application : public QCoreApplication
{
public:
    using QCoreApplication::QCoreApplication;
    bool notify(QObject *receiver, QEvent *event) override
    {
        try {
            return QCoreApplication::notify(receiver, event);
        } catch (const std::bad_alloc &) {
            ako::exhaustion::end();
        }
    }
};

// The examples are looked for beside the program, which only an application object knows.
ako::Result<ako::ExampleCopy> copyBeforeWindow(int &argc, char **argv, const ako::Invocation &invocation)
{
    const QCoreApplication application(argc, argv);
    return ako::copyExample(invocation.example, invocation.into);
}

int runSession(QCoreApplication &application, const ako::Invocation &invocation)
{
    ako::Interrupt interrupt;
    ako::CommandSession session(invocation);
    QObject::connect(&interrupt, &ako::Interrupt::interrupted, &session, &ako::CommandSession::interrupt);
    QObject::connect(
        &session, &ako::CommandSession::finished, &application, [](int exitCode) { QCoreApplication::exit(exitCode); },
        Qt::QueuedConnection);
    session.start();
    return QCoreApplication::exec();
}

int runWithoutDisplay(int &argc, char **argv, ako::Invocation invocation)
{
    Application application(argc, argv);
    describe();
    switch (invocation.command) {
    case ako::Command::Help:
        std::fputs(qUtf8Printable(invocation.helpText), stdout);
        return ako::ExitDone;
    case ako::Command::Version:
        std::printf("ako4all %s\n", qUtf8Printable(ako::installation::version()));
        return ako::ExitDone;
    case ako::Command::Doctor:
        if (!invocation.workspace.isEmpty() && !QFileInfo(invocation.workspace).isDir())
            return reportError({QStringLiteral("%1 is not a folder.").arg(invocation.workspace), {}}, ako::ExitFailed);
        return ako::runDoctor(invocation.workspace, invocation.json);
    case ako::Command::Key:
        return ako::runKeyCommand(invocation.workspace, invocation.remove);
    case ako::Command::Mcp:
        return invocation.connectTo.isEmpty() ? ako::serveTools(invocation.workspace)
                                              : ako::connectToTools(invocation.connectTo);
    case ako::Command::Demo: {
        const ako::Result<ako::ExampleCopy> copy = ako::copyExample(invocation.example, invocation.into);
        if (!copy)
            return reportError(copy.error(), ako::ExitFailed);
        invocation.workspace = copy->path;
        if (copy->isGoneOnWith && !invocation.json)
            std::printf("%s\n",
                        qUtf8Printable(
                            QCoreApplication::translate("Examples", "Going on with the demo in %1.").arg(copy->path)));
        if (invocation.iterations == 0)
            invocation.iterations = 10;
        break;
    }
    default:
        break;
    }
    return runSession(application, invocation);
}

} // namespace

int main(int argc, char **argv)
{
    if (std::any_of(argv, argv + argc, [](const char *word) { return std::string_view(word) == "--json"; }))
        ako::exhaustion::answerAsJson();
    ako::exhaustion::prepare();
    QStringList arguments;
    for (int i = 1; i < argc; ++i) {
        arguments.append(QString::fromLocal8Bit(argv[i]));
        if (arguments.constLast().toLocal8Bit() != argv[i])
            return reportError({QStringLiteral("\"%1\" is not valid UTF-8.").arg(arguments.constLast()),
                                QStringLiteral("Rename the folder, or go into it and give . instead.")},
                               ako::ExitUsage);
    }
    const ako::Result<ako::Invocation> invocation = ako::parseInvocation(arguments);
    if (!invocation)
        return reportError(invocation.error(), ako::ExitUsage);

    const bool demoInWindow = invocation->command == ako::Command::Demo && !invocation->headless && !invocation->json;
    if (invocation->command == ako::Command::Window && !invocation->workspace.isEmpty() &&
        !QFileInfo::exists(invocation->workspace))
        return reportError({QStringLiteral("\"%1\" is neither a command nor a folder.")
                                .arg(ako::words::shortened(invocation->workspace)),
                            QStringLiteral("See: ako4all --help")},
                           ako::ExitUsage);
    if (invocation->command == ako::Command::Window)
        return openWindow(argc, argv, invocation->workspace);
    if (demoInWindow) {
        const ako::Result<ako::ExampleCopy> copy = copyBeforeWindow(argc, argv, *invocation);
        return copy ? openWindow(argc, argv, copy->path) : reportError(copy.error(), ako::ExitFailed);
    }
    const int exitCode = runWithoutDisplay(argc, argv, *invocation);
    return ako::terminal::isOutputWritten() || exitCode != ako::ExitDone ? exitCode : int(ako::ExitFailed);
}
