// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/runevent.h"

#include <QObject>

#include <functional>

namespace ako {

class MessageBar;
class RunStore;

// The one line above the source: what went wrong, why the run stopped, what is asked. A message goes when what it
// speaks of is over.
class WindowMessages : public QObject
{
    Q_OBJECT

public:
    WindowMessages(const RunStore &store, MessageBar &bar, QObject *parent);

    void problem(const QString &text, const QString &remedy);
    void done(const QString &text); // what was asked for, aside from the run
    void closing();
    struct CloseChoices
    {
        std::function<void()> stopNow, afterwards, stay;
    };
    void askHowToClose(const CloseChoices &choices);
    void closingAfterwards(const CloseChoices &choices);
    void busyElsewhere(const std::function<void()> &stop, const std::function<void()> &openBeside);
    void unsaved(const std::function<void()> &save, const std::function<void()> &discard);
    void setDirty(bool dirty); // nothing left to save: not asked any more
    void opening();            // another workspace: nothing of the one before

Q_SIGNALS:
    void answerWanted();    // take me to the open question
    void openAgainWanted(); // the workspace that could not be opened
    void measureWanted(int iteration);

private:
    enum class Cause { None, Problem, Closing, Busy, Unsaved, Stopped, Trouble, Question };
    void show(Cause cause, Severity severity, const QString &text, const QString &remedy = {});
    void end(std::initializer_list<Cause> causes);
    void phaseChanged();
    void planChanged();
    void stopped(const event::RunStopped &why);
    void noticed(const event::Notice &notice);
    void ask();

    const RunStore &m_store;
    MessageBar &m_bar;
    Cause m_cause = Cause::None;
    bool m_wasBusy = false;
    bool m_wasApproved = false;
};

} // namespace ako
