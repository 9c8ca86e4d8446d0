// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace ako {

// One that could propose candidates, whether this machine has it or not.
struct KnownAgent
{
    QString name;          // as --agent and the plan take it
    QString title;         // "OpenCode"
    QString program;       // looked for on PATH; empty: built in
    QStringList arguments; // that make the program speak the Agent Client Protocol
    QString without;       // a program of the same maker that does not speak it itself; says that the agent is wanted
    bool isDriven = false; // this version can ask it for candidates
};

const QList<KnownAgent> &knownAgents();

// Those that a plan can name today; the first is the usual one.
QStringList drivenAgents();

} // namespace ako
