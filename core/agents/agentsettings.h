// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace ako {

// Rows of the plan for an agent that is a program of its own. They are asked anew each time and never kept in the
// workspace: what somebody else has put there must not start a program or take its confinement away.
namespace planKey {
inline constexpr char agentCommand[] = "agent-command";
inline constexpr char isolation[] = "isolation";     // bubblewrap or none
inline constexpr char permissions[] = "permissions"; // deny or allow
inline constexpr char model[] = "model";             // of one that is asked over HTTP
inline constexpr char baseUrl[] = "base-url";
} // namespace planKey

struct ResolvedPlan;

// What an agent's requests to run commands and to reach the network are answered.
enum class Permissions { Deny, Allow };

// How an agent of the Agent Client Protocol is started and what it may do, as the person chose it.
struct AgentSettings
{
    QString command;      // of an agent given by its command line; empty: as that agent is known
    bool confined = true; // under bubblewrap; false: with the rights of whoever runs this program
    Permissions permissions = Permissions::Deny;
    QString model;                // of one that is asked over HTTP
    QString baseUrl;              // its server
    int turnSeconds = 30 * 60;    // the longest turn
    int silenceSeconds = 10 * 60; // without a word from the agent

    bool operator==(const AgentSettings &) const = default;
};

// As the rows of the plan say.
AgentSettings agentSettingsOf(const ResolvedPlan &plan);

} // namespace ako
