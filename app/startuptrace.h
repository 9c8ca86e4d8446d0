// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace ako {

class RunStore;

// With AKO_TRACE_STARTUP=1 in the environment, says on standard error when the window's first content has gone to the
// screen ("AKO_TRACE first-paint") and when a timeline has ("AKO_TRACE timeline 1001"). tests/perf measures by it.
class StartupTrace : public QObject
{
    Q_OBJECT

public:
    static void install(QWidget &window, const RunStore &store); // nothing, unless asked for

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    StartupTrace(QWidget &window, const RunStore &store);
    void say();

    const RunStore &m_store;
    qsizetype m_told = -1; // records that were on the screen; -1: nothing was
    bool m_waits = false;
};

} // namespace ako
