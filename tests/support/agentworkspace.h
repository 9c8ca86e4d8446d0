// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scratchrepository.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace ako::test {

// A kernel that a coding agent can work on: scale.cpp, reference.cpp and bench.sh, a bench of a person's own. It judges
// by the text alone, so that nothing depends on how busy the machine is: the kernel doubles x ("2.0 * x"), and "round <
// 4" takes 4 ms.
namespace agentworkspace {

const QByteArray &bench();
const QByteArray &kernel();
const QByteArray &reference();
void writeTo(const ScratchRepository &repository);

// ako4all run REPOSITORY --agent-command "fake_agent SWITCHES" --isolation none --approve ...
QStringList run(const ScratchRepository &repository, const QString &switches, int iterations,
                const QStringList &more = {});

} // namespace agentworkspace
} // namespace ako::test
