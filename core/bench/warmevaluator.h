// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "process/childprocess.h"

#include <QByteArray>
#include <QString>
#include <QTemporaryDir>

#include <memory>

namespace ako {

// A process with torch imported that the benches of a KernelBench workspace start from: importing it is most of a short
// bench. It is the workspace's own evaluator (bench.py --serve), holds no kernel and no GPU, and ends by itself when
// idle. For one thread: the one that starts the benches.
class WarmEvaluator
{
public:
    // The socket that a bench of this workspace finds in AKO_KERNELBENCH_SERVER; starts the process where it is not
    // running, and anew where the evaluator has changed. Empty for another kind of workspace.
    QString socketFor(const QString &workspace);

private:
    void start(const QString &workspace, const QString &interpreter);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<ChildProcess> m_process;
    QByteArray m_key; // of what is running: interpreter and evaluator
    int m_started = 0;
};

} // namespace ako
