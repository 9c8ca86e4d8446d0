// SPDX-License-Identifier: GPL-3.0-or-later
// The engine with real git and history, a scripted agent and a bench that measures by the words in the sources.
#include "loop/engine.h"

#include "history/historyreader.h"
#include "history/iterationslog.h"
#include "history/recordjson.h"
#include "support/loopworkspace.h"
#include "workspace/approval.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <cstdio>
#include <sys/stat.h>
#include <unistd.h>

using namespace ako;
using namespace ako::test;
using Why = event::RunStopped::Why;

namespace {

QByteArray solutionAt(const Workspace &workspace, const QString &commit)
{
    return workspace.repository.git({QStringLiteral("show"), commit + QStringLiteral(":solution/kernel.cpp")})
               .toUtf8() +
           '\n';
}

} // namespace

class TestEngine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void wholeRun();
    void finishedIsNotMeasuredAgain();
    void planIsShownBeforeAnythingIsWritten();
    void baselineNotCorrect();
    void mendedBeforeTheBaseline_data();
    void mendedBeforeTheBaseline();
    void foreignSolution_data();
    void foreignSolution();
    void copyThatAPersonMade();
    void cannotCommitHere_data();
    void cannotCommitHere();
    void refusedBeforeTheBranch_data();
    void refusedBeforeTheBranch();
    void makesTheRepository();
    void branchIsTaken();
    void identityIsSetForThisRepositoryOnly();
    void oneInstance();
    void candidatesStartFromTheChampion();
    void editByHandIsBenchedAndKept();
    void editWhileBenchingIsKept();
    void iterate();
    void iterateWithoutAnEdit();
    void titlesAreOneCleanLine();
    void namesThatAreNoText_data();
    void namesThatAreNoText();
    void historyNeedsNoPlan();
    void stopWhileBenching_data();
    void stopWhileBenching();
    void stopWhileProposing();
    void pauseAndResume();
    void harnessChange_data();
    void harnessChange();
    void harnessMadeFromSomethingElse_data();
    void harnessMadeFromSomethingElse();
    void harnessChangeBeforeTheBaseline_data();
    void harnessChangeBeforeTheBaseline();
    void hintsAreSeenAtTheBoundary();
    void writesOutsideSolution();
    void gitOfAnAgent_data();
    void gitOfAnAgent();
    void frozenFile();
    void benchOfAnAgent_data();
    void benchOfAnAgent();
    void restore();
    void measureAgain();
    void notesAreKept();
    void numbersStandBesideTheParents();
    void revert();
    void editsKnowWhatTheyWereMadeFrom();
    void cannotBeReverted_data();
    void cannotBeReverted();
    void revertConflict();
    void stallAndExhaustion();
    void reopened();
    void goesOnWhenItsRecordsAreGone_data();
    void goesOnWhenItsRecordsAreGone();
    void reads();
};

void TestEngine::init()
{
    isolateGitConfiguration();
    resetFakes();
}

void TestEngine::wholeRun()
{
    Workspace workspace;
    workspace.repository.write(QStringLiteral("notes.txt"), "two and more\n");
    workspace.repository.write(QStringLiteral("staged.txt"), "staged\n");
    workspace.repository.git({QStringLiteral("add"), QStringLiteral("staged.txt")});
    FakePlanner::iterationCap = 4;
    auto driver = started(workspace, {kernel(8.0), kernel(12.0), kernel(7.0, "// wrong\n"), kernel(5.0)});
    const event::RunStopped stopped = driver->until(intent::Run{});
    QVERIFY2(stopped.why == Why::CapReached, qPrintable(stopped.reason + driver->notices()));
    QCOMPARE(stopped.exitCode, 0);
    const QStringList subjects = workspace.subjects();
    QCOMPARE(subjects.size(), 7);
    QVERIFY(subjects.at(1).startsWith(QStringLiteral("[baseline]")));
    QCOMPARE(subjects.at(2), QStringLiteral("[iter 1] try 1"));
    QCOMPARE(subjects.at(5), QStringLiteral("[iter 4] try 4"));
    QVERIFY2(subjects.at(6).startsWith(QStringLiteral("[final] Restore iter-4 (2.00x)")), qPrintable(subjects.at(6)));
    QCOMPARE(FakeBench::labels.join(QLatin1Char(' ')),
             QStringLiteral("baseline iter-1 iter-1-verdict iter-2 iter-3 iter-4 iter-4-verdict final"));
    QCOMPARE(workspace.solution(), kernel(5.0));
    const auto log = IterationsLog::load(workspace.repository.path());
    QVERIFY(log);
    QStringList statuses;
    for (const LogEntry &entry : log->entries())
        statuses << entry.status;
    QVERIFY2(statuses.join(QLatin1Char(' ')).contains(QStringLiteral("improved regression failed improved")),
             qPrintable(statuses.join(QLatin1Char(' '))));
    QVERIFY(log->text().contains("analysis of 1"));
    QVERIFY(log->text().contains("cap of 4 iterations"));
    // What is the user's stays as it was, staged and unstaged.
    const QString status = workspace.repository.git({QStringLiteral("status"), QStringLiteral("--porcelain")});
    QVERIFY2(status.contains(QStringLiteral(" M notes.txt")) && status.contains(QStringLiteral("A  staged.txt")),
             qPrintable(status));
    QCOMPARE(driver->all<event::ChampionChanged>().last().iteration, 4);
    QCOMPARE(int(driver->all<event::PhaseChanged>().last().phase), int(Phase::Finished));
}

void TestEngine::finishedIsNotMeasuredAgain()
{
    Workspace workspace;
    auto driver = started(workspace, {kernel(8.0), kernel(5.0)});
    driver->until(intent::Step{});
    QCOMPARE(driver->until(intent::Finish{}).exitCode, 0);
    const QStringList subjects = workspace.subjects();
    QVERIFY(subjects.last().startsWith(QStringLiteral("[final] Restore iter-1")));
    const QStringList labels = FakeBench::labels;

    driver = std::make_unique<LoopDriver>(fakePorts(turns({kernel(8.0), kernel(5.0)}))); // by another process, too
    prepare(*driver);
    driver->engine.handle(workspace.open());
    driver->settle();
    for (int round = 0; round < 2; ++round) {
        const event::RunStopped again = driver->until(intent::Finish{});
        QCOMPARE(int(again.why), int(Why::Finished));
        QCOMPARE(again.exitCode, 0);
        QVERIFY2(again.reason.startsWith(QStringLiteral("finished already: restored iteration 1, 1.25x")),
                 qPrintable(again.reason));
        QCOMPARE(workspace.subjects(), subjects);
        QCOMPARE(FakeBench::labels, labels);
        QCOMPARE(int(driver->all<event::PhaseChanged>().last().phase), int(Phase::Finished));
    }

    workspace.edit(kernel(4.0)); // benched, and then there is something to finish
    QCOMPARE(driver->until(intent::Finish{}).exitCode, 0);
    QCOMPARE(FakeBench::labels.mid(labels.size()).join(QLatin1Char(' ')),
             QStringLiteral("iter-2 iter-2-verdict final"));
    QVERIFY(workspace.subjects().last().startsWith(QStringLiteral("[final] Restore iter-2")));
}

void TestEngine::planIsShownBeforeAnythingIsWritten()
{
    Workspace workspace;
    LoopDriver driver(fakePorts({}));
    prepare(driver);
    driver.engine.handle(workspace.open());
    driver.settle();
    QCOMPARE(driver.all<event::PlanResolved>().size(), 1);
    QVERIFY(workspace.repository.status().isEmpty());
    const event::RunStopped refused = driver.until(intent::Run{});
    QCOMPARE(refused.exitCode, 4);
    QVERIFY(!workspace.repository.exists(QStringLiteral(".ako")));
}

void TestEngine::baselineNotCorrect()
{
    Workspace workspace(kernel(10.0, "// wrong\n"));
    LoopDriver driver(fakePorts({}));
    prepare(driver);
    driver.engine.handle(workspace.open());
    driver.settle();
    const event::RunStopped stopped = driver.until(intent::Approve{});
    QCOMPARE(stopped.exitCode, 5);
    QVERIFY(stopped.reason.contains(QStringLiteral("y[0] differs")));
    QCOMPARE(workspace.subjects().size(), 1);
    QVERIFY(!driver.engine.state().hasBaseline());
}

// The copy in solution/ is the program's own: the baseline is of the kernel as it is now.
void TestEngine::mendedBeforeTheBaseline_data()
{
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<bool>("reopened");
    for (const char *word : {"wrong", "nocompile", "hang"}) {
        QTest::addRow("%s, in the same window", word) << kernel(10.0, QByteArray("// ") + word + '\n') << false;
        QTest::addRow("%s, opened again", word) << kernel(10.0, QByteArray("// ") + word + '\n') << true;
    }
}

void TestEngine::mendedBeforeTheBaseline()
{
    QFETCH(QByteArray, source);
    QFETCH(bool, reopened);
    Workspace workspace(source);
    LoopDriver driver(fakePorts({}));
    prepare(driver);
    driver.engine.handle(workspace.open());
    driver.settle();
    driver.engine.handle(intent::Approve{});
    if (source.contains("hang")) {
        QTRY_COMPARE(int(driver.engine.state().stage), int(Stage::Verifying));
        QCOMPARE(int(driver.until(intent::Stop{}).why), int(Why::Stopped));
    } else {
        QCOMPARE(driver.untilStopped().exitCode, 5);
        QVERIFY2(driver.notices().contains(QStringLiteral("Mend kernel.cpp")), qPrintable(driver.notices()));
    }
    QCOMPARE(workspace.solution(), source);
    for (const QByteArray &next : {kernel(9.0, "// wrong\n"), kernel(8.0)}) { // not at the first try
        workspace.repository.write(QStringLiteral("kernel.cpp"), next);
        if (reopened) {
            driver.engine.handle(intent::Close{});
            driver.engine.handle(workspace.open());
            driver.settle();
        }
        const event::RunStopped stopped = driver.until(intent::Step{});
        QVERIFY2(stopped.exitCode == (next.contains("wrong") ? 5 : 0), qPrintable(driver.notices()));
        QCOMPARE(workspace.solution(), next);
    }
    QCOMPARE(workspace.subjects().last(), QStringLiteral("[baseline] The original kernel"));
    QCOMPARE(solutionAt(workspace, QStringLiteral("HEAD")), kernel(8.0));
}

// Neither measured as the original kernel nor overwritten.
void TestEngine::foreignSolution_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("when");
    for (const char *file : {"old.cpp", "readme.txt", "kernel.cpp", "deep/.hidden"}) {
        for (const char *when : {"before", "same window", "opened again"})
            QTest::addRow("%s, %s", file, when) << QString::fromLatin1(file) << QString::fromLatin1(when);
    }
}

void TestEngine::foreignSolution()
{
    QFETCH(QString, file);
    QFETCH(QString, when);
    const QString path = QStringLiteral("solution/") + file;
    const bool isBefore = when == QLatin1String("before");
    Workspace workspace(isBefore ? kernel(10.0) : kernel(10.0, "// wrong\n"));
    LoopDriver driver(fakePorts({}));
    prepare(driver);
    const auto open = [&] {
        driver.engine.handle(intent::Close{});
        driver.engine.handle(workspace.open());
        driver.settle();
    };
    if (!isBefore) {
        open();
        QCOMPARE(driver.until(intent::Approve{}).exitCode, 5);
        workspace.repository.write(QStringLiteral("kernel.cpp"), kernel(10.0));
    }
    workspace.repository.write(path, kernel(5.0, "// a person's\n"));
    const bool isInPlan = when != QLatin1String("same window");
    if (isInPlan)
        open();
    const QStringList benchedBefore = FakeBench::labels;
    const event::RunStopped stopped = driver.until(isBefore ? LoopEvent(intent::Approve{}) : intent::Run{});
    QCOMPARE(stopped.exitCode, isInPlan ? 3 : 4);
    const QString told = isInPlan ? driver.engine.state().plan.fields.first().problem : driver.notices();
    QVERIFY2(told.contains(QStringLiteral("solution/ holds")) && told.contains(file) &&
                 told.contains(QStringLiteral("another kernel.cpp")) == (file == QLatin1String("kernel.cpp")) &&
                 told.contains(QStringLiteral("Move it out of solution/")),
             qPrintable(told));
    QCOMPARE(FakeBench::labels, benchedBefore);
    QCOMPARE(workspace.repository.read(path), kernel(5.0, "// a person's\n"));
    QCOMPARE(workspace.repository.exists(QStringLiteral(".ako")), !isBefore);
    workspace.repository.git({QStringLiteral("clean"), QStringLiteral("-fdxq"), QStringLiteral("solution")});
    if (isInPlan)
        open();
    driver.until(isBefore ? LoopEvent(intent::Approve{}) : intent::Step{});
    QCOMPARE(workspace.subjects().last(), QStringLiteral("[baseline] The original kernel"));
    QCOMPARE(solutionAt(workspace, QStringLiteral("HEAD")), kernel(10.0));
}

// The same bytes as the kernel's are measured, but stay a person's once the kernel changes.
void TestEngine::copyThatAPersonMade()
{
    const QByteArray wrong = kernel(10.0, "// wrong\n");
    Workspace workspace(wrong);
    workspace.edit(wrong);
    LoopDriver driver(fakePorts({}));
    prepare(driver);
    driver.engine.handle(workspace.open());
    driver.settle();
    QCOMPARE(driver.until(intent::Approve{}).exitCode, 5);
    workspace.repository.write(QStringLiteral("kernel.cpp"), kernel(8.0));
    QCOMPARE(driver.until(intent::Run{}).exitCode, 4);
    QCOMPARE(workspace.solution(), wrong);
}

void TestEngine::cannotCommitHere_data()
{
    QTest::addColumn<QStringList>("git");
    QTest::addColumn<QString>("message");
    QTest::newRow("detached") << QStringList{QStringLiteral("checkout"), QStringLiteral("-q"),
                                             QStringLiteral("--detach")}
                              << QStringLiteral("git switch -c");
    QTest::newRow("no identity") << QStringList{QStringLiteral("config"), QStringLiteral("--remove-section"),
                                                QStringLiteral("user")}
                                 << QStringLiteral("git config --global user.name");
    QTest::newRow("a branch in the way") << QStringList{QStringLiteral("branch"), QStringLiteral("opt")}
                                         << QStringLiteral("git branch -m opt");
    QTest::newRow("a bisect") << QStringList{QStringLiteral("bisect"), QStringLiteral("start")}
                              << QStringLiteral("bisect is under way");
}

namespace {

// What is there before and after a refusal.
QString standOf(const ScratchRepository &repository)
{
    return repository.git({QStringLiteral("for-each-ref")}) +
           repository.git({QStringLiteral("symbolic-ref"), QStringLiteral("HEAD")}) +
           QDir(repository.path())
               .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)
               .join(QLatin1Char(' '));
}

} // namespace

// Before anything is changed, the branch included.
void TestEngine::refusedBeforeTheBranch_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<bool>("approved"); // before it came to be so
    for (const bool approved : {false, true}) {
        QTest::addRow("index.lock, approved %d", int(approved)) << QStringLiteral(".git/index.lock") << approved;
        QTest::addRow("solution is a link, approved %d", int(approved)) << QStringLiteral("solution") << approved;
    }
}

void TestEngine::refusedBeforeTheBranch()
{
    QFETCH(QString, what);
    QFETCH(bool, approved);
    Workspace workspace;
    const auto getInTheWay = [&] {
        const QString path = workspace.repository.filePath(what);
        if (what == QLatin1String("solution"))
            QVERIFY(QFile::link(QStringLiteral("/tmp"), path));
        else
            workspace.repository.write(what, "");
    };
    LoopDriver driver(fakePorts({}));
    prepare(driver);
    driver.engine.handle(workspace.open());
    driver.settle();
    if (approved) { // and stopped before it was made ready
        driver.engine.handle(intent::Approve{});
        driver.engine.handle(intent::Stop{});
        driver.settle();
        QVERIFY(driver.engine.state().approved);
    }
    getInTheWay();
    const QString before = standOf(workspace.repository);
    const event::RunStopped stopped = driver.until(approved ? LoopEvent(intent::Run{}) : LoopEvent(intent::Approve{}));
    QCOMPARE(int(stopped.why), int(Why::Failed));
    QVERIFY2(driver.notices().contains(what.section(QLatin1Char('/'), -1)), qPrintable(driver.notices()));
    QCOMPARE(standOf(workspace.repository), before);
}

void TestEngine::cannotCommitHere()
{
    QFETCH(QStringList, git);
    QFETCH(QString, message);
    Workspace workspace;
    workspace.repository.git(git);
    LoopDriver driver(fakePorts({}));
    prepare(driver);
    driver.engine.handle(workspace.open());
    driver.settle();
    const event::RunStopped stopped = driver.until(intent::Approve{});
    QCOMPARE(int(stopped.why), int(Why::Failed));
    QVERIFY2(driver.notices().contains(message), qPrintable(driver.notices()));
    QVERIFY(!workspace.repository.exists(QStringLiteral("solution")));
    QVERIFY(!workspace.repository.exists(QStringLiteral(".ako")));
    QCOMPARE(int(driver.all<event::PhaseChanged>().last().phase), int(Phase::AwaitingApproval));
}

void TestEngine::identityIsSetForThisRepositoryOnly()
{
    Workspace workspace;
    workspace.repository.git({QStringLiteral("config"), QStringLiteral("--remove-section"), QStringLiteral("user")});
    LoopDriver driver(fakePorts({}));
    prepare(driver);
    driver.engine.setIdentity({QStringLiteral("Ada"), QStringLiteral("ada@example.org")});
    driver.engine.handle(workspace.open());
    driver.settle();
    const event::RunStopped stopped = driver.until(intent::Approve{});
    QVERIFY2(stopped.why == Why::StepDone, qPrintable(driver.notices()));
    QCOMPARE(
        workspace.repository.git({QStringLiteral("config"), QStringLiteral("--local"), QStringLiteral("user.name")}),
        QStringLiteral("Ada"));
}

void TestEngine::makesTheRepository()
{
    QTemporaryDir folder;
    const QDir root(folder.path());
    const auto write = [&root](const QString &name, const QByteArray &bytes) {
        QFile file(root.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    };
    write(QStringLiteral("kernel.cpp"), kernel(10.0));
    write(QStringLiteral("reference.cpp"), reference);
    write(QStringLiteral("problem.json"), "{}\n");
    LoopDriver driver(fakePorts({}));
    prepare(driver);
    driver.engine.setIdentity({QStringLiteral("Ada"), QStringLiteral("ada@example.org")});
    driver.engine.handle(intent::Open{folder.path(), {}, false});
    driver.settle();
    const event::RunStopped stopped = driver.until(intent::Approve{});
    QVERIFY2(stopped.why == Why::StepDone, qPrintable(driver.notices()));
    const auto repository = Repository::open(folder.path());
    QVERIFY(repository);
    QCOMPARE(repository->currentBranch(), QStringLiteral("opt/toy"));
    QCOMPARE(repository->log()->size(), 1);
}

void TestEngine::branchIsTaken()
{
    Workspace workspace;
    workspace.repository.git({QStringLiteral("branch"), QStringLiteral("opt/toy")});
    auto driver = started(workspace, {});
    QCOMPARE(driver->engine.state().branch, QStringLiteral("opt/toy-2"));
    driver->until(intent::Approve{}); // resumed: it stays
    QCOMPARE(driver->engine.state().branch, QStringLiteral("opt/toy-2"));
    QCOMPARE(workspace.subjects().size(), 2);
}

void TestEngine::oneInstance()
{
    Workspace workspace;
    auto first = started(workspace, {});
    LoopDriver second(fakePorts({}));
    prepare(second);
    const event::RunStopped refused = second.until(workspace.open());
    QCOMPARE(int(refused.why), int(Why::Failed));
    first->engine.handle(intent::Close{});
    second.engine.handle(workspace.open());
    second.settle();
    QCOMPARE(int(second.engine.state().stage), int(Stage::Ready));
}

void TestEngine::candidatesStartFromTheChampion()
{
    Workspace workspace;
    auto driver = started(workspace, {kernel(8.0), kernel(12.0), kernel(8.1)});
    for (int step = 0; step < 3; ++step)
        QCOMPARE(int(driver->until(intent::Step{}).why), int(Why::StepDone));
    QCOMPARE(ScriptedAgent::requests.size(), 3);
    QCOMPARE(ScriptedAgent::requests.at(0).champion, 0);
    QCOMPARE(ScriptedAgent::requests.at(1).champion, 1);
    QCOMPARE(ScriptedAgent::requests.at(2).champion, 1); // not from the slower one
    driver->engine.handle(intent::ContinueFrom{2});
    driver->until(intent::Step{}); // exhausted, but it was asked from there
    QCOMPARE(ScriptedAgent::requests.at(3).champion, 2);
    QCOMPARE(driver->engine.state().records.at(3).parent, 1);
}

void TestEngine::editByHandIsBenchedAndKept()
{
    Workspace workspace;
    auto driver = started(workspace, {kernel(8.0)});
    workspace.edit(kernel(9.0, "// by hand\n"));
    FakePlanner::iterationCap = 0;
    driver->until(intent::Step{});
    QCOMPARE(workspace.subjects().last(), QStringLiteral("[iter 1] Edit by hand"));
    QCOMPARE(driver->engine.state().records.last().agent, QStringLiteral("user"));
    QCOMPARE(solutionAt(workspace, QStringLiteral("HEAD")), kernel(9.0, "// by hand\n"));
    QCOMPARE(driver->engine.state().champion, 1);
}

void TestEngine::editWhileBenchingIsKept()
{
    Workspace workspace;
    auto driver = started(workspace, {kernel(12.0)});
    FakeBench::whileBenching = [&workspace](const QString &label) {
        if (label == QLatin1String("iter-1"))
            workspace.edit(kernel(9.0, "// meanwhile\n"));
    };
    driver->until(intent::Step{});
    QCOMPARE(solutionAt(workspace, QStringLiteral("HEAD")), kernel(12.0)); // what was benched
    QCOMPARE(workspace.solution(), kernel(9.0, "// meanwhile\n"));         // what the person wrote
    FakeBench::whileBenching = nullptr;
    driver->until(intent::Step{});
    QCOMPARE(workspace.subjects().last(), QStringLiteral("[iter 2] Edit by hand"));
}

void TestEngine::iterate()
{
    Workspace workspace;
    auto driver = started(workspace, {});
    workspace.edit(kernel(6.0));
    const event::RunStopped stopped = driver->until(
        intent::BenchEdit{QStringLiteral("unroll"), QStringLiteral("fewer branches"), QStringLiteral("x4")});
    QCOMPARE(int(stopped.why), int(Why::StepDone));
    QCOMPARE(workspace.subjects().last(), QStringLiteral("[iter 1] unroll"));
    QCOMPARE(int(driver->engine.state().records.last().status), int(IterationStatus::Improved));
    QVERIFY(workspace.repository.read(QStringLiteral("ITERATIONS.md")).contains("fewer branches"));
}

void TestEngine::iterateWithoutAnEdit()
{
    Workspace workspace;
    auto driver = started(workspace, {});
    QCOMPARE(driver->until(intent::BenchEdit{QStringLiteral("nothing"), {}, {}}).exitCode, 1);
    QCOMPARE(workspace.subjects().size(), 2);
}

void TestEngine::titlesAreOneCleanLine()
{
    Workspace workspace;
    auto driver = started(workspace, {});
    workspace.edit(kernel(6.0));
    const QString evil = QStringLiteral("\x1b]0;owned\x07"
                                        "un\u202eroll\n# Heading\r") +
                         QString(5000, QLatin1Char('x'));
    driver->until(intent::BenchEdit{evil, evil, evil});
    const IterationRecord record = driver->engine.state().records.last();
    QVERIFY(record.title.startsWith(QStringLiteral("]0;ownedunroll # Heading xxx")));
    QCOMPARE(record.title.size(), 200);
    const QByteArray message =
        workspace.repository.git({QStringLiteral("log"), QStringLiteral("-1"), QStringLiteral("--format=%B")}).toUtf8();
    const QByteArray log = workspace.repository.read(QStringLiteral("ITERATIONS.md"));
    for (const QByteArray &text : {message, log, record.hypothesis.toUtf8()})
        QVERIFY(!text.contains('\x1b') && !text.contains('\x07') && !text.contains("\u202e"));
    QVERIFY(!log.contains("\n# Heading"));
    QVERIFY(QString::fromUtf8(message).section(QLatin1Char('\n'), 0, 0).size() <= 100);
}

// In solution/ they cannot be kept as they are and are refused by name; elsewhere they are nobody's business.
void TestEngine::namesThatAreNoText_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<bool>("refused");
    QTest::newRow("in solution/") << QByteArray("solution/k\xfc.cpp") << true;
    QTest::newRow("beside it") << QByteArray("n\xfctes.txt") << false;
    QTest::newRow("in trajectory/") << QByteArray("trajectory/\xff") << false;
}

void TestEngine::namesThatAreNoText()
{
    QFETCH(QByteArray, file);
    QFETCH(bool, refused);
    Workspace workspace;
    auto driver = started(workspace, {kernel(8.0)});
    const QByteArray path = QFile::encodeName(workspace.repository.path()) + '/' + file;
    std::FILE *stream = std::fopen(path.constData(), "w");
    if (!stream)
        QSKIP("this file system takes no such name");
    std::fputs("mine\n", stream);
    std::fclose(stream);
    const event::RunStopped stopped = driver->until(intent::Step{});
    QCOMPARE(stopped.exitCode, refused ? 1 : 0);
    QCOMPARE(stopped.reason.contains(QStringLiteral("k\\xfc.cpp")), refused);
    QCOMPARE(driver->engine.state().nextNumber(), refused ? 1 : 2);
    struct stat there = {};
    QVERIFY(::stat(path.constData(), &there) == 0 && there.st_size == 5);
    if (!refused)
        return;
    QVERIFY(::unlink(path.constData()) == 0); // and it goes on
    QCOMPARE(driver->until(intent::Step{}).exitCode, 0);
    QCOMPARE(driver->engine.state().nextNumber(), 2);
}

// It is asked for anywhere, and what else lies there may be huge.
void TestEngine::historyNeedsNoPlan()
{
    Workspace workspace;
    auto driver = started(workspace, {kernel(8.0)});
    driver->until(intent::Step{});
    LoopDriver reader(fakePorts({}));
    reader.engine.setSettings({{}, {}, true, false});
    reader.engine.handle(intent::Open{workspace.repository.path(), {}, true});
    reader.settle();
    QCOMPARE(reader.engine.state().records, driver->engine.state().records);
    QVERIFY(reader.engine.state().plan.kernelFiles.isEmpty());
}

void TestEngine::stopWhileBenching_data()
{
    QTest::addColumn<bool>("byHand");
    QTest::newRow("an agent's candidate is put back") << false;
    QTest::newRow("a person's edit stays") << true;
}

// No entry, nothing left behind in trajectory/, and the next one gets the number.
void TestEngine::stopWhileBenching()
{
    QFETCH(bool, byHand);
    Workspace workspace;
    const QByteArray hangs = kernel(5.0, "// hang\n");
    auto driver = started(workspace, {hangs, kernel(6.0)});
    if (byHand)
        workspace.edit(hangs);
    driver->engine.handle(byHand ? LoopEvent(intent::BenchEdit{QStringLiteral("mine"), {}, {}})
                                 : LoopEvent(intent::Run{}));
    QTRY_COMPARE(int(driver->engine.state().stage), int(Stage::Benching));
    const event::RunStopped stopped = driver->until(intent::Stop{});
    QCOMPARE(int(stopped.why), int(Why::Stopped));
    QVERIFY(workspace.subjects().last().startsWith(QStringLiteral("[baseline]")));
    QCOMPARE(workspace.solution(), byHand ? hangs : kernel(10.0));
    QCOMPARE(driver->engine.state().records.size(), 1);
    QCOMPARE(
        QDir(workspace.repository.filePath(QStringLiteral("trajectory"))).entryList(QDir::Dirs | QDir::NoDotAndDotDot),
        QDir(workspace.repository.filePath(QStringLiteral("trajectory")))
            .entryList({QStringLiteral("*_baseline")}, QDir::Dirs | QDir::NoDotAndDotDot));
    if (byHand)
        workspace.edit(kernel(6.0));
    QCOMPARE(int(driver->until(intent::Step{}).why), int(Why::StepDone)); // it can go on
    QCOMPARE(workspace.subjects().last(),
             byHand ? QStringLiteral("[iter 1] Edit by hand") : QStringLiteral("[iter 1] try 2"));
}

void TestEngine::stopWhileProposing()
{
    Workspace workspace;
    auto driver = started(workspace, {kernel(5.0)});
    ScriptedAgent::hangs = true;
    driver->engine.handle(intent::Run{});
    QTRY_COMPARE(int(driver->engine.state().stage), int(Stage::Proposing));
    workspace.edit("half made");
    const event::RunStopped stopped = driver->until(intent::Stop{});
    QCOMPARE(int(stopped.why), int(Why::Stopped));
    QCOMPARE(workspace.solution(), kernel(10.0));
    QCOMPARE(workspace.subjects().size(), 2);
    const QDir discarded(workspace.repository.filePath(QStringLiteral(".ako/discarded")));
    QCOMPARE(discarded.entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), 1);
}

void TestEngine::pauseAndResume()
{
    Workspace workspace;
    FakePlanner::iterationCap = 2;
    auto driver = started(workspace, {kernel(8.0), kernel(6.0)});
    driver->engine.handle(intent::Run{});
    driver->engine.handle(intent::Pause{});
    driver->engine.handle(intent::Pause{});
    QCOMPARE(driver->all<event::PauseAsked>().size(), 1);
    driver->engine.handle(intent::Run{}); // takes it back
    QCOMPARE(driver->all<event::PauseAsked>().size(), 2);
    QCOMPARE(driver->all<event::PauseAsked>().last().asked, false);
    driver->engine.handle(intent::Pause{});
    QCOMPARE(int(driver->untilStopped().why), int(Why::Paused));
    const qsizetype before = workspace.subjects().size();
    QVERIFY(before <= 3);
    QCOMPARE(int(driver->until(intent::Run{}).why), int(Why::CapReached));
    QCOMPARE(workspace.subjects().size(), 5);
}

// Each file that decides what is measured and how.
void TestEngine::harnessChange_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<bool>("removed");
    for (const char *file : {"reference.cpp", "problem.json", "bench-wrapper.sh", "scripts/bench.sh"})
        QTest::newRow(file) << QString::fromLatin1(file) << false;
    QTest::newRow("the wrapper is gone") << QStringLiteral("bench-wrapper.sh") << true;
    QTest::newRow("the script is gone") << QStringLiteral("scripts/bench.sh") << true;
}

void TestEngine::harnessChange()
{
    QFETCH(QString, file);
    QFETCH(bool, removed);
    Workspace workspace;
    auto driver = started(workspace, {kernel(8.0), kernel(6.0)});
    driver->until(intent::Step{});
    if (removed)
        workspace.repository.remove(file);
    else
        workspace.repository.write(file, workspace.repository.read(file) + "\n");
    const event::RunStopped paused = driver->until(intent::Run{});
    QCOMPARE(int(paused.why), int(Why::Paused));
    QCOMPARE(paused.exitCode, 4);
    QVERIFY2(paused.reason.contains(file), qPrintable(paused.reason));
    QVERIFY(!driver->all<event::PlanResolved>().last().approved);
    QCOMPARE(driver->until(intent::Run{}).exitCode, 4);
    driver->until(intent::Approve{});
    const IterationRecord remeasured = driver->engine.state().records.last();
    QCOMPARE(remeasured.number, 2);
    QVERIFY(remeasured.becameChampion);
    QCOMPARE(remeasured.solutionHash, driver->engine.state().records.at(1).solutionHash);
    QVERIFY(!remeasured.speedupOverBaseline); // nothing measured before counts
    driver->until(intent::Step{});
    QCOMPARE(driver->engine.state().champion, 3);
    driver->until(intent::Finish{});
    QVERIFY(workspace.subjects().last().startsWith(QStringLiteral("[final] Restore iter-3")));
    const IterationRecord last = driver->engine.state().records.last(); // of iteration 3, as the iteration itself
    QCOMPARE(last.kind, IterationRecord::Kind::Final);
    QFile output(workspace.repository.filePath(last.trajectory + QStringLiteral("/output.txt")));
    QVERIFY(output.open(QIODevice::Append));
    output.write("said in the final verdict\n");
    output.close();
    QVERIFY(driver->engine.benchOutput(last.trajectory)->contains(QStringLiteral("said in the final verdict")));
    QVERIFY(!driver->engine.benchOutput(driver->engine.state().find(3)->trajectory)
                 ->contains(QStringLiteral("said in the final verdict")));
    QVERIFY(!driver->engine.benchOutput({}));
    QVERIFY(!driver->engine.benchOutput(QStringLiteral("../elsewhere")));
}

// The files are as they were approved, but the script that this process would make of them is not.
void TestEngine::harnessMadeFromSomethingElse_data()
{
    QTest::addColumn<bool>("wrapper"); // edited, and approved by a version that did not look at it
    QTest::newRow("the wrapper") << true;
    QTest::newRow("the evaluator's place") << false;
}

void TestEngine::harnessMadeFromSomethingElse()
{
    QFETCH(bool, wrapper);
    Workspace workspace;
    auto driver = started(workspace, {kernel(8.0)});
    driver->engine.handle(intent::Close{});
    if (wrapper) {
        auto approval = loadApproval(workspace.repository.path());
        QVERIFY(approval && *approval && (*approval)->manifest.hashes.remove(QStringLiteral("bench-wrapper.sh")));
        QVERIFY(saveApproval(workspace.repository.path(), **approval));
        workspace.repository.write(QStringLiteral("bench-wrapper.sh"),
                                   workspace.repository.read(QStringLiteral("bench-wrapper.sh")) + "\n");
    } else {
        const QString source = QStringLiteral(AKO_SOURCE_DIR);
        driver->engine.setSettings(
            {source + QStringLiteral("/app/run.sh"), source + QStringLiteral("/scaffold"), false});
    }
    const QByteArray script = workspace.repository.read(QStringLiteral("scripts/bench.sh"));
    const QStringList benchedBefore = FakeBench::labels;
    driver->engine.handle(workspace.open());
    driver->settle();
    const event::RunStopped paused = driver->until(intent::Step{});
    QCOMPARE(paused.exitCode, 4);
    QVERIFY2(paused.reason.contains(QStringLiteral("scripts/bench.sh")), qPrintable(paused.reason));
    QCOMPARE(FakeBench::labels, benchedBefore);
    QCOMPARE(workspace.repository.read(QStringLiteral("scripts/bench.sh")), script);
    driver->until(intent::Approve{});
    QVERIFY(driver->engine.state().records.last().becameChampion); // the champion anew, under the other harness
    QVERIFY(workspace.repository.read(QStringLiteral("scripts/bench.sh")) != script);
}

// Approved, and before there is a baseline, what it would be measured under is exchanged.
void TestEngine::harnessChangeBeforeTheBaseline_data()
{
    QTest::addColumn<bool>("reopened");
    QTest::newRow("in the same window") << false;
    QTest::newRow("opened again") << true;
}

void TestEngine::harnessChangeBeforeTheBaseline()
{
    QFETCH(bool, reopened);
    Workspace workspace(kernel(10.0, "// hang\n"));
    auto driver = std::make_unique<LoopDriver>(fakePorts({}));
    prepare(*driver);
    driver->engine.handle(workspace.open());
    driver->settle();
    driver->engine.handle(intent::Approve{});
    QTRY_COMPARE(int(driver->engine.state().stage), int(Stage::Verifying));
    driver->until(intent::Stop{});
    workspace.repository.write(QStringLiteral("kernel.cpp"), kernel(10.0));
    workspace.repository.write(QStringLiteral("reference.cpp"), "void r() { int other; }\n");
    if (reopened) {
        driver->engine.handle(intent::Close{});
        driver->engine.handle(workspace.open());
        driver->settle();
    }
    const QStringList benchedBefore = FakeBench::labels;
    const event::RunStopped paused = driver->until(intent::Run{});
    QCOMPARE(paused.exitCode, 4);
    QVERIFY2(driver->notices().contains(QStringLiteral("reference.cpp")), qPrintable(driver->notices()));
    QCOMPARE(FakeBench::labels, benchedBefore);
    driver->until(intent::Approve{});
    QCOMPARE(workspace.subjects().last(), QStringLiteral("[baseline] The original kernel"));
}

void TestEngine::hintsAreSeenAtTheBoundary()
{
    Workspace workspace;
    auto driver = started(workspace, {kernel(8.0), kernel(6.0), kernel(5.0)});
    driver->until(intent::Step{});
    QByteArray hints = workspace.repository.read(QStringLiteral("HINTS.md"));
    QVERIFY(hints.contains("do not use threads"));
    workspace.repository.write(QStringLiteral("HINTS.md"), hints + "\n- stop after 2 iterations\n");
    const event::RunStopped stopped = driver->until(intent::Run{});
    QCOMPARE(int(stopped.why), int(Why::CapReached));
    const auto seen = driver->all<event::HintsSeen>();
    QCOMPARE(seen.size(), 1);
    QCOMPARE(seen.first().firstIteration, 2);
    QCOMPARE(driver->engine.state().nextNumber(), 3);
}

void TestEngine::writesOutsideSolution()
{
    Workspace workspace;
    QList<ScriptedAgent::Turn> turn{{kernel(1.0), QStringLiteral("cheat"), QStringLiteral("reference.cpp")}};
    LoopDriver driver(fakePorts(turn));
    prepare(driver);
    driver.engine.handle(workspace.open());
    driver.settle();
    driver.until(intent::Approve{});
    driver.until(intent::Step{});
    QCOMPARE(workspace.repository.read(QStringLiteral("reference.cpp")), QByteArray(reference));
    const IterationRecord record = driver.engine.state().records.last();
    QCOMPARE(int(record.status), int(IterationStatus::Failed));
    QCOMPARE(int(record.bench.state), int(ResultState::Quarantined));
    QCOMPARE(workspace.subjects().last(), QStringLiteral("[iter 1] cheat"));
    QCOMPARE(FakeBench::labels, QStringList{QStringLiteral("baseline")});
    QCOMPARE(workspace.repository.read(QStringLiteral(".ako/quarantine/iter-1/reference.cpp")),
             QByteArray("changed by the agent\n"));

    driver.engine.handle(intent::Annotate{1, QStringLiteral("it only wrote a scratch file"), true});
    QTRY_VERIFY(driver.engine.state().find(1)->triage.has_value());
    const Triage triage = *driver.engine.state().find(1)->triage;
    QVERIFY(triage.accepted && triage.when.isValid());
    QCOMPARE(triage.reason, QStringLiteral("it only wrote a scratch file"));
    QCOMPARE(int(driver.engine.state().find(1)->status), int(IterationStatus::Failed)); // a word makes no number
    const auto kept = recordFromBytes(workspace.repository.read(record.trajectory + QStringLiteral("/iteration.json")));
    QVERIFY(kept && kept->triage == triage);
    QVERIFY(workspace.repository.read(QStringLiteral("ITERATIONS.md")).contains("accepted as honest by a person"));
}

void TestEngine::gitOfAnAgent_data()
{
    QTest::addColumn<QStringList>("commands");
    QTest::newRow("commits") << QStringList{QStringLiteral("add -A"), QStringLiteral("commit -q -m theirs")};
    QTest::newRow("another branch") << QStringList{QStringLiteral("checkout -q -b theirs")};
    QTest::newRow("both") << QStringList{QStringLiteral("checkout -q -b theirs"), QStringLiteral("add -A"),
                                         QStringLiteral("commit -q -m theirs")};
    QTest::newRow("resets") << QStringList{QStringLiteral("reset -q --hard HEAD~1")};
}

// Git is the program's: the commit is taken back, the iteration does not count, and the run goes on.
void TestEngine::gitOfAnAgent()
{
    QFETCH(QStringList, commands);
    Workspace workspace;
    ScriptedAgent::afterTurn = [&](const ProposalRequest &request) {
        for (const QString &command : request.iteration == 1 ? commands : QStringList())
            workspace.repository.git(command.split(QLatin1Char(' ')));
    };
    auto driver = started(workspace, {kernel(5.0), kernel(6.0)});
    const QString branch = driver->engine.state().branch;
    driver->until(intent::Step{});
    const IterationRecord first = driver->engine.state().records.last();
    QCOMPARE(first.number, 1);
    QVERIFY2(first.bench.state == ResultState::Quarantined && first.bench.message.contains(QLatin1String("git: ")),
             qPrintable(first.bench.message));
    ScriptedAgent::afterTurn = nullptr;
    driver->until(intent::Step{});
    QCOMPARE(driver->engine.state().records.last().bench.state, ResultState::Confirmed);
    QCOMPARE(
        workspace.repository.git({QStringLiteral("rev-parse"), QStringLiteral("--abbrev-ref"), QStringLiteral("HEAD")}),
        branch);
    QVERIFY2(!workspace.subjects().contains(QStringLiteral("theirs")), qPrintable(workspace.subjects().join(u';')));
    QCOMPARE(workspace.subjects().size(), 4);
    QCOMPARE(workspace.repository.read(QStringLiteral("reference.cpp")), QByteArray(reference));
}

void TestEngine::frozenFile()
{
    Workspace workspace;
    auto driver = started(workspace, {kernel(5.0)});
    const QByteArray hints = workspace.repository.read(QStringLiteral("HINTS.md"));
    workspace.repository.write(QStringLiteral("HINTS.md"), hints + "\n- do not change kernel.cpp\n");
    driver->until(intent::Step{});
    const IterationRecord record = driver->engine.state().records.last();
    QCOMPARE(driver->engine.state().directives.frozenPaths, QStringList{QStringLiteral("kernel.cpp")});
    QCOMPARE(int(record.bench.state), int(ResultState::Quarantined));
    QVERIFY2(record.statusReason.contains(QStringLiteral("solution/kernel.cpp")), qPrintable(record.statusReason));
    QCOMPARE(FakeBench::labels, QStringList{QStringLiteral("baseline")});
    // A person may, whatever the hint says to the agent.
    workspace.edit(kernel(6.0));
    QCOMPARE(int(driver->until(intent::BenchEdit{QStringLiteral("by hand"), {}, {}}).why), int(Why::StepDone));
    QCOMPARE(driver->engine.state().champion, 2);
}

void TestEngine::benchOfAnAgent_data()
{
    QTest::addColumn<bool>("waits");
    QTest::addColumn<QString>("answer");
    QTest::newRow("it waits for the answer") << true << QStringLiteral("1.250x");
    QTest::newRow("it ends its turn before") << false << QStringLiteral("stopped");
}

// A probe is no part of the history and no change of the agent's, and nothing is measured beside it.
void TestEngine::benchOfAnAgent()
{
    QFETCH(bool, waits);
    QFETCH(QString, answer);
    ScriptedAgent::benches = waits ? ScriptedAgent::Benches::AndWaits : ScriptedAgent::Benches::AndEndsItsTurn;
    Workspace workspace;
    auto driver = started(workspace, {kernel(8.0), kernel(7.0, "// wrong\n")});
    const event::RunStopped stopped = driver->until(intent::Step{});
    QVERIFY2(stopped.why == Why::StepDone, qPrintable(stopped.reason + driver->notices()));
    QCOMPARE(ScriptedAgent::benchAnswers.size(), 1);
    const QString said = ScriptedAgent::benchAnswers.constFirst().text;
    QVERIFY2(said.contains(answer), qPrintable(said));
    QCOMPARE(FakeBench::labels, (QStringList{QStringLiteral("baseline"), QStringLiteral("iter-1-probe-1"),
                                             QStringLiteral("iter-1"), QStringLiteral("iter-1-verdict")}));
    driver->until(intent::Step{}); // one that is wrong
    QCOMPARE(ScriptedAgent::benchAnswers.size(), 2);
    QCOMPARE(workspace.subjects().size(), 4);
    const QStringList kept = QDir(workspace.repository.filePath(QStringLiteral("trajectory"))).entryList(QDir::Dirs);
    for (const QString &folder : kept)
        QVERIFY2(!folder.contains(QLatin1String("probe")), qPrintable(folder));
    QVERIFY(QFile::exists(workspace.repository.filePath(QStringLiteral(".ako/probes/iter-2/1/solution/kernel.cpp"))));
    const IterationRecord record = driver->engine.state().records.at(1);
    QCOMPARE(record.bench.state, ResultState::Confirmed);
    QVERIFY(record.bench.flags.isEmpty());
    const QString transcript = driver->engine.transcript(record.trajectory);
    QVERIFY2(transcript.contains(QLatin1String("[bench] probe 1 of 5")), qPrintable(transcript));
}

void TestEngine::restore()
{
    Workspace workspace;
    auto driver = started(workspace, {kernel(8.0), kernel(12.0)});
    driver->until(intent::Step{});
    driver->until(intent::Step{});
    QCOMPARE(int(driver->until(intent::Restore{2}).why), int(Why::StepDone));
    QCOMPARE(workspace.solution(), kernel(12.0));
    QCOMPARE(workspace.subjects().last(), QStringLiteral("[iter 3] Restore iteration 2"));
    QCOMPARE(driver->engine.state().champion, 1);
}

void TestEngine::measureAgain()
{
    Workspace workspace;
    auto driver = started(workspace, {kernel(8.0), kernel(12.0)});
    driver->until(intent::Step{});
    driver->until(intent::Step{});
    FakeBench::labels.clear();
    QCOMPARE(int(driver->until(intent::MeasureAgain{2, false}).why), int(Why::StepDone));
    QCOMPARE(workspace.subjects().last(), QStringLiteral("[iter 3] Measure iteration 2 against the champion"));
    QCOMPARE(FakeBench::labels, QStringList{QStringLiteral("iter-3")}); // a verdict, without a signal before it
    const IterationRecord champion = driver->engine.state().records.last();
    QCOMPARE(int(champion.status), int(IterationStatus::Regression));
    QVERIFY(champion.bench.speedupOverChampion.has_value());

    driver->until(intent::MeasureAgain{1, true});
    const IterationRecord direct = driver->engine.state().records.last();
    QCOMPARE(direct.title, QStringLiteral("Measure iteration 1 against the baseline"));
    QCOMPARE(int(direct.status), int(IterationStatus::NoChange));
    QVERIFY(!direct.becameChampion);
    QVERIFY(!direct.bench.speedupOverChampion.has_value()); // what stood in its place was the baseline
    QVERIFY(direct.speedupOverBaseline && direct.speedupOverBaseline->estimate > 1.2);
    QVERIFY2(direct.statusReason.contains(QLatin1String("the baseline")), qPrintable(direct.statusReason));
    QCOMPARE(driver->engine.state().champion, 1);
}

void TestEngine::notesAreKept()
{
    Workspace workspace;
    const QString said = QStringLiteral("the second load is\nredundant");
    {
        auto driver = started(workspace, {kernel(8.0), kernel(7.0)});
        driver->until(intent::Step{});
        bool isSaid = false;
        FakeBench::whileBenching = [&](const QString &) { // during an entry it waits for its end
            if (!std::exchange(isSaid, true))
                driver->engine.handle(intent::Annotate{1, said, {}});
        };
        driver->until(intent::Step{});
        QTRY_COMPARE(driver->engine.state().find(1)->note, said);
        QCOMPARE(workspace.subjects().last(), QStringLiteral("Note on iteration 1"));
        QVERIFY(
            workspace.repository.read(QStringLiteral("ITERATIONS.md")).contains("**Note on iteration 1:** the second"));
        driver->engine.handle(intent::Annotate{1, {}, true});
        QVERIFY(driver->notices().contains(QStringLiteral("not quarantined")));
    }
    LoopDriver again(fakePorts({}));
    again.engine.handle(workspace.open());
    again.settle();
    QCOMPARE(again.engine.state().find(1)->note, said);
    QCOMPARE(int(again.engine.state().records.size()), 3); // a note is no entry
    QCOMPARE(again.engine.state().champion, 2);

    workspace.repository.git(
        {QStringLiteral("checkout"), QStringLiteral("-q"), QStringLiteral("-b"), QStringLiteral("mine")});
    const QStringList before = workspace.subjects();
    again.engine.handle(intent::Annotate{1, QStringLiteral("on a branch of a person's own"), {}});
    again.settle();
    QVERIFY2(again.notices().contains(QStringLiteral("mine is checked out")), qPrintable(again.notices()));
    QCOMPARE(workspace.subjects(), before);
}

void TestEngine::numbersStandBesideTheParents()
{
    Workspace workspace;
    auto driver = started(workspace, {kernel(8.0)});
    driver->until(intent::Step{});
    const auto write = [&](int number, const QByteArray &registers) {
        const IterationRecord record = *driver->engine.state().find(number);
        const QString bench = record.verdictTrajectory.isEmpty() ? record.trajectory : record.verdictTrajectory;
        workspace.repository.write(bench + QStringLiteral("/result.json"),
                                   R"({"kernels": [{"name": "k", "registers": )" + registers + "}]}");
    };
    write(0, "40");
    write(1, "32");
    const auto moved = driver->engine.moved(1);
    QVERIFY(moved.has_value());
    QCOMPARE(*moved, (QList<MovedNumber>{{QStringLiteral("kernel k: registers"), 40, 32}}));
    QCOMPARE(driver->engine.moved(0)->value(0).before.has_value(), false); // nothing was before the baseline
    QVERIFY(!driver->engine.moved(9).has_value());
}

void TestEngine::revert()
{
    Workspace workspace;
    QByteArray first = kernel(8.0);
    QByteArray second = first;
    second.replace("int a = 1", "int a = 11").replace("ms=8", "ms=7");
    QByteArray third = second;
    third.append("// more\n").replace("ms=7", "ms=7");
    auto driver = started(workspace, {first, second, third});
    for (int step = 0; step < 3; ++step)
        driver->until(intent::Step{});
    QCOMPARE(driver->engine.state().records.last().parent, 2);
    QCOMPARE(int(driver->until(intent::Revert{2}).why), int(Why::StepDone));
    QVERIFY(workspace.solution().contains("int a = 1;"));
    QVERIFY(workspace.solution().contains("// more"));
    QCOMPARE(workspace.subjects().last(), QStringLiteral("[iter 4] Revert iteration 2: try 2"));
}

void TestEngine::editsKnowWhatTheyWereMadeFrom()
{
    Workspace workspace;
    {
        auto driver = started(workspace, {kernel(8.0), kernel(12.0)});
        driver->until(intent::Step{});
        driver->until(intent::Step{});
        workspace.edit(kernel(11.0));
        driver->until(intent::BenchEdit{QStringLiteral("of the slower one"), {}, {}});
        QCOMPARE(driver->engine.state().records.last().parent, 2);
        driver->until(intent::Finish{}); // puts the first back
    }
    workspace.edit(kernel(9.0));
    LoopDriver driver(fakePorts({}));
    prepare(driver);
    driver.engine.handle(workspace.open());
    driver.settle();
    driver.until(intent::BenchEdit{QStringLiteral("of the best"), {}, {}});
    QCOMPARE(driver.engine.state().find(4)->parent, 1);
    driver.until(intent::Restore{3});
    driver.until(intent::Revert{3});
    QCOMPARE(workspace.solution(), kernel(12.0)); // what the third was made from
    QCOMPARE(driver.engine.state().find(6)->parent, 5);
}

void TestEngine::cannotBeReverted_data()
{
    QTest::addColumn<int>("number");
    QTest::addColumn<QStringList>("said");
    QTest::newRow("the baseline") << 0 << QStringList{QStringLiteral("baseline"), QStringLiteral("restore 0")};
    QTest::newRow("none of that number") << 9
                                         << QStringList{QStringLiteral("no iteration 9"),
                                                        QStringLiteral("last one is 3")};
    QTest::newRow("a restore") << 3
                               << QStringList{QStringLiteral("exactly as iteration 1"), QStringLiteral("restore 2")};
}

void TestEngine::cannotBeReverted()
{
    QFETCH(int, number);
    QFETCH(QStringList, said);
    Workspace workspace;
    auto driver = started(workspace, {kernel(8.0), kernel(6.0)});
    driver->until(intent::Step{});
    driver->until(intent::Step{});
    driver->until(intent::Restore{1});
    const event::RunStopped refused = driver->until(intent::Revert{number});
    QCOMPARE(refused.exitCode, 1);
    for (const QString &words : said)
        QVERIFY2(refused.reason.contains(words), qPrintable(refused.reason));
    QCOMPARE(workspace.solution(), kernel(8.0));
    QCOMPARE(workspace.subjects().size(), 5);
}

void TestEngine::revertConflict()
{
    Workspace workspace;
    auto driver = started(workspace, {kernel(8.0), kernel(6.0), kernel(5.0)});
    for (int step = 0; step < 3; ++step)
        driver->until(intent::Step{});
    const event::RunStopped refused = driver->until(intent::Revert{2});
    QCOMPARE(refused.exitCode, 1);
    QVERIFY2(refused.reason.contains(QStringLiteral("iteration 3 (try 3)")), qPrintable(refused.reason));
    QCOMPARE(workspace.solution(), kernel(5.0));
    QCOMPARE(workspace.subjects().size(), 5);
}

void TestEngine::stallAndExhaustion()
{
    Workspace workspace;
    auto driver = started(workspace, {kernel(10.01), kernel(10.02), kernel(10.03)});
    const event::RunStopped stopped = driver->until(intent::Run{});
    QCOMPARE(int(stopped.why), int(Why::Exhausted));
    QVERIFY(ScriptedAgent::requests.last().reassess);
    const QByteArray log = workspace.repository.read(QStringLiteral("ITERATIONS.md"));
    QVERIFY(log.contains("Re-assessment after iteration 3"));
    QVERIFY(log.contains("unroll (2)")); // the directions, cited with their numbers
    QVERIFY(workspace.subjects().last().startsWith(QStringLiteral("[final] Restore baseline")));
    QCOMPARE(workspace.solution(), kernel(10.0));
}

void TestEngine::reopened()
{
    Workspace workspace;
    QList<IterationRecord> before;
    {
        auto driver = started(workspace, {kernel(8.0), kernel(6.0)});
        driver->until(intent::Step{});
        driver->until(intent::Step{});
        before = driver->engine.state().records;
    }
    LoopDriver driver(fakePorts(turns({kernel(5.0)})));
    prepare(driver);
    driver.engine.handle(workspace.open());
    driver.settle();
    QCOMPARE(driver.engine.state().records, before);
    QCOMPARE(driver.engine.state().champion, 2);
    QVERIFY(driver.engine.state().approved);
    QVERIFY(driver.all<event::Recovered>().isEmpty());
    QCOMPARE(int(driver.until(intent::Step{}).why), int(Why::StepDone));
    QCOMPARE(workspace.subjects().last(), QStringLiteral("[iter 3] try 1"));
    QCOMPARE(workspace.subjects().size(), 5);
}

// What somebody has removed from disk is still in git, and stays there.
void TestEngine::goesOnWhenItsRecordsAreGone_data()
{
    QTest::addColumn<QString>("removed");
    QTest::addColumn<bool>("reopened");
    for (const char *name : {"trajectory", "ITERATIONS.md"}) {
        QTest::addRow("%s", name) << QString::fromLatin1(name) << true;
        QTest::addRow("%s, while it is open", name) << QString::fromLatin1(name) << false;
    }
}

void TestEngine::goesOnWhenItsRecordsAreGone()
{
    QFETCH(QString, removed);
    QFETCH(bool, reopened);
    Workspace workspace;
    auto driver = started(workspace, {kernel(8.0), kernel(6.0), kernel(5.0)});
    driver->until(intent::Step{});
    const QList<IterationRecord> before = driver->engine.state().records;
    workspace.repository.git({QStringLiteral("rm"), QStringLiteral("-rqf"), QStringLiteral("--ignore-unmatch"),
                              QStringLiteral("--cached"), removed}); // and in the index
    QDir(workspace.repository.filePath(removed)).removeRecursively();
    QFile::remove(workspace.repository.filePath(removed));
    if (reopened) {
        driver->engine.handle(intent::Close{});
        driver->engine.handle(workspace.open());
        driver->settle();
        QCOMPARE(driver->engine.state().records, before);
    }
    QVERIFY(
        driver->engine.benchOutput(driver->engine.state().find(1)->trajectory)->contains(QStringLiteral("CORRECT")));
    workspace.edit(kernel(7.0));
    const event::RunStopped stopped = driver->until(intent::BenchEdit{QStringLiteral("by hand"), {}, {}});
    QVERIFY2(stopped.exitCode == 0, qPrintable(stopped.reason + driver->notices()));
    QCOMPARE(workspace.subjects().last(), QStringLiteral("[iter 2] by hand"));
    QCOMPARE(driver->engine.state().records.first(2), before);
    const QByteArray log = workspace.repository.read(QStringLiteral("ITERATIONS.md"));
    for (const char *row : {"\n| 0 | The original kernel", "\n| 1 | try 1", "\n| 2 | by hand", "### Iter 1"})
        QVERIFY2(log.contains(row), log.constData());
    const QString committed =
        workspace.repository.git({QStringLiteral("ls-tree"), QStringLiteral("-r"), QStringLiteral("--name-only"),
                                  QStringLiteral("HEAD"), QStringLiteral("trajectory")});
    for (const IterationRecord &record : before) {
        for (const char *file : {"/iteration.json", "/output.txt", "/solution/kernel.cpp"})
            QVERIFY2(committed.contains(record.trajectory + QLatin1String(file)), qPrintable(committed));
    }
}

void TestEngine::reads()
{
    Workspace workspace;
    auto driver = started(workspace, {kernel(8.0)});
    driver->until(intent::Step{});
    const auto diff = driver->engine.diff(0, 1);
    QVERIFY(diff);
    QCOMPARE(diff->size(), 1);
    QCOMPARE(*driver->engine.file(1, QStringLiteral("kernel.cpp")), kernel(8.0));
    QVERIFY(!driver->engine.file(9, QStringLiteral("kernel.cpp")));
    QVERIFY(
        driver->engine.benchOutput(driver->engine.state().find(1)->trajectory)->contains(QStringLiteral("CORRECT")));
}

QTEST_GUILESS_MAIN(TestEngine)
#include "tst_engine.moc"
