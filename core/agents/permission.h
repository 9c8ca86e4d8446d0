// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMetaType>
#include <QString>

namespace ako {

// An agent wants to do what only a person may allow, and waits for the answer.
struct PermissionQuestion
{
    quint64 number = 0; // of this question, for its answer
    QString agent;
    QString kind; // execute, fetch, other ...
    QString what; // "make -j"
};

// For a person: "Claude Code asks to run: make -j".
QString sentence(const PermissionQuestion &question);

// For this run: for all of that kind, until the workspace is closed or another agent is chosen.
enum class PermissionChoice { Once, ForThisRun, Deny };

} // namespace ako

Q_DECLARE_METATYPE(ako::PermissionQuestion)
