// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/transition.h"

#include <QCoreApplication>

namespace ako {

// One step of the table: holds the state and the effects while an event is worked in. Private to transition().
class Table
{
    Q_DECLARE_TR_FUNCTIONS(Loop)

public:
    explicit Table(State state)
        : s(std::move(state))
    {
    }
    Transition result() { return {std::move(s), std::move(m_effects)}; }

    // table_intents.cpp
    void on(const intent::Open &);
    void on(const intent::Close &);
    void on(const intent::ChangePlan &);
    void on(const intent::Reload &);
    void on(const intent::Approve &);
    void on(const intent::Run &);
    void on(const intent::Pause &);
    void on(const intent::Step &);
    void on(const intent::Stop &);
    void on(const intent::Finish &);
    void on(const intent::BenchEdit &);
    void on(const intent::Restore &);
    void on(const intent::Revert &);
    void on(const intent::ContinueFrom &);
    void on(const intent::MeasureAgain &);
    void on(const intent::Annotate &);

    // table_preparing.cpp
    void on(const outcome::EffectFailed &);
    void on(const outcome::Opened &);
    void on(const outcome::PlanChanged &);
    void on(const outcome::Approved &);
    void on(const outcome::Prepared &);
    void on(const outcome::Profiled &);

    // table_boundary.cpp
    void on(const outcome::Inspected &);
    void on(const outcome::RevertRefused &);

    // table_iterating.cpp
    void on(const outcome::SolutionSet &);
    void on(const outcome::Proposed &);
    void on(const outcome::Compared &);

    // table_recording.cpp
    void on(const outcome::Benched &);
    void on(const outcome::Logged &);
    void on(const outcome::Committed &);
    void on(const outcome::Discarded &discarded);
    void on(const outcome::Annotated &);

private:
    using Why = event::RunStopped::Why;

    void emitEvent(RunEvent event) { m_effects << effect::Emit{std::move(event)}; }
    void perform(Effect effect) { m_effects << std::move(effect); }
    void notice(Severity severity, const QString &text, const QString &remedy = {});
    void enter(Stage stage, const QString &detail = {});

    // The entry under way; the outcomes that ask for it only come while there is one.
    Draft &draft()
    {
        Q_ASSERT(s.draft);
        return s.draft ? *s.draft : s.draft.emplace();
    }

    // Going on and coming to rest.
    bool mayWork(bool withAgent = false); // approved and writable, and no question open that an agent needs answered;
                                          // rests, saying why, otherwise
    void begin();                         // from rest: open again, prepare or inspect, whatever comes first
    void inspect();                       // an iteration boundary
    void atBoundary(const outcome::Inspected &seen);
    bool endsUnprepared(const outcome::Inspected &seen);
    void goOn(); // after an entry or a refused intent
    void askToPause(bool asked);
    void tellPassedOver(const QList<int> &numbers);
    void rest(Why why, const QString &reason, int exitCode = 0);
    void rest(const event::RunStopped &stopped);
    void breakDown(const QString &reason, int exitCode);
    void stopped();
    void enqueue(Waiting intent);

    // Preparing.
    void prepare(Preparation step);
    void startBaseline();
    void afterPreparation();
    void takeUp(const outcome::Opened &opened);
    void takeUpUnfinished(const outcome::Opened &opened, const Unfinished &unfinished);
    bool gaveUpOn(const outcome::Opened &opened, const Unfinished &unfinished);
    static event::Recovered recoveryOf(const Unfinished &unfinished, const QString &action);
    void sayRecovered(const Unfinished &unfinished, const QString &action);

    // Iterating.
    void absorbHints(const outcome::Inspected &seen);
    void tellCapInForce(Severity severity);
    bool harnessHolds(const outcome::Inspected &seen);
    void harnessChanged(const QStringList &changes);
    void solutionIsForeign(const Error &foreign);
    QString approveAgain() const;
    bool takeUpKeptDraft(const outcome::Inspected &seen);
    void nameKeptDraft();
    bool wasInterrupted(const outcome::Inspected &seen) const;
    bool takeUpEdit(const outcome::Inspected &seen);
    bool takeUpWaiting();
    void startMeasuringAgain(const intent::MeasureAgain &again);
    void writeAnnotations();
    QString whatIsDone() const;
    QString whyNotTaken(const IterationRecord *target, int number, bool isRevert) const;
    void startEdit(const intent::BenchEdit &edit, const QString &hash);
    void startProposal();
    void reassess();
    void startRemeasure();
    void propose();
    void tellReassessment(const Proposal &proposal);
    void agentFailed(const QString &reason);
    void agentExhausted(const Proposal &proposal);
    void keepAnalysis(const Proposal &proposal);
    void recordUnusable(const QString &why);
    void quarantine(const QString &flag, const QString &why);
    void tookATurn();
    Draft newDraft(Origin origin, const QString &title, int parent) const;
    int baseOfNextProposal() const;

    // Benching and recording.
    void mark(JournalStep step) { perform(effect::Mark{step, draft().record}); }
    void bench();
    void verify();
    void completeEntry();
    void judge();
    void writeEntry();
    void discard(int resetTo);
    std::optional<Interval> finalOverBaseline(const BenchResult &result) const;
    void tellProducts(const QStringList &products);
    void discardStopped();
    void discardDraft(const event::RunStopped &then, int resetTo);
    void benchedBaseline();
    void applyRemeasure();
    void judgeAgainstBaseline();
    void remember(const IterationRecord &record);
    void afterEntry(const IterationRecord &record, Origin origin);
    std::optional<IterationRecord> comparableChampion() const;

    // Finishing.
    void startFinish();
    bool isAsFinal(const QString &solutionHash) const; // nothing has come since the last [final]
    void finishedAlready(const IterationRecord &record);
    static QString whatIsKept(const IterationRecord &record);
    void restFinished(const event::RunStopped &stop);
    void finished(const IterationRecord &record);

    State s;
    QList<Effect> m_effects;
};

} // namespace ako
