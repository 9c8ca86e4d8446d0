// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/agentsettings.h"
#include "agents/knownagents.h"
#include "base/result.h"
#include "process/commandspec.h"

namespace ako::acp {

// How that agent is started in that workspace: an absolute program, an environment of its own with what it needs to
// reach its model, and, where it is to be confined, bubblewrap around it. Makes the private folder that it gets for a
// home. An error says what is missing and how to install it. `shared` folders can be
// read by a confined one too, wherever they lie.
Result<CommandSpec> agentCommand(const KnownAgent &agent, const AgentSettings &settings, const QString &workspace,
                                 const QStringList &shared = {});

// The words of a command line: blanks part them, quotes and backslashes keep them together, as a shell does; nothing is
// expanded. An error for a quote that does not end.
Result<QStringList> commandWords(const QString &line);

// What a person knows it by: of a command of their own the program's name.
QString agentTitle(const KnownAgent &agent, const AgentSettings &settings);

// Why an agent cannot be started here; no error: its program is there. Runs nothing.
Result<QString> findAgent(const KnownAgent &agent, const AgentSettings &settings, const QString &workspace);

} // namespace ako::acp
