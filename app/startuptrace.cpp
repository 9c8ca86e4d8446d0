// SPDX-License-Identifier: GPL-3.0-or-later
#include "startuptrace.h"

#include "history/runstore.h"

#include <QEvent>
#include <QTimer>
#include <QWidget>

#include <cstdio>

namespace ako {

void StartupTrace::install(QWidget &window, const RunStore &store)
{
    if (qEnvironmentVariableIntValue("AKO_TRACE_STARTUP") == 1)
        new StartupTrace(window, store); // goes with the window
}

StartupTrace::StartupTrace(QWidget &window, const RunStore &store)
    : QObject(&window)
    , m_store(store)
{
    window.installEventFilter(this);
}

// Both come before what is painted has been handed to the window system; the event loop is back after it.
bool StartupTrace::eventFilter(QObject *watched, QEvent *event)
{
    const bool paints = event->type() == QEvent::Paint || event->type() == QEvent::UpdateRequest;
    if (paints && !m_waits && m_told != m_store.records().size()) {
        m_waits = true;
        QTimer::singleShot(0, this, &StartupTrace::say);
    }
    return QObject::eventFilter(watched, event);
}

void StartupTrace::say()
{
    m_waits = false;
    if (m_told < 0)
        std::fputs("AKO_TRACE first-paint\n", stderr);
    m_told = m_store.records().size();
    if (m_told > 0)
        std::fprintf(stderr, "AKO_TRACE timeline %lld\n", static_cast<long long>(m_told));
    std::fflush(stderr);
}

} // namespace ako
