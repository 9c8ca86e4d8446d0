// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace ako {

// What scripts/bench.sh is made from, besides the workspace's bench-wrapper.sh.
struct BenchScriptSpec
{
    QString command; // shell text that runs the bench from the workspace root; "$@" are the arguments after LABEL
    QStringList setUpLines; // shell lines put at the top: conda activation, PATH, CUDA toolkit
};

// The wrapper with {{BENCH_COMMAND}} replaced. A wrapper of the terminal AKO4ALL, which neither records the output nor
// knows {{ENVIRONMENT}}, is served too. Refused, with what to do, when the placeholder is missing.
Result<QByteArray> renderBenchScript(const QByteArray &wrapper, const BenchScriptSpec &spec);

// The same with <workspace>/bench-wrapper.sh.
Result<QByteArray> benchScriptFor(const QString &workspace, const BenchScriptSpec &spec);

// Renders <workspace>/bench-wrapper.sh into <workspace>/scripts/bench.sh (executable, temp file + rename).
Result<void> writeBenchScript(const QString &workspace, const BenchScriptSpec &spec);

// The native evaluator's command: solution/ against problemFile (workspace-relative), further arguments from "$@".
// `reference` (workspace-relative) where the problem names none.
QString nativeBenchCommand(const QString &benchProgram, const QString &problemFile, const QString &reference = {});

// The text as one word of a POSIX shell.
QString shellQuoted(const QString &text);

// What bench.sh accepts as LABEL: letters, digits, dot, dash and underscore, at most 64, not starting with a dot.
bool isValidBenchLabel(const QString &label);

} // namespace ako
