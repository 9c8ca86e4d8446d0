// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline/keycommand.h"

#include "agents/knownagents.h"
#include "agents/llm/apikey.h"
#include "base/words.h"
#include "commandline/exitcode.h"

#include <QCoreApplication>

#include <cstdio>
#include <iostream>
#include <string>
#include <termios.h>
#include <unistd.h>

namespace ako {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("CommandLine", text);
}

int complain(const QString &message, const QString &remedy, int exitCode)
{
    std::fprintf(stderr, "ako4all: %s\n", qUtf8Printable(message));
    if (!remedy.isEmpty())
        std::fprintf(stderr, "         %s\n", qUtf8Printable(remedy));
    return exitCode;
}

// What is typed is not shown while this lives.
class Unseen
{
public:
    Unseen()
        : m_isTerminal(isatty(STDIN_FILENO) == 1 && tcgetattr(STDIN_FILENO, &m_before) == 0)
    {
        if (!m_isTerminal)
            return;
        termios now = m_before;
        now.c_lflag &= ~tcflag_t(ECHO);
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &now);
    }
    ~Unseen()
    {
        if (m_isTerminal)
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &m_before);
    }
    Unseen(const Unseen &) = delete;
    Unseen &operator=(const Unseen &) = delete;
    bool isTerminal() const { return m_isTerminal; }

private:
    termios m_before = {};
    bool m_isTerminal;
};

QString readKey(const QString &agent)
{
    const Unseen unseen;
    if (unseen.isTerminal())
        std::fprintf(stderr, "%s ", qUtf8Printable(tr("Key of %1 (it is not shown):").arg(agent)));
    std::string line;
    std::getline(std::cin, line);
    if (unseen.isTerminal())
        std::fputc('\n', stderr);
    return QString::fromStdString(line).trimmed();
}

} // namespace

int runKeyCommand(const QString &agent, bool remove)
{
    const KnownAgent *known = knownAgent(agent);
    if (!known || !known->isModel)
        return complain(tr("\"%1\" takes no key: it is anthropic or openai.").arg(words::title(agent)), {}, ExitUsage);
    QString key;
    if (!remove) {
        key = readKey(agent);
        if (key.isEmpty())
            return complain(tr("No key was given; nothing was changed."), {}, ExitFailed);
    }
    if (const auto done = llm::storeApiKey(agent, key); !done)
        return complain(done.error().message, done.error().remedy, ExitFailed);
    std::printf("%s\n", qUtf8Printable(remove ? tr("The key of %1 is removed from the keyring.").arg(agent)
                                              : tr("The key of %1 is in the keyring.").arg(agent)));
    return ExitDone;
}

} // namespace ako
