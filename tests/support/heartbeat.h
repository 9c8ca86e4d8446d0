// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QList>
#include <QObject>
#include <QTimer>

namespace ako::test {

// Beats every 2 ms in the thread it lives in, from start() to stop(), and keeps how long each beat was after the one
// before, and how much of that the thread itself was computing: the rest is the machine being busy with others.
class Heartbeat : public QObject
{
    Q_OBJECT

public:
    struct Figures // in milliseconds
    {
        qsizetype beats = 0;
        double longest = 0.0;
        double processorInLongest = 0.0;
        double waitingInLongest = 0.0; // for a core, which others had
        double secondsToLongest = 0.0; // since the first beat
        double permille999 = 0.0;
        double percent99 = 0.0;
        double median = 0.0;
        double longestProcessor = 0.0;
    };

    Heartbeat();
    void start();
    void stop();
    Figures figures() const; // from another thread only once that one has ended

private:
    struct Gap
    {
        double wall = 0.0;
        double processor = 0.0;
        double waiting = 0.0;
    };
    void beat();

    QTimer m_timer{this};
    QElapsedTimer m_clock;
    double m_processor = 0.0;
    double m_waiting = 0.0;
    QList<Gap> m_gaps;
};

} // namespace ako::test
