// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workspace/inventory.h"

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QStringList>

namespace ako {

// A problem.json for a kernel that has none, from the function's signature and the sizes that the workspace names.
struct ProblemDraft
{
    QString path;                 // workspace-relative, where it would be written
    QByteArray text;              // empty: not enough is known, see question and obstacle
    QString symbol;               // the function that it calls
    bool isReferenceUsed = false; // the reference that was given defines the function too
    QStringList assumptions;      // what a person should look at, a sentence each
    QList<Evidence> evidence;
    QString question; // what has to be answered first
    QString obstacle; // why the function cannot be called as it is
};

// `given` is what a person answered: "n" -> "4096", "x" -> "n*4", "entry" -> the function's name; each further one
// gives the sizes of another workload. The reference may be empty: the original kernel serves.
ProblemDraft draftProblem(const Inventory &inventory, const QStringList &kernelFiles, const QString &kernelRoot,
                          const QString &reference, const QList<QMap<QString, QString>> &given);

} // namespace ako
