// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/agent.h"
#include "base/result.h"
#include "history/journal.h"
#include "loop/runevent.h"
#include "profile/profiler.h"
#include "workspace/directives.h"
#include "workspace/hints.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>
#include <variant>

namespace ako {

// What a person asks for.
namespace intent {

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
struct Reload // what the plan was read from may have changed
{
};
struct Approve
{
};
struct Run
{
};
struct Pause
{
};
struct Step
{
};
struct Stop
{
};
struct Finish
{
};
struct BenchEdit
{
    QString title;
    QString hypothesis;
    QString changes;
};
struct Restore
{
    int iteration = 0;
};
struct Revert
{
    int iteration = 0;
};
struct ContinueFrom
{
    int iteration = 0;
};
struct MeasureAgain // that entry's sources, by a verdict, as the next iteration
{
    int iteration = 0;
    bool againstBaseline = false; // else against the champion
};
struct Annotate // a person's words on an entry, and of a quarantined one what they decided
{
    int iteration = 0;
    QString text;
    std::optional<bool> accepted;
};

} // namespace intent

// What came of an effect.
namespace outcome {

struct EffectFailed
{
    Error error;
    int exitCode = 1;
};
struct Opened
{
    QString path;
    QString branch;
    ResolvedPlan plan;
    bool approved = false;                // an approval is on disk and its manifest holds
    bool approvedButForQuestions = false; // the same, and what is asked changes nothing that measures
    QStringList harnessChanges;           // an approval is on disk and these no longer agree with it
    QList<IterationRecord> records;
    int champion = -1;
    int comparableFrom = 0; // the first iteration measured under the approved harness
    QString hints;          // as the last commit saw them
    int solutionOf = -1;    // whose solution/ lies there, or an edit of it
    QList<event::HintsSeen> hintMarks;
    QStringList warnings;
    std::optional<Unfinished> unfinished;
    bool unfinishedIsCommitted = false; // only the journal's last mark is missing
    bool unfinishedIsIntact = false;    // solution/ is still as that entry has it
};
struct PlanChanged
{
    ResolvedPlan plan;
    bool harnessStillApproved = false; // nothing that the measurement depends on is different
    bool reread = false;               // nobody changed it: its files were read again
};
struct Approved
{
};
struct Prepared
{
    QString branch; // empty: as before
    QList<event::Notice> notices;
    std::optional<QString> hints;   // HINTS.md with what the plan merged into it
    std::optional<Error> foreign{}; // in solution/ lies what is not the kernel; nothing was written
    QStringList harnessChanges{};   // what would be measured with is not what was approved, and was not written
};
struct Profiled
{
    ProfileReport report;
};
struct Inspected // at an iteration boundary
{
    QString hints;
    HintsDifference hintsChange;
    Directives directives;
    QStringList harnessChanges;
    QString solutionHash;
    bool solutionIsKnown = false; // some entry of the history left solution/ like this:
    int solutionOf = -1;          // that one
    qint64 secondsRunning = 0;
};
struct SolutionSet // solution/ is as was asked for
{
    QString hash;
};
struct RevertRefused
{
    QString reason;
};
struct Proposed
{
    Proposal proposal;
    qint64 milliseconds = 0;
};
struct Compared // the working tree after an agent's turn
{
    QString solutionHash;
    bool changed = false;
    int sameAs = -1;       // an entry of the history with these very bytes
    QStringList outside;   // what was changed outside solution/ and has been put back
    QStringList frozen;    // files of solution/ that HINTS.md says must not change
    QString unusable{};    // why solution/ could not be read; it was set aside, and what was there before is back
    QStringList removed{}; // files that solution/ had before
};
struct Benched
{
    BenchResult result;
    QString trajectory;
    bool stopped = false; // by a person
    qint64 milliseconds = 0;
    QDateTime startedAt;
    QString solutionHash;   // of what was benched
    QStringList products{}; // what a custom bench has left in solution/; it was moved to .ako/bench-products/
};
struct Logged
{
    QString trajectory; // made for an entry that was not benched; else empty
};
struct Committed
{
    QString id;
};
struct Discarded
{
    QString kept{}; // workspace-relative folder with a copy of what was in solution/; empty: nothing was to be kept
};
struct Annotated // whatever the loop does meanwhile
{
    IterationRecord record;
    std::optional<Error> failure; // then nothing was written, or it was not committed
};

} // namespace outcome

using LoopEvent =
    std::variant<intent::Open, intent::Close, intent::ChangePlan, intent::Reload, intent::Approve, intent::Run,
                 intent::Pause, intent::Step, intent::Stop, intent::Finish, intent::BenchEdit, intent::Restore,
                 intent::Revert, intent::ContinueFrom, intent::MeasureAgain, intent::Annotate, outcome::EffectFailed,
                 outcome::Opened, outcome::PlanChanged, outcome::Approved, outcome::Prepared, outcome::Profiled,
                 outcome::Inspected, outcome::SolutionSet, outcome::RevertRefused, outcome::Proposed, outcome::Compared,
                 outcome::Benched, outcome::Logged, outcome::Committed, outcome::Discarded, outcome::Annotated>;

} // namespace ako
