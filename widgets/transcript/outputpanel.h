// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/runevent.h"

#include <QTabWidget>

class QToolButton;

namespace ako {

class DetailsView;
class ElidedLabel;
class IterationSelection;
class NoticeLog;
class RunStore;
class TextLog;

// Below the source: details and bench output of the chosen iteration, the agent's transcript and the log.
class OutputPanel : public QTabWidget
{
    Q_OBJECT

public:
    OutputPanel(const RunStore &store, IterationSelection &selection, QWidget *parent = nullptr);

    void showBenchOutput(quint64 token, const QString &text, const QString &error);
    DetailsView *details() const { return m_details; }
    TextLog *bench() const { return m_stored; }
    TextLog *live() const { return m_live; }
    TextLog *transcript() const { return m_transcript; }
    NoticeLog *log() const { return m_log; }

Q_SIGNALS:
    void benchOutputRequested(const QString &trajectory, quint64 token);

private:
    QWidget *makeBenchPage();
    void selectionChanged();
    void requestOutput();
    void appendOutput(event::OutputAppended::Source source, const QString &text);
    void phaseChanged();
    void setLive(bool on);

    const RunStore &m_store;
    IterationSelection &m_selection;
    DetailsView *m_details;
    TextLog *m_live;
    TextLog *m_stored;
    TextLog *m_transcript;
    NoticeLog *m_log;
    ElidedLabel *m_benchTitle = nullptr;
    QToolButton *m_liveButton = nullptr;
    quint64 m_token = 0;
    Phase m_lastPhase = Phase::Idle;
};

} // namespace ako
