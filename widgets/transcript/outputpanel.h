// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/runevent.h"
#include "profile/movednumbers.h"

#include <QTabWidget>

namespace ako {

class ChosenText;
class DetailsPage;
class DetailsView;
class IterationSelection;
class NoticeLog;
class NumbersView;
class RunStore;
struct SourcePlace;
class TextLog;
class TriageView;

// Below the source: details and bench output of the chosen iteration, the agent's transcript and the log.
class OutputPanel : public QTabWidget
{
    Q_OBJECT

public:
    OutputPanel(const RunStore &store, IterationSelection &selection, QWidget *parent = nullptr);

    void showBenchOutput(quint64 token, const QString &text, const QString &error);
    void showNumbers(quint64 token, const QList<MovedNumber> &numbers, const QString &error);
    void showTranscript(quint64 token, const QString &text);
    DetailsView *details() const;
    DetailsPage *page() const { return m_details; }
    NumbersView *numbers() const { return m_numbers; }
    TriageView *triage() const { return m_triage; } // a tab of its own while a quarantined iteration is chosen
    TextLog *bench() const;                         // of the chosen iteration
    TextLog *live() const;                          // of the bench under way
    TextLog *transcript() const;                    // of the agent's turn under way
    NoticeLog *log() const { return m_log; }

Q_SIGNALS:
    void benchOutputRequested(const QString &trajectory, quint64 token);
    void transcriptRequested(const QString &trajectory, quint64 token);
    void numbersRequested(int iteration, quint64 token);
    void noteGiven(int iteration, const QString &note);
    void quarantineDecided(int iteration, bool accepted, const QString &reason);
    void measureRequested(int iteration);
    void placeChosen(const ako::SourcePlace &place);

private:
    void showTriage(const IterationRecord *record);
    void selectionChanged();
    void appendOutput(event::OutputAppended::Source source, const QString &text);
    void phaseChanged();

    const RunStore &m_store;
    IterationSelection &m_selection;
    DetailsPage *m_details;
    TriageView *m_triage;
    QString m_triaged; // the quarantined entry that was last brought to the front
    ChosenText *m_bench;
    ChosenText *m_transcript;
    NumbersView *m_numbers;
    NoticeLog *m_log;
    Phase m_lastPhase = Phase::Idle;
};

} // namespace ako
