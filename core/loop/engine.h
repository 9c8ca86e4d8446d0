// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "git/diff.h"
#include "loop/approvedfiles.h"
#include "loop/benching.h"
#include "loop/effect.h"
#include "loop/keptedit.h"
#include "loop/planwatch.h"
#include "loop/ports.h"
#include "loop/profiling.h"
#include "loop/proposing.h"
#include "loop/reporting.h"
#include "loop/session.h"
#include "loop/state.h"
#include "profile/movednumbers.h"

#include <QElapsedTimer>
#include <QObject>

namespace ako {

// Carries out the effects that the table asks for and feeds what came of them back as events. Asynchronous: each step
// is short and returns to the event loop, so that a stop or a read is never kept waiting by a bench.
class LoopEngine : public QObject
{
    Q_OBJECT

public:
    struct Settings
    {
        QString benchProgram;
        QString scaffoldFolder;
        bool readOnly = false;
        bool withPlan = true;
        bool watchesPlan = false; // a plan that waits for a person follows the files it was read from
    };

    explicit LoopEngine(Ports ports, QObject *parent = nullptr);
    ~LoopEngine() override;

    void setSettings(const Settings &settings);
    void setIdentity(const Identity &identity); // used for this repository where git knows none
    bool isReadOnly() const { return m_settings.readOnly; }
    const State &state() const { return m_state; }

    void handle(const LoopEvent &event);

    void answerPermission(quint64 number, PermissionChoice choice) { m_proposing.answerPermission(number, choice); }

    // Iteration -1 is the working tree's solution/.
    Result<Diff> diff(int from, int to, bool wholeFiles = false) const;
    QString transcript(const QString &trajectory) const; // the agent's of the record which names it; may be empty
    Result<QByteArray> file(int iteration, const QString &path) const;
    Result<QString> benchOutput(const QString &trajectory) const; // that of the record which names it
    Result<RunReport> report() const;
    // The numbers kept beside the result of that entry and of the one it was made from.
    Result<QList<MovedNumber>> moved(int iteration) const;
    // What would change in the kernel's own files; written only as it was last looked at, and not during a run.
    Result<HarnessChange> lookAtHarness();
    Result<QString> putHarnessBack(); // what was last looked at; where the files that were there are kept
    // The edit that was found unfinished when the workspace was opened; into solution/ not during a run.
    Result<KeptEdit> keptEdit() const;
    Result<void> takeKeptEdit();
    Result<SourceChange> lookAtSourceChange();
    Result<SourceChange> writeSourceChange();

Q_SIGNALS:
    void happened(const ako::RunEvent &event);

private:
    template <typename Outcome>
    void answer(const QString &effect, Result<Outcome> result);
    void post(const LoopEvent &event);
    void failed(const Error &error, int exitCode = 1);
    bool perform(const Effect &effect); // false: it failed, what follows in the list is void
    void watchClock(const LoopEvent &event);
    void watchPlan();
    void carryOut(const QList<Effect> &effects);

    bool on(const effect::Emit &emitted);
    bool on(const effect::Open &open);
    bool on(const effect::Close &);
    bool on(const effect::ChangePlan &change);
    bool on(const effect::Reload &);
    bool on(const effect::RecordApproval &approval);
    bool on(const effect::Prepare &prepare);
    bool on(const effect::Profile &profile);
    bool on(const effect::Inspect &inspect);
    bool on(const effect::ResetSolution &reset);
    bool on(const effect::MergeRevert &revert);
    bool on(const effect::Mark &mark);
    bool on(const effect::Propose &propose);
    bool on(const effect::CancelProposal &);
    bool on(const effect::CompareTree &);
    bool on(const effect::Bench &bench);
    bool on(const effect::StopBench &);
    bool on(const effect::WriteEntry &entry);
    bool on(const effect::Commit &commit);
    bool on(const effect::Annotate &annotate);
    bool on(const effect::Discard &discard);
    Result<FolderContent> contentOf(int iteration) const;
    Result<FolderContent> contentOfKeptEdit() const;
    Result<QString> outputIn(const QString &trajectory, const QString &commit) const;
    QMap<QString, double> numbersOf(const IterationRecord &record) const;
    Result<QByteArray> keptFile(const QString &path, const QString &commit) const; // on disk, or else in git

    Ports m_ports;
    Settings m_settings;
    Session m_session;
    State m_state;
    Proposing m_proposing;
    Benching m_benching;
    Profiling m_profiling;
    PlanWatch m_planWatch{this};
    QElapsedTimer m_running;
    std::optional<event::Recovered> m_recovered;  // with an edit that was kept
    std::optional<HarnessChange> m_harnessChange; // as it was last looked at
    std::optional<SourceChange> m_sourceChange;   // as it was last looked at
    quint64 m_generation = 0;                     // outcomes of a workspace that was closed are not heard
};

} // namespace ako
