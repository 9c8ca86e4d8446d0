// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <QList>
#include <QPair>
#include <QString>
#include <QStringList>

#include <optional>

namespace ako {

enum class Command {
    Window,
    Plan,
    Run,
    Iterate,
    History,
    Restore,
    Revert,
    Measure,
    Note,
    Finish,
    Report,
    Apply,
    Harness,
    Doctor,
    Demo,
    Mcp,
    Key,
    Help,
    Version
};

// What the arguments ask for. Which members count depends on the command.
struct Invocation
{
    Command command = Command::Window;
    QString workspace; // key: the agent
    QString request;
    QString agent;
    QString agentCommand, isolation, permissions; // of one that is a program of its own
    QString gitName, gitEmail;                    // who commits, where git knows nobody
    QString example = QStringLiteral("matmul");   // demo
    QString model, baseUrl;                       // of one that is asked over HTTP
    QString turnLimit, silenceLimit;              // of any agent but the built-in ones
    QString tokenBudget, costBudget;              // of the same
    QString connectTo;                            // mcp
    QString into;                                 // demo
    int iterations = 0;                           // 0: as planned
    int number = -1;                              // restore, revert, measure, note
    bool againstBaseline = false;                 // measure
    QString text;                                 // note
    QString output, patch;                        // report
    bool restore = false;                         // harness: puts back what was approved
    bool write = false;                           // apply
    std::optional<bool> accepted;                 // note, of a quarantined iteration
    QString title, hypothesis, changes;           // iterate
    QList<QPair<QString, QString>> answers;
    bool approve = false;
    bool json = false;
    bool verbose = false;
    bool headless = false;
    bool remove = false; // key
    QString helpText;    // Help
};

// Arguments without the program's name. An error is a usage error; its remedy says which help to read.
Result<Invocation> parseInvocation(const QStringList &arguments);

// The rows of the plan that it sets, by their keys, in the order in which they are to be set.
QList<QPair<QString, QString>> overridesOf(const Invocation &invocation);

} // namespace ako
