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
    void whatTheCompilerSaysStandsAtItsLine();
    void aPlaceLeadsToItsLine();
    void aChangeIsTakenOnce_data();
    void aChangeIsTakenOnce();
    void anIterationsFileHasATabOfItsOwn();
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

namespace {

struct Open
{
    QTemporaryDir folder;
    RunStore store;
    EditorTabs tabs{store};

    explicit Open(bool busy = false)
    {
        sampleRun::writeWorkspace(folder.path());
        sampleRun::replay(store, busy ? sampleRun::underWay(folder.path()) : sampleRun::paused(folder.path()));
    }
    CodeView *source() const { return tabs.sources().first()->view(); }
    void says(const char *text)
    {
        store.apply(event::OutputAppended{event::OutputAppended::Source::Bench, QString::fromUtf8(text)});
    }
};

} // namespace

void EditorTabsTest::whatTheCompilerSaysStandsAtItsLine()
{
    Open open;
    open.store.apply(event::PhaseChanged{Phase::Benching, 13, {}, {}});
    open.says("compiling\nsolution/softmax.cpp:9:3: err"); // cut anywhere
    open.says("or: no row\nother.cpp:2:1: error: elsewhere\nsoftmax.cpp:9:3: warning: and this\n");
    QTRY_COMPARE(open.source()->annotation(8), QStringLiteral("no row\nand this"));
    QVERIFY(open.source()->markersAtLine(8) != 0);
    QVERIFY(open.source()->annotation(1).isEmpty());
    open.store.apply(event::PhaseChanged{Phase::Ready, -1, {}, {}});
    QVERIFY(!open.source()->annotation(8).isEmpty()); // until the next build
    open.store.apply(event::PhaseChanged{Phase::Benching, 14, {}, {}});
    QVERIFY(open.source()->annotation(8).isEmpty());
    QCOMPARE(open.source()->markersAtLine(8), 0U);
}

void EditorTabsTest::aPlaceLeadsToItsLine()
{
    Open open;
    open.tabs.showDiff();
    QVERIFY(open.tabs.goTo({QStringLiteral("/gone/softmax.cpp"), 12, 3, Severity::Error, {}}));
    QCOMPARE(open.tabs.currentWidget(), open.tabs.sources().first());
    int line = 0;
    int column = 0;
    open.source()->getCursorPosition(&line, &column);
    QCOMPARE(line, 11);
    QVERIFY(!open.tabs.goTo({QStringLiteral("vector.h"), 1, 0, Severity::Error, {}}));
}

void EditorTabsTest::aChangeIsTakenOnce_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::addColumn<QString>("problem");
    QTest::addColumn<bool>("busy");
    const QString was = QStringLiteral("constexpr int unroll = 8; // ako: tune 4,8,16\n");
    const QString is = QStringLiteral("constexpr int unroll = 16; // für alle\n");
    QTest::newRow("taken") << was << is << QString() << false;
    QTest::newRow("removed") << was << QString() << QString() << false;
    QTest::newRow("there already") << is << was << QStringLiteral("has this change already") << false;
    QTest::newRow("different") << QStringLiteral("int other;\n") << is << QStringLiteral("is different") << false;
    QTest::newRow("twice") << QStringLiteral("#include <c") << is << QStringLiteral("more than once") << false;
    QTest::newRow("while the loop works") << was << is << QStringLiteral("cannot be edited now") << true;
}

void EditorTabsTest::aChangeIsTakenOnce()
{
    QFETCH(QString, before);
    QFETCH(QString, after);
    QFETCH(QString, problem);
    QFETCH(bool, busy);
    Open open(busy);
    const QString text = open.source()->text();
    const QString said = open.tabs.takeChange(QStringLiteral("softmax.cpp"), before, after);
    QVERIFY2(said.contains(problem) && said.isEmpty() == problem.isEmpty(), qPrintable(said));
    QString expected = text;
    if (problem.isEmpty())
        expected.replace(before, after);
    QCOMPARE(open.source()->text(), expected);
    QCOMPARE(open.tabs.isDirty(), problem.isEmpty());
    if (problem.isEmpty()) {
        open.source()->undo();
        QCOMPARE(open.source()->text(), text);
    }
}

void EditorTabsTest::anIterationsFileHasATabOfItsOwn()
{
    Open open;
    const int tabs = open.tabs.count();
    QCOMPARE(open.tabs.relativePathOfSource(), QStringLiteral("softmax.cpp"));
    open.tabs.showOld(QStringLiteral("softmax.cpp of iteration 4"), QStringLiteral("softmax.cpp"), "int a;\n");
    open.tabs.showOld(QStringLiteral("softmax.cpp of iteration 7"), QStringLiteral("softmax.cpp"), "int b;\n");
    QCOMPARE(open.tabs.count(), tabs + 1);
    auto *view = qobject_cast<CodeView *>(open.tabs.currentWidget());
    QVERIFY(view != nullptr && view->isReadOnly());
    QCOMPARE(view->text(), QStringLiteral("int b;\n"));
    QVERIFY(!open.tabs.isDirty());
}

QTEST_MAIN(EditorTabsTest)
#include "tst_editortabs.moc"
