// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/runstore.h"
#include "models/iterationmodel.h"
#include "models/iterationselection.h"
#include "style/palette.h"
#include "support/samplerun.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace ako;

class IterationModelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void printsTheWholeRun();
    void keepsTheRulesOfModels();
    void tellsScreenReadersInWords();
    void tooltipSaysHowItWasMeasured();
    void marksTheChampion();
    void marksTheFirstIterationThatSawNewHints();
    void selectionSurvivesAReload();
    void selectionIsDroppedWithItsIteration();
    void selectionStopsAtTheEnds();
};

static QStringList printed(const IterationModel &model)
{
    QStringList lines;
    for (int row = 0; row < model.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column)
            cells << model.index(row, column).data().toString();
        lines << cells.join(QStringLiteral(" | "));
    }
    return lines;
}

void IterationModelTest::printsTheWholeRun()
{
    RunStore store;
    IterationModel model(store);
    sampleRun::replay(store, sampleRun::finished(QStringLiteral("/w")));
    const QStringList expected{
        QStringLiteral("baseline | baseline | original kernel | 4.82 ms | 1.00x | 8.3 s"),
        QStringLiteral("no change | 1 | restrict qualifiers | 4.76 ms | ≈1.01x ± 0.01 | 8.8 s"),
        QStringLiteral("improved | 2 | parallel rows | 3.68 ms | ≈1.31x ± 0.02 | 9.3 s"),
        QStringLiteral("failed | 3 | shared-memory tile | – | – | 9.7 s"),
        QStringLiteral("improved | 4 | one pass, online maximum | 2.98 ms | ≈1.62x ± 0.01 | 10 s"),
        QStringLiteral("regression | 5 | schedule(dynamic) | 3.49 ms | ≈1.38x ± 0.04 | 9.0 s"),
        QStringLiteral("no change | 6 | two rows a block | 2.96 ms | ≈1.63x ± 0.02 | 9.4 s"),
        QStringLiteral("improved | 7 | vectorized loads | 2.46 ms | ≈1.96x ± 0.01 | 9.9 s"),
        QStringLiteral("failed | 8 | unroll 32 | – | – | 10 s"),
        QStringLiteral("quarantined | 9 | skip rows that repeat | 154 µs | – | 10 s"),
        QStringLiteral("improved | 10 | polynomial exponential within tolerance | 2.25 ms | ≈2.14x ± 0.02 | 9.6 s"),
        QStringLiteral("no change | 11 | aligned stores | 2.24 ms | ≈2.15x ± 0.02 | 10 s"),
        QStringLiteral("regression | 12 | prefetch next row | 2.40 ms | ≈2.01x ± 0.03 | 10 s"),
        QStringLiteral("improved | final | Restore iter-10 (2.14x) — best confirmed | 2.26 ms | 2.13x ± 0.02 | 9.6 s"),
    };
    QCOMPARE(printed(model), expected);
}

void IterationModelTest::keepsTheRulesOfModels()
{
    RunStore store;
    IterationModel model(store);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    sampleRun::replay(store, sampleRun::finished(QStringLiteral("/w")));
    QCOMPARE(inserted.size(), 14);
    sampleRun::replay(store, {event::HistoryLoaded{sampleRun::records(), 10}});
    QCOMPARE(model.rowCount(), 13);
    IterationRecord changed = sampleRun::records().at(3);
    changed.title = QStringLiteral("tile, again");
    QSignalSpy dataChanged(&model, &QAbstractItemModel::dataChanged);
    sampleRun::replay(store, {event::IterationRecorded{changed}});
    QCOMPARE(dataChanged.size(), 1);
    QCOMPARE(model.index(3, IterationModel::Title).data().toString(), QStringLiteral("tile, again"));
    QCOMPARE(model.rowCount(), 13);
}

void IterationModelTest::tellsScreenReadersInWords()
{
    RunStore store;
    IterationModel model(store);
    sampleRun::replay(store, sampleRun::underWay(QStringLiteral("/w")));
    const auto spoken = [&model](int row) {
        return model.index(row, IterationModel::Title).data(Qt::AccessibleTextRole).toString();
    };
    QCOMPARE(spoken(7),
             QStringLiteral("Iteration 7, vectorized loads: improved, confirmed, ≈1.96x ± 0.01 over the baseline"));
    QVERIFY(spoken(8).contains(QStringLiteral("no speedup: did not compile")));
}

void IterationModelTest::tooltipSaysHowItWasMeasured()
{
    RunStore store;
    IterationModel model(store);
    sampleRun::replay(store, sampleRun::underWay(QStringLiteral("/w")));
    const QString tip = model.index(7, IterationModel::Speedup).data(Qt::ToolTipRole).toString();
    for (const char *part : {"1.960x (1.948x … 1.972x)", "median 2.46 ms", "confirmed by a verdict", "Commit"})
        QVERIFY2(tip.contains(QString::fromUtf8(part)), qPrintable(tip));
}

void IterationModelTest::marksTheChampion()
{
    RunStore store;
    IterationModel model(store);
    sampleRun::replay(store, sampleRun::underWay(QStringLiteral("/w")));
    QStringList champions;
    for (int row = 0; row < model.rowCount(); ++row) {
        if (model.index(row, 0).data(IterationModel::ChampionRole).toBool())
            champions << model.index(row, IterationModel::Iteration).data().toString();
    }
    QCOMPARE(champions, QStringList{QStringLiteral("10")});
}

void IterationModelTest::marksTheFirstIterationThatSawNewHints()
{
    RunStore store;
    IterationModel model(store);
    sampleRun::replay(store, sampleRun::underWay(QStringLiteral("/w")));
    QCOMPARE(model.index(8, 0).data(IterationModel::HintsRole).toString(), QStringLiteral("+ stay with C++"));
    QCOMPARE(model.index(9, 0).data(IterationModel::HintsRole).toString(), QString());
}

void IterationModelTest::selectionSurvivesAReload()
{
    RunStore store;
    IterationSelection selection(store);
    sampleRun::replay(store, sampleRun::underWay(QStringLiteral("/w")));
    selection.selectIteration(7);
    QList<IterationRecord> fewer = sampleRun::records();
    fewer.removeAt(3);
    sampleRun::replay(store, {event::HistoryLoaded{fewer, 10}});
    QVERIFY(selection.record() != nullptr);
    QCOMPARE(selection.record()->number, 7);
    QCOMPARE(selection.row(), 6);
}

void IterationModelTest::selectionIsDroppedWithItsIteration()
{
    RunStore store;
    IterationSelection selection(store);
    sampleRun::replay(store, sampleRun::underWay(QStringLiteral("/w")));
    selection.selectIteration(7);
    QSignalSpy changed(&selection, &IterationSelection::changed);
    sampleRun::replay(store, {event::HistoryLoaded{{sampleRun::baseline()}, 0}});
    QCOMPARE(selection.row(), -1);
    QCOMPARE(changed.size(), 1);
}

void IterationModelTest::selectionStopsAtTheEnds()
{
    RunStore store;
    IterationSelection selection(store);
    selection.selectNext(1);
    QCOMPARE(selection.row(), -1);
    sampleRun::replay(store, sampleRun::underWay(QStringLiteral("/w")));
    selection.selectNext(1);
    QCOMPARE(selection.row(), 12);
    selection.selectNext(1);
    QCOMPARE(selection.row(), 12);
    selection.selectRow(0);
    selection.selectNext(-1);
    QCOMPARE(selection.row(), 0);
}

QTEST_MAIN(IterationModelTest)
#include "tst_iterationmodel.moc"
