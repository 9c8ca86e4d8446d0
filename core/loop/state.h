// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/loopevent.h"

#include <QList>
#include <QString>

#include <optional>
#include <variant>

namespace ako {

// Which outcome the loop waits for, or none.
enum class Stage {
    Closed,
    Opening,
    Planning,  // waits for answers or approval
    Approving, // .ako/approval.json is being written
    Preparing,
    Profiling,
    Ready,      // between iterations, not running
    Inspecting, // an iteration boundary: hints, harness, edits by hand
    Resetting,  // solution/ is being written
    Proposing,
    Comparing,
    Benching,
    Verifying,
    Logging,
    Committing,
    Reassessing,
    Discarding,
    Finished,
    Failed, // opening again is the way on
};

enum class Mode { Resting, Stepping, Running };

// The steps of spec 5 before the baseline, in order. Each can be repeated without harm.
enum class Preparation { Repository, Scaffold, Solution, BenchScript, Done };

// Where an entry's change came from.
enum class Origin { Agent, Edit, Restore, Revert, Again, Remeasure, Baseline, Final };

// The entry under way.
struct Draft
{
    Origin origin = Origin::Agent;
    IterationRecord record;
    bool retried = false;         // the bench failed for want of a device or the like and was called once more
    bool againstBaseline = false; // what is measured again; else against the champion
};

// Text for the run log of ITERATIONS.md, committed with the next entry.
struct RunNote
{
    QString heading;
    QString text;
    bool operator==(const RunNote &) const = default;
};

struct Analysis
{
    int iteration = -1;
    QString text;
};

using Waiting = std::variant<intent::BenchEdit, intent::Restore, intent::Revert, intent::MeasureAgain>;

// All that the rules know. A value without clock, disk or signals.
struct State
{
    Stage stage = Stage::Closed;
    Mode mode = Mode::Resting;
    bool readOnly = false;

    QString workspace;
    QString request;
    QString branch;
    ResolvedPlan plan;
    bool approved = false;
    bool prepared = false;  // since this workspace was opened
    bool remeasure = false; // the harness is not the one the history was measured under
    Preparation preparation = Preparation::Repository;

    QList<IterationRecord> records;
    int champion = -1;       // 0 baseline, -1 none yet
    int solutionOf = -1;     // whose solution/ lies there, or an edit of it
    int chosenBase = -1;     // continueFrom
    int comparableFrom = 0;  // entries before it were measured under another harness
    int reassessedAfter = 0; // iterations up to here no longer count towards a stall
    int agentFailures = 0;   // in a row
    bool reassess = false;   // the next proposal is to take a new direction

    QString hints;
    Directives directives;
    QString capTold; // which of two caps holds, as it was last said
    ProfileReport profile;
    bool profileIsKnown = false; // told when the baseline was made; made again only for the agent
    qint64 tokensOfRun = 0;      // that agents took since Run was asked for, as far as they tell
    double dollarsBeforeRun = 0; // that they had reported before it
    QStringList turnData;        // of agents' turns since the workspace was opened, also of those that came to nothing
    qint64 secondsRunning = 0;

    std::optional<Draft> draft;
    bool recovering = false;                   // an entry of an earlier process is being completed
    std::optional<event::Recovered> recovered; // told once its edit is put aside
    bool draftIsKept = false;                  // of an earlier process, waits in Ready to be benched
    std::optional<Analysis> analysis;
    QList<RunNote> notes;
    QList<Waiting> waiting;
    QList<intent::Annotate> annotations; // given during an entry; written when it is done
    bool pauseRequested = false;
    bool stopRequested = false;
    bool productsTold = false;                     // that a custom bench leaves files in solution/
    bool stopsAfterEntry = false;                  // the harness itself failed: record, then stop
    std::optional<event::RunStopped> finishing;    // finish was asked for or a stop rule applies
    std::optional<event::RunStopped> afterDiscard; // how the loop rests once the draft is gone

    bool isBusy() const;
    bool hasBaseline() const;
    int nextNumber() const;                        // one above the highest known
    const IterationRecord *find(int number) const; // baseline or iteration
    const IterationRecord *championRecord() const { return find(champion); }
};

Phase phaseOf(const State &state);

} // namespace ako
