// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/agentsettings.h"

#include <QString>
#include <QStringList>

#include <nlohmann/json.hpp>

namespace ako::acp {

// Where an agent works. Absolute, canonical paths.
struct WorkPlace
{
    QString workspace;
    QString solution;      // the only place to be written
    bool confined = false; // what it writes elsewhere is stopped anyway
};

// The answer to one session/request_permission.
struct PermissionAnswer
{
    bool allowed = false;
    bool isForAPerson = false; // neither: it is to be asked
    QString kind;
    QString subject; // "solution/kernel.cpp", "make -j2", for a person
    QString what;    // the kind and the subject
    QString why;     // of a refusal
};

// By the kind of the tool call: reading, thinking and searching are allowed; a change is where every path it names lies
// in solution/; our own tools are allowed; commands and the network are as the person decided.
PermissionAnswer decide(const nlohmann::json &toolCall, const nlohmann::json &options, const WorkPlace &place,
                        const PermissionRules &rules);

// As the protocol wants it: the agent's own option for yes or no, by its kind, never by its id.
nlohmann::json chosenOutcome(const nlohmann::json &options, bool allowed);

// What is answered while a turn is being given up.
nlohmann::json cancelledOutcome();

// The absolute path that a path of the agent's means, links followed as far as they exist; empty: not one.
QString realPath(const QString &path, const WorkPlace &place);
bool isBelow(const QString &folder, const QString &path);

} // namespace ako::acp
