// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/runstore.h"
#include "plan/planpanel.h"
#include "plan/planrow.h"
#include "plan/requestbox.h"
#include "support/samplerun.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QUrl>

#include <algorithm>

using namespace ako;

class PlanPanelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRowPerField();
    void evidenceStandsBesideTheValue();
    void approveIsForPlansWithNothingOpen();
    void approveNamesWhatWillBeWritten();
    void choosingACandidateAnswers();
    void editingALineAnswersOnce();
    void leavingALineUnchangedSaysNothing();
    void aDoubtedAnswerIsGivenAgainByReturnOnly();
    void aDroppedFileIsTheAnswer();
    void aDraftIsShownWithThePlan();
    void anApprovedPlanHasNoApprove();
    void nothingIsEditedWhileTheLoopIsBusy();
    void aRefusalCannotBeApproved();
    void warningsAndHintsAreShown();
    void aRequestIsSentWhenItIsWritten();
    void whatIsBeingWrittenIsNotOverwritten();
    void theApprovedRequestIsARow();
    void goesToTheOpenRow();
    void copiesAsText();
};

static QString allText(QWidget &widget)
{
    if (auto *panel = qobject_cast<PlanPanel *>(&widget))
        panel->settle();
    QStringList texts;
    for (const QLabel *label : widget.findChildren<QLabel *>())
        texts << label->text();
    return texts.join(QLatin1Char('\n'));
}

void PlanPanelTest::aRowPerField()
{
    RunStore store;
    PlanPanel panel(store);
    QVERIFY(panel.rows().isEmpty());
    sampleRun::replay(store, sampleRun::opened(QStringLiteral("/work space/softmax")));
    QStringList rows;
    for (const PlanRow *row : panel.rows())
        rows << QStringLiteral("%1=%2%3").arg(row->field().key, row->field().value,
                                              row->input() != nullptr ? QStringLiteral(" *") : QString());
    const QStringList expected{QStringLiteral("workspace=/work space/softmax"),
                               QStringLiteral("kernel=softmax.cpp *"),
                               QStringLiteral("reference=reference.cpp *"),
                               QStringLiteral("input=inline in problem.json"),
                               QStringLiteral("knowledge=knowledge/notes.md"),
                               QStringLiteral("bench-mode=default (native)"),
                               QStringLiteral("scaffold=bench-wrapper.sh, ITERATIONS.md, .gitignore"),
                               QStringLiteral("agent=tuner *"),
                               QStringLiteral("iterations=20 *"),
                               QStringLiteral("metric=median runtime, all workloads")};
    QCOMPARE(rows, expected);
}

void PlanPanelTest::evidenceStandsBesideTheValue()
{
    RunStore store;
    PlanPanel panel(store);
    sampleRun::replay(store, sampleRun::opened(QStringLiteral("/w")));
    QVERIFY(allText(*panel.row(QStringLiteral("kernel")))
                .contains(QStringLiteral("problem.json:4 — its entry point is defined here")));
    QVERIFY(allText(*panel.row(QStringLiteral("iterations"))).contains(QStringLiteral("from your request")));
}

void PlanPanelTest::approveIsForPlansWithNothingOpen()
{
    RunStore store;
    PlanPanel panel(store);
    QVERIFY(!panel.approveButton()->isEnabled());
    sampleRun::replay(store, sampleRun::opened(QStringLiteral("/w")));
    QVERIFY(panel.approveButton()->isEnabled());
    sampleRun::replay(store, {event::PlanResolved{sampleRun::planWithQuestion(QStringLiteral("/w")), false}});
    QVERIFY(!panel.approveButton()->isEnabled());
    QVERIFY(panel.row(QStringLiteral("kernel"))->isOpen());
    QVERIFY(allText(panel).contains(QStringLiteral("Two files define softmax()")));
    sampleRun::replay(store, {event::PlanResolved{sampleRun::plan(QStringLiteral("/w")), false}});
    QSignalSpy approved(&panel, &PlanPanel::approveRequested);
    QTest::mouseClick(panel.approveButton(), Qt::LeftButton);
    QCOMPARE(approved.size(), 1);
}

void PlanPanelTest::approveNamesWhatWillBeWritten()
{
    RunStore store;
    PlanPanel panel(store);
    sampleRun::replay(store, sampleRun::opened(QStringLiteral("/w")));
    QVERIFY(allText(panel).contains(QStringLiteral("on branch opt/softmax")));
    for (const QString &file : sampleRun::plan(QStringLiteral("/w")).filesToWrite)
        QVERIFY2(allText(panel).contains(file), qPrintable(file));
}

void PlanPanelTest::choosingACandidateAnswers()
{
    RunStore store;
    PlanPanel panel(store);
    sampleRun::replay(store, {event::PlanResolved{sampleRun::planWithQuestion(QStringLiteral("/w")), false}});
    auto *combo = qobject_cast<QComboBox *>(panel.row(QStringLiteral("kernel"))->input());
    QVERIFY(combo != nullptr);
    QCOMPARE(combo->count(), 2);
    QCOMPARE(combo->currentIndex(), -1);
    QSignalSpy edited(&panel, &PlanPanel::fieldEdited);
    combo->setCurrentIndex(1);
    Q_EMIT combo->activated(1);
    QCOMPARE(edited.size(), 1);
    QCOMPARE(edited.first(), (QVariantList{QStringLiteral("kernel"), QStringLiteral("softmax_blocked.cpp")}));
}

void PlanPanelTest::editingALineAnswersOnce()
{
    RunStore store;
    PlanPanel panel(store);
    sampleRun::replay(store, sampleRun::opened(QStringLiteral("/w")));
    auto *line = qobject_cast<QLineEdit *>(panel.row(QStringLiteral("iterations"))->input());
    QVERIFY(line != nullptr);
    QSignalSpy edited(&panel, &PlanPanel::fieldEdited);
    line->selectAll();
    QTest::keyClicks(line, QStringLiteral("12"));
    QTest::keyClick(line, Qt::Key_Return);
    Q_EMIT line->editingFinished(); // as when the focus leaves it afterwards
    QCOMPARE(edited.size(), 1);
    QCOMPARE(edited.first(), (QVariantList{QStringLiteral("iterations"), QStringLiteral("12")}));
}

void PlanPanelTest::leavingALineUnchangedSaysNothing()
{
    RunStore store;
    PlanPanel panel(store);
    sampleRun::replay(store, sampleRun::opened(QStringLiteral("/w")));
    auto *line = qobject_cast<QLineEdit *>(panel.row(QStringLiteral("iterations"))->input());
    QSignalSpy edited(&panel, &PlanPanel::fieldEdited);
    QTest::keyClick(line, Qt::Key_Return);
    QCOMPARE(edited.size(), 0);
}

void PlanPanelTest::aDoubtedAnswerIsGivenAgainByReturnOnly()
{
    RunStore store;
    PlanPanel panel(store);
    ResolvedPlan plan = sampleRun::planWithQuestion(QStringLiteral("/w"));
    for (PlanField &field : plan.fields) {
        if (field.key == QLatin1String(planKey::kernel))
            field.value = QStringLiteral("notes.cpp");
    }
    sampleRun::replay(store, {event::PlanResolved{plan, false}});
    panel.show();
    QApplication::setActiveWindow(&panel); // there may be no window manager
    auto *combo = qobject_cast<QComboBox *>(panel.row(QStringLiteral("kernel"))->input());
    QVERIFY(combo != nullptr);
    QCOMPARE(combo->currentText(), QStringLiteral("notes.cpp"));
    QSignalSpy edited(&panel, &PlanPanel::fieldEdited);
    combo->lineEdit()->setFocus();
    panel.approveButton()->setEnabled(true);
    panel.approveButton()->setFocus();
    QCOMPARE(edited.size(), 0);
    combo->lineEdit()->setFocus();
    QTest::keyClick(combo->lineEdit(), Qt::Key_Return);
    QCOMPARE(edited.size(), 1);
    QCOMPARE(edited.first(), (QVariantList{QStringLiteral("kernel"), QStringLiteral("notes.cpp")}));
}

void PlanPanelTest::aDroppedFileIsTheAnswer()
{
    RunStore store;
    PlanPanel panel(store);
    sampleRun::replay(store, sampleRun::opened(QStringLiteral("/w")));
    QSignalSpy edited(&panel, &PlanPanel::fieldEdited);
    auto *line = panel.row(QStringLiteral("kernel"))->findChild<QLineEdit *>();
    QVERIFY(line != nullptr);
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QStringLiteral("/w/other kernel.cpp"))});
    QDragEnterEvent enter({1, 1}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(line, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop({1, 1}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(line, &drop);
    QCOMPARE(edited.size(), 1);
    QCOMPARE(edited.first(), (QVariantList{QStringLiteral("kernel"), QStringLiteral("/w/other kernel.cpp")}));
}

void PlanPanelTest::aDraftIsShownWithThePlan()
{
    RunStore store;
    PlanPanel panel(store);
    ResolvedPlan plan = sampleRun::plan(QStringLiteral("/w"));
    sampleRun::replay(store, {event::PlanResolved{plan, false}});
    plan.problemDraft = QStringLiteral("{\"name\": \"drafted\"}\n");
    QVERIFY(!allText(panel).contains(plan.problemDraft.trimmed()));
    sampleRun::replay(store, {event::PlanResolved{plan, false}});
    QVERIFY(allText(panel).contains(plan.problemDraft.trimmed()));
}

void PlanPanelTest::anApprovedPlanHasNoApprove()
{
    RunStore store;
    PlanPanel panel(store);
    sampleRun::replay(store, sampleRun::underWay(QStringLiteral("/w")));
    QVERIFY(panel.approveButton()->isHidden());
    QVERIFY(allText(panel).contains(QStringLiteral("Approved.")));
}

void PlanPanelTest::nothingIsEditedWhileTheLoopIsBusy()
{
    RunStore store;
    PlanPanel panel(store);
    sampleRun::replay(store, sampleRun::underWay(QStringLiteral("/w")));
    QVERIFY(panel.row(QStringLiteral("iterations"))->input() == nullptr);
    sampleRun::replay(store, {event::PhaseChanged{Phase::Ready, -1, {}, {}}});
    QVERIFY(panel.row(QStringLiteral("iterations"))->input() != nullptr);
}

void PlanPanelTest::aRefusalCannotBeApproved()
{
    RunStore store;
    PlanPanel panel(store);
    ResolvedPlan refused = sampleRun::plan(QStringLiteral("/w"));
    refused.refusal = QStringLiteral("This asks for a code review.");
    sampleRun::replay(store, {event::PlanResolved{refused, false}});
    QVERIFY(!panel.approveButton()->isEnabled());
    QVERIFY(allText(panel).contains(refused.refusal));
}

void PlanPanelTest::warningsAndHintsAreShown()
{
    RunStore store;
    PlanPanel panel(store);
    sampleRun::replay(store, sampleRun::opened(QStringLiteral("/w")));
    QVERIFY(allText(panel).contains(QStringLiteral("Other programs use 35 %")));
    QVERIFY(allText(panel).contains(QStringLiteral("stop after 20 iterations (from your request)")));
    QVERIFY(allText(panel).contains(QStringLiteral("cap: 20 iterations")));
}

void PlanPanelTest::aRequestIsSentWhenItIsWritten()
{
    RunStore store;
    PlanPanel panel(store);
    panel.show();
    sampleRun::replay(store, sampleRun::opened(QStringLiteral("/w")));
    QVERIFY(panel.request()->isVisible());
    QSignalSpy edited(&panel, &PlanPanel::fieldEdited);
    QTest::keyClicks(panel.request()->text(), QStringLiteral("no ncu"));
    QVERIFY(!panel.approveButton()->isEnabled()); // the plan does not know it yet
    QTRY_COMPARE(edited.size(), 1);
    QCOMPARE(edited.first(), (QVariantList{QLatin1String(planKey::request), QStringLiteral("no ncu")}));
    ResolvedPlan plan = sampleRun::plan(QStringLiteral("/w"));
    plan.request = QStringLiteral("no ncu");
    sampleRun::replay(store, {event::PlanResolved{plan, false}});
    QVERIFY(panel.approveButton()->isEnabled());
}

void PlanPanelTest::whatIsBeingWrittenIsNotOverwritten()
{
    RunStore store;
    PlanPanel panel(store);
    sampleRun::replay(store, sampleRun::opened(QStringLiteral("/w")));
    panel.request()->text()->setPlainText(QStringLiteral("at most"));
    sampleRun::replay(store, {event::PlanResolved{sampleRun::plan(QStringLiteral("/w")), false}});
    QCOMPARE(panel.request()->request(), QStringLiteral("at most"));
}

void PlanPanelTest::theApprovedRequestIsARow()
{
    RunStore store;
    PlanPanel panel(store);
    ResolvedPlan plan = sampleRun::plan(QStringLiteral("/w"));
    plan.request = QStringLiteral("no ncu");
    sampleRun::replay(store, {event::PlanResolved{plan, true}});
    QVERIFY(panel.request()->isHidden());
    panel.settle();
    const auto rows = panel.findChildren<PlanRow *>();
    QVERIFY(std::ranges::any_of(rows, [](const PlanRow *row) {
        return row->field().value == QLatin1String("no ncu") && row->input() == nullptr;
    }));
}

void PlanPanelTest::goesToTheOpenRow()
{
    RunStore store;
    PlanPanel panel(store);
    panel.resize(360, 260);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    sampleRun::replay(store, {event::PlanResolved{sampleRun::planWithQuestion(QStringLiteral("/w")), false}});
    QApplication::setActiveWindow(&panel);
    panel.goToOpenRow();
    QCOMPARE(panel.openRow(), panel.row(QStringLiteral("kernel")));
    QTRY_VERIFY(panel.openRow()->input()->hasFocus());
    QVERIFY(!panel.openRow()->visibleRegion().isEmpty());
    sampleRun::replay(store, {event::PlanResolved{sampleRun::plan(QStringLiteral("/w")), false}});
    QVERIFY(panel.openRow() == nullptr);
}

void PlanPanelTest::copiesAsText()
{
    RunStore store;
    PlanPanel panel(store);
    sampleRun::replay(store, sampleRun::opened(QStringLiteral("/w")));
    panel.copyAsText();
    QCOMPARE(QApplication::clipboard()->text(), sampleRun::plan(QStringLiteral("/w")).toMarkdown());
}

QTEST_MAIN(PlanPanelTest)
#include "tst_planpanel.moc"
