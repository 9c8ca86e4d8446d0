// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "workspace/resolvedplan.h"

#include <QString>
#include <QStringList>

namespace ako {

// What a workspace needs in that mode, by its name there: "bench-wrapper.sh", "HINTS.md", "ITERATIONS.md",
// ".gitignore", and for Python kernels the evaluator's folder, "bench/kernelbench/".
QStringList scaffoldFiles(const QString &workspace, EvaluatorKind evaluator);

// Those of them with nothing in their place; a dangling link or an empty file counts as something.
QStringList missingScaffold(const QString &workspace, EvaluatorKind evaluator);

// The folder the app copies from: `given` where it is not empty, else as installed, else the source tree's.
Result<QString> locateScaffold(const QString &given = {});

// Copies these from the app's folder, never over anything. Returns those that were copied: one that has appeared in
// the meantime is left alone.
Result<QStringList> copyScaffold(const QString &scaffoldFolder, const QString &workspace, const QStringList &files);

} // namespace ako
