// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/thread.h"

#include <QMetaObject>
#include <QThread>

namespace ako {

LoopThread::LoopThread(std::function<Ports()> ports)
    : m_thread(std::make_unique<QThread>())
{
    m_thread->setObjectName(QStringLiteral("loop"));
    m_engine = new LoopEngine(ports());
    m_engine->moveToThread(m_thread.get());
    connect(m_engine, &LoopEngine::event, this, &LoopThread::event, Qt::DirectConnection);
    connect(m_thread.get(), &QThread::finished, m_engine, &QObject::deleteLater);
    m_thread->start();
}

LoopThread::~LoopThread()
{
    // Nothing is told any more: whoever listens is going away.
    disconnect(m_engine, &LoopEngine::event, this, &LoopThread::event);
    post([](LoopEngine &engine) { engine.handle(intent::Close{}); });
    m_thread->quit();
    m_thread->wait();
}

void LoopThread::post(std::function<void(LoopEngine &)> task)
{
    QMetaObject::invokeMethod(
        m_engine, [engine = m_engine, task = std::move(task)] { task(*engine); }, Qt::QueuedConnection);
}

} // namespace ako
