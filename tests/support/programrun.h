// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

namespace ako::test {

// One call of the real ako4all, with its two streams in one.
struct ProgramRun
{
    int exitCode = -1;
    QString output;
};
ProgramRun runProgram(const QStringList &arguments,
                      const QProcessEnvironment &environment = QProcessEnvironment::systemEnvironment(),
                      const QStringList &before = {}); // setpriv and the like

// Every file below the folder with its bytes, links and empty folders too; not those in .ako/.
QHash<QString, QByteArray> filesBelow(const QString &folder);

// The names that differ between the two, sorted: "- gone", "+ new", "~ changed".
QStringList differences(const QHash<QString, QByteArray> &before, const QHash<QString, QByteArray> &after);

// A problem that is benched in a moment: scale.cpp, reference.cpp and problem.json.
QHash<QString, QByteArray> smallProblem();

} // namespace ako::test
