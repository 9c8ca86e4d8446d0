// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <QString>
#include <QStringList>

namespace ako {

QStringList exampleNames();

struct ExampleCopy
{
    QString path; // absolute
    bool isGoneOnWith = false;
};

// Copies the example to the folder `into`, or to a new one below ~/ako4all-demo. A folder that an earlier call made and
// in which nobody has worked, but which is not finished either, is gone on with; any other that is not empty is left
// alone, with what can be done instead.
Result<ExampleCopy> copyExample(const QString &name, const QString &into);

} // namespace ako
