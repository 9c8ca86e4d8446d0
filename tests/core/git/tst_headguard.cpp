// SPDX-License-Identifier: GPL-3.0-or-later
// What somebody does with git while an agent has its turn: told and put back, and nothing else touched.
#include "git/headguard.h"
#include "support/scratchrepository.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace ako;
using namespace ako::test;

class TestHeadGuard : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { isolateGitConfiguration(); }
    void changes_data();
    void changes();
    void withoutACommit();
};

void TestHeadGuard::changes_data()
{
    QTest::addColumn<QStringList>("commands"); // each the arguments of git, or "write FILE"
    QTest::addColumn<QString>("told");         // in one of the lines; empty: nothing is told
    QTest::addColumn<bool>("detached");
    const auto row = [](const char *name, const QStringList &commands, const char *told, bool detached = false) {
        QTest::newRow(name) << commands << QString::fromUtf8(told) << detached;
    };
    const QString commit = QStringLiteral("commit -q --allow-empty -m theirs");
    row("nothing", {}, "");
    row("a commit", {commit}, "git: the branch main was moved to commit");
    row("three commits", {commit, commit, commit}, "git: the branch main was moved");
    row("what was staged is committed", {QStringLiteral("add a.txt"), commit}, "git: the branch main was moved");
    row("another branch", {QStringLiteral("checkout -q -b theirs")}, "git: HEAD was moved to theirs");
    row("a commit on another branch", {QStringLiteral("checkout -q -b theirs"), commit},
        "git: HEAD was moved to theirs");
    row("no branch", {QStringLiteral("checkout -q --detach")}, "git: HEAD was moved to");
    row("back in time", {QStringLiteral("reset -q --soft HEAD~1")}, "git: the branch main was moved");
    row("amended", {QStringLiteral("commit -q --amend -m amended")}, "git: the branch main was moved");
    row("the branch is gone", {QStringLiteral("checkout -q --detach"), QStringLiteral("branch -q -D main")},
        "git: the branch main was removed");
    row("packed", {commit, QStringLiteral("pack-refs --all")}, "git: the branch main was moved");
    row("a hook", {QStringLiteral("write .git/hooks/post-commit")}, "git: hooks/post-commit was written");
    row("the settings", {QStringLiteral("config alias.x !ls")}, "git: config was written");
    row("a lock is left", {QStringLiteral("write .git/index.lock")}, "git: index.lock was written");
    row("a person's other branch", {QStringLiteral("branch other")}, "");
    row("a tag", {QStringLiteral("tag v1")}, "");
    row("staged only", {QStringLiteral("add a.txt")}, "");
    row("detached before, moved", {commit}, "git: HEAD was moved", true);
    row("detached before, on a branch now", {QStringLiteral("checkout -q main")}, "git: HEAD was moved to main", true);
}

void TestHeadGuard::changes()
{
    QFETCH(QStringList, commands);
    QFETCH(QString, told);
    QFETCH(bool, detached);
    const ScratchRepository repository;
    repository.write(QStringLiteral("a.txt"), "one\n");
    repository.commitAll(QStringLiteral("first"));
    repository.write(QStringLiteral("b.txt"), "two\n");
    repository.commitAll(QStringLiteral("second"));
    repository.git({QStringLiteral("branch"), QStringLiteral("-M"), QStringLiteral("main")});
    if (detached)
        repository.git({QStringLiteral("checkout"), QStringLiteral("-q"), QStringLiteral("--detach")});
    repository.write(QStringLiteral("a.txt"), "edited\n");
    const auto state = [&repository] {
        return repository.git({QStringLiteral("rev-parse"), QStringLiteral("--symbolic-full-name"),
                               QStringLiteral("HEAD"), QStringLiteral("main")}) +
               repository.git({QStringLiteral("rev-parse"), QStringLiteral("HEAD"), QStringLiteral("main")});
    };
    const QString before = state();
    const QByteArray config = repository.read(QStringLiteral(".git/config"));
    const auto guard = HeadGuard::take(repository.path());
    QVERIFY2(guard.has_value(), qPrintable(guard ? QString() : guard.error().text()));
    for (const QString &command : commands) {
        if (command.startsWith(QLatin1String("write ")))
            repository.write(command.mid(6), "#!/bin/sh\n");
        else
            repository.git(command.split(QLatin1Char(' ')));
    }
    const auto commits = [&repository](const char *references) { // nothing where there is none
        return repository
            .git({QStringLiteral("for-each-ref"), QStringLiteral("--format=%(objectname)"),
                  QString::fromLatin1(references)})
            .trimmed();
    };
    const QString moved = commits("refs/heads/main");
    const QTemporaryDir aside;
    const auto lines = guard->putBack(aside.path());
    QVERIFY2(lines.has_value(), qPrintable(lines ? QString() : lines.error().text()));
    const QString all = lines->join(QLatin1Char('\n'));
    QVERIFY2(told.isEmpty() ? all.isEmpty() : all.contains(told), qPrintable(all));
    QVERIFY2(!all.contains(QLatin1String("could not be")), qPrintable(all));
    QCOMPARE(state(), before);
    QCOMPARE(repository.read(QStringLiteral(".git/config")), config);
    QVERIFY(!QFile::exists(repository.filePath(QStringLiteral(".git/hooks/post-commit"))));
    QVERIFY(!QFile::exists(repository.filePath(QStringLiteral(".git/index.lock"))));
    QCOMPARE(repository.read(QStringLiteral("a.txt")), QByteArray("edited\n"));
    if (told.startsWith(QLatin1String("git: the branch main was moved"))) // a person may want it after all
    {
        QCOMPARE(commits("refs/ako4all/taken-back"), moved);
        // As the message says.
        static const QRegularExpression command(QStringLiteral("\"git (branch) NAME (refs/ako4all/\\S+)\" brings"));
        const auto match = command.match(all);
        QVERIFY2(match.hasMatch(), qPrintable(all));
        repository.git({match.captured(1), QStringLiteral("theirs"), match.captured(2)});
        QCOMPARE(commits("refs/heads/theirs"), moved);
        repository.git({QStringLiteral("branch"), QStringLiteral("-D"), QStringLiteral("theirs")});
    }
    // And the repository is of use: what was staged by us alone shows, and a commit can be made.
    repository.git({QStringLiteral("fsck"), QStringLiteral("--no-dangling")});
    QVERIFY(guard->putBack(aside.path())->isEmpty());
}

void TestHeadGuard::withoutACommit()
{
    const ScratchRepository repository;
    repository.write(QStringLiteral("a.txt"), "one\n");
    const auto guard = HeadGuard::take(repository.path());
    QVERIFY(guard.has_value());
    QVERIFY(guard->putBack(QStringLiteral("/nowhere"))->isEmpty());
    repository.commitAll(QStringLiteral("theirs"));
    const QTemporaryDir aside;
    const auto lines = guard->putBack(aside.path());
    QVERIFY(lines && lines->size() == 1);
    QVERIFY(guard->putBack(aside.path())->isEmpty());
}

QTEST_GUILESS_MAIN(TestHeadGuard)
#include "tst_headguard.moc"
