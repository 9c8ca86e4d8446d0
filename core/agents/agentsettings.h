// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace ako {

// Rows of the plan for an agent that is a program of its own. They are asked anew each time and never kept in the
// workspace: what somebody else has put there must not start a program or take its confinement away.
namespace planKey {
inline constexpr char agentCommand[] = "agent-command";
inline constexpr char isolation[] = "isolation";     // bubblewrap or none
inline constexpr char permissions[] = "permissions"; // deny, ask or allow; "commands=ask, network=deny"
inline constexpr char model[] = "model";             // of one that is asked over HTTP
inline constexpr char baseUrl[] = "base-url";
inline constexpr char turnLimit[] = "turn-limit";
inline constexpr char silenceLimit[] = "silence-limit";
inline constexpr char tokenBudget[] = "token-budget";
inline constexpr char costBudget[] = "cost-budget";
} // namespace planKey

struct ResolvedPlan;

// What an agent's requests to run commands and to reach the network are answered.
enum class Permissions { Deny, Ask, Allow };
struct PermissionRules
{
    Permissions commands = Permissions::Deny; // and whatever is neither reading, editing nor the network
    Permissions network = Permissions::Deny;

    bool operator==(const PermissionRules &) const = default;
};

// How an agent of the Agent Client Protocol is started and what it may do, as the person chose it.
struct AgentSettings
{
    QString command;      // of an agent given by its command line; empty: as that agent is known
    bool confined = true; // under bubblewrap; false: with the rights of whoever runs this program
    PermissionRules permissions;
    QString model;                // of one that is asked over HTTP
    QString baseUrl;              // its server
    int turnSeconds = 30 * 60;    // the longest turn
    int silenceSeconds = 10 * 60; // without a word from the agent
    qint64 tokenBudget = 0;       // of a run; 0: none
    double costBudget = 0;        // of a run, in dollars; 0: none

    bool operator==(const AgentSettings &) const = default;
};

// "ask", or "commands=ask, network=deny"; none: it says neither.
std::optional<PermissionRules> permissionsOf(const QString &text);
// "20 minutes", "90 s", "2 h", or a number of minutes; none: it is no such time.
std::optional<int> secondsOf(const QString &text);
// "200000", "200k", "2M"; 0 for "none".
std::optional<qint64> tokensOf(const QString &text);
// "5", "$2.50", "5 USD"; 0 for "none".
std::optional<double> dollarsOf(const QString &text);

// As the rows of the plan say.
AgentSettings agentSettingsOf(const ResolvedPlan &plan);

} // namespace ako
