// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commandline/invocation.h"

#include <QCommandLineOption>
#include <QList>
#include <QString>
#include <QStringList>

namespace ako {

struct CommandHelp
{
    Command command;
    QString name;
    QString synopsis;
    QString summary;
    QStringList positional; // names of the arguments that must be there, in order
    QStringList options;
    QString more = {}; // what a person has to know besides, in whole lines
};

const QList<CommandHelp> &commands();
const CommandHelp *findCommand(const QString &name);
QList<QCommandLineOption> optionsNamed(const QStringList &names);

QString overview();                       // what --help prints
QString helpFor(const CommandHelp &help); // what COMMAND --help prints

} // namespace ako
