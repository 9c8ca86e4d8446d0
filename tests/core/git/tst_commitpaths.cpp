// SPDX-License-Identifier: GPL-3.0-or-later
#include "git/folderfiles.h"
#include "git/repository.h"
#include "support/scratchrepository.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QTest>
#include <QThread>

#include <atomic>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

using ako::FolderContent;
using ako::Repository;
using ako::Result;
using ako::test::ScratchRepository;

namespace {

QStringList words(const char *text)
{
    return QString::fromUtf8(text).split(QLatin1Char(' '));
}

QString commit(const ScratchRepository &scratch, const QStringList &paths,
               const QString &message = QStringLiteral("[iter 1] try it"))
{
    auto repository = Repository::open(scratch.path());
    if (!repository) {
        QTest::qFail(qPrintable(repository.error().text()), __FILE__, __LINE__);
        return {};
    }
    const Result<QString> id = repository->commitPaths(paths, message);
    if (!id)
        QTest::qFail(qPrintable(id.error().text()), __FILE__, __LINE__);
    return id.value_or(QString());
}

// "mode path" of every file of HEAD.
QString treeList(const ScratchRepository &scratch)
{
    return scratch.git(words("-c core.quotepath=false ls-tree -r --format=%(objectmode)%x20%(path) HEAD"));
}

// Whether that thread of this process waits for something (and does not merely want a core).
bool isAsleep(pid_t thread)
{
    QFile state(QStringLiteral("/proc/self/task/%1/stat").arg(thread));
    return state.open(QIODevice::ReadOnly) && state.readAll().contains(") S ");
}

// Old times on everything, so that git looks at the contents again.
void touchAll(const ScratchRepository &scratch, const QString &folder)
{
    for (const QString &name : QDir(scratch.filePath(folder)).entryList(QDir::Files)) {
        const utimbuf times{1000000000, 1000000000};
        ::utime(QFile::encodeName(scratch.filePath(folder + QLatin1Char('/') + name)).constData(), &times);
    }
}

} // namespace

class TestCommitPaths : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup();

    void commitsExactlyThesePaths();
    void leavesStagedAndUnstagedChangesAlone();
    void firstCommitOfAnUnbornRepository();
    void removalsAreCommitted();
    void fileAndFolderTakeEachOthersPlace();
    void ignoredPathsAreCommitted();
    void unchangedMakesAnEmptyCommit();
    void executableBitIsKept();
    void linksAreCommittedAsLinks();
    void neverThroughALink();
    void pipesAndGitFoldersAreLeftOut();
    void submodulesStay();
    void namesOfAnyKind();
    void workspaceBelowTheRoot();
    void overlappingPaths();
    void detachedHead();
    void messageAndAuthor();
    void largeFiles();
    void lineEndsAreKept_data();
    void lineEndsAreKept();
    void lockedIndexIsReported();
    void brieflyLockedIndexIsWaitedFor();
    void lockedBranchIsReported();
    void interruptedIndexIsCompleted();
    void interruptedBeforeTheBranchMoved();
    void indexFailureAfterTheMoveIsNoFailure();
    void conflictsInTheIndexElsewhere();
    void splitIndexIsRefusedBeforeAnything();
    void unreadableFileIsNamed();
    void refusesPathsOutside_data();
    void refusesPathsOutside();
    void otherProgramCommitsAtTheSameTime();

private:
    std::unique_ptr<ScratchRepository> m_scratch = std::make_unique<ScratchRepository>(QStringLiteral("a wörk tree"));
};

// Whatever a test did: the repository is sound, and the next one starts afresh.
void TestCommitPaths::cleanup()
{
    const QString report = m_scratch->git(words("fsck --strict --no-dangling"));
    QVERIFY2(!report.contains(QStringLiteral("error")), qPrintable(report));
    m_scratch = std::make_unique<ScratchRepository>(QStringLiteral("a wörk tree"));
}

void TestCommitPaths::commitsExactlyThesePaths()
{
    m_scratch->write(QStringLiteral("user.txt"), "one");
    m_scratch->write(QStringLiteral("solution/kernel.cpp"), "one");
    m_scratch->write(QStringLiteral("trajectory/1_baseline/output.txt"), "old");
    const QString first = m_scratch->commitAll(QStringLiteral("first"));
    m_scratch->write(QStringLiteral("user.txt"), "two and longer");
    m_scratch->write(QStringLiteral("other.txt"), "new");
    m_scratch->write(QStringLiteral("solution/kernel.cpp"), "two");
    m_scratch->write(QStringLiteral("solution/deep/er/x.h"), "new");
    m_scratch->write(QStringLiteral("trajectory/2_iter-1/output.txt"), "new");
    m_scratch->write(QStringLiteral("ITERATIONS.md"), "# log");
    const QString id = commit(*m_scratch, {QStringLiteral("solution"), QStringLiteral("trajectory/2_iter-1"),
                                           QStringLiteral("ITERATIONS.md")});
    QCOMPARE(m_scratch->head(), id);
    QCOMPARE(m_scratch->git(words("rev-parse HEAD^")), first);
    QCOMPARE(m_scratch->git(words("diff --name-status HEAD^ HEAD")),
             QStringLiteral("A\tITERATIONS.md\nA\tsolution/deep/er/x.h\nM\tsolution/kernel.cpp\n"
                            "A\ttrajectory/2_iter-1/output.txt"));
    QCOMPARE(m_scratch->status(), QStringLiteral(" M user.txt\n?? other.txt"));
}

void TestCommitPaths::leavesStagedAndUnstagedChangesAlone()
{
    for (const char *name : {"both", "staged", "unstaged", "removed", "renamed"})
        m_scratch->write(QString::fromUtf8(name), "one\n");
    m_scratch->write(QStringLiteral("solution/kernel.cpp"), "one");
    m_scratch->write(QStringLiteral("solution/staged.cpp"), "one");
    m_scratch->commitAll(QStringLiteral("first"));
    m_scratch->write(QStringLiteral("both"), "staged\n");
    m_scratch->write(QStringLiteral("staged"), "staged\n");
    m_scratch->write(QStringLiteral("new"), "new\n");
    m_scratch->git(words("add both staged new"));
    m_scratch->write(QStringLiteral("both"), "unstaged\n");
    m_scratch->write(QStringLiteral("unstaged"), "unstaged\n");
    m_scratch->git(words("rm -q removed"));
    m_scratch->git(words("mv renamed moved"));
    m_scratch->write(QStringLiteral("intended"), "later\n");
    m_scratch->git(words("add -N intended"));
    m_scratch->git(words("update-index --assume-unchanged unstaged"));
    m_scratch->git(words("update-index --skip-worktree staged"));
    m_scratch->write(QStringLiteral("solution/staged.cpp"), "staged");
    m_scratch->git(words("add solution"));
    m_scratch->write(QStringLiteral("solution/staged.cpp"), "on disk");
    const QString status = m_scratch->git(words("status --porcelain -- . :!solution"));
    const QString stagedDiff = m_scratch->git(words("diff --cached -- . :!solution"));
    const QString diff = m_scratch->git(words("diff -- . :!solution"));
    const QString flags = m_scratch->git(words("ls-files -v -s -- . :!solution"));
    commit(*m_scratch, {QStringLiteral("solution")});
    QCOMPARE(m_scratch->git(words("status --porcelain")), status);
    QCOMPARE(m_scratch->git(words("diff --cached -- . :!solution")), stagedDiff);
    QCOMPARE(m_scratch->git(words("diff -- . :!solution")), diff);
    QCOMPARE(m_scratch->git(words("ls-files -v -s -- . :!solution")), flags);
    QCOMPARE(m_scratch->git(words("show HEAD:solution/staged.cpp")), QStringLiteral("on disk"));
    QCOMPARE(m_scratch->git(words("diff --name-only HEAD^ HEAD")), QStringLiteral("solution/staged.cpp"));
}

void TestCommitPaths::firstCommitOfAnUnbornRepository()
{
    m_scratch->write(QStringLiteral("staged"), "x");
    m_scratch->git(words("add staged"));
    m_scratch->write(QStringLiteral("solution/kernel.cpp"), "one");
    commit(*m_scratch, {QStringLiteral("solution")});
    QCOMPARE(treeList(*m_scratch), QStringLiteral("100644 solution/kernel.cpp"));
    QCOMPARE(m_scratch->status(), QStringLiteral("A  staged"));
    QVERIFY(m_scratch->git(words("log -1 --format=%P")).isEmpty());
    QVERIFY(!m_scratch->git(words("reflog")).isEmpty());
}

void TestCommitPaths::removalsAreCommitted()
{
    for (const char *name : {"solution/a.cpp", "solution/sub/b.cpp", "HINTS.md", "keep"})
        m_scratch->write(QString::fromUtf8(name), "x");
    m_scratch->commitAll(QStringLiteral("first"));
    m_scratch->remove(QStringLiteral("solution/sub"));
    m_scratch->remove(QStringLiteral("HINTS.md"));
    commit(*m_scratch, {QStringLiteral("solution"), QStringLiteral("HINTS.md"), QStringLiteral("never/was")});
    QCOMPARE(treeList(*m_scratch), QStringLiteral("100644 keep\n100644 solution/a.cpp"));
    QCOMPARE(m_scratch->status(), QString());
    m_scratch->remove(QStringLiteral("solution"));
    m_scratch->remove(QStringLiteral("keep"));
    commit(*m_scratch, {QStringLiteral("solution"), QStringLiteral("keep")});
    QCOMPARE(treeList(*m_scratch), QString());
    QCOMPARE(m_scratch->status(), QString());
}

void TestCommitPaths::fileAndFolderTakeEachOthersPlace()
{
    m_scratch->write(QStringLiteral("solution/thing"), "x");
    m_scratch->write(QStringLiteral("solution/other/file"), "x");
    m_scratch->write(QStringLiteral("plain"), "a file");
    m_scratch->commitAll(QStringLiteral("first"));
    m_scratch->remove(QStringLiteral("solution/thing"));
    m_scratch->remove(QStringLiteral("solution/other"));
    m_scratch->write(QStringLiteral("solution/thing/file"), "x");
    m_scratch->write(QStringLiteral("solution/other"), "x");
    commit(*m_scratch, {QStringLiteral("solution"), QStringLiteral("plain/below")});
    QCOMPARE(treeList(*m_scratch), QStringLiteral("100644 plain\n100644 solution/other\n100644 solution/thing/file"));
    QCOMPARE(m_scratch->status(), QString());
    m_scratch->remove(QStringLiteral("plain"));
    m_scratch->write(QStringLiteral("plain/below"), "now a folder");
    commit(*m_scratch, {QStringLiteral("plain/below")});
    QCOMPARE(m_scratch->status(), QString());
}

void TestCommitPaths::ignoredPathsAreCommitted()
{
    m_scratch->write(QStringLiteral(".gitignore"), "*.txt\nsolution/\n");
    m_scratch->write(QStringLiteral("solution/output.txt"), "x");
    commit(*m_scratch, {QStringLiteral("solution")});
    QCOMPARE(treeList(*m_scratch), QStringLiteral("100644 solution/output.txt"));
}

void TestCommitPaths::unchangedMakesAnEmptyCommit()
{
    m_scratch->write(QStringLiteral("solution/a"), "x");
    const QString first = commit(*m_scratch, {QStringLiteral("solution")});
    const QString second = commit(*m_scratch, {QStringLiteral("solution")}, QStringLiteral("[iter 2] nothing"));
    QVERIFY(first != second);
    QCOMPARE(m_scratch->git(words("rev-parse HEAD^{tree}")), m_scratch->git(words("rev-parse HEAD^^{tree}")));
}

void TestCommitPaths::executableBitIsKept()
{
    m_scratch->write(QStringLiteral("scripts/bench.sh"), "#!/bin/sh\n");
    m_scratch->makeExecutable(QStringLiteral("scripts/bench.sh"));
    m_scratch->write(QStringLiteral("scripts/data"), "x");
    commit(*m_scratch, {QStringLiteral("scripts")});
    QCOMPARE(treeList(*m_scratch), QStringLiteral("100755 scripts/bench.sh\n100644 scripts/data"));
    QCOMPARE(m_scratch->status(), QString());
    // A file system that knows no such bit: what was known stays.
    m_scratch->git(words("config core.filemode false"));
    QFile::setPermissions(m_scratch->filePath(QStringLiteral("scripts/bench.sh")),
                          QFile::ReadOwner | QFile::WriteOwner);
    m_scratch->makeExecutable(QStringLiteral("scripts/data"));
    commit(*m_scratch, {QStringLiteral("scripts")});
    QCOMPARE(treeList(*m_scratch), QStringLiteral("100755 scripts/bench.sh\n100644 scripts/data"));
}

void TestCommitPaths::linksAreCommittedAsLinks()
{
    m_scratch->link(QStringLiteral("solution/outside"), "/etc/passwd");
    m_scratch->link(QStringLiteral("solution/folder"), "../..");
    m_scratch->link(QStringLiteral("solution/dangling"), "nowhere");
    m_scratch->link(QStringLiteral("HINTS.md"), "/etc/hostname");
    commit(*m_scratch, {QStringLiteral("solution"), QStringLiteral("HINTS.md")});
    QCOMPARE(treeList(*m_scratch), QStringLiteral("120000 HINTS.md\n120000 solution/dangling\n120000 solution/folder\n"
                                                  "120000 solution/outside"));
    QCOMPARE(m_scratch->git(words("cat-file -p HEAD:solution/outside")), QStringLiteral("/etc/passwd"));
    QCOMPARE(m_scratch->status(), QString());
}

void TestCommitPaths::neverThroughALink()
{
    const QTemporaryDir outside;
    QFile secret(outside.filePath(QStringLiteral("secret")));
    QVERIFY(secret.open(QIODevice::WriteOnly));
    m_scratch->write(QStringLiteral("file"), "x");
    const QString first = m_scratch->commitAll(QStringLiteral("first"));
    m_scratch->link(QStringLiteral("trajectory"), QFile::encodeName(outside.path()));
    auto repository = Repository::open(m_scratch->path());
    const auto refused = repository->commitPaths({QStringLiteral("trajectory/secret")}, QStringLiteral("m"));
    QVERIFY(!refused);
    QVERIFY2(refused.error().message.contains(QStringLiteral("symbolic link")), qPrintable(refused.error().message));
    QCOMPARE(m_scratch->head(), first);
}

void TestCommitPaths::pipesAndGitFoldersAreLeftOut()
{
    m_scratch->write(QStringLiteral("solution/kernel.cpp"), "x");
    QCOMPARE(::mkfifo(QFile::encodeName(m_scratch->filePath(QStringLiteral("solution/pipe"))).constData(), 0600), 0);
    m_scratch->write(QStringLiteral("solution/nested/file"), "x");
    m_scratch->git(words("init -q solution/nested"));
    m_scratch->write(QStringLiteral("solution/.GIT/config"), "[core]\n");
    QDir().mkpath(m_scratch->filePath(QStringLiteral("solution/empty/er")));
    commit(*m_scratch, {QStringLiteral("solution")});
    QCOMPARE(treeList(*m_scratch), QStringLiteral("100644 solution/kernel.cpp\n100644 solution/nested/file"));
}

void TestCommitPaths::submodulesStay()
{
    const ScratchRepository other;
    other.write(QStringLiteral("lib.h"), "x");
    const QString libraryHead = other.commitAll(QStringLiteral("library"));
    m_scratch->write(QStringLiteral("solution/kernel.cpp"), "one");
    m_scratch->commitAll(QStringLiteral("first"));
    for (const QString &place : {QStringLiteral("third party"), QStringLiteral("solution/lib")})
        m_scratch->git({QStringLiteral("-c"), QStringLiteral("protocol.file.allow=always"), QStringLiteral("submodule"),
                        QStringLiteral("--quiet"), QStringLiteral("add"), other.path(), place});
    m_scratch->commitAll(QStringLiteral("with submodules"));
    m_scratch->write(QStringLiteral("solution/kernel.cpp"), "two");
    commit(*m_scratch, {QStringLiteral("solution")});
    QCOMPARE(m_scratch->git(words("rev-parse HEAD:solution/lib")), libraryHead);
    QCOMPARE(m_scratch->git({QStringLiteral("rev-parse"), QStringLiteral("HEAD:third party")}), libraryHead);
    QCOMPARE(m_scratch->status(), QString());
    auto repository = Repository::open(m_scratch->path());
    const auto inside = repository->commitPaths({QStringLiteral("third party/lib.h")}, QStringLiteral("m"));
    QVERIFY(!inside);
    QVERIFY2(inside.error().message.contains(QStringLiteral("submodule")), qPrintable(inside.error().message));
}

void TestCommitPaths::namesOfAnyKind()
{
    const QStringList names = {QStringLiteral("solution/größe.cpp"),  QStringLiteral("solution/日本/カーネル.cu"),
                               QStringLiteral("solution/with space"), QStringLiteral("solution/-dash"),
                               QStringLiteral("solution/*"),          QStringLiteral("solution/:(top)"),
                               QStringLiteral("solution/\"quoted\""), QStringLiteral("solution/a\\b")};
    for (const QString &name : names)
        m_scratch->write(name, name.toUtf8());
    const QString id = commit(*m_scratch, {QStringLiteral("solution")});
    QCOMPARE(m_scratch->status(), QString());
    const auto repository = Repository::open(m_scratch->path());
    for (const QString &name : names)
        QCOMPARE(repository->fileAt(id, name).value(), name.toUtf8());
    QCOMPARE(repository->folderAt(id, QStringLiteral("solution"))->files.size(), names.size());
}

void TestCommitPaths::workspaceBelowTheRoot()
{
    m_scratch->write(QStringLiteral("solution/not ours"), "x");
    m_scratch->write(QStringLiteral("kernels/mat mul/solution/kernel.cpp"), "one");
    m_scratch->commitAll(QStringLiteral("first"));
    m_scratch->write(QStringLiteral("solution/not ours"), "changed");
    m_scratch->write(QStringLiteral("kernels/mat mul/solution/kernel.cpp"), "two");
    auto repository = Repository::open(m_scratch->filePath(QStringLiteral("kernels/mat mul")));
    const auto id = repository->commitPaths({QStringLiteral("./solution/")}, QStringLiteral("[iter 1] below"));
    QVERIFY2(id, id ? "" : qPrintable(id.error().text()));
    QCOMPARE(m_scratch->git(words("diff --name-only HEAD^ HEAD")),
             QStringLiteral("kernels/mat mul/solution/kernel.cpp"));
    QCOMPARE(m_scratch->status(), QStringLiteral(" M \"solution/not ours\""));
    QCOMPARE(repository->folderAt(*id, QStringLiteral("solution"))->files.value(QStringLiteral("kernel.cpp")),
             QByteArray("two"));
}

void TestCommitPaths::overlappingPaths()
{
    m_scratch->write(QStringLiteral("a/b/c"), "x");
    m_scratch->write(QStringLiteral("a.txt"), "x");
    m_scratch->write(QStringLiteral("ab/c"), "x");
    commit(*m_scratch, {QStringLiteral("a/b"), QStringLiteral("a"), QStringLiteral("a/b/c"), QStringLiteral("a")});
    QCOMPARE(treeList(*m_scratch), QStringLiteral("100644 a/b/c"));
    QCOMPARE(m_scratch->status(), QStringLiteral("?? a.txt\n?? ab/"));
}

void TestCommitPaths::detachedHead()
{
    m_scratch->write(QStringLiteral("file"), "x");
    const QString first = m_scratch->commitAll(QStringLiteral("first"));
    m_scratch->git(words("checkout -q --detach"));
    m_scratch->write(QStringLiteral("file"), "y");
    const QString id = commit(*m_scratch, {QStringLiteral("file")});
    QCOMPARE(m_scratch->head(), id);
    QCOMPARE(m_scratch->git(words("rev-parse main")), first);
    QVERIFY(Repository::open(m_scratch->path())->isDetached());
}

void TestCommitPaths::messageAndAuthor()
{
    m_scratch->write(QStringLiteral("file"), "x");
    commit(*m_scratch, {QStringLiteral("file")}, QStringLiteral("[iter 7] größer → schneller\n\n# not a comment"));
    QCOMPARE(m_scratch->git(words("log -1 --format=%B%an%ae%cn")),
             QStringLiteral("[iter 7] größer → schneller\n\n# not a comment\nAda Lovelaceada@example.orgAda Lovelace"));
    QCOMPARE(m_scratch->git(words("log -g -1 --format=%gs")), QStringLiteral("commit: [iter 7] größer → schneller"));
}

void TestCommitPaths::largeFiles()
{
    QByteArray content(20'000'000, 'x');
    for (qsizetype i = 0; i < content.size(); i += 7919)
        content[i] = char(i);
    m_scratch->write(QStringLiteral("solution/table.bin"), content);
    const QString id = commit(*m_scratch, {QStringLiteral("solution")});
    QVERIFY(Repository::open(m_scratch->path())->fileAt(id, QStringLiteral("solution/table.bin")).value() == content);
    QCOMPARE(m_scratch->git(words("rev-parse HEAD:solution/table.bin")),
             m_scratch->git(words("hash-object solution/table.bin")));
}

void TestCommitPaths::lineEndsAreKept_data()
{
    QTest::addColumn<QStringList>("configuration");
    QTest::addColumn<QByteArray>("attributes");
    QTest::newRow("nothing set") << QStringList() << QByteArray();
    QTest::newRow("autocrlf") << words("config core.autocrlf true") << QByteArray();
    QTest::newRow("autocrlf input") << words("config core.autocrlf input") << QByteArray();
    QTest::newRow("text=auto") << QStringList() << QByteArray("* text=auto\n");
    QTest::newRow("text=auto eol=lf") << QStringList() << QByteArray("* text=auto eol=lf\n");
    QTest::newRow("text=auto eol=crlf") << QStringList() << QByteArray("* text=auto eol=crlf\n");
    QTest::newRow("-text") << words("config core.autocrlf true") << QByteArray("* -text\n");
}

// Bytes come back exactly, and git, looking at the contents again, finds nothing changed.
void TestCommitPaths::lineEndsAreKept()
{
    QFETCH(QStringList, configuration);
    QFETCH(QByteArray, attributes);
    if (!configuration.isEmpty())
        m_scratch->git(configuration);
    if (!attributes.isEmpty()) {
        m_scratch->write(QStringLiteral(".gitattributes"), attributes);
        m_scratch->commitAll(QStringLiteral("attributes"));
    }
    m_scratch->write(QStringLiteral("solution/crlf.cpp"), "one\r\ntwo\r\n");
    m_scratch->write(QStringLiteral("solution/lf.cpp"), "one\ntwo\n");
    m_scratch->write(QStringLiteral("solution/mixed.cpp"), "one\r\ntwo\nthree\r\n");
    const FolderContent onDisk = ako::readFolder(m_scratch->filePath(QStringLiteral("solution"))).value();
    const QString id = commit(*m_scratch, {QStringLiteral("solution")});
    QCOMPARE(Repository::open(m_scratch->path())->folderAt(id, QStringLiteral("solution")).value(), onDisk);
    QCOMPARE(m_scratch->status(), QString());
    touchAll(*m_scratch, QStringLiteral("solution"));
    QCOMPARE(m_scratch->status(), QString());
    m_scratch->write(QStringLiteral("solution/crlf.cpp"), "one\r\ntwo\r\nthree\r\n");
    const QString next = commit(*m_scratch, {QStringLiteral("solution")});
    QCOMPARE(Repository::open(m_scratch->path())->fileAt(next, QStringLiteral("solution/crlf.cpp")).value(),
             QByteArray("one\r\ntwo\r\nthree\r\n"));
    QCOMPARE(m_scratch->status(), QString());
}

void TestCommitPaths::lockedIndexIsReported()
{
    m_scratch->write(QStringLiteral("file"), "x");
    const QString first = m_scratch->commitAll(QStringLiteral("first"));
    m_scratch->write(QStringLiteral(".git/index.lock"), "");
    m_scratch->write(QStringLiteral("file"), "y");
    auto repository = Repository::open(m_scratch->path());
    const auto refused = repository->commitPaths({QStringLiteral("file")}, QStringLiteral("m"));
    m_scratch->remove(QStringLiteral(".git/index.lock"));
    QVERIFY(!refused);
    QVERIFY2(refused.error().message.contains(QStringLiteral("index.lock")), qPrintable(refused.error().message));
    QVERIFY(!refused.error().remedy.isEmpty());
    QCOMPARE(m_scratch->head(), first);
}

void TestCommitPaths::brieflyLockedIndexIsWaitedFor()
{
    m_scratch->write(QStringLiteral("file"), "x");
    m_scratch->write(QStringLiteral(".git/index.lock"), "");
    const QString lock = m_scratch->filePath(QStringLiteral(".git/index.lock"));
    const std::unique_ptr<QThread> other(QThread::create([lock, committer = ::gettid()] {
        QDeadlineTimer limit(900); // the commit waits for a second
        while (!isAsleep(committer) && !limit.hasExpired())
            QThread::yieldCurrentThread();
        QFile::remove(lock);
    }));
    other->start();
    commit(*m_scratch, {QStringLiteral("file")});
    QVERIFY(other->wait());
    QCOMPARE(m_scratch->status(), QString());
}

void TestCommitPaths::lockedBranchIsReported()
{
    m_scratch->write(QStringLiteral("file"), "x");
    const QString first = m_scratch->commitAll(QStringLiteral("first"));
    m_scratch->write(QStringLiteral(".git/refs/heads/main.lock"), "");
    m_scratch->write(QStringLiteral("file"), "longer");
    auto repository = Repository::open(m_scratch->path());
    const auto refused = repository->commitPaths({QStringLiteral("file")}, QStringLiteral("m"));
    m_scratch->remove(QStringLiteral(".git/refs/heads/main.lock"));
    QVERIFY(!refused);
    QVERIFY2(refused.error().message.contains(QStringLiteral("refs/heads/main")), qPrintable(refused.error().message));
    QCOMPARE(m_scratch->head(), first);
    QCOMPARE(m_scratch->status(), QStringLiteral(" M file"));
    commit(*m_scratch, {QStringLiteral("file")});
    QCOMPARE(m_scratch->status(), QString());
}

// The state that a kill between the move of the branch and the write of the index leaves: the old index and the note.
void TestCommitPaths::interruptedIndexIsCompleted()
{
    m_scratch->write(QStringLiteral("solution/old"), "x");
    m_scratch->write(QStringLiteral("user"), "x");
    m_scratch->commitAll(QStringLiteral("first"));
    m_scratch->write(QStringLiteral("user"), "staged");
    m_scratch->git(words("add user"));
    const QByteArray index = m_scratch->read(QStringLiteral(".git/index"));
    m_scratch->remove(QStringLiteral("solution/old"));
    m_scratch->write(QStringLiteral("solution/new"), "x");
    m_scratch->write(QStringLiteral("ITERATIONS.md"), "x");
    const QString id = commit(*m_scratch, {QStringLiteral("solution"), QStringLiteral("ITERATIONS.md")});
    m_scratch->write(QStringLiteral(".git/index"), index);
    m_scratch->write(QStringLiteral(".git/ako-pending-index"),
                     id.toUtf8() + QByteArray("\0solution\0ITERATIONS.md", 23));
    QVERIFY(m_scratch->status() != QStringLiteral("M  user"));
    auto repository = Repository::open(m_scratch->path());
    QVERIFY(repository->finishInterruptedCommit());
    QCOMPARE(m_scratch->status(), QStringLiteral("M  user"));
    QVERIFY(!m_scratch->exists(QStringLiteral(".git/ako-pending-index")));
    QVERIFY(repository->finishInterruptedCommit());
}

void TestCommitPaths::interruptedBeforeTheBranchMoved()
{
    m_scratch->write(QStringLiteral("file"), "x");
    m_scratch->commitAll(QStringLiteral("first"));
    m_scratch->git(words("checkout -q -b side"));
    m_scratch->write(QStringLiteral("file"), "longer");
    const QString unreached = m_scratch->commitAll(QStringLiteral("side"));
    m_scratch->git(words("checkout -q main"));
    const QList<QByteArray> notes = {unreached.toUtf8() + QByteArray("\0file", 5), "rubbish", ""};
    for (const QByteArray &note : notes) {
        m_scratch->write(QStringLiteral(".git/ako-pending-index"), note);
        QVERIFY(Repository::open(m_scratch->path())->finishInterruptedCommit());
        QVERIFY(!m_scratch->exists(QStringLiteral(".git/ako-pending-index")));
        QCOMPARE(m_scratch->status(), QString());
    }
}

// A lock appears while the branch moves: HEAD's log is a full pipe, so that the move, which holds the branch's lock,
// waits until this test has seen it and reads.
void TestCommitPaths::indexFailureAfterTheMoveIsNoFailure()
{
    m_scratch->write(QStringLiteral("file"), "x");
    m_scratch->commitAll(QStringLiteral("first"));
    const QString log = m_scratch->filePath(QStringLiteral(".git/logs/HEAD"));
    const QString lock = m_scratch->filePath(QStringLiteral(".git/index.lock"));
    const QString branches = m_scratch->filePath(QStringLiteral(".git/refs/heads"));
    m_scratch->remove(QStringLiteral(".git/logs/HEAD"));
    QCOMPARE(::mkfifo(QFile::encodeName(log).constData(), 0600), 0);
    const int pipe = ::open(QFile::encodeName(log).constData(), O_RDWR | O_NONBLOCK);
    QVERIFY(pipe >= 0);
    const QByteArray filling(4096, 'x');
    while (::write(pipe, filling.constData(), static_cast<size_t>(filling.size())) > 0) {}
    std::atomic<bool> done{false};
    const std::unique_ptr<QThread> other(QThread::create([&] {
        const auto moves = [&branches] { return !QDir(branches).entryList({QStringLiteral("*.lock")}).isEmpty(); };
        while (!moves() && !done) {}
        QFile file(lock);
        [[maybe_unused]] const bool opened = file.open(QIODevice::WriteOnly);
        char text[4096];
        while (!done) [[maybe_unused]]
            const auto read = ::read(pipe, text, sizeof text);
    }));
    other->start();
    m_scratch->write(QStringLiteral("file"), "longer");
    auto repository = Repository::open(m_scratch->path());
    const auto id = repository->commitPaths({QStringLiteral("file")}, QStringLiteral("m"));
    done = true;
    QVERIFY(other->wait(5000));
    ::close(pipe);
    QFile::remove(lock);
    QFile::remove(log);
    QVERIFY2(id, id ? "" : qPrintable(id.error().text()));
    QCOMPARE(m_scratch->head(), *id);
    QVERIFY(m_scratch->exists(QStringLiteral(".git/ako-pending-index")));
    m_scratch->write(QStringLiteral("other"), "z");
    commit(*m_scratch, {QStringLiteral("other")});
    QCOMPARE(m_scratch->status(), QString());
    QVERIFY(!m_scratch->exists(QStringLiteral(".git/ako-pending-index")));
}

void TestCommitPaths::conflictsInTheIndexElsewhere()
{
    m_scratch->write(QStringLiteral("file"), "one\n");
    m_scratch->write(QStringLiteral("solution/k"), "one\n");
    m_scratch->commitAll(QStringLiteral("first"));
    m_scratch->write(QStringLiteral("file"), "stashed\n");
    m_scratch->git(words("stash -q"));
    m_scratch->write(QStringLiteral("file"), "changed\n");
    m_scratch->git(words("commit -qam second"));
    QVERIFY(m_scratch->gitExitCode(words("stash pop")) != 0);
    const QString before = m_scratch->git(words("ls-files -s -u"));
    QVERIFY(!before.isEmpty());
    m_scratch->write(QStringLiteral("solution/k"), "longer\n");
    commit(*m_scratch, {QStringLiteral("solution")});
    QCOMPARE(m_scratch->git(words("ls-files -s -u")), before);
    QCOMPARE(m_scratch->status(), QStringLiteral("UU file"));
}

void TestCommitPaths::splitIndexIsRefusedBeforeAnything()
{
    m_scratch->write(QStringLiteral("file"), "x");
    const QString first = m_scratch->commitAll(QStringLiteral("first"));
    m_scratch->git(words("update-index --split-index"));
    m_scratch->write(QStringLiteral("file"), "y");
    auto repository = Repository::open(m_scratch->path());
    const auto refused = repository->commitPaths({QStringLiteral("file")}, QStringLiteral("m"));
    QVERIFY(!refused);
    QVERIFY2(refused.error().remedy.contains(QStringLiteral("--no-split-index")), qPrintable(refused.error().text()));
    QCOMPARE(m_scratch->head(), first);
}

void TestCommitPaths::unreadableFileIsNamed()
{
    if (::geteuid() == 0)
        QSKIP("root can read everything");
    m_scratch->write(QStringLiteral("solution/secret"), "x");
    QFile::setPermissions(m_scratch->filePath(QStringLiteral("solution/secret")), QFile::Permissions());
    auto repository = Repository::open(m_scratch->path());
    const auto refused = repository->commitPaths({QStringLiteral("solution")}, QStringLiteral("m"));
    QVERIFY(!refused);
    QVERIFY(refused.error().message.contains(QStringLiteral("solution/secret")));
}

void TestCommitPaths::refusesPathsOutside_data()
{
    QTest::addColumn<QString>("path");
    for (const char *path : {"", ".", "..", "../x", "a/../../x", "/etc/passwd", ".git", ".git/hooks", "a/.GIT/config"})
        QTest::addRow("'%s'", path) << QString::fromUtf8(path);
}

void TestCommitPaths::refusesPathsOutside()
{
    QFETCH(QString, path);
    m_scratch->write(QStringLiteral("file"), "x");
    const QString first = m_scratch->commitAll(QStringLiteral("first"));
    QVERIFY(!Repository::open(m_scratch->path())->commitPaths({path}, QStringLiteral("m")));
    QCOMPARE(m_scratch->head(), first);
}

// Many commits by git and by us against each other: each of ours either is in the history or was refused; nothing of
// either side is lost.
void TestCommitPaths::otherProgramCommitsAtTheSameTime()
{
    m_scratch->write(QStringLiteral("file"), "x");
    m_scratch->commitAll(QStringLiteral("first"));
    std::atomic<int> theirs = 0;
    const std::unique_ptr<QThread> other(QThread::create([this, &theirs] {
        for (int i = 0; i < 15; ++i) {
            if (m_scratch->gitExitCode(words("commit -q --allow-empty -m theirs")) == 0)
                ++theirs;
        }
    }));
    other->start();
    int ours = 0;
    while (!other->isFinished()) {
        m_scratch->write(QStringLiteral("solution/k"), QByteArray::number(ours));
        auto repository = Repository::open(m_scratch->path());
        if (repository->commitPaths({QStringLiteral("solution")}, QStringLiteral("ours")))
            ++ours;
    }
    QVERIFY(other->wait());
    const QStringList subjects = m_scratch->git(words("log --format=%s")).split(QLatin1Char('\n'));
    QCOMPARE(subjects.count(QStringLiteral("theirs")), theirs.load());
    QCOMPARE(subjects.count(QStringLiteral("ours")), ours);
    QVERIFY(ours > 0);
    commit(*m_scratch, {QStringLiteral("solution")});
    QCOMPARE(m_scratch->status(), QString());
}

QTEST_GUILESS_MAIN(TestCommitPaths)
#include "tst_commitpaths.moc"
