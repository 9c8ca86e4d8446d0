// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace ako {

// Where the evaluator for Python kernels lies in a workspace: "bench/kernelbench", or "bench/ako-kernelbench" where the
// first one is somebody else's (the terminal AKO4ALL's bench.py stays as it is).
QString kernelBenchFolder(const QString &workspace);

// Its files as the app's scaffold folder has them, relative to that folder of the workspace: "bench.py", …
QStringList kernelBenchFiles(const QString &scaffoldFolder);

// Those that a workspace has, workspace-relative: what a measurement depends on.
QStringList presentKernelBenchFiles(const QString &workspace);

// What its modules are, in eight hexadecimal digits, in a workspace and in the app's scaffold folder; empty: not there.
QString kernelBenchVersion(const QString &workspace);
QString kernelBenchVersionOf(const QString &scaffoldFolder);

} // namespace ako
