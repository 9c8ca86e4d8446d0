// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "bench/benchscript.h"
#include "workspace/resolvedplan.h"

#include <QString>

namespace ako {

// bench.sh's command and set-up lines for a workspace with the evaluator for Python kernels: the first Python of this
// machine that has torch, its environment, a CUDA toolkit that is not on PATH. Fails, with the remedy, without torch.
Result<BenchScriptSpec> kernelBenchScript(const ResolvedPlan &plan);

// The lines that make this interpreter the one that everything in bench.sh finds.
QStringList pythonSetUpLines(const QString &interpreter);

} // namespace ako
