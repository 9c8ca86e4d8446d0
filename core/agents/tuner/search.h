// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/tuner/catalogue.h"
#include "history/iterationrecord.h"

#include <functional>

namespace ako::tuner {

// One candidate of the tuner that was measured, read back from the history.
struct Attempt
{
    int iteration = 0;
    int parent = 0; // the champion it started from
    std::string direction;
    std::string key;
    std::optional<long long> from, to;
    IterationStatus status = IterationStatus::Failed;
    double gain = 0.0; // natural logarithm of the speedup over the champion; 0 when it was not measured
};

// What the history says; all the memory the search has, so that it goes on after a restart as if nothing had happened.
struct Memory
{
    std::vector<Attempt> attempts;  // in the order of iterations
    std::set<std::string> measured; // hashes of solution/
    int lastImprovement = 0;        // number of the latest iteration that improved

    static Memory fromHistory(const QList<IterationRecord> &history);
};

// What Memory reads back, in the record's agentData (and, of older runs, in the last line of its "changes").
QString tagOf(const Change &change);

// A change with the worth the search gives it, and why in words.
struct Ranked
{
    const Change *change = nullptr;
    double worth = 0.0; // expected logarithm of the speedup
    QString reason;
};

class Search
{
public:
    // champion: the iteration whose solution/ the changes start from.
    Search(Memory memory, int champion);

    // The changes still worth a benchmark, best first. After a stall (reassess) the directions tried least come first.
    std::vector<Ranked> rank(const std::vector<Change> &changes, bool reassess) const;

    // The first of them whose result was not measured yet; nullptr when there is none.
    using Hash = std::function<std::string(const FileSet &changedFiles)>;
    const Change *choose(const std::vector<Ranked> &ranked, const Hash &hash) const;

    // "threads: iterations 1, 4": the distinct directions tried.
    QStringList directions() const;
    // Those of these changes that were not tried, in words.
    QStringList untried(const std::vector<Ranked> &ranked) const;
    // What the latest attempt brought, one sentence; empty when there was none.
    QString lastInWords() const;

private:
    std::vector<const Attempt *> attemptsOf(const std::string &direction) const;
    Ranked judge(const Change &change) const;
    bool isClosed(const Change &change) const;
    double momentum(const Change &change, const std::vector<const Attempt *> &attempts, QString &reason) const;

    Memory m_memory;
    int m_champion;
};

// The direction in words: "threads", "constant TILE_M (matmul.cpp)", "flag -ffast-math".
QString directionName(const std::string &direction);

} // namespace ako::tuner
