// SPDX-License-Identifier: GPL-3.0-or-later
// What an agent or a person's own bench may leave in solution/, and calls that have nothing to do: none of it ends a
// run, doubles an iteration or changes what nobody asked to change.
#include "loop/engine.h"

#include "support/loopworkspace.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

using namespace ako;
using namespace ako::test;
using Why = event::RunStopped::Why;

class TestOddDisturbances : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void candidateThatCannotBeRead_data();
    void candidateThatCannotBeRead();
    void filesThatACustomBenchLeaves_data();
    void filesThatACustomBenchLeaves();
    void editDuringACustomBenchStays();
    void nothingToDoChangesNothing_data();
    void nothingToDoChangesNothing();
    void anotherPlanSaysWhatIsAnother();
    void outputSentIntoTheWorkspaceStays_data();
    void outputSentIntoTheWorkspaceStays();
    void smallerCapIsTold_data();
    void smallerCapIsTold();
};

void TestOddDisturbances::init()
{
    isolateGitConfiguration();
    resetFakes();
}

void TestOddDisturbances::candidateThatCannotBeRead_data()
{
    QTest::addColumn<QString>("what");
    for (const char *what : {"name", "name of a folder", "file in its place", "link in its place", "too deep"})
        QTest::newRow(what) << QString::fromLatin1(what);
}

namespace {

bool leave(const QString &what, const QByteArray &solution)
{
    if (what.startsWith(QLatin1String("name"))) {
        const QByteArray path = solution + "/k\xfc.cpp";
        if (what.endsWith(QLatin1String("folder")))
            return ::mkdir(path.constData(), 0755) == 0;
        return ::symlink("kernel.cpp", path.constData()) == 0;
    }
    if (what == QLatin1String("too deep")) {
        QByteArray path = solution;
        for (int depth = 0; depth < 120; ++depth) {
            path += "/d";
            if (::mkdir(path.constData(), 0755) != 0)
                return false;
        }
        return true;
    }
    if (!QDir(QFile::decodeName(solution)).removeRecursively())
        return false;
    if (what.startsWith(QLatin1String("link")))
        return ::symlink("/tmp", solution.constData()) == 0;
    QFile file(QFile::decodeName(solution));
    return file.open(QIODevice::WriteOnly) && file.write("mine\n") == 5;
}

} // namespace

void TestOddDisturbances::candidateThatCannotBeRead()
{
    QFETCH(QString, what);
    const Workspace workspace;
    bool isLeft = true;
    ScriptedAgent::afterTurn = [&](const ProposalRequest &request) {
        if (request.iteration == 1)
            isLeft = leave(what, QFile::encodeName(request.solutionDirectory));
    };
    const auto driver = started(workspace, {kernel(8.0), kernel(6.0)});
    FakePlanner::iterationCap = 2;
    driver->engine.handle(intent::ChangePlan{QString::fromLatin1(planKey::iterationCap), QStringLiteral("2")});
    driver->settle();
    const event::RunStopped stopped = driver->until(intent::Run{});
    if (!isLeft)
        QSKIP("this file system takes no such name");
    QVERIFY2(stopped.why == Why::CapReached, qPrintable(stopped.reason + driver->notices()));
    const QList<IterationRecord> &records = driver->engine.state().records;
    const IterationRecord &failed = records.at(1);
    QCOMPARE(int(failed.status), int(IterationStatus::Failed));
    QVERIFY2(failed.statusReason.contains(QStringLiteral("cannot be benched")), qPrintable(failed.statusReason));
    QCOMPARE(int(records.at(2).status), int(IterationStatus::Improved));
    QVERIFY(driver->notices().contains(QStringLiteral(".ako/quarantine/iter-1")));
    struct stat aside = {};
    const QString place = workspace.repository.path() + QStringLiteral("/.ako/quarantine/iter-1/solution");
    QVERIFY(::lstat(QFile::encodeName(place).constData(), &aside) == 0);
    QCOMPARE(workspace.subjects().mid(2, 2),
             QStringList({QStringLiteral("[iter 1] try 1"), QStringLiteral("[iter 2] try 2")}));
}

void TestOddDisturbances::filesThatACustomBenchLeaves_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<bool>("fails"); // the first baseline
    for (const char *file : {"kernel.o", "__pycache__/kernel.pyc"}) {
        QTest::addRow("%s", file) << QString::fromLatin1(file) << false;
        QTest::addRow("%s, the baseline fails", file) << QString::fromLatin1(file) << true;
    }
}

void TestOddDisturbances::filesThatACustomBenchLeaves()
{
    QFETCH(QString, file);
    QFETCH(bool, fails);
    FakePlanner::evaluator = EvaluatorKind::Custom;
    const Workspace workspace(fails ? kernel(10.0, "// wrong\n") : kernel(10.0));
    const QString product = QStringLiteral("solution/") + file;
    int built = 0;
    FakeBench::whileBenching = [&](const QString &) {
        workspace.repository.write(product, QByteArray::number(++built));
    };
    LoopDriver driver(fakePorts(turns({kernel(8.0), kernel(6.0)})));
    prepare(driver);
    driver.engine.handle(workspace.open());
    driver.settle();
    event::RunStopped stopped = driver.until(intent::Approve{});
    if (fails) {
        QCOMPARE(stopped.exitCode, 5);
        workspace.repository.write(QStringLiteral("kernel.cpp"), kernel(10.0));
        driver.engine.handle(intent::Close{});
        driver.engine.handle(workspace.open());
        driver.settle();
        QVERIFY2(!driver.engine.state().plan.hasOpenQuestions(), qPrintable(driver.notices()));
        stopped = driver.until(intent::Step{});
    } else {
        stopped = driver.until(intent::Step{});
    }
    QVERIFY2(stopped.exitCode == 0, qPrintable(driver.notices()));
    driver.until(intent::Step{});
    for (const QString &subject : workspace.subjects())
        QVERIFY2(!subject.contains(QStringLiteral("Edit by hand")), qPrintable(subject));
    QVERIFY(driver.engine.state().find(1) != nullptr);
    QVERIFY(!workspace.repository.exists(product));
    QCOMPARE(workspace.repository.read(QStringLiteral(".ako/bench-products/") + file), QByteArray::number(built));
    const int openings = fails ? 2 : 1;
    QCOMPARE(driver.notices().count(QStringLiteral("bench-products")), openings); // told once each time
}

// What was measured is another now: that is a person's.
void TestOddDisturbances::editDuringACustomBenchStays()
{
    FakePlanner::evaluator = EvaluatorKind::Custom;
    const Workspace workspace;
    const auto driver = started(workspace, {kernel(8.0)});
    FakeBench::whileBenching = [&](const QString &label) {
        if (label != QLatin1String("iter-1"))
            return;
        workspace.edit(kernel(7.0, "// mine\n"));
        workspace.repository.write(QStringLiteral("solution/mine.h"), "// mine\n");
    };
    driver->until(intent::Step{});
    QCOMPARE(workspace.solution(), kernel(7.0, "// mine\n"));
    QVERIFY(workspace.repository.exists(QStringLiteral("solution/mine.h")));
}

Q_DECLARE_METATYPE(ako::LoopEvent)

void TestOddDisturbances::nothingToDoChangesNothing_data()
{
    QTest::addColumn<LoopEvent>("intent");
    QTest::addColumn<int>("exitCode");
    QTest::newRow("iterate") << LoopEvent(intent::BenchEdit{QStringLiteral("nothing"), {}, {}}) << 1;
    QTest::newRow("restore what there is not") << LoopEvent(intent::Restore{9}) << 1;
    QTest::newRow("revert what there is not") << LoopEvent(intent::Revert{9}) << 1;
    QTest::newRow("revert the baseline") << LoopEvent(intent::Revert{0}) << 1;
    QTest::newRow("finish again") << LoopEvent(intent::Finish{}) << 0;
}

void TestOddDisturbances::nothingToDoChangesNothing()
{
    QFETCH(LoopEvent, intent);
    QFETCH(int, exitCode);
    const Workspace workspace;
    {
        const auto driver = started(workspace, {kernel(8.0)});
        driver->until(intent::Step{});
        driver->until(intent::Finish{});
        driver->engine.handle(intent::Close{});
    }
    const ScratchRepository &repository = workspace.repository;
    repository.git({QStringLiteral("checkout"), QStringLiteral("-q"), QStringLiteral("-b"), QStringLiteral("mine")});
    const QString status = repository.status();
    LoopDriver driver(fakePorts({}));
    prepare(driver);
    driver.engine.handle(workspace.open());
    driver.settle();
    QCOMPARE(driver.until(intent).exitCode, exitCode);
    QCOMPARE(repository.git({QStringLiteral("branch"), QStringLiteral("--show-current")}), QStringLiteral("mine"));
    QCOMPARE(repository.status(), status);
    QVERIFY(!driver.notices().contains(QStringLiteral("commits to branch")));
}

// No file has changed, but a later program, or an answer, makes something else of them.
void TestOddDisturbances::anotherPlanSaysWhatIsAnother()
{
    const Workspace workspace;
    started(workspace, {})->engine.handle(intent::Close{});
    workspace.repository.write(QStringLiteral("other.cpp"), reference);
    FakePlanner::reference = QStringLiteral("other.cpp");
    LoopDriver driver(fakePorts({}));
    prepare(driver);
    driver.engine.handle(workspace.open());
    driver.settle();
    QVERIFY2(!driver.engine.state().approved, qPrintable(driver.engine.state().plan.referenceFile + driver.notices()));
    QVERIFY2(driver.notices().contains(
                 QStringLiteral("Reference: other.cpp is in the plan now, where reference.cpp was approved")),
             qPrintable(driver.notices()));
}

void TestOddDisturbances::outputSentIntoTheWorkspaceStays_data()
{
    QTest::addColumn<bool>("isOurs");
    QTest::newRow("this program's own") << true;
    QTest::newRow("somebody else's") << false;
}

// ako4all run . 2> run.log: it grows while an agent has its turn.
void TestOddDisturbances::outputSentIntoTheWorkspaceStays()
{
    QFETCH(bool, isOurs);
    const Workspace workspace;
    const auto driver = started(workspace, {kernel(8.0)});
    workspace.repository.write(QStringLiteral("run.log"), "begun\n");
    QFile log(workspace.repository.path() + QStringLiteral("/run.log"));
    QVERIFY(log.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered));
    const int terminal = ::dup(STDERR_FILENO);
    ScriptedAgent::afterTurn = [&](const ProposalRequest &) { log.write("more\n"); };
    if (isOurs)
        ::dup2(log.handle(), STDERR_FILENO);
    driver->until(intent::Step{});
    ::dup2(terminal, STDERR_FILENO);
    ::close(terminal);
    QCOMPARE(driver->notices().contains(QStringLiteral("run.log")), !isOurs);
    QCOMPARE(workspace.repository.read(QStringLiteral("run.log")).contains("more"), isOurs);
}

void TestOddDisturbances::smallerCapIsTold_data()
{
    QTest::addColumn<QString>("hint");
    QTest::addColumn<QString>("cap");
    QTest::addColumn<QString>("told");
    QTest::newRow("HINTS.md holds") << QStringLiteral("- stop after 3 iterations\n") << QStringLiteral("10")
                                    << QStringLiteral("HINTS.md's cap of 3 iterations holds");
    QTest::newRow("the plan holds") << QStringLiteral("- stop after 30 iterations\n") << QStringLiteral("10")
                                    << QStringLiteral("the plan's cap of 10 iterations holds");
    QTest::newRow("the same") << QStringLiteral("- stop after 10 iterations\n") << QStringLiteral("10") << QString();
    QTest::newRow("only one") << QString() << QStringLiteral("10") << QString();
}

// As a warning with what to do about it, which the window shows, and no second time at the next boundary.
void TestOddDisturbances::smallerCapIsTold()
{
    QFETCH(QString, hint);
    QFETCH(QString, cap);
    QFETCH(QString, told);
    const Workspace workspace;
    const auto driver = started(workspace, {kernel(8.0), kernel(6.0)});
    const QString hints = QStringLiteral("HINTS.md");
    workspace.repository.write(hints, workspace.repository.read(hints) + '\n' + hint.toUtf8());
    driver->until(intent::Step{});
    driver->events.clear();
    driver->engine.handle(intent::ChangePlan{QString::fromLatin1(planKey::iterationCap), cap});
    driver->settle();
    QStringList warnings;
    for (const event::Notice &notice : driver->all<event::Notice>()) {
        if (notice.severity == Severity::Warning && !notice.remedy.isEmpty())
            warnings << notice.text;
    }
    QCOMPARE(warnings.size(), told.isEmpty() ? 0 : 1);
    QVERIFY(told.isEmpty() || warnings.first().startsWith(told));
    driver->events.clear();
    driver->until(intent::Step{});
    QVERIFY2(!driver->notices().contains(QStringLiteral("holds")), qPrintable(driver->notices()));
}

QTEST_GUILESS_MAIN(TestOddDisturbances)
#include "tst_odddisturbances.moc"
