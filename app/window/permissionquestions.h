// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/permission.h"

#include <QObject>

namespace ako {

class MessageBar;
class RunStore;

// What the agent waits to be allowed, one question after the other, in a bar of its own that no other message takes
// the place of. Closing the bar is a no.
class PermissionQuestions : public QObject
{
    Q_OBJECT

public:
    PermissionQuestions(const RunStore &store, MessageBar &bar, QObject *parent);

Q_SIGNALS:
    void answered(quint64 number, ako::PermissionChoice choice);

private:
    void show();
    void answer(PermissionChoice choice);

    const RunStore &m_store;
    MessageBar &m_bar;
    quint64 m_shown = 0;    // the question's number
    quint64 m_answered = 0; // of the last one that was; its settlement is on the way
};

} // namespace ako
