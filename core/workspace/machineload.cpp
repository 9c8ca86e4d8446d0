// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/machineload.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QThread>

#include <algorithm>
#include <unistd.h>

namespace ako {

namespace {

constexpr int shown = 3;

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::MachineLoad", text);
}

QByteArray read(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.read(64LL * 1024) : QByteArray();
}

struct Sample
{
    quint64 busy = 0;
    QHash<int, ProcessTicks> processes;
};

Sample look()
{
    Sample sample{busyTicksIn(read(QStringLiteral("/proc/stat"))), {}};
    const QStringList folders = QDir(QStringLiteral("/proc")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString &folder : folders) {
        bool isProcess = false;
        const int pid = folder.toInt(&isProcess);
        if (!isProcess)
            continue;
        if (auto ticks = processTicksIn(read(QStringLiteral("/proc/%1/stat").arg(pid))))
            sample.processes.insert(pid, *ticks);
    }
    return sample;
}

quint64 used(const Sample &before, const Sample &after, int pid)
{
    const quint64 then = before.processes.value(pid).ticks;
    const quint64 now = after.processes.value(pid).ticks;
    return now > then ? now - then : 0;
}

QStringList heaviestBetween(const Sample &before, const Sample &after, double ticks)
{
    QList<std::pair<double, int>> shares;
    for (auto process = after.processes.cbegin(); process != after.processes.cend(); ++process) {
        const double share = double(used(before, after, process.key())) / ticks;
        if (process.key() != ::getpid() && before.processes.contains(process.key()) && share > 0.1)
            shares.append({share, process.key()});
    }
    std::ranges::sort(shares, std::greater<>());
    QStringList lines;
    for (qsizetype i = 0; i < std::min<qsizetype>(shares.size(), shown); ++i)
        lines << tr("%1 (pid %2) %3 %")
                     .arg(after.processes.value(shares.at(i).second).name)
                     .arg(shares.at(i).second)
                     .arg(qRound(100.0 * shares.at(i).first));
    return lines;
}

} // namespace

quint64 busyTicksIn(const QByteArray &stat)
{
    const QList<QByteArray> words = stat.left(stat.indexOf('\n')).simplified().split(' ');
    if (words.isEmpty() || words.first() != "cpu")
        return 0;
    quint64 busy = 0;
    for (qsizetype i = 1; i < std::min<qsizetype>(words.size(), 9); ++i) { // guest time is in user time already
        if (i != 4 && i != 5)                                              // idle, waiting for a disk
            busy += words.at(i).toULongLong();
    }
    return busy;
}

std::optional<ProcessTicks> processTicksIn(const QByteArray &stat)
{
    // The name stands in parentheses and may hold any character.
    const qsizetype open = stat.indexOf('(');
    const qsizetype close = stat.lastIndexOf(')');
    const QList<QByteArray> words = stat.mid(close + 1).simplified().split(' ');
    if (open < 0 || close < open || words.size() < 13)
        return std::nullopt;
    return ProcessTicks{QString::fromUtf8(stat.mid(open + 1, close - open - 1)),
                        words.at(11).toULongLong() + words.at(12).toULongLong()};
}

bool MachineLoad::isTooHigh() const
{
    return busyCores >= std::max(0.5, 0.25 * cores);
}

MachineLoad measureMachineLoad(int milliseconds)
{
    MachineLoad load;
    load.cores = std::max(1, QThread::idealThreadCount());
    load.average = read(QStringLiteral("/proc/loadavg")).split(' ').value(0).toDouble();
    load.governor =
        QString::fromUtf8(read(QStringLiteral("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")).trimmed());
    const Sample before = look();
    QElapsedTimer clock;
    clock.start();
    QThread::msleep(static_cast<unsigned long>(milliseconds));
    const Sample after = look();
    const double ticks = double(clock.elapsed()) / 1000.0 * double(::sysconf(_SC_CLK_TCK));
    const quint64 own = used(before, after, ::getpid());
    const quint64 all = after.busy > before.busy ? after.busy - before.busy : 0;
    load.busyCores = double(all > own ? all - own : 0) / std::max(1.0, ticks);
    load.heaviest = heaviestBetween(before, after, std::max(1.0, ticks));
    return load;
}

std::optional<Error> loadLack(const MachineLoad &load)
{
    if (!load.isTooHigh())
        return std::nullopt;
    const QString who =
        load.heaviest.isEmpty() ? QString() : tr(", first of all %1").arg(load.heaviest.join(QStringLiteral(", ")));
    return Error{tr("This machine is too busy to measure well: others use %1 of %2 cores%3; load average %4")
                     .arg(QString::number(load.busyCores, 'f', 1), QString::number(load.cores), who,
                          QString::number(load.average, 'f', 1)),
                 tr("End or pause them, or measure later: the noise hides small gains")};
}

} // namespace ako
