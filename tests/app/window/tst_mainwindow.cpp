// SPDX-License-Identifier: GPL-3.0-or-later
#include "diff/diffpane.h"
#include "diff/diffsubject.h"
#include "diff/diffview.h"
#include "diff/sidechooser.h"
#include "editor/bencheditbar.h"
#include "editor/codeview.h"
#include "editor/editortabs.h"
#include "editor/sourceeditor.h"
#include "history/runstore.h"
#include "models/iterationmodel.h"
#include "plan/planpanel.h"
#include "plan/planrow.h"
#include "start/startpage.h"
#include "style/icons.h"
#include "style/messagebar.h"
#include "support/samplerun.h"
#include "timeline/timelineview.h"
#include "window/mainwindow.h"
#include "window/recentworkspaces.h"
#include "window/statusstrip.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QDropEvent>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace ako;

class MainWindowTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void actionsFollowThePhase_data();
    void actionsFollowThePhase();
    void keysGiveIntents_data();
    void keysGiveIntents();
    void iterationActionsNameTheChosenOne();
    void arrowsGoTheirWayInTheTimeline_data();
    void arrowsGoTheirWayInTheTimeline();
    void aMessageMovesNothingAboveIt();
    void diffGoesFromTheParent();
    void diffFromTheChampion();
    void anAnswerToAnOldDiffIsNotShown();
    void anyTwoAreCompared_data();
    void anyTwoAreCompared();
    void twoRowsOfTheTimelineAreCompared();
    void comparingNothingAsksForNothing();
    void benchMyEditSavesAndAsks();
    void unsavedEditsAreOfferedBeforeARun();
    void theStatusSaysWhatIsUnderWay();
    void whyItStoppedIsShown();
    void theStatusSaysWhyItRests_data();
    void theStatusSaysWhyItRests();
    void aPauseThatWasAskedForIsShown();
    void whatWasNotConfirmedIsMeasuredAgain();
    void aMessageGoesWithItsCause();
    void anErrorKeepsItsRemedyWhenTheRunStops();
    void anOpenQuestionLeadsToItsRow();
    void aRecoveryIsShown();
    void closingDuringARunAsks_data();
    void closingDuringARunAsks();
    void aStopSaysHowToGoOn_data();
    void aStopSaysHowToGoOn();
    void whatCouldNotBeOpenedIsTriedAgain();
    void theLayoutAndWorkspacesAreKept();
    void docksComeWithAWorkspace();
    void longTextsDoNotWidenTheWindow();
    void aDroppedFolderIsOpened();
    void everyActionHasATooltipAndEveryDockAKey();

private:
    QString workspace() const { return m_folder->path(); }
    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

struct Shown
{
    RunStore store;
    MainWindow window{store};

    explicit Shown(const QList<RunEvent> &events = {})
    {
        window.show();
        for (const RunEvent &event : events)
            store.apply(event);
    }

    // By its text without the mnemonic's mark.
    QAction *action(const QString &text) const
    {
        for (QAction *candidate : window.findChildren<QAction *>()) {
            QString plain = candidate->text();
            if (plain.remove(QLatin1Char('&')) == text)
                return candidate;
        }
        return nullptr;
    }

    MessageBar *bar() const
    {
        for (MessageBar *candidate : window.findChildren<MessageBar *>()) {
            if (candidate->parentWidget() == window.centralWidget())
                return candidate;
        }
        return nullptr;
    }
};

} // namespace

void MainWindowTest::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("ako4all-test"));
    QCoreApplication::setApplicationName(QStringLiteral("mainwindow"));
}

void MainWindowTest::init()
{
    QSettings().clear();
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(sampleRun::writeWorkspace(workspace()));
}

void MainWindowTest::actionsFollowThePhase_data()
{
    QTest::addColumn<QString>("state");
    QTest::addColumn<QString>("enabled");
    QTest::newRow("no workspace") << QStringLiteral("none") << QString();
    QTest::newRow("awaiting approval") << QStringLiteral("opened") << QString();
    QTest::newRow("benching") << QStringLiteral("underWay") << QStringLiteral("Pause Stop");
    QTest::newRow("ready") << QStringLiteral("paused")
                           << QStringLiteral("Run Step Bench my edit … Finish Restore Revert Continue from here");
    QTest::newRow("finished") << QStringLiteral("finished")
                              << QStringLiteral("Run Step Bench my edit … Finish Restore Continue from here");
}

void MainWindowTest::actionsFollowThePhase()
{
    QFETCH(QString, state);
    QFETCH(QString, enabled);
    QList<RunEvent> events;
    if (state == QLatin1String("opened"))
        events = sampleRun::opened(workspace());
    if (state == QLatin1String("underWay"))
        events = sampleRun::underWay(workspace());
    if (state == QLatin1String("paused"))
        events = sampleRun::paused(workspace());
    if (state == QLatin1String("finished"))
        events = sampleRun::finished(workspace());
    const Shown shown(events);
    QStringList found;
    for (const char *name :
         {"Run", "Pause", "Step", "Stop", "Bench my edit …", "Finish", "Restore", "Revert", "Continue from here"}) {
        const QAction *action = shown.action(QString::fromUtf8(name));
        QVERIFY2(action != nullptr, name);
        if (action->isEnabled())
            found << action->text().remove(QLatin1Char('&'));
    }
    QCOMPARE(found.join(QLatin1Char(' ')), enabled);
}

void MainWindowTest::keysGiveIntents_data()
{
    QTest::addColumn<bool>("busy");
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("modifiers");
    QTest::addColumn<QByteArray>("intent");
    QTest::newRow("F5") << false << int(Qt::Key_F5) << 0 << QByteArray(SIGNAL(runRequested()));
    QTest::newRow("F6") << true << int(Qt::Key_F6) << 0 << QByteArray(SIGNAL(pauseRequested()));
    QTest::newRow("F10") << false << int(Qt::Key_F10) << 0 << QByteArray(SIGNAL(stepRequested()));
    QTest::newRow("Shift+F5") << true << int(Qt::Key_F5) << int(Qt::ShiftModifier)
                              << QByteArray(SIGNAL(stopRequested()));
}

void MainWindowTest::keysGiveIntents()
{
    QFETCH(bool, busy);
    QFETCH(int, key);
    QFETCH(int, modifiers);
    QFETCH(QByteArray, intent);
    Shown shown(busy ? sampleRun::underWay(workspace()) : sampleRun::paused(workspace()));
    QApplication::setActiveWindow(&shown.window); // there may be no window manager to do it
    QSignalSpy spy(&shown.window, intent.constData());
    QVERIFY(spy.isValid());
    QTest::keyClick(&shown.window, Qt::Key(key), Qt::KeyboardModifiers(modifiers));
    QCOMPARE(spy.size(), 1);
}

void MainWindowTest::iterationActionsNameTheChosenOne()
{
    Shown shown(sampleRun::paused(workspace()));
    shown.action(QStringLiteral("Older"))->trigger(); // from 12
    shown.action(QStringLiteral("Older"))->trigger();
    QSignalSpy revert(&shown.window, &MainWindow::revertRequested);
    QSignalSpy restore(&shown.window, &MainWindow::restoreRequested);
    QSignalSpy continueFrom(&shown.window, &MainWindow::continueFromRequested);
    shown.action(QStringLiteral("Revert"))->trigger();
    shown.action(QStringLiteral("Restore"))->trigger();
    shown.action(QStringLiteral("Continue from here"))->trigger();
    QCOMPARE(revert.value(0).value(0).toInt(), 10);
    QCOMPARE(restore.value(0).value(0).toInt(), 10);
    QCOMPARE(continueFrom.value(0).value(0).toInt(), 10);
}

void MainWindowTest::arrowsGoTheirWayInTheTimeline_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("key");
    QTest::addColumn<QString>("picture");
    QTest::addColumn<bool>("isUp");
    QTest::newRow("newer") << QStringLiteral("Newer") << int(Qt::Key_Up) << QStringLiteral("up") << true;
    QTest::newRow("older") << QStringLiteral("Older") << int(Qt::Key_Down) << QStringLiteral("down") << false;
}

// Name, key, picture and what happens in the timeline say the same.
void MainWindowTest::arrowsGoTheirWayInTheTimeline()
{
    QFETCH(QString, name);
    QFETCH(int, key);
    QFETCH(QString, picture);
    QFETCH(bool, isUp);
    Shown shown(sampleRun::paused(workspace()));
    QAction *action = shown.action(name);
    QVERIFY(action != nullptr);
    QCOMPARE(action->shortcut(), QKeySequence(Qt::ALT | Qt::Key(key)));
    const auto drawn = [](const QIcon &shownIcon) { return shownIcon.pixmap(16, 16).toImage(); };
    QCOMPARE(drawn(action->icon()), drawn(icon(picture)));
    shown.action(QStringLiteral("Older"))->trigger(); // so that there is one on either side
    const QListView *list = shown.window.findChild<TimelineView *>()->list();
    const int before = list->visualRect(list->currentIndex()).top();
    action->trigger();
    const int after = list->visualRect(list->currentIndex()).top();
    QVERIFY2(isUp ? after < before : after > before, qPrintable(QStringLiteral("%1 to %2").arg(before).arg(after)));
}

void MainWindowTest::aMessageMovesNothingAboveIt()
{
    Shown shown(sampleRun::paused(workspace()));
    const EditorTabs *tabs = shown.window.findChild<EditorTabs *>();
    const auto placeOfTabs = [&] { return tabs->mapTo(&shown.window, QPoint(0, 0)); };
    shown.bar()->hide();
    QTRY_VERIFY(tabs->isVisible());
    QCoreApplication::processEvents();
    const QPoint before = placeOfTabs();
    const int height = tabs->height();
    shown.window.showProblem(QStringLiteral("Something is wrong."));
    QTRY_VERIFY(shown.bar()->isVisible());
    QTRY_VERIFY(tabs->height() < height); // it has its room
    QCOMPARE(placeOfTabs(), before);
}

void MainWindowTest::diffGoesFromTheParent()
{
    Shown shown(sampleRun::paused(workspace()));
    QSignalSpy diff(&shown.window, &MainWindow::diffRequested);
    shown.action(QStringLiteral("What it changed"))->trigger();
    QCOMPARE(diff.size(), 1);
    QCOMPARE(diff.first().at(0).toInt(), 10);
    QCOMPARE(diff.first().at(1).toInt(), 12);
    auto *tabs = shown.window.findChild<EditorTabs *>();
    QCOMPARE(tabs->tabText(tabs->currentIndex()), QStringLiteral("Diff 10 → 12"));
    shown.action(QStringLiteral("Older"))->trigger(); // the difference follows what is chosen
    QCOMPARE(diff.size(), 2);
    QCOMPARE(diff.last().at(1).toInt(), 11);
}

void MainWindowTest::diffFromTheChampion()
{
    Shown shown(sampleRun::paused(workspace()));
    QSignalSpy diff(&shown.window, &MainWindow::diffRequested);
    shown.action(QStringLiteral("Older"))->trigger();
    shown.action(QStringLiteral("Difference from the champion"))->trigger();
    QCOMPARE(diff.last().at(0).toInt(), 10);
    QCOMPARE(diff.last().at(1).toInt(), 11);
}

void MainWindowTest::anAnswerToAnOldDiffIsNotShown()
{
    Shown shown(sampleRun::paused(workspace()));
    QSignalSpy diff(&shown.window, &MainWindow::diffRequested);
    shown.action(QStringLiteral("What it changed"))->trigger();
    shown.action(QStringLiteral("Older"))->trigger();
    QCOMPARE(diff.size(), 2);
    auto *view = shown.window.findChild<DiffView *>();
    shown.window.showDiff(diff.first().at(2).toULongLong(), sampleRun::diff(), {});
    QVERIFY(!view->note().isEmpty());
    shown.window.showDiff(diff.last().at(2).toULongLong(), sampleRun::diff(), {});
    QVERIFY(view->note().isEmpty());
}

void MainWindowTest::anyTwoAreCompared_data()
{
    QTest::addColumn<int>("before");
    QTest::addColumn<int>("after");
    QTest::addColumn<QString>("title");
    QTest::addColumn<QString>("beforeName");
    QTest::newRow("older and newer") << 4 << 7 << QStringLiteral("Diff 4 → 7")
                                     << QStringLiteral("4 · one pass, online maximum");
    QTest::newRow("newer and older") << 7 << 4 << QStringLiteral("Diff 7 → 4")
                                     << QStringLiteral("7 · vectorized loads");
    QTest::newRow("a failed one") << 3 << 12 << QStringLiteral("Diff 3 → 12")
                                  << QStringLiteral("3 · shared-memory tile");
    QTest::newRow("baseline") << 0 << 5 << QStringLiteral("Diff baseline → 5")
                              << QStringLiteral("baseline · original kernel");
    QTest::newRow("my edit") << 10 << -1 << QStringLiteral("Diff 10 → now")
                             << QStringLiteral("10 · polynomial exponential within tolerance");
}

static void choose(SideChooser *chooser, int side)
{
    chooser->fill();
    const int index = chooser->findData(side);
    QVERIFY(index >= 0);
    chooser->setCurrentIndex(index);
    Q_EMIT chooser->activated(index);
}

void MainWindowTest::anyTwoAreCompared()
{
    QFETCH(int, before);
    QFETCH(int, after);
    Shown shown(sampleRun::paused(workspace()));
    shown.action(QStringLiteral("What it changed"))->trigger();
    QSignalSpy diff(&shown.window, &MainWindow::diffRequested);
    const auto *subject = shown.window.findChild<DiffSubject *>();
    choose(subject->after(), after);
    choose(subject->before(), before);
    QCOMPARE(diff.last().at(0).toInt(), before);
    QCOMPARE(diff.last().at(1).toInt(), after);
    const auto *tabs = shown.window.findChild<EditorTabs *>();
    QTEST(tabs->tabText(tabs->currentIndex()), "title");
    QTEST(subject->before()->currentText(), "beforeName");
    const auto *view = shown.window.findChild<DiffView *>();
    QVERIFY(view->left()->accessibleName().contains(subject->before()->currentText()));
    QVERIFY(view->right()->accessibleName().contains(subject->after()->currentText()));
}

void MainWindowTest::twoRowsOfTheTimelineAreCompared()
{
    Shown shown(sampleRun::paused(workspace()));
    QVERIFY(QTest::qWaitForWindowExposed(&shown.window));
    QSignalSpy diff(&shown.window, &MainWindow::diffRequested);
    QListView *list = shown.window.findChild<TimelineView *>()->list();
    const auto click = [list](int row, Qt::KeyboardModifiers modifiers) {
        const QModelIndex index = list->model()->index(row, IterationModel::Title);
        list->scrollTo(index);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, modifiers, list->visualRect(index).center());
    };
    click(1, Qt::NoModifier); // 11
    QCOMPARE(diff.size(), 0);
    click(4, Qt::ControlModifier); // 8
    QCOMPARE(diff.size(), 1);
    QCOMPARE(diff.last().at(0).toInt(), 8);
    QCOMPARE(diff.last().at(1).toInt(), 11);
    QCOMPARE(list->selectionModel()->selectedIndexes().size(), 2);
    const auto *tabs = shown.window.findChild<EditorTabs *>();
    QCOMPARE(tabs->tabText(tabs->currentIndex()), QStringLiteral("Diff 8 → 11"));
    click(2, Qt::NoModifier); // one again: what it changed
    QCOMPARE(diff.last().at(1).toInt(), 10);
    QCOMPARE(diff.last().at(0).toInt(), 7);
    QCOMPARE(list->selectionModel()->selectedIndexes().size(), 1);
}

void MainWindowTest::comparingNothingAsksForNothing()
{
    Shown shown(sampleRun::paused(workspace()));
    shown.action(QStringLiteral("Difference from the champion"))->trigger();
    QSignalSpy diff(&shown.window, &MainWindow::diffRequested);
    const auto *subject = shown.window.findChild<DiffSubject *>();
    choose(subject->after(), 10); // the champion itself
    QCOMPARE(diff.size(), 0);
    QVERIFY(shown.window.findChild<DiffView *>()->note().contains(QStringLiteral("same")));
    choose(subject->before(), SideChooser::Parent);
    choose(subject->after(), 0);
    QVERIFY(shown.window.findChild<DiffView *>()->note().contains(QStringLiteral("nothing before it")));
}

void MainWindowTest::benchMyEditSavesAndAsks()
{
    Shown shown(sampleRun::paused(workspace()));
    auto *tabs = shown.window.findChild<EditorTabs *>();
    tabs->sources().first()->view()->insert(QStringLiteral("// mine\n"));
    QSignalSpy bench(&shown.window, &MainWindow::benchEditRequested);
    shown.action(QStringLiteral("Bench my edit …"))->trigger();
    auto *bar = shown.window.findChild<BenchEditBar *>();
    QVERIFY(!bar->isHidden());
    QVERIFY(!bar->benchButton()->isEnabled());
    QTest::keyClicks(bar->title(), QStringLiteral("a comment"));
    QTest::keyClick(bar->title(), Qt::Key_Return);
    QCOMPARE(bench.size(), 1);
    QCOMPARE(bench.first().first().toString(), QStringLiteral("a comment"));
    QVERIFY(bar->isHidden());
    QVERIFY(!tabs->isDirty());
}

void MainWindowTest::unsavedEditsAreOfferedBeforeARun()
{
    Shown shown(sampleRun::paused(workspace()));
    auto *tabs = shown.window.findChild<EditorTabs *>();
    tabs->sources().first()->view()->insert(QStringLiteral("// mine\n"));
    QSignalSpy run(&shown.window, &MainWindow::runRequested);
    shown.action(QStringLiteral("Run"))->trigger();
    QCOMPARE(run.size(), 0);
    QVERIFY(!shown.bar()->isHidden());
    shown.bar()->findChildren<QPushButton *>().first()->click();
    QCOMPARE(run.size(), 1);
    QVERIFY(!tabs->isDirty());
}

void MainWindowTest::theStatusSaysWhatIsUnderWay()
{
    Shown shown(sampleRun::underWay(workspace()));
    const QString text = shown.window.findChild<StatusStrip *>()->text();
    for (const char *part : {"iteration 13 of 20", "4:1", "benching", "timing 62 %"})
        QVERIFY2(text.contains(QString::fromUtf8(part)), qPrintable(text));
}

void MainWindowTest::whyItStoppedIsShown()
{
    Shown shown(sampleRun::paused(workspace()));
    QVERIFY(!shown.bar()->isHidden());
    QVERIFY2(shown.bar()->text().startsWith(QStringLiteral("Paused. As you asked, after iteration 12.\n")),
             qPrintable(shown.bar()->text()));
}

void MainWindowTest::theStatusSaysWhyItRests_data()
{
    using Why = event::RunStopped::Why;
    QTest::addColumn<bool>("hasBaseline");
    QTest::addColumn<int>("why");
    QTest::addColumn<QString>("text");
    QTest::newRow("paused") << true << int(Why::Paused) << QStringLiteral("iteration 12 of 20 · paused");
    QTest::newRow("stopped") << true << int(Why::Stopped) << QStringLiteral("iteration 12 of 20 · stopped");
    QTest::newRow("cap") << true << int(Why::CapReached) << QStringLiteral("iteration 12 of 20 · cap reached");
    QTest::newRow("failed") << true << int(Why::Failed) << QStringLiteral("iteration 12 of 20 · cannot go on");
    QTest::newRow("failed baseline") << false << int(Why::Failed)
                                     << QStringLiteral("no baseline: it could not be measured");
    QTest::newRow("stopped in the baseline") << false << int(Why::Stopped) << QStringLiteral("stopped");
    QTest::newRow("opened") << true << -1 << QStringLiteral("iteration 12 of 20 · ready");
    QTest::newRow("opened without a baseline") << false << -1 << QStringLiteral("ready to measure the baseline");
}

void MainWindowTest::theStatusSaysWhyItRests()
{
    QFETCH(bool, hasBaseline);
    QFETCH(int, why);
    QFETCH(QString, text);
    Shown shown({event::WorkspaceOpened{workspace(), QStringLiteral("opt/softmax")},
                 event::PlanResolved{sampleRun::plan(workspace()), true},
                 event::HistoryLoaded{hasBaseline ? sampleRun::records() : QList<IterationRecord>{}, 0},
                 event::PhaseChanged{Phase::Ready, -1, {}, {}}});
    if (why >= 0)
        shown.store.apply(event::RunStopped{event::RunStopped::Why(why), {}, 0});
    const auto *status = shown.window.findChild<StatusStrip *>();
    QCOMPARE(status->text(), text);
    shown.store.apply(event::PhaseChanged{Phase::Baseline, -1, {}, {}});
    QVERIFY2(status->text().contains(QStringLiteral("measuring the baseline")), qPrintable(status->text()));
}

void MainWindowTest::aPauseThatWasAskedForIsShown()
{
    Shown shown(sampleRun::underWay(workspace()));
    const auto *status = shown.window.findChild<StatusStrip *>();
    const QString pausing = QStringLiteral(" · pausing after this iteration …");
    const auto isEnabled = [&shown](const char *name) { return shown.action(QString::fromUtf8(name))->isEnabled(); };
    QVERIFY(!status->text().contains(pausing));
    QVERIFY(isEnabled("Pause") && !isEnabled("Run"));
    shown.store.apply(event::PauseAsked{true});
    QVERIFY2(status->text().endsWith(pausing), qPrintable(status->text()));
    QVERIFY(!isEnabled("Pausing …") && isEnabled("Resume"));
    QCOMPARE(shown.action(QStringLiteral("Resume"))->shortcut(), QKeySequence(Qt::Key_F5));
    shown.store.apply(event::PauseAsked{false}); // Run was pressed
    QVERIFY(!status->text().contains(pausing));
    QVERIFY(isEnabled("Pause") && !isEnabled("Run"));
    shown.store.apply(event::PauseAsked{true});
    shown.store.apply(event::PhaseChanged{Phase::Ready, -1, {}, {}});
    shown.store.apply(event::RunStopped{event::RunStopped::Why::Paused, {}, 0});
    QVERIFY(!status->text().contains(pausing));
}

void MainWindowTest::whatWasNotConfirmedIsMeasuredAgain()
{
    Shown shown(sampleRun::paused(workspace()));
    QSignalSpy measure(&shown.window, &MainWindow::measureAgainRequested);
    const auto button = [&shown]() -> QPushButton * {
        for (auto *each : shown.bar()->findChildren<QPushButton *>()) {
            if (each->text().contains(QLatin1String("again")))
                return each;
        }
        return nullptr;
    };
    QVERIFY(button() == nullptr);
    shown.store.apply(event::RunStopped{event::RunStopped::Why::Finished, {}, 0, {11, 6}});
    QVERIFY2(shown.bar()->text().contains(QLatin1String("Iteration 11 was measured faster once")),
             qPrintable(shown.bar()->text()));
    QVERIFY(button() != nullptr);
    QCOMPARE(button()->text(), QStringLiteral("Measure iteration 11 again"));
    button()->click();
    QCOMPARE(measure.size(), 1);
    QCOMPARE(measure.first(), (QList<QVariant>{11, false}));
}

void MainWindowTest::aMessageGoesWithItsCause()
{
    Shown shown(sampleRun::paused(workspace()));
    QVERIFY(!shown.bar()->isHidden()); // paused
    shown.store.apply(event::PhaseChanged{Phase::Proposing, 13, {}, {}});
    QVERIFY(shown.bar()->isHidden());
    shown.store.apply(event::Notice{Severity::Error, QStringLiteral("The disk is full"), {}});
    shown.store.apply(event::PhaseChanged{Phase::Benching, 13, {}, {}}); // the run goes on: still to be read
    QVERIFY(!shown.bar()->isHidden());
    shown.store.apply(event::PhaseChanged{Phase::Ready, -1, {}, {}});
    QVERIFY(!shown.bar()->isHidden());
    auto *tabs = shown.window.findChild<EditorTabs *>();
    tabs->sources().first()->view()->insert(QStringLiteral("// mine\n"));
    shown.action(QStringLiteral("Run"))->trigger();
    QVERIFY(shown.bar()->text().contains(QStringLiteral("not saved")));
    QVERIFY(tabs->saveAll()); // by the key, not by the bar
    QVERIFY(shown.bar()->isHidden());
    shown.window.showProblem(QStringLiteral("The example cannot be copied"));
    shown.window.openWorkspace(workspace());
    QVERIFY(shown.bar()->isHidden());
}

void MainWindowTest::anErrorKeepsItsRemedyWhenTheRunStops()
{
    Shown shown(sampleRun::underWay(workspace()));
    shown.store.apply(event::Notice{Severity::Error, QStringLiteral("The baseline is not correct: output 0 differs"),
                                    QStringLiteral("What the bench said is in _bench_output.txt.")});
    shown.store.apply(event::PhaseChanged{Phase::Ready, -1, {}, {}});
    shown.store.apply(event::RunStopped{event::RunStopped::Why::Failed,
                                        QStringLiteral("the baseline is not correct: output 0 differs"), 5});
    QVERIFY2(shown.bar()->text().contains(QStringLiteral("_bench_output.txt")), qPrintable(shown.bar()->text()));
}

void MainWindowTest::anOpenQuestionLeadsToItsRow()
{
    Shown shown(sampleRun::opened(workspace()));
    QVERIFY(shown.bar()->isHidden());
    shown.store.apply(event::PlanResolved{sampleRun::planWithQuestion(workspace()), false});
    shown.store.apply(event::PhaseChanged{Phase::AwaitingAnswers, -1, {}, {}});
    QVERIFY(shown.bar()->text().contains(QStringLiteral("Two files define softmax()")));
    QApplication::setActiveWindow(&shown.window);
    shown.bar()->findChildren<QPushButton *>().first()->click();
    QTRY_VERIFY(shown.window.findChild<PlanPanel *>()->row(QLatin1String(planKey::kernel))->input()->hasFocus());
    shown.store.apply(event::PlanResolved{sampleRun::plan(workspace()), false});
    shown.store.apply(event::PhaseChanged{Phase::AwaitingApproval, -1, {}, {}});
    QVERIFY(shown.bar()->isHidden());
}

void MainWindowTest::aRecoveryIsShown()
{
    Shown shown(sampleRun::paused(workspace()));
    shown.store.apply(event::Recovered{13, QStringLiteral("benched"), QStringLiteral("completed")});
    QVERIFY(shown.bar()->text().contains(QStringLiteral("iteration 13")));
    QVERIFY(shown.bar()->text().contains(QStringLiteral("completed")));
}

void MainWindowTest::closingDuringARunAsks_data()
{
    QTest::addColumn<QString>("chosen");
    QTest::addColumn<int>("stops");
    QTest::addColumn<int>("pauses");
    QTest::addColumn<bool>("closes"); // once the run has ended
    QTest::newRow("stop now") << QStringLiteral("Stop now and close") << 1 << 0 << true;
    QTest::newRow("after this iteration") << QStringLiteral("Close after this iteration") << 0 << 1 << true;
    QTest::newRow("cancel") << QStringLiteral("Cancel") << 0 << 0 << false;
    QTest::newRow("not answered") << QString() << 0 << 0 << false;
    QTest::newRow("after this iteration, then not")
        << QStringLiteral("Close after this iteration|Stay open") << 0 << 1 << false;
    QTest::newRow("after this iteration, then now")
        << QStringLiteral("Close after this iteration|Stop now and close") << 1 << 1 << true;
}

// Each time anew, and never by a dialog in the way of the run.
void MainWindowTest::closingDuringARunAsks()
{
    QFETCH(QString, chosen);
    QFETCH(int, stops);
    QFETCH(int, pauses);
    QFETCH(bool, closes);
    Shown shown(sampleRun::underWay(workspace()));
    QSignalSpy stop(&shown.window, &MainWindow::stopRequested);
    QSignalSpy pause(&shown.window, &MainWindow::pauseRequested);
    shown.action(QStringLiteral("Quit"))->trigger();
    QVERIFY(shown.window.isVisible());
    QCOMPARE(stop.size() + pause.size(), 0);
    for (const QString &text : chosen.split(QLatin1Char('|'), Qt::SkipEmptyParts)) {
        QPushButton *button = nullptr;
        const auto isThere = [&] { // a layout shows what is added to it a moment later
            for (QPushButton *candidate : shown.bar()->findChildren<QPushButton *>()) {
                if (candidate->text() == text && candidate->isVisible())
                    button = candidate;
            }
            return button != nullptr;
        };
        QTRY_VERIFY2(isThere(), qPrintable(text));
        button->click();
    }
    QCOMPARE(stop.size(), stops);
    QCOMPARE(pause.size(), pauses);
    QVERIFY(shown.window.isVisible());
    shown.store.apply(event::PhaseChanged{Phase::Ready, -1, {}, {}});
    shown.store.apply(event::RunStopped{event::RunStopped::Why::Paused, QStringLiteral("paused"), 0});
    if (closes)
        QTRY_VERIFY(!shown.window.isVisible());
    else
        QVERIFY(shown.window.isVisible());
}

void MainWindowTest::aStopSaysHowToGoOn_data()
{
    using Why = event::RunStopped::Why;
    QTest::addColumn<int>("why");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("key"); // that goes on
    QTest::newRow("stopped") << int(Why::Stopped) << QStringLiteral("stopped") << QStringLiteral("F5");
    QTest::newRow("paused") << int(Why::Paused) << QStringLiteral("paused") << QStringLiteral("F5");
    QTest::newRow("the agent is you") << int(Why::Paused) << QStringLiteral("waiting for an edit of solution/")
                                      << QStringLiteral("Ctrl+B");
    QTest::newRow("cap") << int(Why::CapReached) << QStringLiteral("the cap of 4 iterations in HINTS.md")
                         << QStringLiteral("Ctrl+P");
    QTest::newRow("floor") << int(Why::FloorReached) << QStringLiteral("the floor is reached") << QStringLiteral("F10");
    QTest::newRow("exhausted") << int(Why::Exhausted) << QStringLiteral("3 directions are exhausted")
                               << QStringLiteral("F10");
    QTest::newRow("finished") << int(Why::Finished) << QStringLiteral("asked for") << QStringLiteral("F5");
}

void MainWindowTest::aStopSaysHowToGoOn()
{
    QFETCH(int, why);
    QFETCH(QString, reason);
    QFETCH(QString, key);
    Shown shown(sampleRun::paused(workspace()));
    shown.store.apply(event::RunStopped{event::RunStopped::Why(why), reason, 0});
    QVERIFY(!shown.bar()->isHidden());
    QVERIFY2(shown.bar()->text().contains(key), qPrintable(shown.bar()->text()));
}

void MainWindowTest::whatCouldNotBeOpenedIsTriedAgain()
{
    Shown shown;
    QSignalSpy open(&shown.window, &MainWindow::openRequested);
    shown.window.openWorkspace(workspace());
    shown.store.apply(event::PhaseChanged{Phase::Inventory, -1, {}, {}});
    shown.store.apply(event::Notice{Severity::Error, QStringLiteral("This workspace is in use by pid 7."),
                                    QStringLiteral("Close its window.")});
    shown.store.apply(event::PhaseChanged{Phase::Failed, -1, {}, {}});
    shown.store.apply(
        event::RunStopped{event::RunStopped::Why::Failed, QStringLiteral("This workspace is in use by pid 7."), 1});
    QVERIFY(shown.bar()->text().contains(QStringLiteral("Close its window")));
    QPushButton *again = shown.bar()->findChildren<QPushButton *>().value(0);
    QVERIFY(again != nullptr && again->text() == QLatin1String("Try again"));
    again->click();
    QCOMPARE(open.size(), 2);
    QCOMPARE(open.last().first().toString(), workspace());
}

void MainWindowTest::theLayoutAndWorkspacesAreKept()
{
    {
        Shown shown(sampleRun::paused(workspace()));
        shown.window.resize(1111, 777);
        shown.window.findChild<QDockWidget *>(QStringLiteral("machine"))->close();
        QVERIFY(shown.window.close());
    }
    Shown again(sampleRun::paused(workspace()));
    QCOMPARE(again.window.size(), QSize(1111, 777));
    QVERIFY(again.window.findChild<QDockWidget *>(QStringLiteral("machine"))->isHidden());
    QVERIFY(!again.window.findChild<QDockWidget *>(QStringLiteral("plan"))->isHidden());
    QCOMPARE(again.window.lastWorkspace(), workspace());
    QCOMPARE(recentWorkspaces::list(), QStringList{workspace()});
    QCOMPARE(again.window.findChild<StartPage *>()->recent()->count(), 1);
}

void MainWindowTest::docksComeWithAWorkspace()
{
    Shown shown;
    for (const QDockWidget *dock : shown.window.findChildren<QDockWidget *>())
        QVERIFY2(dock->isHidden(), qPrintable(dock->objectName()));
    for (const RunEvent &event : sampleRun::paused(workspace()))
        shown.store.apply(event);
    for (const QDockWidget *dock : shown.window.findChildren<QDockWidget *>()) {
        const bool isAskedFor = dock->objectName() == QLatin1String("reference");
        QVERIFY2(dock->isHidden() == isAskedFor, qPrintable(dock->objectName()));
    }
    shown.action(QStringLiteral("Reference"))->trigger();
    QVERIFY(!shown.window.findChild<QDockWidget *>(QStringLiteral("reference"))->isHidden());
}

void MainWindowTest::longTextsDoNotWidenTheWindow()
{
    QList<RunEvent> events = sampleRun::paused(workspace());
    Shown shown(events);
    shown.window.resize(1280, 800);
    shown.action(QStringLiteral("What it changed"))->trigger(); // the difference needs the most room
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    const int before = shown.window.centralWidget()->minimumSizeHint().width();
    IterationRecord record = sampleRun::records().last();
    record.number = 13;
    record.title = QString(60, QLatin1Char('W')) + QStringLiteral(" and some more of it").repeated(10);
    record.statusReason = record.title;
    shown.store.apply(event::IterationRecorded{record});
    shown.store.apply(event::RunStopped{event::RunStopped::Why::Stopped, QStringLiteral("why ").repeated(80), 0});
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    QTRY_VERIFY(shown.window.minimumSizeHint().width() <= 1280);
    QCOMPARE(shown.window.width(), 1280);
    QCOMPARE(shown.window.centralWidget()->minimumSizeHint().width(), before);
    for (const QDockWidget *dock : shown.window.findChildren<QDockWidget *>())
        QVERIFY2(dock->widget()->minimumSizeHint().width() <= 400, qPrintable(dock->objectName()));
}

void MainWindowTest::aDroppedFolderIsOpened()
{
    Shown shown;
    QSignalSpy open(&shown.window, &MainWindow::openRequested);
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(workspace())});
    QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&shown.window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&shown.window, &drop);
    QCOMPARE(open.size(), 1);
    QCOMPARE(open.first().first().toString(), workspace());
}

void MainWindowTest::everyActionHasATooltipAndEveryDockAKey()
{
    Shown shown(sampleRun::paused(workspace()));
    for (const QAction *action : shown.window.actions()) {
        QVERIFY2(!action->toolTip().isEmpty(), qPrintable(action->text()));
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        if (!keys.isEmpty() && !action->statusTip().isEmpty())
            QVERIFY2(action->toolTip().contains(keys), qPrintable(action->text()));
    }
    for (const QDockWidget *dock : shown.window.findChildren<QDockWidget *>()) {
        const QAction *focus = shown.action(dock->windowTitle());
        QVERIFY2(focus != nullptr && !focus->shortcut().isEmpty(), qPrintable(dock->windowTitle()));
    }
}

QTEST_MAIN(MainWindowTest)
#include "tst_mainwindow.moc"
