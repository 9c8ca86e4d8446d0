// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>

namespace ako {

// A ratio with its confidence interval; above 1 means the candidate is faster. Low and high equal to the estimate: the
// bench gave no interval (a custom one that ran once).
struct Interval
{
    double estimate = 0.0;
    double low = 0.0;
    double high = 0.0;

    bool operator==(const Interval &) const = default;
};

// Times in milliseconds of one thing that was measured.
struct Timing
{
    double median = 0.0;
    double mean = 0.0;
    double minimum = 0.0;
    double maximum = 0.0;

    bool operator==(const Timing &) const = default;
};

// One workload (a shape) of a bench.
struct WorkloadResult
{
    QString id;
    double weight = 1.0;
    std::optional<Timing> solution;
    std::optional<Timing> reference;
    std::optional<Timing> champion;
    std::optional<Interval> speedupOverReference;
    std::optional<Interval> speedupOverChampion;
    std::optional<double> floorMs;     // physical lower bound from the work model and the machine's limits
    std::optional<double> practicalMs; // what measured peaks allow

    bool operator==(const WorkloadResult &) const = default;
};

// How far a result may be trusted (spec 6). Confirmed only ever comes from a verdict.
enum class ResultState { Provisional, Confirmed, Quarantined, Invalid };

// Words of the loop's own, beside the evaluator's.
namespace benchStatus {
inline const QString interrupted = QStringLiteral("INTERRUPTED"); // the program was killed while it measured
inline const QString unusable = QStringLiteral("UNUSABLE");       // what the agent left cannot be read
} // namespace benchStatus

enum class BenchMode { Signal, Verdict, Custom };

// The evaluator's comparison of candidate and champion, measured interleaved in one session.
enum class Comparison { None, Improved, Same, Regressed, Ambiguous };

// What one bench run said, from ako.result/1 where there is one, else from the known output lines.
struct BenchResult
{
    BenchMode mode = BenchMode::Signal;
    ResultState state = ResultState::Provisional;
    QString status;    // the evaluator's word: OK, INCORRECT, COMPILE_ERROR, TIMEOUT, ...
    int exitCode = -1; // of scripts/bench.sh; negative: ended by a signal
    bool compiled = false;
    bool correct = false;
    std::optional<Timing> solution;  // weighted over workloads as the evaluator reports it, ms
    std::optional<Timing> reference; // ms; absent when it was not measured in this session
    std::optional<Interval> speedupOverReference;
    std::optional<Interval> speedupOverChampion;
    std::optional<Interval> speedupOverBaseline; // only from a direct comparison (label final)
    Comparison comparison = Comparison::None;
    double margin = 0.0; // what lo has to exceed 1 by, from the A/A noise
    QString worstWorkload;
    QList<WorkloadResult> workloads;
    QStringList flags;         // SUSPICIOUS, EXTRA_THREAD, ...
    QStringList compilerFlags; // of the solution
    QString message;           // first line of what went wrong; empty when all went well
    QString problemHash, solutionHash, evaluatorHash;
    double durationSeconds = 0.0;
    QMap<QString, QString> extraColumns; // of a custom bench

    bool operator==(const BenchResult &) const = default;
};

} // namespace ako
