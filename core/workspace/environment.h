// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

#include <nlohmann/json_fwd.hpp>

namespace ako {

// One thing of this machine that the program can use.
struct EnvironmentFinding
{
    QString name; // "C++ compiler", "git identity", ...
    bool found = false;
    bool required = false; // without it the main job does not run
    QString detail;        // version and path, or what is lacking
    QString remedy;        // the command that mends it here; empty when found
};

// Probes this machine; starts compilers and interpreters with a time limit each, so never from the inventory, and never
// a program that lies in the workspace. `workspace` may be empty; with it, its virtual environments and its git
// settings are looked at too.
QList<EnvironmentFinding> discoverEnvironment(const QString &workspace = {}, int probeMilliseconds = 10000);

// Whether all that the main job needs is there.
bool isFit(const QList<EnvironmentFinding> &findings);

// For a terminal and for a report: a line each, the remedy below, and what it comes to.
QString toText(const QList<EnvironmentFinding> &findings);

nlohmann::json toJson(const QList<EnvironmentFinding> &findings);

} // namespace ako
