// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QSocketNotifier;

namespace ako {

// Turns SIGINT, SIGTERM and, unless it is ignored (nohup), SIGHUP into a signal of Qt's. A second one ends the process
// at once.
class Interrupt : public QObject
{
    Q_OBJECT

public:
    explicit Interrupt(QObject *parent = nullptr);
    ~Interrupt() override;

    // Whether one has come, also while nothing ran the event loop (a prompt was read).
    static bool hasCome();
    static int number(); // of the signal that came first; 0: none

Q_SIGNALS:
    void interrupted();

private:
    QSocketNotifier *m_notifier = nullptr;
};

} // namespace ako
