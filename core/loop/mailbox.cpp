// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/mailbox.h"

#include <QMetaObject>

#include <utility>

namespace ako {

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
    for (const auto &task : tasks)
        task();
}

} // namespace ako
