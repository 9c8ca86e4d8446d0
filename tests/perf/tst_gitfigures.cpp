// SPDX-License-Identifier: GPL-3.0-or-later
// Prints how long a commit and a walk through history take after 10 and after 1,000 iterations.
#include "git/repository.h"
#include "process/childprocess.h"
#include "support/scratchrepository.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <ctime>
#include <vector>

using ako::Repository;
using ako::test::ScratchRepository;

namespace {

double milliseconds(const QElapsedTimer &timer)
{
    return double(timer.nsecsElapsed()) / 1e6;
}

// The thread's own time: what is left of a figure when the machine is busy with other things.
double processorMilliseconds()
{
    timespec now = {};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

QString summary(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return QStringLiteral("median %1 ms, largest %2 ms of %3")
        .arg(values[values.size() / 2], 0, 'f', 2)
        .arg(values.back(), 0, 'f', 2)
        .arg(values.size());
}

QByteArray text(int seed, int lines)
{
    QByteArray result;
    for (int line = 0; line < lines; ++line)
        result += "    value[" + QByteArray::number(line) + "] = " + QByteArray::number(seed * 7919 + line) + ";\n";
    return result;
}

// What one iteration leaves: two trajectory folders (signal and verdict), a changed solution, a longer log.
QStringList writeIteration(const ScratchRepository &scratch, int number)
{
    const QByteArray source = text(number, 120);
    QStringList paths = {QStringLiteral("solution"), QStringLiteral("ITERATIONS.md")};
    scratch.write(QStringLiteral("solution/kernel.cpp"), source);
    scratch.write(QStringLiteral("ITERATIONS.md"), text(1, 20 * number + 20));
    for (const char *kind : {"iter-%1", "iter-%1-verdict"}) {
        const QString folder = QStringLiteral("trajectory/20250101-%2_%1")
                                   .arg(QString::fromLatin1(kind).arg(number), QString::number(100000 + number));
        scratch.write(folder + QStringLiteral("/solution/kernel.cpp"), source);
        scratch.write(folder + QStringLiteral("/solution/build.json"), "{\"flags\": [\"-O3\"]}\n");
        scratch.write(folder + QStringLiteral("/output.txt"), text(number, 40));
        scratch.write(folder + QStringLiteral("/result.json"), text(number, 100));
        scratch.write(folder + QStringLiteral("/iteration.json"), text(number, 60));
        paths.append(folder);
    }
    return paths;
}

} // namespace

class GitFigures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void commitAndLog();
    void childProcess();
};

void GitFigures::commitAndLog()
{
    const ScratchRepository scratch;
    scratch.write(QStringLiteral("solution/build.json"), "{\"flags\": [\"-O3\"]}\n");
    auto repository = Repository::open(scratch.path());
    QVERIFY(repository);
    std::vector<double> recent;
    std::vector<double> recentProcessor;
    for (int number = 1; number <= 1000; ++number) {
        const QStringList paths = writeIteration(scratch, number);
        QElapsedTimer timer;
        timer.start();
        const double before = processorMilliseconds();
        const auto id = repository->commitPaths(paths, QStringLiteral("[iter %1] try").arg(number));
        recent.push_back(milliseconds(timer));
        recentProcessor.push_back(processorMilliseconds() - before);
        QVERIFY2(id, id ? "" : qPrintable(id.error().text()));
        if (number == 10 || number == 1000) {
            const auto last = [](const std::vector<double> &all) {
                return std::vector<double>(all.end() - std::min<qsizetype>(qsizetype(all.size()), 50), all.end());
            };
            qInfo().noquote() << "commit after" << number << "iterations:" << summary(last(recent))
                              << "| processor:" << summary(last(recentProcessor));
        }
    }
    std::vector<double> walks;
    std::vector<double> reads;
    for (int round = 0; round < 5; ++round) {
        QElapsedTimer timer;
        timer.start();
        const auto log = Repository::open(scratch.path())->log();
        walks.push_back(milliseconds(timer));
        QCOMPARE(log->size(), 1000);
        timer.restart();
        for (int i = 0; i < 100; ++i)
            QVERIFY(repository->folderAt(log->at(i * 10).id, QStringLiteral("solution")));
        reads.push_back(milliseconds(timer) / 100);
    }
    qInfo().noquote() << "log of 1000 commits:" << summary(walks);
    qInfo().noquote() << "solution/ of one commit:" << summary(reads);
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(repository->status().value(), QStringList());
    qInfo().noquote() << "status after 1000 iterations:" << milliseconds(timer) << "ms";
    QCOMPARE(scratch.status(), QString());
}

void GitFigures::childProcess()
{
    ako::CommandSpec spec;
    spec.program = QStringLiteral("true");
    std::vector<double> values;
    for (int round = 0; round < 50; ++round) {
        QElapsedTimer timer;
        timer.start();
        QVERIFY(ako::runToEnd(spec).succeeded());
        values.push_back(milliseconds(timer));
    }
    qInfo().noquote() << "one child process:" << summary(values);
}

QTEST_GUILESS_MAIN(GitFigures)
#include "tst_gitfigures.moc"
