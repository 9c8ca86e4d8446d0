// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <QString>
#include <QStringList>

namespace ako {

QStringList exampleNames();

// Copies the example to the folder `into` (must not exist, or be empty), or to a new one below ~/ako4all-demo.
// Returns the copy's absolute path.
Result<QString> copyExample(const QString &name, const QString &into);

} // namespace ako
