// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QHash>
#include <QProcess>
#include <QString>
#include <QStringList>

namespace ako::test {

// The real program with its window, in a home of its own, ended when this goes.
class WindowProcess
{
public:
    struct Memory
    {
        double residentMegabytes = 0.0;
        double ownMegabytes = 0.0;
        double fileMegabytes = 0.0; // libraries and the like
        double peakMegabytes = 0.0;
    };

    WindowProcess();
    ~WindowProcess();

    static bool hasDisplay();
    void start(const QStringList &arguments);
    // What AKO_TRACE_STARTUP has it say: from before its start until then; negative while it has not.
    double secondsTo(const QString &line) const { return m_lines.value(line, -1.0); }
    bool isSettled(); // has used no processor time for half a second
    Memory memory() const;

private:
    qint64 processorTicks() const;

    QProcess m_process;
    QElapsedTimer m_sinceStart;
    QElapsedTimer m_quiet;
    qint64 m_ticks = -1;
    QHash<QString, double> m_lines;
};

} // namespace ako::test
