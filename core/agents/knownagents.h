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
    QString program;       // looked for on PATH; empty: built in, or given by the person
    QStringList arguments; // that make the program speak the Agent Client Protocol
    QString without;       // a program of the same maker that does not speak it itself; says that the agent is wanted
    QString install;       // the command that installs it
    QString login;         // what logs a person in, in words
    QString mode;          // the session mode in which it asks before it acts; empty: its own
    QStringList writable;  // below the home: where it keeps its sessions and its login, "~/" left out
    QStringList readable;  // below the home: its settings
    QStringList copied;    // below the home: settings it both reads and writes to; it gets copies
    QStringList variables; // beginnings of the environment variables that are for it

    bool isModel = false; // it is asked over HTTP and works with our tools
    QString usualServer;  // its base address, where it has one

    // It is started as a program of its own and speaks the Agent Client Protocol.
    bool isExternal() const { return !isModel && name != QLatin1String("tuner") && name != QLatin1String("user"); }
    QString startedAs() const { return (QStringList{program} + arguments).join(QLatin1Char(' ')); }
};

const QList<KnownAgent> &knownAgents();
const KnownAgent *knownAgent(const QString &name); // null: there is none of that name

// The name of whichever program the person gives by its command line.
inline constexpr char commandAgent[] = "command";

} // namespace ako
