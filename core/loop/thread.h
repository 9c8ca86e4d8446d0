// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/engine.h"

#include <QObject>

#include <functional>
#include <memory>

class QThread;

namespace ako {

// The loop's own thread and the engine that lives on it. Only values cross.
class LoopThread : public QObject
{
    Q_OBJECT

public:
    explicit LoopThread(std::function<Ports()> ports);
    ~LoopThread() override; // ends the bench's process group and waits for the thread

    // Carried out on the loop's thread, in the order of the calls; returns at once.
    void post(std::function<void(LoopEngine &)> task);

Q_SIGNALS:
    void event(const ako::RunEvent &event); // emitted on the loop's thread

private:
    std::unique_ptr<QThread> m_thread;
    LoopEngine *m_engine = nullptr; // of that thread
};

} // namespace ako
