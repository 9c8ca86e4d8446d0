// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/permission.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace ako::terminal {

// A person is there to ask: standard input and standard error are terminals.
bool isInteractive();

// Asks on standard error. No value: end of input or an interrupt.
std::optional<QString> ask(const QString &question, const QStringList &candidates);
// Of what an agent asks to be allowed; no answer is a no.
PermissionChoice askPermission();

bool confirm(const QString &question);

// Whether all of standard output has reached its file; said on standard error where it has not. A reader that went away
// (| head) has what it wanted.
bool isOutputWritten();

} // namespace ako::terminal
