// SPDX-License-Identifier: GPL-3.0-or-later
#include "git/folderfiles.h"
#include "git/repository.h"
#include "support/scratchrepository.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

using ako::Diff;
using ako::FileDiff;
using ako::FolderContent;
using ako::mergeFolders;
using ako::MergeOutcome;
using ako::readFolder;
using ako::replaceFolder;

namespace {

using Files = QMap<QString, QByteArray>;

FolderContent folder(const Files &files, const QStringList &executables = {}, const QStringList &links = {})
{
    return {files, executables, links};
}

FolderContent oneFile(const QByteArray &content)
{
    return folder({{QStringLiteral("k.cpp"), content}});
}

// " 1,1 text" for context, "-2 text", "+2 text": a whole diff as lines to compare.
QStringList shown(const Diff &diff)
{
    static const QMap<FileDiff::Kind, QString> kinds{{FileDiff::Kind::Added, QStringLiteral("added")},
                                                     {FileDiff::Kind::Removed, QStringLiteral("removed")},
                                                     {FileDiff::Kind::Modified, QStringLiteral("modified")}};
    QStringList lines;
    for (const FileDiff &file : diff) {
        lines += kinds.value(file.kind) + QLatin1Char(' ') + file.path +
                 (file.binary ? QStringLiteral(" binary") : QString());
        for (const ako::DiffHunk &hunk : file.hunks) {
            lines += hunk.header;
            for (const ako::DiffLine &line : hunk.lines)
                lines += QStringLiteral("%1 %2 %3 %4")
                             .arg(QLatin1Char(line.origin))
                             .arg(line.oldLine)
                             .arg(line.newLine)
                             .arg(line.text);
        }
    }
    return lines;
}

} // namespace

class TestFolders : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { ako::test::isolateGitConfiguration(); }

    void diff_data();
    void diff();
    void mergeOfOneFile_data();
    void mergeOfOneFile();
    void mergeOfWholeFiles_data();
    void mergeOfWholeFiles();
    void mergeKeepsModes();
    void conflictReturnsNothingMerged();
    void revertLeavesLaterChanges();
    void readsAndReplaces();
    void replaceLeavesTheSameFilesAlone();
    void replaceChangesKinds();
    void replaceNeverLeavesTheFolder();
    void replaceRefusesPaths_data();
    void replaceRefusesPaths();
    void readRefusesWhatIsNoFolder();
    void readRefusesANameThatIsNoText_data();
    void readRefusesANameThatIsNoText();
};

void TestFolders::diff_data()
{
    QTest::addColumn<FolderContent>("before");
    QTest::addColumn<FolderContent>("after");
    QTest::addColumn<QStringList>("lines");
    QTest::newRow("nothing") << oneFile("a\n") << oneFile("a\n") << QStringList();
    QTest::newRow("both empty") << FolderContent() << FolderContent() << QStringList();
    QTest::newRow("changed line") << oneFile("a\nb\nc\n") << oneFile("a\nB\nc\n")
                                  << QStringList{QStringLiteral("modified k.cpp"), QStringLiteral("@@ -1,3 +1,3 @@"),
                                                 QStringLiteral("  1 1 a"),        QStringLiteral("- 2 -1 b"),
                                                 QStringLiteral("+ -1 2 B"),       QStringLiteral("  3 3 c")};
    QTest::newRow("added file") << FolderContent() << oneFile("ä\n")
                                << QStringList{QStringLiteral("added k.cpp"), QStringLiteral("@@ -0,0 +1 @@"),
                                               QStringLiteral("+ -1 1 ä")};
    QTest::newRow("removed file") << oneFile("a\n") << FolderContent()
                                  << QStringList{QStringLiteral("removed k.cpp"), QStringLiteral("@@ -1 +0,0 @@"),
                                                 QStringLiteral("- 1 -1 a")};
    QTest::newRow("added empty file") << FolderContent() << oneFile("") << QStringList{QStringLiteral("added k.cpp")};
    QTest::newRow("binary") << oneFile(QByteArray("a\0b", 3)) << oneFile(QByteArray("a\0c", 3))
                            << QStringList{QStringLiteral("modified k.cpp binary")};
    QTest::newRow("executable only") << oneFile("a\n")
                                     << folder({{QStringLiteral("k.cpp"), "a\n"}}, {QStringLiteral("k.cpp")})
                                     << QStringList{QStringLiteral("modified k.cpp")};
    QTest::newRow("newline at the end") << oneFile("a") << oneFile("a\n")
                                        << QStringList{QStringLiteral("modified k.cpp"), QStringLiteral("@@ -1 +1 @@"),
                                                       QStringLiteral("- 1 -1 a"),
                                                       QStringLiteral("\\ -1 -1 No newline at end of file"),
                                                       QStringLiteral("+ -1 1 a")};
    QTest::newRow("CRLF") << oneFile("a\r\n") << oneFile("b\r\n")
                          << QStringList{QStringLiteral("modified k.cpp"), QStringLiteral("@@ -1 +1 @@"),
                                         QStringLiteral("- 1 -1 a"), QStringLiteral("+ -1 1 b")};
}

void TestFolders::diff()
{
    QFETCH(FolderContent, before);
    QFETCH(FolderContent, after);
    const QTemporaryDir place;
    const auto repository = ako::Repository::initialise(place.path());
    const auto diff = repository->diffFolders(before, after);
    QVERIFY(diff);
    QTEST(shown(*diff), "lines");
}

void TestFolders::mergeOfOneFile_data()
{
    QTest::addColumn<QByteArray>("base");
    QTest::addColumn<QByteArray>("ours");
    QTest::addColumn<QByteArray>("theirs");
    QTest::addColumn<QByteArray>("merged");
    QTest::addColumn<QList<int>>("conflictLines");
    const QByteArray base("1\n2\n3\n4\n5\n6\n7\n8\n");
    const auto with = [&base](const char *from, const char *to) { return QByteArray(base).replace(from, to); };
    QTest::newRow("apart") << base << with("2\n", "two\n") << with("7\n", "seven\n")
                           << QByteArray("1\ntwo\n3\n4\n5\n6\nseven\n8\n") << QList<int>();
    QTest::newRow("same change") << base << with("2\n", "two\n") << with("2\n", "two\n") << with("2\n", "two\n")
                                 << QList<int>();
    QTest::newRow("same line") << base << with("2\n", "two\n") << with("2\n", "zwei\n") << QByteArray()
                               << QList<int>{2};
    QTest::newRow("shifted by our own insertion") << base << QByteArray("0\n0\n" + with("7\n", "seven\n"))
                                                  << with("7\n", "sieben\n") << QByteArray() << QList<int>{9};
    QTest::newRow("ours longer") << base << with("4\n", "a\nb\nc\n") << with("4\n", "d\n") << QByteArray()
                                 << QList<int>{4, 5, 6};
    QTest::newRow("ours deleted") << base << with("4\n", "") << with("4\n", "d\n") << QByteArray() << QList<int>{3};
    QTest::newRow("theirs deleted") << base << with("4\n", "d\n") << with("4\n", "") << QByteArray() << QList<int>{4};
    QTest::newRow("both insert at one place")
        << base << with("4\n", "4\nx\n") << with("4\n", "4\ny\n") << QByteArray() << QList<int>{5};
    QTest::newRow("touching") << base << with("4\n", "four\n") << with("5\n", "five\n") << QByteArray()
                              << QList<int>{4};
    QTest::newRow("one of two conflicts") << base << with("2\n", "two\n").replace("7\n", "seven\n")
                                          << with("7\n", "sieben\n") << QByteArray() << QList<int>{7};
    QTest::newRow("CRLF") << QByteArray("a\r\nb\r\nc\r\nd\r\n") << QByteArray("A\r\nb\r\nc\r\nd\r\n")
                          << QByteArray("a\r\nb\r\nc\r\nD\r\n") << QByteArray("A\r\nb\r\nc\r\nD\r\n") << QList<int>();
    QTest::newRow("no newline at the end") << QByteArray("a\nb\nc\nd") << QByteArray("A\nb\nc\nd")
                                           << QByteArray("a\nb\nc\nD") << QByteArray("A\nb\nc\nD") << QList<int>();
    QTest::newRow("text that looks like a conflict")
        << QByteArray("<<<<<<< x\n=======\n>>>>>>> y\n3\n4\n5\n")
        << QByteArray("<<<<<<< z\n=======\n>>>>>>> y\n3\n4\n5\n")
        << QByteArray("<<<<<<< x\n=======\n>>>>>>> y\n3\n4\nfive\n")
        << QByteArray("<<<<<<< z\n=======\n>>>>>>> y\n3\n4\nfive\n") << QList<int>();
}

void TestFolders::mergeOfOneFile()
{
    QFETCH(QByteArray, base);
    QFETCH(QByteArray, ours);
    QFETCH(QByteArray, theirs);
    QFETCH(QByteArray, merged);
    QFETCH(QList<int>, conflictLines);
    const MergeOutcome outcome = mergeFolders(oneFile(base), oneFile(ours), oneFile(theirs));
    if (conflictLines.isEmpty()) {
        QVERIFY(outcome.conflicts.isEmpty());
        QCOMPARE(outcome.merged, oneFile(merged));
        return;
    }
    QCOMPARE(outcome.conflicts.size(), 1);
    QCOMPARE(outcome.conflicts.first().path, QStringLiteral("k.cpp"));
    QCOMPARE(outcome.conflicts.first().lines, conflictLines);
    QCOMPARE(outcome.merged, FolderContent());
}

void TestFolders::mergeOfWholeFiles_data()
{
    QTest::addColumn<FolderContent>("base");
    QTest::addColumn<FolderContent>("ours");
    QTest::addColumn<FolderContent>("theirs");
    QTest::addColumn<FolderContent>("merged");
    QTest::addColumn<bool>("conflict");
    const FolderContent none;
    const FolderContent a = oneFile("a\n");
    const FolderContent b = oneFile("b\n");
    const FolderContent c = oneFile("c\n");
    const FolderContent link = folder({{QStringLiteral("k.cpp"), "target"}}, {}, {QStringLiteral("k.cpp")});
    QTest::newRow("added by theirs") << none << none << a << a << false;
    QTest::newRow("added by ours") << none << a << none << a << false;
    QTest::newRow("added by both, same") << none << a << a << a << false;
    QTest::newRow("added by both, different") << none << a << b << none << true;
    QTest::newRow("removed by theirs") << a << a << none << none << false;
    QTest::newRow("removed by ours") << a << none << a << none << false;
    QTest::newRow("removed by both") << a << none << none << none << false;
    QTest::newRow("changed by ours, removed by theirs") << a << b << none << none << true;
    QTest::newRow("removed by ours, changed by theirs") << a << none << b << none << true;
    QTest::newRow("changed by theirs") << a << a << b << b << false;
    QTest::newRow("changed by ours") << a << b << a << b << false;
    QTest::newRow("binary, one side") << a << a << oneFile(QByteArray("\0", 1)) << oneFile(QByteArray("\0", 1))
                                      << false;
    QTest::newRow("binary, both") << a << oneFile(QByteArray("\0a", 2)) << oneFile(QByteArray("\0b", 2)) << none
                                  << true;
    QTest::newRow("became a link, theirs") << a << a << link << link << false;
    QTest::newRow("became a link, and changed") << a << c << link << none << true;
}

void TestFolders::mergeOfWholeFiles()
{
    QFETCH(FolderContent, base);
    QFETCH(FolderContent, ours);
    QFETCH(FolderContent, theirs);
    QFETCH(bool, conflict);
    const MergeOutcome outcome = mergeFolders(base, ours, theirs);
    QCOMPARE(!outcome.conflicts.isEmpty(), conflict);
    QTEST(outcome.merged, "merged");
}

void TestFolders::mergeKeepsModes()
{
    const QString path = QStringLiteral("k.cpp");
    const FolderContent base = oneFile("1\n2\n3\n4\n5\n");
    const FolderContent ours = oneFile("one\n2\n3\n4\n5\n");
    const FolderContent theirs = folder({{path, "1\n2\n3\n4\nfive\n"}}, {path});
    const MergeOutcome outcome = mergeFolders(base, ours, theirs);
    QCOMPARE(outcome.merged, folder({{path, "one\n2\n3\n4\nfive\n"}}, {path}));
}

void TestFolders::conflictReturnsNothingMerged()
{
    const auto two = [](const QByteArray &a, const QByteArray &b) {
        return folder({{QStringLiteral("a"), a}, {QStringLiteral("b"), b}});
    };
    const MergeOutcome outcome = mergeFolders(two("1\n", "1\n"), two("2\n", "1\n"), two("3\n", "2\n"));
    QCOMPARE(outcome.conflicts.size(), 1);
    QVERIFY(outcome.merged.files.isEmpty());
}

// What the loop does to revert iteration 2 of 3: apply (after 2 -> before 2) to what stands now.
void TestFolders::revertLeavesLaterChanges()
{
    const QByteArray first("tile = 8\nunroll = 1\n\n\nbody\n");
    const QByteArray second("tile = 32\nunroll = 1\n\n\nbody\n");
    const QByteArray third("tile = 32\nunroll = 1\n\n\nbetter body\n");
    const MergeOutcome outcome = mergeFolders(oneFile(second), oneFile(third), oneFile(first));
    QVERIFY(outcome.conflicts.isEmpty());
    QCOMPARE(outcome.merged, oneFile("tile = 8\nunroll = 1\n\n\nbetter body\n"));
}

void TestFolders::readsAndReplaces()
{
    const QTemporaryDir place;
    const QString path = place.filePath(QStringLiteral("solu tion"));
    QCOMPARE(readFolder(path).value(), FolderContent());
    const FolderContent content = folder({{QStringLiteral("größe/run.sh"), QByteArray("a\0b\r\n", 5)},
                                          {QStringLiteral("k.cpp"), "int x;"},
                                          {QStringLiteral("link"), "/etc/passwd"},
                                          {QStringLiteral("empty"), ""}},
                                         {QStringLiteral("größe/run.sh")}, {QStringLiteral("link")});
    const auto replaced = replaceFolder(path, content);
    QVERIFY2(replaced, replaced ? "" : qPrintable(replaced.error().text()));
    QCOMPARE(readFolder(path).value(), content);
    QCOMPARE(QFile::symLinkTarget(path + QStringLiteral("/link")), QStringLiteral("/etc/passwd"));
    QVERIFY(replaceFolder(path, oneFile("y")));
    QCOMPARE(readFolder(path).value(), oneFile("y"));
    QCOMPARE(QDir(path).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
             QStringList(QStringLiteral("k.cpp")));
    QVERIFY(replaceFolder(path, FolderContent()));
    QVERIFY(QFileInfo(path).isDir());
}

void TestFolders::replaceLeavesTheSameFilesAlone()
{
    const QTemporaryDir place;
    const FolderContent before = folder({{QStringLiteral("same"), "x"}, {QStringLiteral("other"), "x"}});
    QVERIFY(replaceFolder(place.path(), before));
    struct stat first = {};
    QCOMPARE(::stat(QFile::encodeName(place.filePath(QStringLiteral("same"))).constData(), &first), 0);
    QVERIFY(replaceFolder(place.path(), folder({{QStringLiteral("same"), "x"}, {QStringLiteral("other"), "y"}})));
    struct stat second = {};
    QCOMPARE(::stat(QFile::encodeName(place.filePath(QStringLiteral("same"))).constData(), &second), 0);
    QCOMPARE(second.st_ino, first.st_ino);
    QCOMPARE(second.st_mtim.tv_nsec, first.st_mtim.tv_nsec);
}

void TestFolders::replaceChangesKinds()
{
    const QTemporaryDir place;
    const QString a = QStringLiteral("a");
    const QString below = QStringLiteral("a/b/c");
    const QList<FolderContent> states = {folder({{a, "file"}}),
                                         folder({{below, "deep"}}),
                                         folder({{a, "target"}}, {}, {a}),
                                         folder({{below, "deep"}}, {below}),
                                         folder({{below, "deep"}}),
                                         folder({{a, "file"}}, {a}),
                                         folder({{a, "target"}}, {}, {a}),
                                         folder({{a, "file"}})};
    for (const FolderContent &state : states) {
        const auto replaced = replaceFolder(place.path(), state);
        QVERIFY2(replaced, replaced ? "" : qPrintable(replaced.error().text()));
        QCOMPARE(readFolder(place.path()).value(), state);
    }
}

void TestFolders::replaceNeverLeavesTheFolder()
{
    const QTemporaryDir place;
    const QTemporaryDir outside;
    QVERIFY(replaceFolder(outside.path(), oneFile("mine")));
    const QString solution = place.filePath(QStringLiteral("solution"));
    QVERIFY(QDir().mkpath(solution));
    QVERIFY(QFile::link(outside.path(), solution + QStringLiteral("/sub")));
    QVERIFY(QFile::link(outside.filePath(QStringLiteral("k.cpp")), solution + QStringLiteral("/k.cpp")));
    const FolderContent content = folder({{QStringLiteral("k.cpp"), "new"}, {QStringLiteral("sub/k.cpp"), "new"}});
    QVERIFY(replaceFolder(solution, content));
    QCOMPARE(readFolder(solution).value(), content);
    QCOMPARE(readFolder(outside.path()).value(), oneFile("mine"));
    // The folder itself is a link: it is replaced.
    const QString linked = place.filePath(QStringLiteral("linked"));
    QVERIFY(QFile::link(outside.path(), linked));
    QVERIFY(replaceFolder(linked, content));
    QCOMPARE(readFolder(outside.path()).value(), oneFile("mine"));
    QVERIFY(!QFileInfo(linked).isSymLink());
}

void TestFolders::replaceRefusesPaths_data()
{
    QTest::addColumn<QString>("path");
    for (const char *path :
         {"", ".", "..", "../x", "a/../../x", "/tmp/x", ".git/config", "a/.Git/hooks/x", "a//b", "a/"})
        QTest::addRow("'%s'", path) << QString::fromUtf8(path);
}

void TestFolders::replaceRefusesPaths()
{
    QFETCH(QString, path);
    const QTemporaryDir place;
    QVERIFY(replaceFolder(place.path(), oneFile("x")));
    QVERIFY(!replaceFolder(place.path(), folder({{path, "y"}})));
    QCOMPARE(readFolder(place.path()).value(), oneFile("x"));
}

void TestFolders::readRefusesWhatIsNoFolder()
{
    const QTemporaryDir place;
    QVERIFY(replaceFolder(place.path(), oneFile("x")));
    QVERIFY(!readFolder(place.filePath(QStringLiteral("k.cpp"))));
    QVERIFY(QFile::link(place.path(), place.filePath(QStringLiteral("link"))));
    QVERIFY(!readFolder(place.filePath(QStringLiteral("link"))));
    QCOMPARE(::mkfifo(QFile::encodeName(place.filePath(QStringLiteral("pipe"))).constData(), 0600), 0);
    QCOMPARE(readFolder(place.path())->files.size(), 2);
}

void TestFolders::readRefusesANameThatIsNoText_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QString>("shown"); // empty: it is a text
    QTest::newRow("Latin 1") << QByteArray("k\xfc"
                                           "rzer.cpp")
                             << QStringLiteral("k\\xfcrzer.cpp");
    QTest::newRow("below a folder") << QByteArray("sub/\xff") << QStringLiteral("\\xff");
    QTest::newRow("a folder") << QByteArray("\x80/k.cpp") << QStringLiteral("\\x80");
    QTest::newRow("half a letter") << QByteArray("a\xe3\x81") << QStringLiteral("a\\xe3\\x81");
    QTest::newRow("UTF-8") << QByteArray("k\xc3\xbc\xe6\x97\xa5.cpp") << QString();
}

void TestFolders::readRefusesANameThatIsNoText()
{
    QFETCH(QByteArray, name);
    QFETCH(QString, shown);
    const QTemporaryDir folder;
    const QByteArray root = QFile::encodeName(folder.path()) + '/';
    if (name.contains('/'))
        QVERIFY(::mkdir((root + name.left(name.indexOf('/'))).constData(), 0777) == 0);
    std::FILE *file = std::fopen((root + name).constData(), "w");
    if (!file)
        QSKIP("this file system takes no such name");
    std::fclose(file);
    const auto content = readFolder(folder.path());
    QCOMPARE(content.has_value(), shown.isEmpty());
    if (content)
        return;
    QVERIFY2(content.error().message.endsWith(QStringLiteral("not valid UTF-8: ") + shown),
             qPrintable(content.error().message));
    QVERIFY(content.error().remedy.contains(QStringLiteral("Rename it")));
}

QTEST_GUILESS_MAIN(TestFolders)
#include "tst_folders.moc"
