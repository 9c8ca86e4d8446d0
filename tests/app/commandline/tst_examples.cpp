// SPDX-License-Identifier: GPL-3.0-or-later
// Where a demo's files go, and what becomes of the folder of one that failed, was interrupted, or was worked in.
#include "base/singleinstance.h"
#include "examples.h"
#include "support/testfiles.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <functional>

using namespace ako;

namespace {

using Change = std::function<void(const QDir &)>;

void write(const QDir &folder, const QString &path, const QByteArray &content)
{
    test::writeFile(folder.filePath(path), content);
}

QString text(const char *latin)
{
    return QString::fromLatin1(latin);
}

} // namespace

class TestExamples : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void secondCall_data();
    void secondCall();
    void withoutANamedFolder();
    void refusesWhatIsNotItsOwn_data();
    void refusesWhatIsNotItsOwn();
};

void TestExamples::secondCall_data()
{
    QTest::addColumn<Change>("change"); // between the calls
    QTest::addColumn<QString>("example");
    QTest::addColumn<QString>("refusal"); // empty: it is gone on with
    const auto row = [](const char *name, const Change &change, const char *example, const char *refusal) {
        QTest::newRow(name) << change << text(example) << text(refusal);
    };
    const auto loop = [](const QDir &folder) {
        write(folder, text("solution/kernel.cpp"), "half an iteration");
        write(folder, text("trajectory/1_baseline/result.json"), "{}");
        write(folder, text("ITERATIONS.md"), "# Iterations");
    };
    row("it failed before anything was run", [](const QDir &) {}, "softmax", "");
    row("it was interrupted in the loop", loop, "softmax", "");
    row(
        "the copy was interrupted", [](const QDir &folder) { QFile::remove(folder.filePath(text("problem.json"))); },
        "softmax", "");
    row(
        "an interrupted final verdict",
        [](const QDir &folder) { write(folder, text("trajectory/2_final/output.txt"), "half"); }, "softmax", "");
    row(
        "a file was changed", [](const QDir &folder) { write(folder, text("problem.json"), "{}"); }, "softmax",
        "problem.json was changed");
    row(
        "a file was added", [](const QDir &folder) { write(folder, text("notes.md"), "mine"); }, "softmax",
        "notes.md was changed or added");
    row(
        "it is finished", [](const QDir &folder) { write(folder, text("trajectory/2_final/iteration.json"), "{}"); },
        "softmax", "is finished");
    row("another example", [](const QDir &) {}, "stencil", "holds another example");
    row(
        "the mark is lost", [](const QDir &folder) { QFile::remove(folder.filePath(text(".ako/example.json"))); },
        "softmax", "is not empty");
    row(
        "the mark is no JSON", [](const QDir &folder) { write(folder, text(".ako/example.json"), "{"); }, "softmax",
        "is not empty");
}

void TestExamples::secondCall()
{
    QFETCH(Change, change);
    QFETCH(QString, example);
    QFETCH(QString, refusal);
    const QTemporaryDir parent;
    const QDir folder(parent.filePath(text("demo")));
    const auto first = copyExample(text("softmax"), folder.path());
    QVERIFY2(first, qPrintable(first ? QString() : first.error().text()));
    QVERIFY(!first->isGoneOnWith);
    change(folder);
    const auto second = copyExample(example, folder.path());
    QCOMPARE(second.has_value(), refusal.isEmpty());
    if (second) {
        QVERIFY(second->isGoneOnWith);
        QVERIFY(QFileInfo::exists(folder.filePath(text("problem.json"))));
        return;
    }
    QVERIFY2(second.error().message.contains(refusal), qPrintable(second.error().message));
    QVERIFY2(second.error().remedy.contains(QLatin1String("--into")), qPrintable(second.error().remedy));
}

void TestExamples::withoutANamedFolder()
{
    const QTemporaryDir home;
    const QByteArray before = qgetenv("HOME");
    qputenv("HOME", QFile::encodeName(home.path()));
    const auto pathOf = [] {
        const auto copy = copyExample(text("matmul"), {});
        return copy ? copy->path : copy.error().text();
    };
    const QString first = home.filePath(text("ako4all-demo/matmul"));
    QCOMPARE(pathOf(), first);
    QCOMPARE(pathOf(), first); // nothing came of it yet: no second copy
    {
        const auto lock = SingleInstance::acquire(first + text("/.ako/lock"));
        QVERIFY(lock);
        QCOMPARE(pathOf(), first + text("-2")); // somebody works in the first
    }
    QCOMPARE(pathOf(), first);
    write(QDir(first), text("trajectory/2_final/iteration.json"), "{}");
    QCOMPARE(pathOf(), first + text("-2"));
    qputenv("HOME", before);
}

void TestExamples::refusesWhatIsNotItsOwn_data()
{
    QTest::addColumn<bool>("isFile");
    QTest::newRow("a folder with something in it") << false;
    QTest::newRow("a file") << true;
}

void TestExamples::refusesWhatIsNotItsOwn()
{
    QFETCH(bool, isFile);
    const QTemporaryDir parent;
    const QString into = parent.filePath(text("mine"));
    write(QDir(parent.path()), isFile ? text("mine") : text("mine/thesis.tex"), "years of work");
    const auto copy = copyExample(text("matmul"), into);
    QVERIFY(!copy);
    QVERIFY(copy.error().remedy.contains(QLatin1String("--into")));
    QVERIFY(!QFileInfo::exists(into + text("/.ako")));
}

QTEST_GUILESS_MAIN(TestExamples)
#include "tst_examples.moc"
