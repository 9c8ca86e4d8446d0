// SPDX-License-Identifier: GPL-3.0-or-later
// What a person does with what was measured: measure again, decide a quarantine, keep a note, export, apply.
#include "history/runstore.h"
#include "support/samplerun.h"
#include "timeline/timelineview.h"
#include "transcript/detailspage.h"
#include "transcript/outputpanel.h"
#include "triage/triageview.h"
#include "window/applydialog.h"
#include "window/harnessdialog.h"
#include "window/mainwindow.h"
#include "window/outcomeexport.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>

using namespace ako;

Q_DECLARE_METATYPE(ako::HarnessChange)

class OutcomeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void measuringAgainNamesTheChosenOne();
    void aQuarantinedIterationOpensItsTriage();
    void aDecisionIsGivenWithItsReason_data();
    void aDecisionIsGivenWithItsReason();
    void aDecisionIsShownOnceItIsKept();
    void aNoteIsKeptOfTheChosenOne();
    void theReportIsWrittenWhereItWasAskedFor();
    void anExportThatFailsSaysWhy();
    void theSourceIsWrittenOnlyOnConfirmation_data();
    void theSourceIsWrittenOnlyOnConfirmation();
    void whatHasChangedIsPutBackOrApproved_data();
    void whatHasChangedIsPutBackOrApproved();

private:
    QString workspace() const { return m_folder->path(); }
    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

struct Shown
{
    RunStore store;
    MainWindow window{store};

    explicit Shown(const QString &workspace)
    {
        window.show();
        sampleRun::replay(store, sampleRun::paused(workspace));
    }

    QAction *action(const QString &text) const
    {
        for (QAction *candidate : window.findChildren<QAction *>()) {
            QString plain = candidate->text();
            if (plain.remove(QLatin1Char('&')) == text)
                return candidate;
        }
        return nullptr;
    }

    void choose(int row) const // of the history
    {
        auto *list = window.findChild<TimelineView *>()->list();
        list->setCurrentIndex(list->model()->index(list->model()->rowCount() - 1 - row, list->modelColumn()));
    }

    OutputPanel *output() const { return window.findChild<OutputPanel *>(); }
};

} // namespace

void OutcomeTest::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("ako4all-test"));
    QCoreApplication::setApplicationName(QStringLiteral("outcome"));
}

void OutcomeTest::init()
{
    QSettings().clear();
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(sampleRun::writeWorkspace(workspace()));
}

void OutcomeTest::measuringAgainNamesTheChosenOne()
{
    Shown shown(workspace());
    QSignalSpy asked(&shown.window, &MainWindow::measureAgainRequested);
    shown.choose(6);
    shown.action(QStringLiteral("Measure again against the champion"))->trigger();
    QCOMPARE(asked.value(0), QVariantList({6, false}));
    shown.action(QStringLiteral("Measure against the baseline"))->trigger();
    QCOMPARE(asked.value(1), QVariantList({6, true}));
    shown.choose(0);
    QVERIFY(shown.action(QStringLiteral("Measure again against the champion"))->isEnabled());
    QVERIFY(!shown.action(QStringLiteral("Measure against the baseline"))->isEnabled());
    shown.store.apply(event::PhaseChanged{Phase::Benching, 13, {}, {}});
    QVERIFY(!shown.action(QStringLiteral("Measure again against the champion"))->isEnabled());
}

void OutcomeTest::aQuarantinedIterationOpensItsTriage()
{
    Shown shown(workspace());
    OutputPanel *output = shown.output();
    TriageView *triage = output->triage();
    QVERIFY(!output->isTabVisible(output->indexOf(triage)));
    shown.choose(9);
    QCOMPARE(output->currentWidget(), triage);
    const QString said = triage->evidence()->toPlainText();
    for (const char *part :
         {"BELOW_FLOOR", "faster than this machine can be", "31x, where memory allows 2.6x", "Nobody has decided yet"})
        QVERIFY2(said.contains(QLatin1String(part)), qPrintable(said));
    QSignalSpy measure(&shown.window, &MainWindow::measureAgainRequested);
    triage->measureButton()->click();
    QCOMPARE(measure.value(0), QVariantList({9, false}));
    shown.choose(8);
    QVERIFY(!output->isTabVisible(output->indexOf(triage)));
    QCOMPARE(output->currentWidget(), output->page());
}

void OutcomeTest::aDecisionIsGivenWithItsReason_data()
{
    QTest::addColumn<bool>("accepted");
    QTest::newRow("accepted") << true;
    QTest::newRow("upheld") << false;
}

void OutcomeTest::aDecisionIsGivenWithItsReason()
{
    QFETCH(bool, accepted);
    Shown shown(workspace());
    shown.choose(9);
    TriageView *triage = shown.output()->triage();
    QSignalSpy decided(&shown.window, &MainWindow::quarantineDecided);
    triage->reason()->setText(QStringLiteral(" the rows do repeat "));
    (accepted ? triage->acceptButton() : triage->rejectButton())->click();
    QCOMPARE(decided.value(0), QVariantList({9, accepted, QStringLiteral("the rows do repeat")}));
}

void OutcomeTest::aDecisionIsShownOnceItIsKept()
{
    Shown shown(workspace());
    shown.choose(9);
    TriageView *triage = shown.output()->triage();
    triage->rejectButton()->click();
    QVERIFY(triage->rejectButton()->isEnabled()); // nothing is claimed before it is written
    IterationRecord record = *shown.store.record(9);
    record.triage = Triage{false, QStringLiteral("it skips work"), QDateTime::currentDateTime()};
    shown.store.apply(event::IterationRecorded{record});
    QVERIFY(!triage->rejectButton()->isEnabled());
    QVERIFY(triage->acceptButton()->isEnabled());
    QVERIFY(triage->evidence()->toPlainText().contains(QStringLiteral("it skips work")));
    QVERIFY(shown.output()->currentWidget() == triage);
}

void OutcomeTest::aNoteIsKeptOfTheChosenOne()
{
    Shown shown(workspace());
    DetailsPage *page = shown.output()->page();
    QSignalSpy kept(&shown.window, &MainWindow::noteGiven);
    shown.choose(7);
    QTest::keyClicks(page->note(), QStringLiteral("try float4"));
    shown.store.apply(event::IterationRecorded{*shown.store.record(7)}); // told anew meanwhile
    QCOMPARE(page->note()->text(), QStringLiteral("try float4"));
    QTest::keyClick(page->note(), Qt::Key_Return);
    QCOMPARE(kept.value(0), QVariantList({7, QStringLiteral("try float4")}));
    IterationRecord record = *shown.store.record(7);
    record.note = QStringLiteral("try float4");
    shown.store.apply(event::IterationRecorded{record});
    QTest::keyClick(page->note(), Qt::Key_Return);
    QCOMPARE(kept.size(), 1); // it is kept already
    shown.choose(6);
    QVERIFY(page->note()->text().isEmpty());
    shown.choose(7);
    QCOMPARE(page->note()->text(), QStringLiteral("try float4"));
}

void OutcomeTest::theReportIsWrittenWhereItWasAskedFor()
{
    Shown shown(workspace());
    QSignalSpy asked(&shown.window, &MainWindow::reportRequested);
    const QString path = workspace() + QStringLiteral("/out.html");
    shown.action(QStringLiteral("Export report …"))->trigger();
    auto *dialog = shown.window.findChild<QFileDialog *>();
    QVERIFY(dialog != nullptr);
    Q_EMIT dialog->fileSelected(path);
    QCOMPARE(asked.size(), 1);
    RunReport report;
    report.name = QStringLiteral("softmax");
    report.records = sampleRun::records();
    report.best = *shown.store.record(10);
    shown.window.showReport(asked.value(0).value(0).toULongLong() + 1, {}, {}); // of another question
    shown.window.showReport(asked.value(0).value(0).toULongLong(), report, {});
    QTRY_VERIFY(QFile::exists(path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), reportHtml(report));
}

void OutcomeTest::anExportThatFailsSaysWhy()
{
    OutcomeExport outcome(nullptr);
    QSignalSpy failed(&outcome, &OutcomeExport::failed);
    QSignalSpy asked(&outcome, &OutcomeExport::reportRequested);
    outcome.exportTo(workspace() + QStringLiteral("/no/such/folder/out.html"), false);
    outcome.showReport(asked.value(0).value(0).toULongLong(), {}, {});
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY(failed.value(0).value(0).toString().contains(QStringLiteral("out.html")));
    outcome.exportTo(workspace() + QStringLiteral("/out.html"), false);
    outcome.showReport(asked.value(1).value(0).toULongLong(), {}, QStringLiteral("nothing to report yet"));
    QCOMPARE(failed.value(1).value(0).toString(), QStringLiteral("nothing to report yet"));
    QVERIFY(!QFile::exists(workspace() + QStringLiteral("/out.html")));
}

void OutcomeTest::theSourceIsWrittenOnlyOnConfirmation_data()
{
    QTest::addColumn<bool>("confirmed");
    QTest::newRow("confirmed") << true;
    QTest::newRow("cancelled") << false;
}

void OutcomeTest::theSourceIsWrittenOnlyOnConfirmation()
{
    QFETCH(bool, confirmed);
    Shown shown(workspace());
    QSignalSpy asked(&shown.window, &MainWindow::sourceChangeRequested);
    shown.action(QStringLiteral("Apply to my source …"))->trigger();
    QCOMPARE(asked.value(0).value(0).toBool(), false);
    shown.window.showSourceChange(asked.value(0).value(1).toULongLong(), sampleRun::diff(),
                                  {QStringLiteral("softmax.cpp")}, {}, {});
    auto *dialog = shown.window.findChild<ApplyDialog *>();
    QVERIFY(dialog != nullptr);
    QCOMPARE(asked.size(), 1);
    if (confirmed)
        dialog->accept();
    else
        dialog->reject();
    QCOMPARE(asked.size(), confirmed ? 2 : 1);
    if (confirmed)
        QCOMPARE(asked.value(1).value(0).toBool(), true);
}

void OutcomeTest::whatHasChangedIsPutBackOrApproved_data()
{
    QTest::addColumn<HarnessChange>("change");
    QTest::addColumn<QString>("button"); // pressed
    QTest::addColumn<bool>("isEnabled");
    HarnessChange change{sampleRun::diff(), "diff --git", {QStringLiteral("reference.cpp")}, {}};
    HarnessChange large{{}, {}, {}, {QStringLiteral("input.npy was changed")}};
    QTest::newRow("put back") << change << QStringLiteral("&Put back") << true;
    QTest::newRow("approve") << change << QStringLiteral("&Approve as it is") << true;
    QTest::newRow("close") << change << QString() << true;
    QTest::newRow("no copy to put back") << large << QStringLiteral("&Put back") << false;
    QTest::newRow("no copy, approve") << large << QStringLiteral("&Approve as it is") << true;
    QTest::newRow("nothing has") << HarnessChange{} << QStringLiteral("&Approve as it is") << false;
}

void OutcomeTest::whatHasChangedIsPutBackOrApproved()
{
    QFETCH(HarnessChange, change);
    QFETCH(QString, button);
    QFETCH(bool, isEnabled);
    Shown shown(workspace());
    QSignalSpy asked(&shown.window, &MainWindow::harnessRequested);
    QSignalSpy approved(&shown.window, &MainWindow::approveRequested);
    QSignalSpy opened(&shown.window, &MainWindow::openRequested);
    shown.action(QStringLiteral("What has changed …"))->trigger();
    QCOMPARE(asked.value(0).value(0).toBool(), false);
    shown.window.showHarness(asked.value(0).value(1).toULongLong(), change, {}, {});
    auto *dialog = shown.window.findChild<HarnessDialog *>();
    QVERIFY(dialog != nullptr);
    for (QPushButton *each : dialog->findChildren<QPushButton *>()) {
        if (each->text() != button)
            continue;
        QCOMPARE(each->isEnabled(), isEnabled);
        each->click();
    }
    const bool puts = isEnabled && button == QLatin1String("&Put back");
    QCOMPARE(asked.size(), puts ? 2 : 1);
    QCOMPARE(approved.size(), isEnabled && button == QLatin1String("&Approve as it is") ? 1 : 0);
    if (!puts)
        return;
    QCOMPARE(asked.value(1).value(0).toBool(), true);
    shown.window.showHarness(asked.value(1).value(1).toULongLong(), {}, QStringLiteral(".ako/discarded/x"), {});
    QCOMPARE(opened.size(), 1); // which finds it approved
}

QTEST_MAIN(OutcomeTest)
#include "tst_outcome.moc"
