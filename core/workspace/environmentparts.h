// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workspace/environment.h"

namespace ako {

// What of the kernel keeps an untrusted kernel in its place: asked by harmless calls, nothing is started.
QList<EnvironmentFinding> sandboxFindings();

// Who could propose candidates here. Of the agents that are programs only those found on PATH, and never one that lies
// in the workspace; none is started.
QList<EnvironmentFinding> agentFindings(const QString &workspace);

} // namespace ako
