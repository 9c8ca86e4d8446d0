// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/runevent.h"

#include <QObject>

namespace ako {

// All that is known of one workspace's run, on the receiving thread. apply() is the only way it changes, whether the
// events are live or replayed from disk. Models and the command line read it and listen to its signals.
class RunStore : public QObject
{
    Q_OBJECT

public:
    explicit RunStore(QObject *parent = nullptr);
    ~RunStore() override;

    void apply(const RunEvent &event);

    QString workspace() const { return m_workspace; }
    QString branch() const { return m_branch; }
    const ResolvedPlan &plan() const { return m_plan; }
    bool isApproved() const { return m_approved; }
    const QList<IterationRecord> &records() const { return m_records; } // in the order of iterationorder.h
    const IterationRecord *record(int iteration) const;                 // by number, not Final; null if unknown
    int champion() const { return m_champion; }
    event::PhaseChanged phase() const { return m_phase; }
    event::BenchProgress progress() const { return m_progress; }
    const QList<event::HintsSeen> &hintMarks() const { return m_hintMarks; }
    const QList<PermissionQuestion> &questions() const { return m_questions; } // that wait, the oldest first
    bool isBusy() const;                           // something is under way on the loop's thread
    bool canRun() const;                           // approved and Ready
    bool isPausing() const { return m_isPausing; } // a pause was asked for, which comes at the next boundary

Q_SIGNALS:
    void workspaceChanged();
    void planChanged();
    void recordsReset();
    void recordInserted(int index);
    void recordChanged(int index);
    void championChanged(int iteration);
    void phaseChanged();
    void progressChanged();
    void pausingChanged();
    void outputAppended(ako::event::OutputAppended::Source source, const QString &text);
    void hintsSeen(const ako::event::HintsSeen &seen);
    void noticed(const ako::event::Notice &notice);
    void stopped(const ako::event::RunStopped &stopped);
    void questionsChanged();
    void questionSettled(const ako::PermissionQuestion &question, const QString &outcome);
    void recovered(const ako::event::Recovered &recovered);

private:
    void applyEvent(const event::WorkspaceOpened &);
    void applyEvent(const event::PlanResolved &);
    void applyEvent(const event::HistoryLoaded &);
    void applyEvent(const event::PhaseChanged &);
    void applyEvent(const event::IterationRecorded &);
    void applyEvent(const event::ChampionChanged &);
    void applyEvent(const event::BenchProgress &);
    void applyEvent(const event::OutputAppended &);
    void applyEvent(const event::HintsSeen &);
    void applyEvent(const event::Notice &);
    void applyEvent(const event::RunStopped &);
    void applyEvent(const event::PauseAsked &);
    void applyEvent(const event::Recovered &);
    void applyEvent(const event::PermissionAsked &);
    void applyEvent(const event::PermissionSettled &);

    QString m_workspace;
    QString m_branch;
    ResolvedPlan m_plan;
    bool m_approved = false;
    QList<IterationRecord> m_records;
    int m_champion = -1;
    event::PhaseChanged m_phase;
    event::BenchProgress m_progress;
    bool m_isPausing = false;
    QList<event::HintsSeen> m_hintMarks;
    QList<PermissionQuestion> m_questions;
};

} // namespace ako
