// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/mailbox.h"

#include <QElapsedTimer>
#include <QMetaObject>
#include <QPointer>

#include <iterator>
#include <utility>

namespace ako {

namespace {

constexpr qint64 turnMilliseconds = 4;

} // namespace

// A timer of its own: an event, and a single shot of no time is one, would be taken before anything else has its turn.
Mailbox::Mailbox(QObject *parent)
    : QObject(parent)
{
    m_turn.setSingleShot(true);
    connect(&m_turn, &QTimer::timeout, this, &Mailbox::work);
}

void Mailbox::leave(std::function<void()> task)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_closed)
            return;
        m_tasks.push_back(std::move(task));
        if (m_tasks.size() > 1) // somebody has called already
            return;
    }
    QMetaObject::invokeMethod(this, "work", Qt::QueuedConnection);
}

void Mailbox::close()
{
    const std::lock_guard lock(m_mutex);
    m_closed = true;
    m_tasks.clear();
}

void Mailbox::work()
{
    std::vector<std::function<void()>> tasks;
    {
        const std::lock_guard lock(m_mutex);
        tasks.swap(m_tasks);
    }
    const QPointer<Mailbox> alive(this);
    QElapsedTimer clock;
    clock.start();
    for (auto task = tasks.begin(); task != tasks.end(); ++task) {
        if (alive && clock.elapsed() >= turnMilliseconds)
            return putBack({std::make_move_iterator(task), std::make_move_iterator(tasks.end())});
        (*task)();
    }
}

void Mailbox::putBack(std::vector<std::function<void()>> rest)
{
    const std::lock_guard lock(m_mutex);
    if (m_closed)
        return;
    const bool isCalled = !m_tasks.empty();
    m_tasks.insert(m_tasks.begin(), std::make_move_iterator(rest.begin()), std::make_move_iterator(rest.end()));
    if (!isCalled)
        m_turn.start(0);
}

} // namespace ako
