// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/thread.h"

#include <QThread>

#include <new>

namespace ako {

LoopThread::LoopThread(const std::function<Ports()> &ports)
    : m_thread(std::make_unique<QThread>())
{
    m_thread->setObjectName(QStringLiteral("loop"));
    m_engine = new LoopEngine(ports());
    m_tasks = new Mailbox;
    m_engine->moveToThread(m_thread.get());
    m_tasks->moveToThread(m_thread.get());
    connect(
        m_engine, &LoopEngine::happened, m_engine,
        [this](const RunEvent &told) { reply([this, told] { Q_EMIT happened(told); }); }, Qt::DirectConnection);
    connect(m_thread.get(), &QThread::finished, m_tasks, &QObject::deleteLater);
    connect(m_thread.get(), &QThread::finished, m_engine, &QObject::deleteLater);
    m_thread->start();
    if (!m_thread->isRunning()) // there would never be an answer
        throw std::bad_alloc();
}

LoopThread::~LoopThread()
{
    m_replies.close(); // whoever listens is going away
    m_tasks->close();
    m_thread->quit();
    m_thread->wait();
}

void LoopThread::post(std::function<void(LoopEngine &)> task)
{
    m_tasks->leave([engine = m_engine, task = std::move(task)] { task(*engine); });
}

void LoopThread::reply(std::function<void()> task)
{
    m_replies.leave(std::move(task));
}

} // namespace ako
