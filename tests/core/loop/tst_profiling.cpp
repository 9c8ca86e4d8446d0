// SPDX-License-Identifier: GPL-3.0-or-later
// The loop's profile of a CUDA kernel, with a script in the evaluator's place.
#include "loop/profiling.h"
#include "profile/counterprofile.h"
#include "profile/workmodelprofiler.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace ako;

namespace {

const QByteArray profiled =
    R"({"schema": "ako.result/1", "status": "OK", "profile": {"level": "ncu", "workload": "main",
 "skipped": [], "summary": ["work: 12 us under the profiler", "  Memory decides: move fewer bytes."]}})";

void write(const QString &path, const QByteArray &text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
}

QByteArray problem(const char *device)
{
    return QByteArray(R"({"schema": "ako.problem/1", "name": "p", "device": ")") + device + R"(",
 "axes": {"n": {"type": "var"}}, "inputs": {"x": {"shape": ["n"], "dtype": "float32"}},
 "outputs": {"y": {"shape": ["n"], "dtype": "float32"}}, "entry": {"symbol": "run", "args": ["x", "y", "n"]},
 "reference": {"source": "reference.cu"}, "workloads": [{"id": "main", "axes": {"n": 8}}]})";
}

// Writes what AKO's evaluator would write where --json says, after `before`.
QByteArray script(const QByteArray &before, const QByteArray &json)
{
    return "#!/bin/sh\necho \"$@\" > called.txt\n" + before +
           "\nwhile [ \"$1\" != --json ]; do shift; done\ncat > \"$2\" <<'END'\n" + json + "\nEND\n";
}

ResolvedPlan planOfAProblem()
{
    ResolvedPlan plan;
    plan.problemFile = QStringLiteral("problem.json");
    plan.referenceFile = QStringLiteral("reference.cu");
    return plan;
}

// With the program "bench" of the folder as the evaluator.
struct Run
{
    explicit Run(const QTemporaryDir &folder)
    {
        session.workspace = folder.path();
        session.benchProgram = folder.filePath(QStringLiteral("bench"));
        ports.profiler = std::make_unique<WorkModelProfiler>();
        QObject::connect(&profiling, &Profiling::profiled, &profiling,
                         [this](const ProfileReport &report) { reports << report; });
    }

    Session session;
    Ports ports;
    Profiling profiling{session, ports, nullptr};
    QList<ProfileReport> reports;
};

} // namespace

class TestProfiling : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void profiles_data();
    void profiles();
    void canBeStopped();
    void tellsWhatIsWritten_data();
    void tellsWhatIsWritten();
    void findsTheNewest();
};

void TestProfiling::profiles_data()
{
    QTest::addColumn<QByteArray>("problemText");
    QTest::addColumn<QByteArray>("bench");
    QTest::addColumn<bool>("mayRun");
    QTest::addColumn<int>("level");
    QTest::addColumn<QString>("words");
    QTest::addColumn<bool>("called");
    const int none = int(ProfileLevel::None), counters = int(ProfileLevel::Counters);
    QTest::newRow("a CUDA kernel") << problem("cuda") << script({}, profiled) << true << counters
                                   << QStringLiteral("Memory decides") << true;
    QTest::newRow("a kernel on the CPU") << problem("cpu") << script({}, profiled) << true << none
                                         << QStringLiteral("no work model") << false;
    QTest::newRow("a hint against it") << problem("cuda") << script({}, profiled) << false << none
                                       << QStringLiteral("no work model") << false;
    QTest::newRow("no such program") << problem("cuda") << QByteArray() << true << none
                                     << QStringLiteral("could not be profiled") << false;
    QTest::newRow("it fails") << problem("cuda") << script("exit 3", {}) << true << none
                              << QStringLiteral("could not be profiled") << true;
    QTest::newRow("its message") << problem("cuda")
                                 << script({}, R"({"status": "NO_COMPILER", "message": "No nvcc was found"})") << true
                                 << none << QStringLiteral("No nvcc was found") << true;
    QTest::newRow("a broken problem") << QByteArray("{") << script({}, profiled) << true << none
                                      << QStringLiteral("no work model") << false;
}

void TestProfiling::profiles()
{
    QFETCH(QByteArray, problemText);
    QFETCH(QByteArray, bench);
    QFETCH(bool, mayRun);
    QFETCH(int, level);
    QFETCH(QString, words);
    QFETCH(bool, called);
    const QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("trajectory/20261201-000000_baseline")));
    write(folder.filePath(QStringLiteral("problem.json")), problemText);
    if (!bench.isEmpty())
        write(folder.filePath(QStringLiteral("bench")), bench);
    Run run(folder);
    run.profiling.start({IterationRecord{}, QStringLiteral("trajectory/20261201-000000_baseline"), mayRun},
                        planOfAProblem());
    QTRY_COMPARE_WITH_TIMEOUT(run.reports.size(), 1, 20000);
    QCOMPARE(int(run.reports.first().level), level);
    QVERIFY2(run.reports.first().summary.contains(words), qPrintable(run.reports.first().summary));
    QCOMPARE(QFile::exists(folder.filePath(QStringLiteral("called.txt"))), called);
    if (level == int(ProfileLevel::Counters))
        QVERIFY(QFile::exists(folder.filePath(QStringLiteral("trajectory/20261201-000000_baseline/profile.json"))));
}

void TestProfiling::canBeStopped()
{
    const QTemporaryDir folder;
    write(folder.filePath(QStringLiteral("problem.json")), problem("cuda"));
    write(folder.filePath(QStringLiteral("bench")), "#!/bin/sh\necho begun > called.txt\nexec sleep 600\n");
    Run run(folder);
    run.profiling.start({IterationRecord{}, QStringLiteral("trajectory/x"), true}, planOfAProblem());
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(folder.filePath(QStringLiteral("called.txt"))), 20000);
    run.profiling.stop();
    QTRY_COMPARE_WITH_TIMEOUT(run.reports.size(), 1, 20000);
    QVERIFY(!run.reports.first().summary.contains(QStringLiteral("could not be profiled")));
}

void TestProfiling::tellsWhatIsWritten_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("level");
    QTest::addColumn<QString>("words");
    const int before = int(ProfileLevel::WorkModel);
    const auto at = [](const QByteArray &profile) { return QByteArray(R"({"profile": )") + profile + "}"; };
    QTest::newRow("counters") << profiled << int(ProfileLevel::Counters) << QStringLiteral("hardware counters (ncu)");
    QTest::newRow("trace") << at(R"({"level": "cupti", "summary": []})") << int(ProfileLevel::Trace)
                           << QStringLiteral("CUPTI");
    QTest::newRow("compiler") << at(R"({"level": "compiler", "summary": ["work", "  64 registers"]})")
                              << int(ProfileLevel::Compiler) << QStringLiteral("64 registers");
    QTest::newRow("left out") << at(R"({"level": "none", "skipped": [{"level": "ncu", "reason": "ERR_NVGPUCTRPERM",
        "remedy": "sudo reboot"}]})")
                              << before << QStringLiteral("sudo reboot");
    QTest::newRow("nothing") << QByteArray() << before << QStringLiteral("could not be profiled");
    QTest::newRow("no object") << QByteArray("[1]") << before << QStringLiteral("could not be profiled");
    QTest::newRow("odd types") << at(R"({"level": 3, "summary": [1, {}, null], "skipped": [1, {"level": []}]})")
                               << before << QStringLiteral("work model");
}

void TestProfiling::tellsWhatIsWritten()
{
    QFETCH(QByteArray, text);
    QFETCH(int, level);
    QFETCH(QString, words);
    const FloorFigure figure{QStringLiteral("main"), 1.0, 0.5, 0.7};
    const ProfileReport report =
        withCounters({ProfileLevel::WorkModel, {figure}, QStringLiteral("Profile level: work model")}, text);
    QCOMPARE(int(report.level), level);
    QVERIFY2(report.summary.contains(words), qPrintable(report.summary));
    QVERIFY(report.summary.contains(QStringLiteral("work model"))); // what was known stays
}

void TestProfiling::findsTheNewest()
{
    const QTemporaryDir folder;
    QVERIFY(keptProfile(folder.path()).isEmpty());
    for (const char *name : {"20261201-000000_baseline", "20261201-000200_iter-2", "20261201-000100_iter-1"})
        QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("trajectory/") + QString::fromLatin1(name)));
    write(folder.filePath(QStringLiteral("trajectory/20261201-000000_baseline/profile.json")), "first");
    QCOMPARE(keptProfile(folder.path()), QByteArray("first"));
    write(folder.filePath(QStringLiteral("trajectory/20261201-000100_iter-1/profile.json")), "second");
    QCOMPARE(keptProfile(folder.path()), QByteArray("second"));
}

QTEST_GUILESS_MAIN(TestProfiling)
#include "tst_profiling.moc"
