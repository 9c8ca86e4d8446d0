// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bench/benchresult.h"

#include <QDateTime>
#include <QMetaType>
#include <QString>

#include <optional>

namespace ako {

enum class IterationStatus { Baseline, Improved, NoChange, Regression, Failed };

// What a person decided of a quarantined entry after looking at its evidence. It changes no number and no status.
struct Triage
{
    bool accepted = false; // as honest: worth measuring again; else rejected
    QString reason;        // in the person's words; may be empty
    QDateTime when;

    bool operator==(const Triage &) const = default;
};

// One entry of the history: the baseline (number 0), an iteration (1, 2, 3 ...) or the final restore.
// A value: it is copied across threads and never changed in place by a reader.
struct IterationRecord
{
    enum class Kind { Baseline, Iteration, Final };

    Kind kind = Kind::Iteration;
    int number = 0; // 0 for the baseline; for Final, the number of the iteration that was restored
    QString label;  // baseline, iter-3, final: the argument of scripts/bench.sh
    QString title;
    QString hypothesis;
    QString changes;
    QString direction; // the kind of change, as its agent names it; empty: not known
    QString agentData; // the agent's own notes for a program to read
    QString analysis;
    QString next;
    QString agent; // tuner, user, an ACP agent's name
    IterationStatus status = IterationStatus::Failed;
    int parent = -1;                   // the iteration whose solution/ this one was edited from; -1 for the baseline
    QString commit;                    // full id; empty until committed
    QString solutionHash;              // SHA-256 over the sorted paths and contents of solution/
    QString trajectory;                // workspace-relative folder of the signal (or only) bench
    QString verdictTrajectory;         // of the verdict bench; empty when none was run
    BenchResult bench;                 // the verdict's where one was run, else the signal's
    std::optional<BenchResult> signal; // kept when a verdict followed it
    // Speedup over the reference: measured in this session, or else the champion's confirmed figure times the
    // interleaved ratio to it. Over the baseline likewise. Absent for a failed bench, never zero.
    std::optional<Interval> speedup;
    std::optional<Interval> speedupOverBaseline;
    bool speedupIsChained = false; // the one over the reference
    bool becameChampion = false;
    QString statusReason; // why this status, one sentence
    QString note;         // a person's own words on it
    std::optional<Triage> triage;
    QDateTime startedAt;
    qint64 agentMilliseconds = 0;
    qint64 benchMilliseconds = 0;

    bool operator==(const IterationRecord &other) const
    {
        return kind == other.kind && number == other.number && label == other.label && commit == other.commit &&
               solutionHash == other.solutionHash && status == other.status && title == other.title;
    }
};

// The figure over the baseline was not measured beside the baseline: it is a product of steps, each over the champion
// of its moment.
inline bool isOverBaselineChained(const IterationRecord &record)
{
    return record.kind == IterationRecord::Kind::Iteration && record.speedupOverBaseline &&
           !record.bench.speedupOverBaseline &&
           record.speedupOverBaseline != record.bench.speedupOverChampion; // the champion was the baseline
}

} // namespace ako

Q_DECLARE_METATYPE(ako::IterationRecord)
