// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/runevent.h"

#include <QObject>
#include <QWidget>

#include <functional>

namespace ako {

class RunStore;

// Tells a person who looks at something else: a question is open, a champion is confirmed, something is quarantined,
// the run has ended. Nothing while the window is the active one, or where the settings say no.
class DesktopNotices : public QObject
{
    Q_OBJECT

public:
    using Sender = std::function<void(const QString &title, const QString &text)>;

    DesktopNotices(const RunStore &store, QWidget *window, Sender sender = sendToDesktop);

    static bool areWanted();
    static void setWanted(bool wanted);
    static void sendToDesktop(const QString &title, const QString &text); // org.freedesktop.Notifications; never waits

private:
    void tell(const QString &title, const QString &text);
    void recorded(int row);
    void planChanged();

    const RunStore &m_store;
    QWidget *m_window;
    Sender m_sender;
    QString m_asked; // the question that was last told
};

} // namespace ako
