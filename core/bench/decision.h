// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bench/benchresult.h"
#include "history/iterationrecord.h"

#include <optional>

namespace ako {

// What counts as better (spec 7).
struct DecisionPolicy
{
    double improvement = 0.03; // at least this much faster than the champion
};

// Whether a signal is good enough to spend a verdict on: also where only the noise keeps it from being called improved.
// With no champion yet (baseline) always, if correct.
bool deservesVerdict(const BenchResult &signal, const IterationRecord *champion, const DecisionPolicy &policy = {});

struct Decision
{
    IterationStatus status = IterationStatus::Failed;
    QString reason; // one sentence
    bool becomesChampion = false;
    std::optional<Interval> speedup; // over the reference
    std::optional<Interval> speedupOverBaseline;
    bool speedupIsChained = false;
};

// Judges record.bench (and record.signal) against the champion; null before the baseline is known. Uses kind, bench and
// signal of the record only. For the baseline and the final, status and championship follow the kind.
Decision decide(const IterationRecord &record, const IterationRecord *champion, const DecisionPolicy &policy = {});

// decide() written into the record.
void applyDecision(IterationRecord &record, const IterationRecord *champion, const DecisionPolicy &policy = {});

// Ratio of a custom bench's runtimes, candidate against champion. Repeated runs of either (signal and bench) span the
// interval.
std::optional<Interval> runtimeRatio(const IterationRecord &champion, const BenchResult &bench,
                                     const std::optional<BenchResult> &signal);

Interval product(const Interval &left, const Interval &right); // of ratios, bounds multiplied

} // namespace ako
