// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/recoverydialog.h"

#include "diff/diffview.h"
#include "history/runstore.h"
#include "support/samplerun.h"
#include "window/mainwindow.h"

#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace ako;

class RecoveryDialogTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void eachChoiceDoesWhatItSays_data();
    void eachChoiceDoesWhatItSays();
    void whatIsTakenIsTold();
    void nothingIsAskedWhereNothingIsLeft();
    void anOldAnswerIsNotShown();
    void beforeApprovalNothingIsRun();

private:
    QString workspace() const { return m_folder->path(); }
    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

const QString aside = QStringLiteral(".ako/discarded/20261201-101500_iter-13/solution");

event::Recovered discarded()
{
    return {13, QStringLiteral("begun"), QStringLiteral("discarded"), 10, aside};
}

event::Recovered stays()
{
    return {13, QStringLiteral("edited"), QStringLiteral("kept"), 10, QStringLiteral("solution")};
}

struct Shown
{
    RunStore store;
    MainWindow window{store};
    QSignalSpy asked{&window, &MainWindow::keptEditRequested};
    QSignalSpy run{&window, &MainWindow::runRequested};
    QSignalSpy step{&window, &MainWindow::stepRequested};

    explicit Shown(const QList<RunEvent> &events)
    {
        window.show();
        sampleRun::replay(store, events);
    }

    RecoveryDialog *recover(const event::Recovered &found)
    {
        store.apply(found);
        if (!asked.isEmpty())
            window.showKeptEdit(asked.last().value(1).toULongLong(), {found, sampleRun::diff()}, {});
        return window.findChild<RecoveryDialog *>();
    }
};

} // namespace

void RecoveryDialogTest::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("ako4all-test"));
    QCoreApplication::setApplicationName(QStringLiteral("recoverydialog"));
}

void RecoveryDialogTest::init()
{
    QSettings().clear();
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(sampleRun::writeWorkspace(workspace()));
}

void RecoveryDialogTest::eachChoiceDoesWhatItSays_data()
{
    QTest::addColumn<bool>("isInSolution");
    QTest::addColumn<QString>("button");
    QTest::addColumn<int>("takes");
    QTest::addColumn<int>("runs");
    QTest::addColumn<int>("steps");
    QTest::newRow("keep the edit") << false << QStringLiteral("&Keep the edit") << 1 << 0 << 0;
    QTest::newRow("go on") << false << QStringLiteral("&Go on without it") << 0 << 1 << 0;
    QTest::newRow("leave") << false << QStringLiteral("&Leave it") << 0 << 0 << 0;
    QTest::newRow("measure") << true << QStringLiteral("&Measure it") << 0 << 0 << 1;
    QTest::newRow("look") << true << QStringLiteral("&Open it in the editor") << 0 << 0 << 0;
    QTest::newRow("leave it there") << true << QStringLiteral("&Leave it") << 0 << 0 << 0;
}

void RecoveryDialogTest::eachChoiceDoesWhatItSays()
{
    QFETCH(bool, isInSolution);
    QFETCH(QString, button);
    QFETCH(int, takes);
    QFETCH(int, runs);
    QFETCH(int, steps);
    Shown shown(sampleRun::paused(workspace()));
    RecoveryDialog *dialog = shown.recover(isInSolution ? stays() : discarded());
    QVERIFY(dialog != nullptr);
    QCOMPARE(shown.asked.size(), 1); // to be looked at
    QCOMPARE(shown.asked.first().value(0).toBool(), false);
    QVERIFY(dialog->findChild<DiffView *>() != nullptr);
    QString said;
    for (const QLabel *label : dialog->findChildren<QLabel *>())
        said += label->text();
    QVERIFY2(said.contains(QStringLiteral("iteration 13")), qPrintable(said));
    QVERIFY2(said.contains(isInSolution ? QStringLiteral("still in solution/") : aside), qPrintable(said));
    QPushButton *pressed = nullptr;
    for (QPushButton *each : dialog->findChildren<QPushButton *>())
        pressed = each->text() == button ? each : pressed;
    QVERIFY(pressed != nullptr);
    pressed->click();
    QVERIFY(!dialog->isVisible());
    QCOMPARE(shown.asked.size(), 1 + takes);
    if (takes > 0)
        QCOMPARE(shown.asked.last().value(0).toBool(), true);
    QCOMPARE(shown.run.size(), runs);
    QCOMPARE(shown.step.size(), steps);
}

void RecoveryDialogTest::whatIsTakenIsTold()
{
    Shown shown(sampleRun::paused(workspace()));
    RecoveryDialog *dialog = shown.recover(discarded());
    QVERIFY(dialog != nullptr);
    Q_EMIT dialog->takeRequested();
    dialog->accept();
    shown.window.showKeptEdit(shown.asked.last().value(1).toULongLong(), {}, {});
    QString said;
    for (const QLabel *label : shown.window.centralWidget()->findChildren<QLabel *>())
        said += label->isVisible() ? label->text() : QString();
    QVERIFY2(said.contains(QStringLiteral("The unfinished edit is in solution/")), qPrintable(said));
}

void RecoveryDialogTest::nothingIsAskedWhereNothingIsLeft()
{
    Shown shown(sampleRun::paused(workspace()));
    QVERIFY(shown.recover({13, QStringLiteral("benched"), QStringLiteral("completed"), 10, {}}) == nullptr);
    QVERIFY(shown.asked.isEmpty());
}

void RecoveryDialogTest::anOldAnswerIsNotShown()
{
    Shown shown(sampleRun::paused(workspace()));
    shown.store.apply(discarded());
    const quint64 old = shown.asked.last().value(1).toULongLong();
    shown.store.apply(discarded());
    shown.window.showKeptEdit(old, {discarded(), sampleRun::diff()}, {});
    QVERIFY(shown.window.findChild<RecoveryDialog *>() == nullptr);
}

void RecoveryDialogTest::beforeApprovalNothingIsRun()
{
    Shown shown(sampleRun::opened(workspace()));
    RecoveryDialog *dialog = shown.recover(discarded());
    QVERIFY(dialog != nullptr);
    int enabled = 0;
    for (const QPushButton *each : dialog->findChildren<QPushButton *>()) {
        if (each->text() == QLatin1String("&Go on without it"))
            QVERIFY(!each->isEnabled());
        enabled += each->isEnabled() ? 1 : 0;
    }
    QVERIFY(enabled >= 2); // keep or leave
}

QTEST_MAIN(RecoveryDialogTest)
#include "tst_recoverydialog.moc"
