// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workspace/kernelsignature.h"

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

namespace ako {

// What a problem.json is made of.
struct DraftContent
{
    QString name;
    bool isCuda = false;
    QString symbol;
    bool returnsInt = false;
    QStringList references;                 // sources, relative to the file
    QList<KernelParameter> parameters;      // in the order of the function's, each length known
    QList<QMap<QString, qint64>> workloads; // each size of each; at least one
};

// The file's text. What was assumed for it is added, a sentence each.
QByteArray draftText(const DraftContent &content, QStringList &assumptions);

} // namespace ako
