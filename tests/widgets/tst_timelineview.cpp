// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/runstore.h"
#include "models/iterationmodel.h"
#include "models/iterationselection.h"
#include "support/samplerun.h"
#include "timeline/timelineview.h"
#include "timeline/underwaybar.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>

using namespace ako;

class TimelineViewTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsTheNewestFirst();
    void filters_data();
    void filters();
    void clickSelectsEverywhere();
    void followsTheSelection();
    void aFilteredOutSelectionShowsNone();
    void anEmptyTimelineTeaches();
    void aFilterWithoutMatchSaysSo();
    void contextMenuHoldsTheIterationActions();
    void compactRowsAreLower();
    void theEntryUnderWayStandsAboveTheList();
    void howLongABenchTakesIsLearnt();
};

namespace {

struct Shown
{
    RunStore store;
    IterationModel model{store};
    IterationSelection selection{store};
    TimelineView view{model, selection};

    explicit Shown(bool filled = true)
    {
        if (filled) {
            for (const RunEvent &event : sampleRun::underWay(QStringLiteral("/w")))
                store.apply(event);
        }
        view.resize(360, 500);
        view.show();
    }

    QStringList numbers() const
    {
        QStringList list;
        const QAbstractItemModel *shown = view.list()->model();
        for (int row = 0; row < shown->rowCount(); ++row)
            list << shown->index(row, IterationModel::Iteration).data().toString();
        return list;
    }
};

} // namespace

void TimelineViewTest::showsTheNewestFirst()
{
    Shown shown;
    QCOMPARE(shown.numbers().join(QLatin1Char(' ')), QStringLiteral("12 11 10 9 8 7 6 5 4 3 2 1 baseline"));
}

void TimelineViewTest::filters_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("outcome");
    QTest::addColumn<QString>("numbers");
    QTest::newRow("title") << QStringLiteral("unroll") << QString() << QStringLiteral("8");
    QTest::newRow("two words") << QStringLiteral("next prefetch") << QString() << QStringLiteral("12");
    QTest::newRow("reason") << QStringLiteral("compile") << QString() << QStringLiteral("8");
    QTest::newRow("improved") << QString() << QStringLiteral("Improved") << QStringLiteral("10 7 4 2");
    QTest::newRow("quarantined is not failed") << QString() << QStringLiteral("Failed") << QStringLiteral("8 3");
    QTest::newRow("both") << QStringLiteral("pass") << QStringLiteral("Improved") << QStringLiteral("10 7 4 2");
}

void TimelineViewTest::filters()
{
    QFETCH(QString, text);
    QFETCH(QString, outcome);
    QFETCH(QString, numbers);
    Shown shown;
    shown.view.filter()->setText(text);
    if (!outcome.isEmpty())
        shown.view.outcomes()->setCurrentText(outcome);
    QCOMPARE(shown.numbers().join(QLatin1Char(' ')), numbers);
}

void TimelineViewTest::clickSelectsEverywhere()
{
    Shown shown;
    QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
    const QModelIndex index = shown.view.list()->model()->index(2, IterationModel::Title);
    QSignalSpy changed(&shown.selection, &IterationSelection::changed);
    QTest::mouseClick(shown.view.list()->viewport(), Qt::LeftButton, Qt::NoModifier,
                      shown.view.list()->visualRect(index).center());
    QCOMPARE(changed.size(), 1);
    QCOMPARE(shown.selection.record()->number, 10);
}

void TimelineViewTest::followsTheSelection()
{
    Shown shown;
    shown.selection.selectIteration(4);
    QCOMPARE(shown.view.list()->currentIndex().siblingAtColumn(IterationModel::Iteration).data().toString(),
             QStringLiteral("4"));
}

void TimelineViewTest::aFilteredOutSelectionShowsNone()
{
    Shown shown;
    shown.selection.selectIteration(4);
    shown.view.filter()->setText(QStringLiteral("prefetch"));
    QVERIFY(!shown.view.list()->currentIndex().isValid());
    QCOMPARE(shown.selection.record()->number, 4);
    shown.view.filter()->clear();
    QVERIFY(shown.view.list()->currentIndex().isValid());
}

static QString emptyText(const TimelineView &view)
{
    for (const QLabel *label : view.findChildren<QLabel *>()) {
        if (label->isVisible())
            return label->text();
    }
    return {};
}

void TimelineViewTest::anEmptyTimelineTeaches()
{
    Shown shown(false);
    QVERIFY(emptyText(shown.view).contains(QStringLiteral("baseline")));
    shown.store.apply(event::IterationRecorded{sampleRun::baseline()});
    QCOMPARE(emptyText(shown.view), QString());
}

void TimelineViewTest::aFilterWithoutMatchSaysSo()
{
    Shown shown;
    shown.view.filter()->setText(QStringLiteral("no such words"));
    QVERIFY(emptyText(shown.view).contains(QStringLiteral("filter")));
}

void TimelineViewTest::contextMenuHoldsTheIterationActions()
{
    Shown shown;
    QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
    QAction restore(QStringLiteral("Restore"));
    QAction copy(QStringLiteral("Copy commit"));
    shown.view.setIterationActions({&restore, nullptr, &copy});
    const QRect row = shown.view.list()->visualRect(shown.view.list()->model()->index(1, IterationModel::Title));
    Q_EMIT shown.view.list()->customContextMenuRequested(row.center());
    auto *menu = shown.view.list()->findChild<QMenu *>();
    QVERIFY(menu != nullptr);
    QCOMPARE(menu->actions().size(), 3);
    QVERIFY(menu->actions().contains(&restore) && menu->actions().contains(&copy));
    menu->close();
}

void TimelineViewTest::compactRowsAreLower()
{
    Shown shown;
    const int before =
        shown.view.list()->visualRect(shown.view.list()->model()->index(0, IterationModel::Title)).height();
    QSignalSpy changed(&shown.view, &TimelineView::compactChanged);
    shown.view.setCompact(true);
    const int after =
        shown.view.list()->visualRect(shown.view.list()->model()->index(0, IterationModel::Title)).height();
    QVERIFY2(after * 10 < before * 7, qPrintable(QStringLiteral("%1, then %2").arg(before).arg(after)));
    QCOMPARE(changed.size(), 1);
}

void TimelineViewTest::theEntryUnderWayStandsAboveTheList()
{
    Shown shown;
    auto *bar = new UnderWayBar(shown.store, &shown.view);
    shown.view.setHeader(bar);
    QVERIFY(bar->isVisibleTo(&shown.view));
    QVERIFY2(bar->text().startsWith(QStringLiteral("Iteration 13 · ")), qPrintable(bar->text()));
    QVERIFY2(bar->text().contains(QStringLiteral("timing 62 %")), qPrintable(bar->text()));
    shown.store.apply(event::PhaseChanged{Phase::Ready, -1, {}, {}});
    QVERIFY(!bar->isVisibleTo(&shown.view));
}

void TimelineViewTest::howLongABenchTakesIsLearnt()
{
    RunStore store;
    UnderWayBar bar(store);
    QCOMPARE(usualBenchMilliseconds(store), 0);
    QList<IterationRecord> records = sampleRun::records().mid(0, 6);
    for (IterationRecord &record : records)
        record.benchMilliseconds = record.verdictTrajectory.isEmpty() ? 60'000 : 600'000; // a verdict is another matter
    store.apply(event::HistoryLoaded{records, 4});
    QCOMPARE(usualBenchMilliseconds(store), 60'000);
    store.apply(event::PhaseChanged{Phase::Benching, 6, {}, QDateTime::currentDateTime().addSecs(-20)});
    QVERIFY2(bar.text().contains(QStringLiteral("left")), qPrintable(bar.text()));
    store.apply(event::PhaseChanged{Phase::Benching, 6, {}, QDateTime::currentDateTime().addSecs(-90)});
    QVERIFY2(!bar.text().contains(QStringLiteral("left")), qPrintable(bar.text())); // longer than usual: not known
}

QTEST_MAIN(TimelineViewTest)
#include "tst_timelineview.moc"
