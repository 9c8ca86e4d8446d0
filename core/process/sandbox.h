// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "process/commandspec.h"

#include <QString>
#include <QStringList>

namespace ako {

// What a confined program sees of the file system: everything may be read but homes, /tmp and /run, which are empty
// and its own; nothing may be written. Over that, in this order: `home` in the place of the real one, then these,
// absolute, each where it is (what does not exist is left out).
struct SandboxSpec
{
    QString home;         // a folder that becomes $HOME; may be written
    QStringList readable; // for what lies below a home or another hidden folder
    QStringList writable;
    QStringList readOnly;       // inside of a writable one
    QStringList writableInside; // inside of a readOnly one: a workspace's solution/
};

// Why programs cannot be confined here, with what to do about it. Runs bubblewrap once, for a moment; the answer is
// kept. No error: they can.
Result<void> sandboxIsUsable();

// The same command under bubblewrap: with its own process numbers, all of which end with it and with this application,
// and its own IPC. The network stays: agents need it. The environment is the command's.
Result<CommandSpec> confined(const CommandSpec &command, const SandboxSpec &sandbox);

// The folders that a program and what it starts come from, where they lie below a home: what has to stay readable.
QStringList programFolders(const QString &program);

} // namespace ako
