// SPDX-License-Identifier: GPL-3.0-or-later
#include "git/repository.h"
#include "support/scratchrepository.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

using ako::Identity;
using ako::Repository;
using ako::Result;
using ako::test::ScratchRepository;

namespace {

QStringList words(const char *text)
{
    return QString::fromUtf8(text).split(QLatin1Char(' '));
}

} // namespace

class TestRepository : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { ako::test::isolateGitConfiguration(); }

    void openRefusesWithAClearMessage_data();
    void openRefusesWithAClearMessage();
    void opensFromASubfolder();
    void opensThroughALink();
    void opensABareOne();
    void opensALinkedWorkTree();
    void refusesAnotherUsersRepository();
    void refusesABrokenOne();
    void initialisesWithBranchMain();
    void initialiseRefusesAnExistingOne();
    void tellsUnbornDetachedAndInProgress();
    void identityComesFromConfigurationAndEnvironment();
    void identityIsSetForThisRepositoryOnly();
    void startsABranchWithoutTouchingAnything();
    void startsABranchOfAnUnbornRepository();
    void startBranchRefuses_data();
    void startBranchRefuses();
    void switchesOnlyToAnEqualBranch();
    void refusesABranchOfAnotherWorkTree();
    void logFollowsFirstParents();
    void logOfUnbornAndShallow();
    void readsFilesAndFoldersOfACommit();
    void refusesPathsAndIdsThatAreNone_data();
    void refusesPathsAndIdsThatAreNone();
    void statusAgreesWithGit();
};

void TestRepository::openRefusesWithAClearMessage_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("message");
    QTest::newRow("missing") << QStringLiteral("missing") << QStringLiteral("does not exist");
    QTest::newRow("a file") << QStringLiteral("file") << QStringLiteral("is not a folder");
    QTest::newRow("no repository") << QStringLiteral("folder") << QStringLiteral("is not in a git repository");
}

void TestRepository::openRefusesWithAClearMessage()
{
    const QTemporaryDir parent;
    QDir(parent.path()).mkdir(QStringLiteral("folder"));
    QFile file(parent.filePath(QStringLiteral("file")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QFETCH(QString, name);
    QFETCH(QString, message);
    const Result<Repository> opened = Repository::open(parent.filePath(name));
    QVERIFY(!opened);
    QVERIFY2(opened.error().message.contains(message), qPrintable(opened.error().message));
    QVERIFY(opened.error().message.contains(name));
    QVERIFY(!Repository::isInsideRepository(parent.filePath(name)));
}

void TestRepository::opensFromASubfolder()
{
    const ScratchRepository scratch(QStringLiteral("größe und 日本"));
    scratch.write(QStringLiteral("a b/ü/file"), "x");
    const auto repository = Repository::open(scratch.filePath(QStringLiteral("a b/ü")));
    QVERIFY(repository);
    QCOMPARE(repository->workTree(), scratch.path());
    QCOMPARE(repository->gitDirectory(), scratch.filePath(QStringLiteral(".git")));
    QVERIFY(Repository::isInsideRepository(scratch.filePath(QStringLiteral("a b/ü"))));
    QVERIFY(!repository->isBare());
}

void TestRepository::opensThroughALink()
{
    const ScratchRepository scratch;
    scratch.write(QStringLiteral("sub/file"), "one");
    const QTemporaryDir other;
    QVERIFY(QFile::link(scratch.filePath(QStringLiteral("sub")), other.filePath(QStringLiteral("link"))));
    auto repository = Repository::open(other.filePath(QStringLiteral("link")));
    QVERIFY(repository);
    QCOMPARE(repository->workTree(), scratch.path());
    QVERIFY(repository->commitPaths({QStringLiteral("file")}, QStringLiteral("through a link")));
    QCOMPARE(scratch.git(words("ls-files")), QStringLiteral("sub/file"));
}

void TestRepository::opensABareOne()
{
    const ScratchRepository scratch;
    scratch.git(words("init -q --bare bare.git"));
    auto repository = Repository::open(scratch.filePath(QStringLiteral("bare.git")));
    QVERIFY(repository);
    QVERIFY(repository->isBare());
    QCOMPARE(repository->workTree(), QString());
    QVERIFY(repository->isUnborn());
    const auto commit = repository->commitPaths({QStringLiteral("x")}, QStringLiteral("m"));
    QVERIFY(!commit);
    QVERIFY(commit.error().message.contains(QStringLiteral("bare")));
    QVERIFY(!repository->startBranch(QStringLiteral("opt/x")));
}

void TestRepository::opensALinkedWorkTree()
{
    const ScratchRepository scratch;
    scratch.write(QStringLiteral("file"), "one");
    scratch.commitAll(QStringLiteral("first"));
    scratch.git(words("worktree add -q -b side linked"));
    auto repository = Repository::open(scratch.filePath(QStringLiteral("linked")));
    QVERIFY(repository);
    QCOMPARE(repository->workTree(), scratch.filePath(QStringLiteral("linked")));
    QCOMPARE(repository->currentBranch(), QStringLiteral("side"));
    scratch.write(QStringLiteral("linked/file"), "two");
    const auto commit = repository->commitPaths({QStringLiteral("file")}, QStringLiteral("in the linked tree"));
    QVERIFY2(commit, commit ? "" : qPrintable(commit.error().text()));
    QCOMPARE(scratch.git(words("rev-parse side")), *commit);
    QCOMPARE(scratch.git(words("-C linked status --porcelain")), QString());
    QVERIFY(scratch.head() != *commit);
}

void TestRepository::refusesAnotherUsersRepository()
{
    if (::geteuid() != 0)
        QSKIP("only root can give a folder away");
    const ScratchRepository scratch;
    for (const QString &name : {scratch.path(), scratch.filePath(QStringLiteral(".git"))})
        QCOMPARE(::chown(QFile::encodeName(name).constData(), 12345, 12345), 0);
    const auto repository = Repository::open(scratch.path());
    QVERIFY(!repository);
    QVERIFY2(repository.error().message.contains(QStringLiteral("belongs to another user")),
             qPrintable(repository.error().message));
    QVERIFY(repository.error().remedy.contains(QStringLiteral("safe.directory")));
    QVERIFY(repository.error().remedy.contains(scratch.path()));
    QVERIFY(Repository::isInsideRepository(scratch.path()));
}

void TestRepository::refusesABrokenOne()
{
    const ScratchRepository scratch;
    scratch.write(QStringLiteral(".git/config"), "[core\nbroken");
    const auto repository = Repository::open(scratch.path());
    QVERIFY(!repository);
    QVERIFY2(repository.error().message.contains(scratch.path()), qPrintable(repository.error().message));
}

void TestRepository::initialisesWithBranchMain()
{
    const QTemporaryDir parent;
    QDir(parent.path()).mkdir(QStringLiteral("neu ü"));
    const QString folder = QFileInfo(parent.filePath(QStringLiteral("neu ü"))).canonicalFilePath();
    auto made = Repository::initialise(folder);
    QVERIFY(made);
    QCOMPARE(made->currentBranch(), QStringLiteral("main"));
    QVERIFY(made->isUnborn());
    QCOMPARE(made->headId(), QString());
    QCOMPARE(made->workTree(), folder);
    QVERIFY(Repository::open(folder));
}

void TestRepository::initialiseRefusesAnExistingOne()
{
    const ScratchRepository scratch;
    QVERIFY(!Repository::initialise(scratch.path()));
    QVERIFY(!Repository::initialise(scratch.filePath(QStringLiteral("missing"))));
}

void TestRepository::tellsUnbornDetachedAndInProgress()
{
    const ScratchRepository scratch;
    const auto repository = Repository::open(scratch.path());
    QVERIFY(repository->isUnborn());
    scratch.write(QStringLiteral("file"), "one\n");
    const QString first = scratch.commitAll(QStringLiteral("first"));
    QVERIFY(!repository->isUnborn());
    QCOMPARE(repository->headId(), first);
    QCOMPARE(repository->currentBranch(), QStringLiteral("main"));

    scratch.git(words("checkout -q -b side"));
    scratch.write(QStringLiteral("file"), "side\n");
    scratch.commitAll(QStringLiteral("side"));
    scratch.git(words("checkout -q main"));
    scratch.write(QStringLiteral("file"), "main\n");
    scratch.commitAll(QStringLiteral("main"));
    QVERIFY(!repository->isInProgress());
    QVERIFY(scratch.gitExitCode(words("merge side")) != 0);
    QVERIFY(repository->isInProgress());
    auto writable = Repository::open(scratch.path());
    const auto commit = writable->commitPaths({QStringLiteral("file")}, QStringLiteral("m"));
    QVERIFY(!commit);
    QVERIFY2(commit.error().message.contains(QStringLiteral("merge")), qPrintable(commit.error().message));
    QVERIFY(!writable->startBranch(QStringLiteral("opt/x")));
    scratch.git(words("merge --abort"));

    scratch.git({QStringLiteral("checkout"), QStringLiteral("-q"), first});
    QVERIFY(repository->isDetached());
    QCOMPARE(repository->currentBranch(), QString());
    QCOMPARE(repository->headId(), first);
}

void TestRepository::identityComesFromConfigurationAndEnvironment()
{
    const ScratchRepository scratch;
    const auto repository = Repository::open(scratch.path());
    QCOMPARE(repository->identity().name, QStringLiteral("Ada Lovelace"));
    QCOMPARE(repository->identity().email, QStringLiteral("ada@example.org"));
    qputenv("GIT_AUTHOR_NAME", "Grace Hopper");
    const Identity fromEnvironment = repository->identity();
    qunsetenv("GIT_AUTHOR_NAME");
    QCOMPARE(fromEnvironment.name, QStringLiteral("Grace Hopper"));
    scratch.git(words("config --unset user.email"));
    QVERIFY(!repository->identity().isComplete());
    scratch.write(QStringLiteral("file"), "x");
    const auto commit = Repository::open(scratch.path())->commitPaths({QStringLiteral("file")}, QStringLiteral("m"));
    QVERIFY(!commit);
    QVERIFY(commit.error().remedy.contains(QStringLiteral("git config user.email")));
    QVERIFY(!commit.error().remedy.contains(QStringLiteral("--global")));
    QVERIFY(repository->isUnborn());
}

void TestRepository::identityIsSetForThisRepositoryOnly()
{
    const ScratchRepository scratch;
    scratch.git(words("config --unset user.name"));
    scratch.git(words("config --unset user.email"));
    auto repository = Repository::open(scratch.path());
    QVERIFY(!repository->identity().isComplete());
    QVERIFY(!repository->setLocalIdentity({QStringLiteral("Émilie"), QString()}));
    QVERIFY(repository->setLocalIdentity({QStringLiteral("Émilie"), QStringLiteral("e@example.org")}));
    QCOMPARE(repository->identity().name, QStringLiteral("Émilie"));
    QCOMPARE(scratch.git(words("config --local user.name")), QStringLiteral("Émilie"));
    QVERIFY(scratch.gitExitCode(words("config --global user.name")) != 0);
}

void TestRepository::startsABranchWithoutTouchingAnything()
{
    const ScratchRepository scratch;
    scratch.write(QStringLiteral("file"), "one");
    scratch.write(QStringLiteral("staged"), "one");
    const QString first = scratch.commitAll(QStringLiteral("first"));
    scratch.write(QStringLiteral("file"), "unstaged");
    scratch.write(QStringLiteral("staged"), "staged");
    scratch.git(words("add staged"));
    scratch.write(QStringLiteral("untracked"), "x");
    const QString before = scratch.status();
    auto repository = Repository::open(scratch.path());
    QVERIFY(!repository->branchExists(QStringLiteral("opt/matmul")));
    QVERIFY(repository->startBranch(QStringLiteral("opt/matmul")));
    QVERIFY(repository->branchExists(QStringLiteral("opt/matmul")));
    QCOMPARE(repository->currentBranch(), QStringLiteral("opt/matmul"));
    QCOMPARE(scratch.git(words("symbolic-ref --short HEAD")), QStringLiteral("opt/matmul"));
    QCOMPARE(scratch.head(), first);
    QCOMPARE(scratch.status(), before);
}

void TestRepository::startsABranchOfAnUnbornRepository()
{
    const ScratchRepository scratch;
    scratch.write(QStringLiteral("solution/k.cpp"), "x");
    auto repository = Repository::open(scratch.path());
    QVERIFY(repository->startBranch(QStringLiteral("opt/matmul")));
    QVERIFY(repository->isUnborn());
    QCOMPARE(repository->currentBranch(), QStringLiteral("opt/matmul"));
    const auto commit = repository->commitPaths({QStringLiteral("solution")}, QStringLiteral("[baseline] first"));
    QVERIFY2(commit, commit ? "" : qPrintable(commit.error().text()));
    QCOMPARE(scratch.git(words("rev-parse opt/matmul")), *commit);
    QVERIFY(scratch.gitExitCode(words("rev-parse --verify main")) != 0);
}

void TestRepository::startBranchRefuses_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("existing") << QStringLiteral("main");
    QTest::newRow("invalid") << QStringLiteral("opt/two words");
    QTest::newRow("empty") << QString();
    QTest::newRow("dots") << QStringLiteral("opt/a..b");
    QTest::newRow("below a branch") << QStringLiteral("main/sub");
    QTest::newRow("like an option") << QStringLiteral("-x");
}

void TestRepository::startBranchRefuses()
{
    const ScratchRepository scratch;
    scratch.write(QStringLiteral("file"), "one");
    scratch.commitAll(QStringLiteral("first"));
    auto repository = Repository::open(scratch.path());
    QFETCH(QString, name);
    const auto started = repository->startBranch(name);
    QVERIFY(!started);
    QVERIFY(started.error().message.contains(name));
    QCOMPARE(repository->currentBranch(), QStringLiteral("main"));
}

void TestRepository::switchesOnlyToAnEqualBranch()
{
    const ScratchRepository scratch;
    scratch.write(QStringLiteral("file"), "one");
    scratch.commitAll(QStringLiteral("first"));
    scratch.git(words("branch equal"));
    scratch.git(words("checkout -q -b other"));
    scratch.write(QStringLiteral("file"), "two");
    scratch.commitAll(QStringLiteral("second"));
    scratch.git(words("checkout -q main"));
    auto repository = Repository::open(scratch.path());
    QVERIFY(!repository->switchToEqualBranch(QStringLiteral("other")));
    QVERIFY(!repository->switchToEqualBranch(QStringLiteral("missing")));
    QCOMPARE(repository->currentBranch(), QStringLiteral("main"));
    QVERIFY(repository->switchToEqualBranch(QStringLiteral("equal")));
    QCOMPARE(repository->currentBranch(), QStringLiteral("equal"));
    QCOMPARE(scratch.status(), QString());
}

void TestRepository::refusesABranchOfAnotherWorkTree()
{
    const ScratchRepository scratch;
    scratch.write(QStringLiteral("file"), "one");
    scratch.commitAll(QStringLiteral("first"));
    scratch.git(words("worktree add -q -b side linked"));
    auto repository = Repository::open(scratch.path());
    QVERIFY(!repository->switchToEqualBranch(QStringLiteral("side")));
    QCOMPARE(repository->currentBranch(), QStringLiteral("main"));
}

void TestRepository::logFollowsFirstParents()
{
    const ScratchRepository scratch;
    scratch.write(QStringLiteral("file"), "one");
    const QString first = scratch.commitAll(QStringLiteral("erstes äöü"));
    scratch.git(words("checkout -q -b side"));
    scratch.write(QStringLiteral("side"), "x");
    const QString side = scratch.commitAll(QStringLiteral("side"));
    scratch.git(words("checkout -q main"));
    scratch.git(words("merge -q --no-ff -m merged side"));
    const auto log = Repository::open(scratch.path())->log();
    QVERIFY(log);
    QCOMPARE(log->size(), 2);
    QCOMPARE(log->at(0).id, scratch.head());
    QCOMPARE(log->at(0).parents, QStringList({first, side}));
    QCOMPARE(log->at(1).subject(), QStringLiteral("erstes äöü"));
    QCOMPARE(log->at(1).authorName, QStringLiteral("Ada Lovelace"));
    QCOMPARE(QString::number(log->at(1).time.toSecsSinceEpoch()),
             scratch.git({QStringLiteral("show"), QStringLiteral("-s"), QStringLiteral("--format=%at"), first}));
    QCOMPARE(Repository::open(scratch.path())->log(1)->size(), 1);
    const auto one = Repository::open(scratch.path())->commit(first.left(8));
    QVERIFY(one);
    QCOMPARE(one->id, first);
}

void TestRepository::logOfUnbornAndShallow()
{
    const ScratchRepository scratch;
    QCOMPARE(Repository::open(scratch.path())->log()->size(), 0);
    for (const char *content : {"one", "two", "three"}) {
        scratch.write(QStringLiteral("file"), content);
        scratch.commitAll(QString::fromUtf8(content));
    }
    scratch.git({QStringLiteral("clone"), QStringLiteral("-q"), QStringLiteral("--depth=2"),
                 QStringLiteral("file://") + scratch.path(), QStringLiteral("shallow")});
    const auto log = Repository::open(scratch.filePath(QStringLiteral("shallow")))->log();
    QVERIFY2(log, log ? "" : qPrintable(log.error().text()));
    QCOMPARE(log->size(), 2);
}

void TestRepository::readsFilesAndFoldersOfACommit()
{
    const ScratchRepository scratch;
    scratch.write(QStringLiteral("sub/solution/kernel.cpp"), "int x;\r\n");
    scratch.write(QStringLiteral("sub/solution/größe/run.sh"), QByteArray("bin\0ary", 7));
    scratch.makeExecutable(QStringLiteral("sub/solution/größe/run.sh"));
    scratch.link(QStringLiteral("sub/solution/link"), "../../../etc/passwd");
    const QString commit = scratch.commitAll(QStringLiteral("first"));
    const auto repository = Repository::open(scratch.filePath(QStringLiteral("sub")));
    const auto folder = repository->folderAt(commit, QStringLiteral("solution"));
    QVERIFY2(folder, folder ? "" : qPrintable(folder.error().text()));
    QCOMPARE(folder->files.keys(),
             QStringList({QStringLiteral("größe/run.sh"), QStringLiteral("kernel.cpp"), QStringLiteral("link")}));
    QCOMPARE(folder->files.value(QStringLiteral("kernel.cpp")), QByteArray("int x;\r\n"));
    QCOMPARE(folder->files.value(QStringLiteral("größe/run.sh")).size(), 7);
    QCOMPARE(folder->executables, QStringList(QStringLiteral("größe/run.sh")));
    QCOMPARE(folder->links, QStringList(QStringLiteral("link")));
    QCOMPARE(repository->fileAt(commit, QStringLiteral("solution/kernel.cpp")).value(), QByteArray("int x;\r\n"));
    QCOMPARE(repository->fileAt(commit, QStringLiteral("solution/link")).value(), QByteArray("../../../etc/passwd"));
}

void TestRepository::refusesPathsAndIdsThatAreNone_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("path");
    const QString head = QStringLiteral("HEAD-ID");
    QTest::newRow("missing file") << head << QStringLiteral("missing");
    QTest::newRow("a folder") << head << QStringLiteral("folder");
    QTest::newRow("outside") << head << QStringLiteral("../file");
    QTest::newRow("hidden outside") << head << QStringLiteral("folder/../../file");
    QTest::newRow("absolute") << head << QStringLiteral("/etc/passwd");
    QTest::newRow("git's own") << head << QStringLiteral(".git/config");
    QTest::newRow("empty") << head << QString();
    QTest::newRow("a name") << QStringLiteral("main") << QStringLiteral("file");
    QTest::newRow("an expression") << QStringLiteral("HEAD~1") << QStringLiteral("file");
    QTest::newRow("unknown id") << QString(40, QLatin1Char('a')) << QStringLiteral("file");
    QTest::newRow("too long") << QString(41, QLatin1Char('a')) << QStringLiteral("file");
    QTest::newRow("empty id") << QString() << QStringLiteral("file");
}

void TestRepository::refusesPathsAndIdsThatAreNone()
{
    const ScratchRepository scratch;
    scratch.write(QStringLiteral("file"), "x");
    scratch.write(QStringLiteral("folder/file"), "x");
    const QString head = scratch.commitAll(QStringLiteral("first"));
    QFETCH(QString, id);
    QFETCH(QString, path);
    const auto repository = Repository::open(scratch.path());
    const QString used = id == QStringLiteral("HEAD-ID") ? head : id;
    const auto file = repository->fileAt(used, path);
    QVERIFY(!file);
    QVERIFY(!file.error().message.isEmpty());
    QVERIFY(path == QStringLiteral("folder") || !repository->folderAt(used, path));
}

void TestRepository::statusAgreesWithGit()
{
    const ScratchRepository scratch;
    for (const char *name : {"clean", "modified", "deleted", "staged", "staged and changed", "staged away", "exe"})
        scratch.write(QString::fromUtf8(name), "one");
    scratch.write(QStringLiteral(".gitignore"), "ignored\n");
    scratch.commitAll(QStringLiteral("first"));
    scratch.write(QStringLiteral("modified"), "two");
    scratch.remove(QStringLiteral("deleted"));
    scratch.write(QStringLiteral("staged"), "two");
    scratch.write(QStringLiteral("staged and changed"), "two");
    scratch.git(words("rm -q --cached clean"));
    scratch.remove(QStringLiteral("clean"));
    scratch.write(QStringLiteral("new"), "x");
    scratch.git(
        {QStringLiteral("add"), QStringLiteral("staged"), QStringLiteral("staged and changed"), QStringLiteral("new")});
    scratch.write(QStringLiteral("staged and changed"), "three");
    scratch.makeExecutable(QStringLiteral("exe"));
    scratch.write(QStringLiteral("ünträcked/file"), "x");
    scratch.write(QStringLiteral("ignored"), "x");
    scratch.git(words("config core.quotepath false"));
    QStringList ours = Repository::open(scratch.path())->status().value();
    QStringList gits = scratch.git(words("status --porcelain -uall")).remove(QLatin1Char('"')).split(QLatin1Char('\n'));
    ours.sort();
    gits.sort();
    QCOMPARE(ours, gits);
}

QTEST_GUILESS_MAIN(TestRepository)
#include "tst_repository.moc"
