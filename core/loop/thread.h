// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/engine.h"
#include "loop/mailbox.h"

#include <QObject>

#include <functional>
#include <memory>

class QThread;

namespace ako {

// The loop's own thread and the engine that lives on it. Only values cross, by a mailbox in each direction.
class LoopThread : public QObject
{
    Q_OBJECT

public:
    explicit LoopThread(const std::function<Ports()> &ports);
    ~LoopThread() override; // ends the bench's process group and waits for the thread

    // Carried out on the loop's thread, in the order of the calls; returns at once.
    void post(std::function<void(LoopEngine &)> task);
    // From the loop's thread: carried out on the thread that this object lives on.
    void reply(std::function<void()> task);

Q_SIGNALS:
    void happened(const ako::RunEvent &event); // on the thread that this object lives on

private:
    std::unique_ptr<QThread> m_thread;
    Mailbox m_replies;
    LoopEngine *m_engine = nullptr; // of the loop's thread, as is its mailbox
    Mailbox *m_tasks = nullptr;
};

} // namespace ako
