// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workspace/inventory.h"
#include "workspace/kernelsignature.h"

#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

namespace ako {

// What a workspace says of the sizes that a function is called with.
struct DraftSizes
{
    QList<QMap<QString, qint64>> workloads; // the sizes of each call, by the function's own names; those known only
    QStringList assumptions;
    QList<Evidence> evidence;
};

// From programs that call it, else from a README; the lengths of pointers also from the function's own index
// expressions. Fills in what is known of the parameters.
DraftSizes findDraftSizes(const Inventory &inventory, const QStringList &kernelFiles, const FunctionFact &function,
                          QList<KernelParameter> &parameters);

} // namespace ako
