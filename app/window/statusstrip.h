// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/runevent.h"

#include <QDateTime>
#include <QWidget>

#include <optional>

class QLabel;
class QProgressBar;
class QTimer;

namespace ako {

class ElidedLabel;
class RunStore;

// What is under way and since when: iteration N of the cap, phase with its progress, elapsed time.
class StatusStrip : public QWidget
{
    Q_OBJECT

public:
    explicit StatusStrip(const RunStore &store, QWidget *parent = nullptr);
    QString text() const;

private:
    void refresh();
    QString iterationText() const;
    QString phaseLine() const;
    QString restLine() const;
    QString elapsedText() const;

    const RunStore &m_store;
    ElidedLabel *m_text;
    QProgressBar *m_progress;
    QTimer *m_clock;
    std::optional<event::RunStopped> m_stop; // why the loop rests; none: nothing has run yet
    QDateTime m_busySince;                   // when the loop last began to be busy
};

} // namespace ako
