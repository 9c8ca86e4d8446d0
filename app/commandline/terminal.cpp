// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline/terminal.h"

#include "commandline/interrupt.h"

#include <QCoreApplication>

#include <cstdio>
#include <iostream>
#include <poll.h>
#include <string>
#include <unistd.h>

namespace ako::terminal {

namespace {

std::optional<QString> readLine(const QString &prompt)
{
    std::fprintf(stderr, "%s", qUtf8Printable(prompt));
    std::fflush(stderr);
    std::string text;
    if (!std::getline(std::cin, text) || Interrupt::hasCome())
        return std::nullopt;
    return QString::fromStdString(text).trimmed();
}

} // namespace

bool isInteractive()
{
    return isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0;
}

std::optional<QString> ask(const QString &question, const QStringList &candidates)
{
    std::fprintf(stderr, "\n%s\n", qUtf8Printable(question));
    for (qsizetype i = 0; i < candidates.size(); ++i)
        std::fprintf(stderr, "  %lld  %s\n", static_cast<long long>(i + 1), qUtf8Printable(candidates.at(i)));
    const std::optional<QString> answer = readLine(
        candidates.isEmpty() ? QStringLiteral("> ") : QCoreApplication::translate("CommandLine", "number or text> "));
    if (!answer || answer->isEmpty())
        return std::nullopt;
    bool isNumber = false;
    const int chosen = answer->toInt(&isNumber);
    if (isNumber && chosen >= 1 && chosen <= candidates.size())
        return candidates.at(chosen - 1);
    return answer;
}

PermissionChoice askPermission()
{
    const auto text = [](const char *source) { return QCoreApplication::translate("CommandLine", source); };
    const QStringList choices{text("allow once"), text("allow all of this kind for this run"), text("deny")};
    switch (choices.indexOf(ask(text("Shall it?"), choices).value_or(QString()))) {
    case 0:
        return PermissionChoice::Once;
    case 1:
        return PermissionChoice::ForThisRun;
    default:
        return PermissionChoice::Deny;
    }
}

bool confirm(const QString &question)
{
    const std::optional<QString> answer = readLine(question + QStringLiteral(" [y/N] "));
    return answer && (answer->compare(QLatin1String("y"), Qt::CaseInsensitive) == 0 ||
                      answer->compare(QLatin1String("yes"), Qt::CaseInsensitive) == 0);
}

bool isOutputWritten()
{
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)
        return true;
    pollfd output{STDOUT_FILENO, POLLOUT, 0};
    if (poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0)
        return true;
    const QString message = QCoreApplication::translate(
        "CommandLine", "What was to be printed could not be written in full: is the disk full?");
    std::fprintf(stderr, "ako4all: %s\n", qUtf8Printable(message));
    return false;
}

} // namespace ako::terminal
