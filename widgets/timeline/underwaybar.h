// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QProgressBar;
class QTimer;

namespace ako {

class RunStore;

// The entry that is being made, above those that are: what is done to it, how far it is and how long that may take yet.
class UnderWayBar : public QWidget
{
    Q_OBJECT

public:
    explicit UnderWayBar(const RunStore &store, QWidget *parent = nullptr);
    QString text() const;

private:
    void refresh();

    const RunStore &m_store;
    QLabel *m_text;
    QProgressBar *m_progress;
    QTimer *m_clock;
};

// How long a signal bench has lately taken, by the median; 0: not known.
qint64 usualBenchMilliseconds(const RunStore &store);

} // namespace ako
