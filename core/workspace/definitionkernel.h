// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <QByteArray>
#include <QString>

namespace ako {

// A problem as SOL-ExecBench and FlashInfer-Bench write it down: where no kernel lies beside it, the run starts from
// the Python reference that it holds.
bool isDefinition(const QString &kernelFile);

// What a file of the kernel is called in solution/.
QString solutionName(const QString &kernelFile);

Result<QByteArray> referenceInDefinition(const QString &path, const QByteArray &definition);

} // namespace ako
