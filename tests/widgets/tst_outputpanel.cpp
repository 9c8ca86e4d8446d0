// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/runstore.h"
#include "machine/machinestrip.h"
#include "models/iterationselection.h"
#include "models/sourceplaces.h"
#include "profile/numbersview.h"
#include "support/samplerun.h"
#include "transcript/detailsview.h"
#include "transcript/noticelog.h"
#include "transcript/outputpanel.h"
#include "transcript/textlog.h"

#include <QApplication>
#include <QClipboard>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>
#include <QTreeWidget>

#include <atomic>
#include <memory>

using namespace ako;

class OutputPanelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void detailsTellTheWholeIteration();
    void benchOutputIsAskedForWhenLookedAt();
    void anAnswerToAnOldQuestionIsNotShown();
    void transcriptIsThatOfTheChosenIteration();
    void liveOutputBeginsAfreshWithEachBench();
    void aFloodIsCutAndDoesNotGrow();
    void anOverlongLineIsCut();
    void aPlaceInTheOutputIsFollowed();
    void numbersAreAskedForWhenLookedAt();
    void noticesAreCopied();
    void machineIsReadInTheBackground();
    void gpuIsToldAndLeftAloneDuringABench();
};

void OutputPanelTest::detailsTellTheWholeIteration()
{
    RunStore store;
    IterationSelection selection(store);
    OutputPanel panel(store, selection);
    sampleRun::replay(store, sampleRun::underWay(QStringLiteral("/w")));
    selection.selectIteration(7);
    const QString text = panel.details()->toPlainText();
    for (const char *part : {"Iteration 7", "vectorized loads", "Hypothesis", "Fewer passes", "Analysis",
                             "rows=4096 columns=1024", "1.12x"})
        QVERIFY2(text.contains(QString::fromUtf8(part)), qPrintable(text));
    selection.selectIteration(8);
    QVERIFY(panel.details()->toPlainText().contains(QStringLiteral("no matching function for call to ‘load’")));
}

void OutputPanelTest::benchOutputIsAskedForWhenLookedAt()
{
    RunStore store;
    IterationSelection selection(store);
    OutputPanel panel(store, selection);
    sampleRun::replay(store, sampleRun::underWay(QStringLiteral("/w")));
    QSignalSpy asked(&panel, &OutputPanel::benchOutputRequested);
    selection.selectIteration(7);
    QCOMPARE(asked.size(), 0);
    panel.setCurrentIndex(1);
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.first().at(0).toString(), selection.record()->trajectory);
    panel.showBenchOutput(asked.first().at(1).toULongLong(), QStringLiteral("COMPILED: true\n"), {});
    QCOMPARE(panel.bench()->toPlainText(), QStringLiteral("COMPILED: true\n"));
}

void OutputPanelTest::anAnswerToAnOldQuestionIsNotShown()
{
    RunStore store;
    IterationSelection selection(store);
    OutputPanel panel(store, selection);
    sampleRun::replay(store, sampleRun::underWay(QStringLiteral("/w")));
    QSignalSpy asked(&panel, &OutputPanel::benchOutputRequested);
    panel.setCurrentIndex(1);
    selection.selectIteration(7);
    selection.selectIteration(8);
    QCOMPARE(asked.size(), 2);
    panel.showBenchOutput(asked.at(1).at(1).toULongLong(), QStringLiteral("of 8"), {});
    panel.showBenchOutput(asked.at(0).at(1).toULongLong(), QStringLiteral("of 7"), {});
    QCOMPARE(panel.bench()->toPlainText(), QStringLiteral("of 8"));
}

void OutputPanelTest::transcriptIsThatOfTheChosenIteration()
{
    RunStore store;
    IterationSelection selection(store);
    OutputPanel panel(store, selection);
    panel.show();
    sampleRun::replay(store, sampleRun::underWay(QStringLiteral("/w")));
    sampleRun::replay(store, {event::OutputAppended{event::OutputAppended::Source::Agent, QStringLiteral("now\n")}});
    QSignalSpy asked(&panel, &OutputPanel::transcriptRequested);
    panel.setCurrentIndex(2);
    QVERIFY(panel.transcript()->isVisible()); // nothing is chosen: what is under way
    QCOMPARE(asked.size(), 0);
    selection.selectIteration(7);
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.first().at(0).toString(), selection.record()->trajectory);
    panel.showTranscript(asked.first().at(1).toULongLong(), QStringLiteral("Agent: of 7"));
    QVERIFY(!panel.transcript()->isVisible());
    bool isShown = false;
    for (const TextLog *text : panel.findChildren<TextLog *>())
        isShown = isShown || (text->isVisible() && text->toPlainText() == QLatin1String("Agent: of 7"));
    QVERIFY(isShown);
    panel.setCurrentIndex(0);
    selection.selectIteration(8);
    QCOMPARE(asked.size(), 1); // asked for only when it is looked at
    panel.setCurrentIndex(2);
    QCOMPARE(asked.size(), 2);
}

void OutputPanelTest::liveOutputBeginsAfreshWithEachBench()
{
    RunStore store;
    IterationSelection selection(store);
    OutputPanel panel(store, selection);
    const auto out = [](const char *text) {
        return event::OutputAppended{event::OutputAppended::Source::Bench, QString::fromLatin1(text)};
    };
    sampleRun::replay(store, {event::PhaseChanged{Phase::Benching, 1, {}, {}}, out("first\n"),
                              event::PhaseChanged{Phase::Verifying, 1, {}, {}}, out("verdict\n")});
    panel.live()->flush();
    QCOMPARE(panel.live()->toPlainText(), QStringLiteral("first\nverdict\n"));
    sampleRun::replay(store, {event::PhaseChanged{Phase::Benching, 2, {}, {}}, out("second\n")});
    QTRY_COMPARE(panel.live()->toPlainText(), QStringLiteral("second\n"));
}

void OutputPanelTest::aFloodIsCutAndDoesNotGrow()
{
    TextLog log({});
    const QString line = QString(99, QLatin1Char('x')) + QLatin1Char('\n');
    for (int i = 0; i < 100'000; ++i)
        log.append(line);
    log.flush();
    QVERIFY(log.document()->characterCount() < 1'000'000);
    for (int i = 0; i < 30; ++i) {
        log.append(QString(1'000, QLatin1Char('\n')));
        log.flush();
    }
    QVERIFY(log.blockCount() <= 20'000);
}

void OutputPanelTest::anOverlongLineIsCut()
{
    TextLog log({});
    log.append(QString(100'000, QLatin1Char('a')));
    log.append(QStringLiteral("tail\nnext"));
    QTRY_VERIFY(log.toPlainText().endsWith(QStringLiteral("next")));
    QVERIFY(log.toPlainText().size() < 5'000);
    QVERIFY(!log.toPlainText().contains(QStringLiteral("tail")));
}

void OutputPanelTest::aPlaceInTheOutputIsFollowed()
{
    RunStore store;
    IterationSelection selection(store);
    OutputPanel panel(store, selection);
    QSignalSpy followed(&panel, &OutputPanel::placeChosen);
    panel.live()->replaceAll(QStringLiteral("compiling\nsoftmax.cpp:41:9: error: no load\n"));
    panel.live()->setTextCursor(QTextCursor(panel.live()->document()->findBlockByNumber(0)));
    QTest::keyClick(panel.live(), Qt::Key_Return);
    QCOMPARE(followed.size(), 0);
    panel.live()->setTextCursor(QTextCursor(panel.live()->document()->findBlockByNumber(1)));
    QTest::keyClick(panel.live(), Qt::Key_Return);
    QCOMPARE(followed.value(0).value(0).value<SourcePlace>().line, 41);
    QVERIFY(!panel.live()->document()->findBlockByNumber(1).layout()->formats().isEmpty());
    QVERIFY(panel.live()->document()->findBlockByNumber(0).layout()->formats().isEmpty());
}

void OutputPanelTest::numbersAreAskedForWhenLookedAt()
{
    RunStore store;
    IterationSelection selection(store);
    OutputPanel panel(store, selection);
    sampleRun::replay(store, sampleRun::underWay(QStringLiteral("/w")));
    QSignalSpy asked(&panel, &OutputPanel::numbersRequested);
    selection.selectIteration(7);
    QCOMPARE(asked.size(), 0);
    panel.setCurrentWidget(panel.numbers());
    QCOMPARE(asked.value(0).value(0).toInt(), 7);
    QVERIFY(panel.numbers()->note().contains(QStringLiteral("beside Iteration 4")));
    const quint64 token = asked.value(0).value(1).toULongLong();
    panel.showNumbers(
        token, {{QStringLiteral("registers"), 40, 32}, {QStringLiteral("spills"), 0, 8}, {QStringLiteral("x"), {}, 1}},
        {});
    QStringList rows;
    for (int row = 0; row < panel.numbers()->list()->topLevelItemCount(); ++row) {
        const QTreeWidgetItem *item = panel.numbers()->list()->topLevelItem(row);
        rows << item->text(0) + QLatin1Char(' ') + item->text(1) + QLatin1Char(' ') + item->text(3);
    }
    QCOMPARE(rows, (QStringList{QStringLiteral("registers 40 −20 %"), QStringLiteral("spills 0 from zero"),
                                QStringLiteral("x – –")}));
    selection.selectIteration(8);
    QCOMPARE(asked.size(), 2);
    panel.showNumbers(token, {{QStringLiteral("old"), 1, 1}}, {});
    QCOMPARE(panel.numbers()->list()->topLevelItemCount(), 0); // the answer to an old question
    panel.showNumbers(asked.value(1).value(1).toULongLong(), {}, {});
    QVERIFY(panel.numbers()->note().contains(QStringLiteral("No numbers")));
}

void OutputPanelTest::noticesAreCopied()
{
    RunStore store;
    IterationSelection selection(store);
    OutputPanel panel(store, selection);
    sampleRun::replay(
        store, {event::Notice{Severity::Error, QStringLiteral("The disk is full."), QStringLiteral("Free some.")}});
    QCOMPARE(panel.log()->count(), 1);
    panel.log()->selectAll();
    QTest::keySequence(panel.log(), QKeySequence::Copy);
    QVERIFY(QApplication::clipboard()->text().endsWith(QStringLiteral("The disk is full.\nFree some.")));
}

void OutputPanelTest::machineIsReadInTheBackground()
{
    MachineStrip strip;
    QSignalSpy sampled(&strip, &MachineStrip::sampled);
    strip.show();
    QCOMPARE(sampled.size(), 0);
    QTRY_VERIFY(!sampled.isEmpty());
    QVERIFY(strip.sample().logicalCores > 0);
    QVERIFY(strip.sample().allTicks > 0);
}

void OutputPanelTest::gpuIsToldAndLeftAloneDuringABench()
{
    MachineStrip strip;
    const auto asked = std::make_shared<std::atomic<int>>(0);
    strip.setGpuReader([asked] {
        ++*asked;
        return QList<GpuState>{{QStringLiteral("NVIDIA H200"), 1980, 37, 120.6, {QStringLiteral("power cap")}, 2}};
    });
    QSignalSpy sampled(&strip, &MachineStrip::sampled);
    strip.setMeasuring(true);
    strip.show();
    QVERIFY(sampled.wait(20000));
    QCOMPARE(asked->load(), 0);
    QVERIFY(strip.gpuText().isEmpty());
    strip.setMeasuring(false);
    QTRY_VERIFY_WITH_TIMEOUT(!strip.gpuText().isEmpty(), 20000);
    QCOMPARE(strip.gpuText(), QStringLiteral("NVIDIA H200 · 1980 MHz · 37 °C · 121 W · slowed down: power cap\n"
                                             "shared: programs computing on it: 2"));
    QVERIFY(strip.accessibleName().contains(QStringLiteral("1980 MHz")));
}

QTEST_MAIN(OutputPanelTest)
#include "tst_outputpanel.moc"
