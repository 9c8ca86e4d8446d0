// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/acp/permissionpolicy.h"
#include "process/commandspec.h"

#include <QString>
#include <QStringList>

#include <functional>
#include <nlohmann/json.hpp>

namespace ako::acp {

// How long each thing may take, in milliseconds.
struct TurnLimits
{
    int handshake = 120'000; // one step of it; a loaded machine starts node slowly
    int turn = 30 * 60'000;
    int silence = 10 * 60'000; // no message of any kind
    int cancelGrace = 10'000;  // from the cancel to the end of the turn
    int closeGrace = 5'000;    // from the end of its input to the first signal
    int drain = 300;           // what comes after the answer still belongs to the turn
    qsizetype longestLine = 32LL * 1024 * 1024;
    qint64 memoryBytes = 8LL * 1024 * 1024 * 1024; // of the whole group
};

struct TurnRequest
{
    CommandSpec command;
    WorkPlace place;
    PermissionRules permissions;
    QStringList allowedKinds; // that a person has allowed for this run
    QString mode;             // the session mode to be set, by its id; empty: the agent's own
    QString session;          // to go on with; empty: a new one
    // What is asked: `isNew` says that the agent remembers nothing, because it was asked to begin or could not go on.
    std::function<QString(bool isNew)> prompt;
    nlohmann::json mcpServers = nlohmann::json::array(); // as the protocol describes them
    QString loginHint;                                   // what to do where it says that nobody is logged in
    TurnLimits limits;
};

} // namespace ako::acp
