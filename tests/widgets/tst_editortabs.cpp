// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/codeview.h"
#include "editor/editortabs.h"
#include "editor/markdownview.h"
#include "editor/sourceeditor.h"
#include "hints/hintseditor.h"
#include "history/runstore.h"
#include "support/samplerun.h"

#include <QDir>
#include <QLabel>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>

using namespace ako;

class EditorTabsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void showsWhatTheLoopWorksOn();
    void beforeApprovalTheOriginalIsShownReadOnly();
    void lockedWhileTheLoopIsBusy();
    void aNewFileGetsATab();
    void titlesMarkEdits();
    void savesAndDiscardsEverything();
    void hintsShowWhatTheProgramKeeps();
    void hintsSayWhichCapHolds_data();
    void hintsSayWhichCapHolds();
    void hintsSayFromWhenAnEditCounts();
    void theLogIsRenderedAndFollows();
    void theLogLeadsToIterations_data();
    void theLogLeadsToIterations();
    void theLogShowsTheChosenIteration();
};

static QStringList titles(const EditorTabs &tabs)
{
    QStringList list;
    for (int index = 0; index < tabs.count(); ++index)
        list << tabs.tabText(index);
    return list;
}

void EditorTabsTest::showsWhatTheLoopWorksOn()
{
    QTemporaryDir folder;
    QVERIFY(sampleRun::writeWorkspace(folder.path()));
    RunStore store;
    EditorTabs tabs(store);
    sampleRun::replay(store, sampleRun::paused(folder.path()));
    QCOMPARE(titles(tabs),
             (QStringList{QStringLiteral("softmax.cpp"), QStringLiteral("build.json"), QStringLiteral("Diff"),
                          QStringLiteral("HINTS.md"), QStringLiteral("ITERATIONS.md")}));
    QVERIFY(!tabs.sources().first()->view()->isReadOnly());
}

void EditorTabsTest::beforeApprovalTheOriginalIsShownReadOnly()
{
    QTemporaryDir folder;
    QVERIFY(sampleRun::writeWorkspace(folder.path()));
    QVERIFY(QDir(folder.filePath(QStringLiteral("solution"))).removeRecursively());
    RunStore store;
    EditorTabs tabs(store);
    sampleRun::replay(store, sampleRun::opened(folder.path()));
    QCOMPARE(tabs.sources().size(), 1);
    QCOMPARE(tabs.sources().first()->path(), folder.filePath(QStringLiteral("softmax.cpp")));
    QVERIFY(tabs.sources().first()->view()->isReadOnly());
}

void EditorTabsTest::lockedWhileTheLoopIsBusy()
{
    QTemporaryDir folder;
    QVERIFY(sampleRun::writeWorkspace(folder.path()));
    RunStore store;
    EditorTabs tabs(store);
    sampleRun::replay(store, sampleRun::underWay(folder.path()));
    QVERIFY(tabs.sources().first()->view()->isReadOnly());
    QVERIFY(!tabs.hints()->editor()->view()->isReadOnly());
    sampleRun::replay(store, {event::PhaseChanged{Phase::Ready, -1, {}, {}}});
    QVERIFY(!tabs.sources().first()->view()->isReadOnly());
}

void EditorTabsTest::aNewFileGetsATab()
{
    QTemporaryDir folder;
    QVERIFY(sampleRun::writeWorkspace(folder.path()));
    RunStore store;
    EditorTabs tabs(store);
    sampleRun::replay(store, sampleRun::paused(folder.path()));
    QFile file(folder.filePath(QStringLiteral("solution/tile.h")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    QTRY_VERIFY(titles(tabs).contains(QStringLiteral("tile.h")));
    QVERIFY(file.remove());
    QTRY_VERIFY(!titles(tabs).contains(QStringLiteral("tile.h")));
}

void EditorTabsTest::titlesMarkEdits()
{
    QTemporaryDir folder;
    QVERIFY(sampleRun::writeWorkspace(folder.path()));
    RunStore store;
    EditorTabs tabs(store);
    sampleRun::replay(store, sampleRun::paused(folder.path()));
    tabs.sources().first()->view()->insert(QStringLiteral("// x\n"));
    QVERIFY(titles(tabs).contains(QStringLiteral("softmax.cpp •")));
    QVERIFY(tabs.isDirty());
}

void EditorTabsTest::savesAndDiscardsEverything()
{
    QTemporaryDir folder;
    QVERIFY(sampleRun::writeWorkspace(folder.path()));
    RunStore store;
    EditorTabs tabs(store);
    sampleRun::replay(store, sampleRun::paused(folder.path()));
    CodeView *view = tabs.sources().first()->view();
    const QString before = view->text();
    view->insert(QStringLiteral("// x\n"));
    tabs.discardEdits();
    QCOMPARE(view->text(), before);
    QVERIFY(!tabs.isDirty());
    view->insert(QStringLiteral("// x\n"));
    tabs.hints()->editor()->view()->insert(QStringLiteral("- no ncu\n"));
    QVERIFY(tabs.saveAll());
    QVERIFY(!tabs.isDirty());
    QFile hints(folder.filePath(QStringLiteral("HINTS.md")));
    QVERIFY(hints.open(QIODevice::ReadOnly));
    QVERIFY(hints.readAll().startsWith("- no ncu\n"));
}

void EditorTabsTest::hintsShowWhatTheProgramKeeps()
{
    QTemporaryDir folder;
    QVERIFY(sampleRun::writeWorkspace(folder.path()));
    RunStore store;
    EditorTabs tabs(store);
    sampleRun::replay(store, sampleRun::paused(folder.path()));
    const QStringList before = tabs.hints()->recognised();
    QCOMPARE(before.size(), 2);
    QVERIFY2(before.first().contains(QStringLiteral("20")), qPrintable(before.first()));
    tabs.hints()->editor()->view()->append(QStringLiteral("- stop after two hours\n"));
    QTRY_COMPARE(tabs.hints()->recognised().size(), 3);
}

void EditorTabsTest::hintsSayWhichCapHolds_data()
{
    QTest::addColumn<int>("planCap");
    QTest::addColumn<QString>("holds"); // of HINTS.md's 20
    QTest::newRow("none in the plan") << 0 << QString();
    QTest::newRow("the same") << 20 << QString();
    QTest::newRow("smaller in the plan") << 8 << QStringLiteral("the plan's cap of 8");
    QTest::newRow("larger in the plan") << 30 << QStringLiteral("HINTS.md's cap of 20");
}

void EditorTabsTest::hintsSayWhichCapHolds()
{
    QFETCH(int, planCap);
    QFETCH(QString, holds);
    QTemporaryDir folder;
    QVERIFY(sampleRun::writeWorkspace(folder.path()));
    RunStore store;
    EditorTabs tabs(store);
    sampleRun::replay(store, sampleRun::paused(folder.path()));
    const QStringList before = tabs.hints()->recognised();
    tabs.hints()->setPlanCap(planCap);
    const QStringList after = tabs.hints()->recognised();
    QCOMPARE(after.size(), before.size() + (holds.isEmpty() ? 0 : 1));
    QVERIFY2(holds.isEmpty() || after.last().contains(holds), qPrintable(after.last()));
}

void EditorTabsTest::hintsSayFromWhenAnEditCounts()
{
    QTemporaryDir folder;
    QVERIFY(sampleRun::writeWorkspace(folder.path()));
    RunStore store;
    EditorTabs tabs(store);
    sampleRun::replay(store, sampleRun::underWay(folder.path()));
    const auto note = [&tabs] {
        QStringList texts;
        for (const QLabel *label : tabs.hints()->findChildren<QLabel *>())
            texts << label->text();
        return texts.join(QLatin1Char('\n'));
    };
    QVERIFY(note().contains(QStringLiteral("counts from iteration 14 on")));
}

void EditorTabsTest::theLogIsRenderedAndFollows()
{
    QTemporaryDir folder;
    QVERIFY(sampleRun::writeWorkspace(folder.path()));
    MarkdownView view;
    view.show();
    view.follow(folder.filePath(QStringLiteral("ITERATIONS.md")), QStringLiteral("none yet"));
    QTRY_VERIFY(view.toPlainText().contains(QStringLiteral("parallel rows")));
    QVERIFY(!view.toPlainText().contains(QStringLiteral("| Iter")));
    QFile file(folder.filePath(QStringLiteral("ITERATIONS.md")));
    QVERIFY(file.open(QIODevice::Append));
    file.write("\n### Iteration 3: a tile\n");
    file.close();
    QTRY_VERIFY(view.toPlainText().contains(QStringLiteral("Iteration 3: a tile")));
    QVERIFY(file.remove());
    QTRY_COMPARE(view.toPlainText(), QStringLiteral("none yet"));
}

void EditorTabsTest::theLogLeadsToIterations_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("number");
    QTest::newRow("a row's number") << QStringLiteral("12") << 12;
    QTest::newRow("a row's title") << QStringLiteral("two rows") << 12;
    QTest::newRow("the final row") << QStringLiteral("final (12)") << 12;
    QTest::newRow("the baseline's row") << QStringLiteral("0") << 0;
    QTest::newRow("a heading") << QStringLiteral("Iter 7 —") << 7;
    QTest::newRow("a link of the text") << QStringLiteral("as before") << 7;
    QTest::newRow("a link elsewhere") << QStringLiteral("elsewhere") << -1;
    QTest::newRow("a number in the text") << QStringLiteral("24 of") << -1;
}

void EditorTabsTest::theLogLeadsToIterations()
{
    QFETCH(QString, text);
    QFETCH(int, number);
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("ITERATIONS.md")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("# Iteration Log\n\n| Iter | Title | Status |\n|---|---|---|\n| 0 | original | baseline |\n"
               "| 12 | two rows | improved |\n| final (12) | Restore | improved |\n\n"
               "### Iter 7 \xe2\x80\x94 a tile\n\n24 of them, [as before](#iteration-7), "
               "[elsewhere](https://example.org/#iteration-9)\n");
    file.close();
    MarkdownView view;
    view.resize(600, 400);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    view.follow(file.fileName(), {});
    QTRY_VERIFY(view.toPlainText().contains(QStringLiteral("a tile")));
    QSignalSpy chosen(&view, &MarkdownView::iterationChosen);
    QTextCursor found = view.document()->find(text, 0, QTextDocument::FindWholeWords);
    QVERIFY(!found.isNull());
    found.setPosition(found.selectionStart() + 1);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, Qt::NoModifier, view.cursorRect(found).center() - QPoint(2, 0));
    QCOMPARE(chosen.isEmpty() ? -1 : chosen.first().first().toInt(), number);
}

void EditorTabsTest::theLogShowsTheChosenIteration()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("ITERATIONS.md")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    for (int number = 1; number <= 60; ++number)
        file.write("### Iter " + QByteArray::number(number) + " - change\n\nText.\n\n");
    file.close();
    MarkdownView view;
    view.resize(500, 300);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    view.showIteration(30); // before it is rendered
    view.follow(file.fileName(), {});
    const auto top = [&view] { return view.cursorForPosition(QPoint(20, 16)).block().text(); };
    QTRY_COMPARE(top(), QStringLiteral("Iter 30 - change"));
    view.showIteration(12);
    QCOMPARE(top(), QStringLiteral("Iter 12 - change"));
    view.showIteration(99); // not there: stays
    QCOMPARE(top(), QStringLiteral("Iter 12 - change"));
}

QTEST_MAIN(EditorTabsTest)
#include "tst_editortabs.moc"
