// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workspace/resolvedplan.h"

#include <QObject>
#include <QStringList>
#include <QTimer>

class QFileSystemWatcher;

namespace ako {

// Watches what a plan that waits for a person was read from: its files, and the folders that hold them, so that a file
// which is replaced by a rename, removed or made is seen too. Lives on the loop's thread.
class PlanWatch : public QObject
{
    Q_OBJECT

public:
    explicit PlanWatch(QObject *parent = nullptr);

    void follow(const ResolvedPlan &plan); // cheap where the plan names what is watched already
    void rest();

    static QStringList paths(const ResolvedPlan &plan); // absolute: files and folders that are there

Q_SIGNALS:
    void changed(); // once, when a burst of changes is over

private:
    QFileSystemWatcher *m_watcher = nullptr; // made on the thread that it works for
    QTimer m_settle{this};
};

} // namespace ako
