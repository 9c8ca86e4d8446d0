// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/state.h"

#include <optional>

namespace ako::policy {

inline constexpr int stallLength = 3;
inline constexpr int directionsToStop = 3;
inline constexpr int agentFailuresToStop = 3;
inline constexpr int attemptsToGiveUp = 2;     // at measuring the same candidate, each ended by a kill or a crash
inline constexpr double floorReachedAt = 0.95; // of what measured peaks allow, in every workload

// Iterations in a row without an improvement, the newest backwards, not counting those up to `reassessedAfter`.
int iterationsWithoutImprovement(const State &state);
bool isStalled(const State &state);

// What agents have reported, in dollars. A session's figure grows with each of its turns, so that its highest counts.
double dollarsSpent(const State &state);

// Whether a run has to end now, and why: the caps of the plan and of HINTS.md, the time cap, the agent's budgets, the
// floor.
std::optional<event::RunStopped> stopReason(const State &state);

// Evidence that the champion is as fast as the machine allows, for ITERATIONS.md; nothing where it is not shown.
std::optional<QString> floorEvidence(const State &state);

// The agent has nothing left. A stop needs three distinct directions, cited with their iteration numbers.
std::optional<event::RunStopped> exhaustion(const QStringList &directions);

// What finish restores: among the entries that a verdict confirmed under the present harness, by mean, then minimum,
// then spread; an entry inside the interval of a faster one is not worse.
struct Choice
{
    int iteration = 0;
    QString why;     // a few words
    QString figures; // what it was chosen by; may be empty
};
Choice bestChoice(const State &state);

// Iterations whose one measurement lies above what is kept, and that no verdict has confirmed or refuted since; the
// fastest first.
QList<int> passedOver(const State &state, const IterationRecord &kept);

// The best is already restored and confirmed by a final that nothing has followed.
bool isFinished(const State &state);

// Only a confirmed verdict makes a champion.
bool mayBecomeChampion(const IterationRecord &record);

} // namespace ako::policy
