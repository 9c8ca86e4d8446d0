// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/runstore.h"
#include "support/samplerun.h"
#include "window/desktopnotice.h"
#include "window/mainwindow.h"
#include "window/settings.h"
#include "window/settingsdialog.h"
#include "window/shortcutsdialog.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>
#include <QTreeWidget>

using namespace ako;

class DialogsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void shortcutsNameEveryActionWithKeys();
    void shortcutsAreSearched_data();
    void shortcutsAreSearched();
    void settingsAreSearchedAndKept();
    void appearanceCountsAtOnce();
    void noticesTellWhatMatters();
    void noticesAreQuietWhereTheyAreNotWanted_data();
    void noticesAreQuietWhereTheyAreNotWanted();
};

void DialogsTest::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("ako4all-test"));
    QCoreApplication::setApplicationName(QStringLiteral("dialogs"));
}

void DialogsTest::init()
{
    settings::finish();
    QSettings().clear();
}

void DialogsTest::shortcutsNameEveryActionWithKeys()
{
    RunStore store;
    MainWindow window(store);
    ShortcutsDialog dialog(window);
    QStringList told;
    for (int row = 0; row < dialog.list()->topLevelItemCount(); ++row)
        told << dialog.list()->topLevelItem(row)->text(1);
    const QString all = told.join(QStringLiteral(", "));
    for (const QAction *action : window.actions()) {
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        QVERIFY2(keys.isEmpty() || all.contains(keys), qPrintable(action->text()));
    }
    QVERIFY(all.contains(QStringLiteral("F5")));
}

void DialogsTest::shortcutsAreSearched_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("found");
    QTest::newRow("by name") << QStringLiteral("revert") << QStringLiteral("Revert");
    QTest::newRow("by keys") << QStringLiteral("F10") << QStringLiteral("Step");
    QTest::newRow("by what it does") << QStringLiteral("html page") << QStringLiteral("Export report …");
}

void DialogsTest::shortcutsAreSearched()
{
    QFETCH(QString, text);
    QFETCH(QString, found);
    RunStore store;
    MainWindow window(store);
    ShortcutsDialog dialog(window);
    dialog.search()->setText(text);
    QStringList shown;
    for (int row = 0; row < dialog.list()->topLevelItemCount(); ++row) {
        if (!dialog.list()->topLevelItem(row)->isHidden())
            shown << dialog.list()->topLevelItem(row)->text(0);
    }
    QVERIFY2(shown.contains(found) && shown.size() < 5, qPrintable(shown.join(QStringLiteral(", "))));
}

void DialogsTest::settingsAreSearchedAndKept()
{
    SettingsDialog dialog;
    dialog.show();
    auto *notices = dialog.findChild<QCheckBox *>(QStringLiteral("notifications"));
    auto *reopen = dialog.findChild<QCheckBox *>(QStringLiteral("reopenLast"));
    QVERIFY(notices != nullptr && reopen != nullptr && reopen->isChecked());
    dialog.search()->setText(QStringLiteral("quarantined"));
    QVERIFY(notices->isVisible() && !reopen->isVisible());
    dialog.search()->clear();
    QVERIFY(reopen->isVisible());
    reopen->click();
    QVERIFY(!SettingsDialog::reopensLast());
    QVERIFY(!SettingsDialog().findChild<QCheckBox *>(QStringLiteral("reopenLast"))->isChecked());
}

void DialogsTest::appearanceCountsAtOnce()
{
    SettingsDialog dialog;
    QSignalSpy chosen(&dialog, &SettingsDialog::appearanceChosen);
    auto *box = dialog.findChild<QComboBox *>();
    box->setCurrentIndex(box->findText(QStringLiteral("Dark")));
    QCOMPARE(chosen.value(0).value(0).value<Appearance>(), Appearance::Dark);
}

void DialogsTest::noticesTellWhatMatters()
{
    RunStore store;
    QWidget window; // never shown: another one is in use
    QStringList told;
    const DesktopNotices notices(store, &window, [&told](const QString &title, const QString &text) {
        told << title + QStringLiteral(" | ") + text;
    });
    const QString workspace = QStringLiteral("/w/softmax");
    sampleRun::replay(store, {event::WorkspaceOpened{workspace, {}},
                              event::PlanResolved{sampleRun::planWithQuestion(workspace), false},
                              event::PlanResolved{sampleRun::planWithQuestion(workspace), false}});
    QCOMPARE(told.size(), 1); // a question is asked once
    QVERIFY(told.takeFirst().startsWith(QStringLiteral("softmax | Two files define softmax()")));
    sampleRun::replay(store, {event::HistoryLoaded{sampleRun::records(), 10}});
    QVERIFY(told.isEmpty()); // what was there before is no news
    for (const int number : {1, 2, 3, 9}) {
        store.apply(event::HistoryLoaded{{}, -1});
        store.apply(event::IterationRecorded{sampleRun::records().at(number)});
    }
    QCOMPARE(told.size(), 2);
    QVERIFY2(told.at(0).contains(QStringLiteral("Iteration 2 | New champion, 1.31x ± 0.02 over the baseline")),
             qPrintable(told.at(0)));
    QVERIFY(told.at(1).contains(QStringLiteral("Iteration 9 | Quarantined: faster than the physical floor")));
    told.clear();
    store.apply(event::RunStopped{event::RunStopped::Why::StepDone, QStringLiteral("done"), 0});
    store.apply(event::RunStopped{event::RunStopped::Why::CapReached, QStringLiteral("20 iterations"), 0});
    QCOMPARE(told.size(), 1);
}

void DialogsTest::noticesAreQuietWhereTheyAreNotWanted_data()
{
    QTest::addColumn<bool>("wanted");
    QTest::addColumn<bool>("active");
    QTest::newRow("switched off") << false << false;
    QTest::newRow("the window is in use") << true << true;
}

void DialogsTest::noticesAreQuietWhereTheyAreNotWanted()
{
    QFETCH(bool, wanted);
    QFETCH(bool, active);
    RunStore store;
    QWidget window;
    int told = 0;
    const DesktopNotices notices(store, &window, [&told](const QString &, const QString &) { ++told; });
    DesktopNotices::setWanted(wanted);
    if (active) {
        window.show();
        QApplication::setActiveWindow(&window);
        QTRY_VERIFY(window.isActiveWindow());
    }
    store.apply(event::RunStopped{event::RunStopped::Why::CapReached, QStringLiteral("20 iterations"), 0});
    QCOMPARE(told, 0);
}

QTEST_MAIN(DialogsTest)
#include "tst_dialogs.moc"
