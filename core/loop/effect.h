// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/state.h"

#include <QList>
#include <QString>

#include <optional>
#include <variant>

namespace ako {

// What the engine is to do. Each but Emit, Mark, Close, CancelProposal and StopBench is answered by exactly one
// outcome. One that fails is answered by EffectFailed, and those after it in the same list are not carried out.
namespace effect {

struct Emit
{
    RunEvent event;
};
struct Open
{
    QString path;
    QString request;
    bool readOnly = false;
};
struct Close
{
};
struct ChangePlan
{
    QString key;
    QString value;
};
struct Reload // answered only where it succeeds
{
};
struct RecordApproval
{
    ResolvedPlan plan;
    int comparableFrom = 0;
};
struct Prepare
{
    Preparation step = Preparation::Repository;
    ResolvedPlan plan;
};
struct Profile
{
    IterationRecord record;
};
struct Inspect
{
    QString hintsBefore;
};
struct ResetSolution // to what that entry committed
{
    int iteration = 0;
};
struct MergeRevert
{
    int iteration = 0;
};
struct Propose
{
    IterationRecord record;
    ProposalRequest request; // the engine fills in paths and the machine
};
struct Mark // in the journal, so that a killed process is recovered from
{
    JournalStep step = JournalStep::Begun;
    IterationRecord record;
};
struct CancelProposal
{
};
struct CompareTree
{
};
struct Bench
{
    IterationRecord record;
    QString label;
    BenchMode mode = BenchMode::Signal;
    int against = -1; // whose sources are timed interleaved with it; -1 none
};
struct StopBench
{
};
struct WriteEntry
{
    IterationRecord record;
    std::optional<IterationRecord> previous; // with what the agent said afterwards
    QList<RunNote> notes;
    QList<IterationRecord> history{}; // what came before, for an ITERATIONS.md that has lost it
};
struct Commit
{
    IterationRecord record;
};
struct Annotate // a known entry with a person's words on it
{
    IterationRecord record;
    RunNote note;
};
struct Discard // the draft's files are set aside, solution/ goes back to that entry (-1: stays)
{
    IterationRecord record;
    int resetTo = -1;
};

} // namespace effect

using Effect =
    std::variant<effect::Emit, effect::Open, effect::Close, effect::ChangePlan, effect::Reload, effect::RecordApproval,
                 effect::Prepare, effect::Profile, effect::Inspect, effect::ResetSolution, effect::MergeRevert,
                 effect::Propose, effect::CancelProposal, effect::CompareTree, effect::Mark, effect::Bench,
                 effect::StopBench, effect::WriteEntry, effect::Commit, effect::Annotate, effect::Discard>;

// Stable name for journals and tests: "bench", "commit" ...
QString effectName(const Effect &effect);

} // namespace ako
