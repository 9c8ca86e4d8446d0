// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

namespace ako {

struct PythonEnvironment
{
    QString interpreter;  // absolute
    QString torchVersion; // empty: no torch
};

// Python installations of this machine, by their files alone: nothing is started, so one that lies in a workspace can
// be looked at too. First the active environment, then the workspace's, conda's, pyenv's, the system's.
QList<PythonEnvironment> findPythonEnvironments(const QString &workspace);

} // namespace ako
