// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include <functional>
#include <mutex>
#include <vector>

namespace ako {

// Work that one thread leaves for another. It lives on the thread that does the work; anybody may leave some. One
// wake-up serves what has gathered, in the order it came; after a few milliseconds the rest waits for the next turn of
// the event loop, so that a window can paint and answer in between.
class Mailbox : public QObject
{
    Q_OBJECT

public:
    explicit Mailbox(QObject *parent = nullptr);

    void leave(std::function<void()> task);
    void close(); // what is left or comes later is dropped

    Q_INVOKABLE void work(); // on its own thread

private:
    void putBack(std::vector<std::function<void()>> rest);

    QTimer m_turn{this};
    std::mutex m_mutex;
    std::vector<std::function<void()>> m_tasks;
    bool m_closed = false;
};

} // namespace ako
