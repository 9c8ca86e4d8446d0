// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/permission.h"
#include "history/iterationrecord.h"
#include "workspace/resolvedplan.h"

#include <QDateTime>
#include <QList>
#include <QMetaType>
#include <QString>

#include <nlohmann/json_fwd.hpp>
#include <variant>

namespace ako {

// What the loop is doing; shown in the status line and on the timeline.
enum class Phase {
    Idle,             // no workspace
    Inventory,        // reading the workspace
    AwaitingAnswers,  // the plan has an open question
    AwaitingApproval, // the plan waits for Approve
    Preparing,        // branch, scaffold, solution/, bench.sh
    Baseline,         // benching the original kernel
    Profiling,
    Ready,     // approved and idle: between iterations, not running
    Proposing, // the agent works
    Benching,  // signal
    Verifying, // verdict
    Recording, // ITERATIONS.md and commit
    Reassessing,
    Finishing, // restore the best, final verdict
    Finished,
    Failed, // cannot go on; the reason is in the last RunStopped
};

enum class Severity { Info, Warning, Error };

// The events. Immutable values, made on the engine's thread, applied to RunStore on the GUI thread.
namespace event {

struct WorkspaceOpened
{
    QString path;
    QString branch;
};
struct PlanResolved
{
    ResolvedPlan plan;
    bool approved = false;
};
struct HistoryLoaded
{                                   // replaces everything known about iterations; sent on open and after recovery
    QList<IterationRecord> records; // in the order of history/iterationorder.h
    int champion = -1;              // iteration number; 0 is the baseline; -1 none yet
};
struct PhaseChanged
{
    Phase phase = Phase::Idle;
    int iteration = -1; // the one under way, where there is one
    QString detail;
    QDateTime since;
};
struct IterationRecorded
{ // new, or a change to a known one (same kind and number)
    IterationRecord record;
};
struct ChampionChanged
{
    int iteration = -1;
};
struct BenchProgress
{
    QString label;
    QString stage;       // compile, correctness, timing ...
    double fraction = 0; // 0..1; negative: not known
};
struct OutputAppended
{
    enum class Source { Bench, Agent, Log };
    Source source = Source::Log;
    QString text;
};
struct HintsSeen
{ // HINTS.md changed; this is the first iteration that saw it
    int firstIteration = 0;
    QStringList added;
    QStringList removed;
    QStringList recognised;     // directives the program honours
    QStringList refused{};      // what it asks for and cannot be kept
    QStringList unrecognised{}; // only an agent can follow it
};
struct Notice
{
    Severity severity = Severity::Info;
    QString text;
    QString remedy;
};
struct RunStopped
{ // the loop is idle: paused, step done, stopped, finished or failed
    enum class Why { Paused, StepDone, Stopped, CapReached, FloorReached, Exhausted, Finished, Failed };
    Why why = Why::Stopped;
    QString reason;
    int exitCode = 0;            // the command line's (spec 13)
    QList<int> unconfirmed = {}; // iterations measured faster once than what is kept, the fastest first
};
struct PauseAsked
{ // the loop pauses at the next boundary, or no longer does
    bool asked = true;
};
struct Recovered
{ // an unfinished iteration of an earlier process was found
    int iteration = 0;
    QString reached; // edited, benched, logged
    QString action;  // completed, kept, discarded
    int parent = -1; // the iteration that it was made from
    // Workspace-relative folder of its unfinished edit: solution, or a copy below .ako/discarded/. Empty: none is left.
    QString kept{};

    bool isInSolution() const { return kept == QLatin1String("solution"); }
};

struct PermissionAsked
{ // the agent waits for a person
    PermissionQuestion question;
};
struct PermissionSettled
{ // answered, or nobody waits any more
    quint64 number = 0;
    QString outcome;
};

} // namespace event

using RunEvent = std::variant<event::WorkspaceOpened, event::PlanResolved, event::HistoryLoaded, event::PhaseChanged,
                              event::IterationRecorded, event::ChampionChanged, event::BenchProgress,
                              event::OutputAppended, event::HintsSeen, event::Notice, event::RunStopped,
                              event::PauseAsked, event::Recovered, event::PermissionAsked, event::PermissionSettled>;

QString phaseName(Phase phase);          // stable English word for JSON and logs: "benching"
nlohmann::json toJson(const RunEvent &); // one object with "event": "iteration", "phase", ...

} // namespace ako

Q_DECLARE_METATYPE(ako::RunEvent)
