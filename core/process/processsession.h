// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <sys/types.h>

namespace ako {

// A child is started as the leader of its own session and process group; both have its process id as their number.
// These reach everything that is in either: grandchildren, shell jobs with a group of their own, orphans. Out of
// reach is only what made a session of its own (setsid); a sandbox is for that.
namespace processsession {

// To the group; to the leader alone where it has not made the group yet (just forked).
void signalGroup(pid_t leader, int signalNumber);

// SIGKILL to every living process of the group and the session, the leader included.
void killAll(pid_t leader);

// What they hold in RAM, summed, without the files that they map; in bytes.
qint64 residentBytes(pid_t leader);

// Whether any process of the group or session lives. Zombies do not: they run no code and hold no files.
bool hasLivingMembers(pid_t leader);

} // namespace processsession
} // namespace ako
