// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/permission.h"
#include "history/iterationrecord.h"

#include <QList>
#include <QMetaType>
#include <QObject>
#include <QString>
#include <QStringList>

namespace ako {

// What an agent knows when it is asked for one candidate. A value, assembled by the engine.
struct ProposalRequest
{
    QString workspace;         // absolute
    QString solutionDirectory; // absolute; the only place an agent may write
    int iteration = 1;         // the number the candidate will get
    int champion = 0;          // whose solution/ is in the working tree now
    QList<IterationRecord> history;
    QString hints;         // HINTS.md as it stands at this iteration boundary
    QStringList knowledge; // workspace-relative files
    bool reassess = false; // three iterations without an improvement: choose a new direction
    QString profileSummary;
    QString plan; // the resolved plan as text
    int logicalCores = 1;
    bool flagsCount = true; // the bench compiles with the flags in solution/build.json; one of the user's own may not
    int mostProbes = 5;     // signal benches that the agent may ask for in this turn
    bool hasTools = false;  // it was given ours
    qint64 tokensLeft = 0;  // of the run's budget; 0: there is none
};

// What came of it. The loop judges a candidate by the change in solution/, never by these words.
struct Proposal
{
    enum class Outcome { Candidate, Exhausted, Failed, Cancelled };
    Outcome outcome = Outcome::Failed;
    QString title;
    QString hypothesis;
    QString changes;
    QString direction;   // what kind of change it is, for a person: "threads"; empty: not known
    QString agentData;   // the agent's own notes, kept in iteration.json and given back with the history
    QStringList untried; // when asked to reassess: directions that it knows and has not tried
    QString analysisOfPrevious;
    // Exhausted: the distinct directions tried, each with its iteration numbers, to be cited in ITERATIONS.md.
    QStringList directions;
    QString error;     // Failed: why
    qint64 tokens = 0; // that the turn took, as far as the agent tells
};

class LoopTools;

// One source of candidates. Lives on the engine's thread; never blocks it for long.
// Exactly one proposed() follows each propose(), also after cancel() and on failure.
class Agent : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    virtual QString name() const = 0;
    virtual void propose(const ProposalRequest &request) = 0;
    virtual void cancel() = 0;
    // What it may ask the loop during a turn; outlives it. An agent that asks for nothing leaves it.
    virtual void setTools(LoopTools *tools) { Q_UNUSED(tools) }
    virtual void answerPermission(quint64 number, PermissionChoice choice)
    {
        Q_UNUSED(number)
        Q_UNUSED(choice)
    }

Q_SIGNALS:
    void proposed(const ako::Proposal &proposal);
    // Each question is settled once: by its answer, or because nobody waits for one any more.
    void permissionAsked(const ako::PermissionQuestion &question);
    void permissionSettled(quint64 number, const QString &outcome);
    void transcript(const QString &text); // for the transcript view and the log
};

} // namespace ako

Q_DECLARE_METATYPE(ako::Proposal)
