// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "bench/benchresult.h"

#include <QByteArray>
#include <QString>

namespace ako {

// How the numbers of a user's own bench are found (chosen in the plan). The known lines are always tried first.
struct CustomReading
{
    // A regular expression with the named groups runtime, reference, speedup, correct (each optional; the last match
    // in the output counts). Every other named group becomes an extra column. Without a group of the name runtime the
    // first group is it.
    QString pattern;
    // Keys of the user's JSON, dotted for nested objects; empty: the usual names are looked for.
    QString runtimeKey;
    QString referenceKey;
    QString speedupKey;
    QString correctKey;
    double millisecondsPerUnit = 1.0; // of the runtimes read
    bool isRate = false;              // what is read is work per second: higher is better, and ms are those of one unit

    bool operator==(const CustomReading &) const = default;
};

// The units in which a pattern's number may be: "ms", "us", "ns", "s", and "rate", of which higher is better.
const QStringList &metricUnits();
// Of a person's pattern and unit (empty: ms); an error says what is wrong with them.
Result<CustomReading> readingFrom(const QString &pattern, const QString &unit);

// All readers take anything and never throw. What cannot be understood is a failed result with a message.

// ako.result/1, as core/eval/report.h writes it.
BenchResult resultFromReport(const QByteArray &json);
// COMPILED, CORRECT, RUNTIME, REF_RUNTIME, SPEEDUP, BACKEND ...; other "KEY: value" lines become extra columns.
BenchResult resultFromLines(const QString &output);
// A user's JSON object, or the last line of an output that is one.
BenchResult resultFromUserJson(const QByteArray &json, const CustomReading &reading);
BenchResult resultFromPattern(const QString &output, const CustomReading &reading);

// What a finished bench said: result.json where the evaluator wrote one, else the output, with the exit code on top
// (a non-zero exit is never a success).
struct BenchEvidence
{
    QByteArray resultJson; // empty: none was written
    QString output;
    int exitCode = -1; // negative: ended by that signal
    BenchMode mode = BenchMode::Signal;
    CustomReading reading; // BenchMode::Custom
};
BenchResult readBenchResult(const BenchEvidence &evidence);

} // namespace ako
