// SPDX-License-Identifier: GPL-3.0-or-later
// What the measurement depends on and has changed since it was approved is shown, and put back without losing anything.
#include "loop/engine.h"

#include "support/loopworkspace.h"

#include <QDirIterator>
#include <QFile>
#include <QTest>

using namespace ako;
using namespace ako::test;

class TestHarnessChange : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void isPutBack_data();
    void isPutBack();
    void isShownOnly_data();
    void isShownOnly();
    void onlyWhatWasSeenIsPutBack();
    void nothingApproved();

private:
    static QList<QByteArray> discarded(const Workspace &workspace)
    {
        QList<QByteArray> contents;
        QDirIterator files(workspace.repository.path() + QStringLiteral("/.ako/discarded"), QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (file.open(QIODevice::ReadOnly))
                contents << file.readAll();
        }
        return contents;
    }
};

void TestHarnessChange::init()
{
    isolateGitConfiguration();
    resetFakes();
}

void TestHarnessChange::isPutBack_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("content"); // null: removed
    QTest::newRow("problem") << QStringLiteral("problem.json") << QByteArray("{ }\n");
    QTest::newRow("reference") << QStringLiteral("reference.cpp") << QByteArray("int easier;\n");
    QTest::newRow("bench script") << QStringLiteral("scripts/bench.sh") << QByteArray("#!/bin/sh\necho RUNTIME: 1\n");
    QTest::newRow("removed") << QStringLiteral("reference.cpp") << QByteArray();
    QTest::newRow("emptied") << QStringLiteral("problem.json") << QByteArray("");
}

void TestHarnessChange::isPutBack()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, content);
    Workspace workspace;
    auto driver = started(workspace, {kernel(8.0)});
    QVERIFY(driver->engine.lookAtHarness()->isNone());
    const QByteArray approved = workspace.repository.read(file);
    if (content.isNull())
        QVERIFY(QFile::remove(workspace.repository.path() + QLatin1Char('/') + file));
    else
        workspace.repository.write(file, content);
    const event::RunStopped stopped = driver->until(intent::Step{});
    QCOMPARE(stopped.exitCode, 4);
    const auto change = driver->engine.lookAtHarness();
    QVERIFY2(change.has_value(), change ? "" : qPrintable(change.error().text()));
    QCOMPARE(change->files, QStringList{file});
    QVERIFY(change->known.isEmpty());
    QCOMPARE(change->diff.size(), 1);
    const auto kept = driver->engine.putHarnessBack();
    QVERIFY2(kept.has_value(), kept ? "" : qPrintable(kept.error().text()));
    QCOMPARE(workspace.repository.read(file), approved);
    QCOMPARE(discarded(workspace), content.isNull() ? QList<QByteArray>{} : QList<QByteArray>{content});
    driver->engine.handle(workspace.open()); // as before, without another approval
    driver->settle();
    QVERIFY(driver->engine.state().approved);
    QCOMPARE(int(driver->until(intent::Step{}).why), int(event::RunStopped::Why::StepDone));
    QCOMPARE(driver->engine.state().champion, 1);
}

void TestHarnessChange::isShownOnly_data()
{
    QTest::addColumn<qsizetype>("size"); // of the approved reference
    QTest::addColumn<bool>("isLink");    // put in its place
    QTest::newRow("too large for a copy") << qsizetype(2 << 20) << false;
    QTest::newRow("a link now") << qsizetype(100) << true;
}

void TestHarnessChange::isShownOnly()
{
    QFETCH(qsizetype, size);
    QFETCH(bool, isLink);
    Workspace workspace;
    const QString path = workspace.repository.path() + QStringLiteral("/reference.cpp");
    workspace.repository.write(QStringLiteral("reference.cpp"), "// " + QByteArray(size, 'x') + '\n');
    auto driver = started(workspace, {});
    if (isLink) {
        QVERIFY(QFile::remove(path));
        QVERIFY(QFile::link(workspace.repository.path() + QStringLiteral("/notes.txt"), path));
    } else {
        workspace.repository.write(QStringLiteral("reference.cpp"), "int easier;\n");
    }
    const auto change = driver->engine.lookAtHarness();
    QVERIFY2(change.has_value(), change ? "" : qPrintable(change.error().text()));
    QCOMPARE(change->files, QStringList{});
    QCOMPARE(change->known.size(), 1);
    QVERIFY2(change->known.constFirst().contains(QStringLiteral("reference.cpp")),
             qPrintable(change->known.constFirst()));
    const QByteArray before = workspace.repository.read(QStringLiteral("reference.cpp"));
    QVERIFY(driver->engine.putHarnessBack().has_value());
    QCOMPARE(workspace.repository.read(QStringLiteral("reference.cpp")), before);
    QCOMPARE(workspace.repository.read(QStringLiteral("notes.txt")), QByteArray("one\n"));
}

void TestHarnessChange::onlyWhatWasSeenIsPutBack()
{
    Workspace workspace;
    auto driver = started(workspace, {});
    QVERIFY(!driver->engine.putHarnessBack().has_value()); // nobody has looked
    workspace.repository.write(QStringLiteral("problem.json"), "{ }\n");
    QVERIFY(driver->engine.lookAtHarness().has_value());
    workspace.repository.write(QStringLiteral("problem.json"), "{  }\n");
    QVERIFY(!driver->engine.putHarnessBack().has_value());
    QCOMPARE(workspace.repository.read(QStringLiteral("problem.json")), QByteArray("{  }\n"));
}

void TestHarnessChange::nothingApproved()
{
    Workspace workspace;
    LoopDriver driver(fakePorts({}));
    prepare(driver);
    driver.engine.handle(workspace.open());
    driver.settle();
    QVERIFY(!driver.engine.lookAtHarness().has_value());
    QVERIFY(!workspace.repository.exists(QStringLiteral(".ako")));
}

QTEST_GUILESS_MAIN(TestHarnessChange)
#include "tst_harnesschange.moc"
