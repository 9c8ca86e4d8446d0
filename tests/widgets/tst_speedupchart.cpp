// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart/chartexport.h"
#include "chart/customplot.h"
#include "chart/speedupchart.h"
#include "history/runstore.h"
#include "models/iterationselection.h"
#include "support/samplerun.h"

#include <QElapsedTimer>
#include <QFile>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace ako;

class SpeedupChartTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPointPerIteration();
    void championStepsRise();
    void championStandsWhereAFinalMeasuredIt();
    void linesOfEachScale_data();
    void linesOfEachScale();
    void runtimesHaveTheirIntervals();
    void anEmptyRunHasNothingButTheBaselineToCome();
    void failedPointsStandOnTheFloorAlsoWhenZoomed();
    void clickSelects_data();
    void clickSelects();
    void dragDoesNotSelect();
    void arrowKeysWalk();
    void newPointsKeepAViewThatWasChosen();
    void aWideIntervalDoesNotSqueezeThePoints_data();
    void aWideIntervalDoesNotSqueezeThePoints();
    void labelsAreExact_data();
    void labelsAreExact();
    void thousandsOfPointsAreDrawn();
    void entriesStandWhereTheirTimeIs_data();
    void entriesStandWhereTheirTimeIs();
    void agentsAndUnfitMachinesAreBands();
    void hintsAreMarked();
    void logarithmicScale_data();
    void logarithmicScale();
    void clockLabelsAreExact();
    void aRectangleIsShownLarge();
    void isWrittenInEveryFormat_data();
    void isWrittenInEveryFormat();
    void numbersOfWhatWasNotMeasuredAreEmpty();
};

static QList<RunEvent> wholeRun()
{
    return sampleRun::finished(QStringLiteral("/w"));
}

static QString glyphName(Tone tone)
{
    switch (tone) {
    case Tone::Baseline:
        return QStringLiteral("baseline");
    case Tone::Improved:
        return QStringLiteral("improved");
    case Tone::NoChange:
        return QStringLiteral("no-change");
    case Tone::Regression:
        return QStringLiteral("regression");
    case Tone::Quarantined:
        return QStringLiteral("quarantined");
    case Tone::Final:
        return QStringLiteral("final");
    default:
        return QStringLiteral("failed");
    }
}

// A chart on the screen with a run in it.
struct Shown
{
    RunStore store;
    IterationSelection selection{store};
    SpeedupChart chart{store, selection};

    explicit Shown(const QList<RunEvent> &events)
    {
        sampleRun::replay(store, events);
        chart.resize(600, 400);
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        QTRY_COMPARE(chart.chart().points.size(), store.records().size());
        chart.plot()->replot();
    }
};

void SpeedupChartTest::aPointPerIteration()
{
    QStringList lines;
    for (const ChartPoint &point :
         chartData(sampleRun::records() << sampleRun::finalRecord(), ChartScale::OverBaseline).points)
        lines << QStringLiteral("%1 %2 %3%4")
                     .arg(point.x)
                     .arg(glyphName(point.tone),
                          point.onFloor ? QStringLiteral("floor")
                                        : QStringLiteral("%1 [%2 %3]").arg(point.y).arg(point.low).arg(point.high),
                          point.provisional ? QStringLiteral(" dotted") : QString());
    const QStringList expected{QStringLiteral("0 baseline 1 [1 1]"),
                               QStringLiteral("1 no-change 1.012 [1.001 1.023] dotted"),
                               QStringLiteral("2 improved 1.31 [1.29 1.33]"),
                               QStringLiteral("3 failed floor"),
                               QStringLiteral("4 improved 1.62 [1.607 1.633]"),
                               QStringLiteral("5 regression 1.38 [1.344 1.416] dotted"),
                               QStringLiteral("6 no-change 1.63 [1.609 1.651] dotted"),
                               QStringLiteral("7 improved 1.96 [1.948 1.972]"),
                               QStringLiteral("8 failed floor"),
                               QStringLiteral("9 quarantined floor"),
                               QStringLiteral("10 improved 2.14 [2.122 2.158]"),
                               QStringLiteral("11 no-change 2.15 [2.126 2.174] dotted"),
                               QStringLiteral("12 regression 2.01 [1.98 2.04] dotted"),
                               QStringLiteral("13 final 2.13 [2.114 2.146]")};
    QCOMPARE(lines.join(QLatin1Char('\n')), expected.join(QLatin1Char('\n')));
}

void SpeedupChartTest::championStepsRise()
{
    const QList<QPointF> steps = chartData(sampleRun::records(), ChartScale::OverBaseline).championSteps;
    QCOMPARE(steps, (QList<QPointF>{{0, 1}, {2, 1.31}, {4, 1.62}, {7, 1.96}, {10, 2.14}, {12.5, 2.14}}));
}

// What was multiplied from steps gives way to what was measured beside the baseline.
void SpeedupChartTest::championStandsWhereAFinalMeasuredIt()
{
    QList<IterationRecord> records = sampleRun::records() << sampleRun::finalRecord();
    IterationRecord slower = sampleRun::records().constLast();
    slower.number = 13;
    records << slower;
    const QList<QPointF> steps = chartData(records, ChartScale::OverBaseline).championSteps;
    QCOMPARE(steps.mid(4), (QList<QPointF>{{10, 2.14}, {12.5, 2.13}, {steps.constLast().x(), 2.13}}));
    QVERIFY(!chartData(records, ChartScale::OverBaseline).championIsChained);
    records[13].status = IterationStatus::Failed;
    QVERIFY(chartData(records, ChartScale::OverBaseline).championIsChained);
    QVERIFY(!chartData(records, ChartScale::Runtime).championIsChained);
    QCOMPARE(chartData(records, ChartScale::OverBaseline).championSteps.constLast().y(), 2.14);
}

void SpeedupChartTest::linesOfEachScale_data()
{
    QTest::addColumn<int>("scale");
    QTest::addColumn<double>("baseline");
    QTest::addColumn<double>("reference");
    QTest::addColumn<double>("floor");
    QTest::newRow("over baseline") << int(ChartScale::OverBaseline) << 1.0 << 1.04 << 2.6;
    QTest::newRow("over reference") << int(ChartScale::OverReference) << 1 / 1.04 << 1.0 << 2.6 / 1.04;
    QTest::newRow("runtime") << int(ChartScale::Runtime) << 4.82 << 4.82 / 1.04 << 4.82 / 2.6;
}

void SpeedupChartTest::linesOfEachScale()
{
    QFETCH(int, scale);
    QFETCH(double, baseline);
    QFETCH(double, reference);
    QFETCH(double, floor);
    const ChartData data = chartData(sampleRun::records(), ChartScale(scale));
    QVERIFY(data.baseline && data.reference && data.floor);
    QCOMPARE(*data.baseline, baseline);
    QCOMPARE(*data.reference, reference);
    QCOMPARE(*data.floor, floor);
}

void SpeedupChartTest::runtimesHaveTheirIntervals()
{
    const ChartPoint point = chartData(sampleRun::records(), ChartScale::Runtime).points.at(2);
    QCOMPARE(point.y, 4.82 / 1.31);
    QVERIFY(point.low < point.y && point.y < point.high);
    QCOMPARE(point.low, 4.82 / 1.33);
}

void SpeedupChartTest::anEmptyRunHasNothingButTheBaselineToCome()
{
    const ChartData data = chartData({}, ChartScale::OverBaseline);
    QVERIFY(data.points.isEmpty() && data.championSteps.isEmpty() && !data.floor);
    Shown shown({});
    QVERIFY(shown.chart.plot()->yAxis->range().contains(1.0));
    QVERIFY(shown.chart.plot()->xAxis->visible() && shown.chart.plot()->yAxis->visible());
}

void SpeedupChartTest::failedPointsStandOnTheFloorAlsoWhenZoomed()
{
    Shown shown(wholeRun());
    const QRect rect = shown.chart.plot()->axisRect()->rect();
    const auto check = [&] {
        for (const ChartPoint &point : shown.chart.chart().points) {
            const double y = shown.chart.positionOf(point).y();
            if (point.onFloor)
                QVERIFY(y > rect.bottom() - rect.height() * 0.1 && y < rect.bottom());
        }
    };
    check();
    for (const ChartPoint &point : shown.chart.chart().points) {
        if (!point.onFloor)
            QVERIFY(shown.chart.positionOf(point).y() < rect.bottom() - rect.height() * 0.1);
    }
    shown.chart.plot()->yAxis->setRange(1.5, 1.7);
    shown.chart.plot()->replot();
    check();
}

void SpeedupChartTest::clickSelects_data()
{
    QTest::addColumn<int>("row");
    for (const int row : {0, 4, 8, 9, 12, 13})
        QTest::addRow("row %d", row) << row;
}

void SpeedupChartTest::clickSelects()
{
    QFETCH(int, row);
    Shown shown(wholeRun());
    const QPoint at = shown.chart.positionOf(shown.chart.chart().points.at(row)).toPoint();
    QTest::mouseClick(shown.chart.plot(), Qt::LeftButton, Qt::NoModifier, at);
    QCOMPARE(shown.selection.row(), row);
}

void SpeedupChartTest::dragDoesNotSelect()
{
    Shown shown(wholeRun());
    QWidget *plot = shown.chart.plot();
    const QPoint at = shown.chart.positionOf(shown.chart.chart().points.at(4)).toPoint();
    QTest::mousePress(plot, Qt::LeftButton, Qt::NoModifier, at - QPoint(40, 0));
    QTest::mouseMove(plot, at);
    QTest::mouseRelease(plot, Qt::LeftButton, Qt::NoModifier, at);
    QCOMPARE(shown.selection.row(), -1);
}

void SpeedupChartTest::arrowKeysWalk()
{
    Shown shown(wholeRun());
    shown.selection.selectRow(3);
    QTest::keyClick(shown.chart.plot(), Qt::Key_Right);
    QCOMPARE(shown.selection.row(), 4);
    QTest::keyClick(shown.chart.plot(), Qt::Key_Left);
    QTest::keyClick(shown.chart.plot(), Qt::Key_Left);
    QCOMPARE(shown.selection.row(), 2);
}

void SpeedupChartTest::newPointsKeepAViewThatWasChosen()
{
    Shown shown(sampleRun::underWay(QStringLiteral("/w")));
    QTest::keyClick(shown.chart.plot(), Qt::Key_Plus);
    const QCPRange chosen = shown.chart.plot()->xAxis->range();
    sampleRun::replay(shown.store, {event::IterationRecorded{sampleRun::finalRecord()}});
    QTRY_COMPARE(shown.chart.chart().points.size(), 14);
    QCOMPARE(shown.chart.plot()->xAxis->range(), chosen);
    QTest::keyClick(shown.chart.plot(), Qt::Key_Home);
    QVERIFY(shown.chart.plot()->xAxis->range().contains(13));
}

// For looking at: AKO_SCREENSHOTS=FOLDER
static void keepPicture(SpeedupChart &chart, const char *name)
{
    const QString folder = qEnvironmentVariable("AKO_SCREENSHOTS");
    if (!folder.isEmpty())
        QVERIFY(chart.grab().save(folder + QLatin1Char('/') + QLatin1String(name) + QStringLiteral(".png")));
}

static IterationRecord pointAt(int number, double low, double estimate, double high)
{
    IterationRecord record = sampleRun::records().at(1);
    record.number = number;
    record.speedupOverBaseline = Interval{estimate, low, high};
    return record;
}

void SpeedupChartTest::aWideIntervalDoesNotSqueezeThePoints_data()
{
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<int>("cut");
    QTest::newRow("narrow") << 1.45 << 1.55 << 0;
    QTest::newRow("far above") << 1.4 << 40.0 << 1;
    QTest::newRow("far below") << -20.0 << 1.6 << 1;
    QTest::newRow("both ways") << -20.0 << 40.0 << 2;
}

void SpeedupChartTest::aWideIntervalDoesNotSqueezeThePoints()
{
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(int, cut);
    Shown shown(
        {event::HistoryLoaded{{sampleRun::baseline(), pointAt(1, 1.9, 2.0, 2.1), pointAt(2, low, 1.5, high)}, 0}});
    const QRect rect = shown.chart.plot()->axisRect()->rect();
    const auto &points = shown.chart.chart().points;
    const double apart = shown.chart.positionOf(points.at(0)).y() - shown.chart.positionOf(points.at(1)).y();
    QVERIFY2(apart > rect.height() * 0.3, qPrintable(QString::number(apart)));
    QCOMPARE(shown.chart.cutIntervals(), cut);
    keepPicture(shown.chart, qPrintable(QStringLiteral("chart-") + QLatin1String(QTest::currentDataTag())));
    shown.chart.plot()->yAxis->setRange(-100, 100); // all of it can be seen by zooming out
    QCOMPARE(shown.chart.cutIntervals(), 0);
}

void SpeedupChartTest::labelsAreExact_data()
{
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    for (const auto &[low, high] :
         {std::pair(0.9, 2.2), {0.8, 1.9}, {0.99, 1.01}, {0.0, 12.4}, {95.0, 131.0}, {0.0, 3e4}})
        QTest::addRow("%g to %g", low, high) << low << high;
}

void SpeedupChartTest::labelsAreExact()
{
    QFETCH(double, low);
    QFETCH(double, high);
    const Shown shown(wholeRun());
    QCPAxis *axis = shown.chart.plot()->yAxis;
    axis->setRange(low, high);
    shown.chart.plot()->replot();
    const QVector<double> ticks = axis->tickVector();
    const QVector<QString> labels = axis->tickVectorLabels();
    QVERIFY(ticks.size() >= 3);
    QCOMPARE(labels.size(), ticks.size());
    const double step = ticks.at(1) - ticks.at(0);
    for (qsizetype tick = 0; tick < ticks.size(); ++tick)
        QVERIFY2(std::abs(labels.at(tick).toDouble() - ticks.at(tick)) < step * 1e-6, qPrintable(labels.at(tick)));
    QCOMPARE(QSet<QString>(labels.cbegin(), labels.cend()).size(), labels.size());
}

void SpeedupChartTest::thousandsOfPointsAreDrawn()
{
    QList<IterationRecord> records{sampleRun::baseline()};
    for (int number = 1; number <= 5000; ++number) {
        const double value = 1 + 2.0 * number / 5000 + 0.2 * std::sin(number * 0.7);
        records << pointAt(number, value - 0.05, value, number % 97 == 0 ? value + 50 : value + 0.05);
        records.last().status = number % 5 == 0 ? IterationStatus::Failed : IterationStatus::NoChange;
    }
    Shown shown({event::HistoryLoaded{records, 0}});
    QElapsedTimer clock;
    clock.start();
    shown.chart.plot()->replot();
    const double drawn = double(clock.nsecsElapsed()) / 1e6;
    qInfo("5,000 points are drawn in %.1f ms", drawn);
    keepPicture(shown.chart, "chart-5000");
    QCOMPARE(shown.chart.chart().points.size(), 5001);
    QVERIFY(shown.chart.plot()->yAxis->range().upper < 10);
    QVERIFY(shown.chart.plot()->xAxis->tickVector().size() < 20);
    const auto drawnBars = [&shown] {
        int bars = 0;
        for (int i = 0; i < shown.chart.plot()->plottableCount(); ++i) {
            if (auto *errors = qobject_cast<QCPErrorBars *>(shown.chart.plot()->plottable(i)))
                bars += errors->dataCount();
        }
        return bars;
    };
    QCOMPARE(drawnBars(), 0); // they would cover everything
    shown.chart.plot()->xAxis->setRange(100, 200);
    shown.chart.plot()->replot();
    QVERIFY(drawnBars() >= 101);
    int points = 0;
    for (int i = 0; i < shown.chart.plot()->graphCount(); ++i)
        points += shown.chart.plot()->graph(i)->lineStyle() == QCPGraph::lsNone
                      ? shown.chart.plot()->graph(i)->dataCount()
                      : 0;
    QVERIFY(points >= 101);
}

void SpeedupChartTest::entriesStandWhereTheirTimeIs_data()
{
    QTest::addColumn<int>("axis");
    QTest::addColumn<QList<double>>("xs");
    QTest::newRow("by iteration") << int(ChartAxis::Iteration) << QList<double>{0, 1, 2};
    QTest::newRow("by wall time") << int(ChartAxis::WallTime) << QList<double>{4, 64, 64};
    QTest::newRow("by time spent") << int(ChartAxis::TimeSpent) << QList<double>{5, 10, 15};
}

void SpeedupChartTest::entriesStandWhereTheirTimeIs()
{
    QFETCH(int, axis);
    QFETCH(QList<double>, xs);
    QList<IterationRecord> records = sampleRun::records().mid(0, 3);
    for (IterationRecord &record : records) {
        record.startedAt = QDateTime(QDate(2026, 1, 15), QTime(9, record.number));
        record.agentMilliseconds = 1000;
        record.benchMilliseconds = 4000;
    }
    records[2].startedAt = {}; // not known: it stands with the one before it
    QList<double> found;
    for (const ChartPoint &point : chartData(records, ChartScale::OverBaseline, ChartAxis(axis)).points)
        found << point.x;
    QCOMPARE(found, xs);
}

void SpeedupChartTest::agentsAndUnfitMachinesAreBands()
{
    QList<IterationRecord> records = sampleRun::records().mid(0, 6);
    QVERIFY(chartData(records, ChartScale::OverBaseline).bands.isEmpty()); // one agent, a quiet machine
    records[3].agent = records[4].agent = QStringLiteral("claude");
    records[5].bench.flags << QStringLiteral("GPU_BUSY");
    QStringList bands;
    for (const ChartBand &band : chartData(records, ChartScale::OverBaseline).bands)
        bands << QStringLiteral("%1 %2..%3").arg(band.text).arg(band.from).arg(band.to);
    QCOMPARE(bands, (QStringList{QStringLiteral("tuner 0.5..2.5"), QStringLiteral("claude 2.5..4.5"),
                                 QStringLiteral("tuner 4.5..5"), QStringLiteral(" 4.5..5")}));
}

void SpeedupChartTest::hintsAreMarked()
{
    const Shown shown(wholeRun());
    QCOMPARE(shown.chart.chart().hints, (QList<QPointF>{{8, 8}}));
}

void SpeedupChartTest::logarithmicScale_data()
{
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    for (const auto &[low, high] : {std::pair(0.8, 2.5), {0.5, 40.0}, {0.01, 3e4}, {1.9, 2.1}})
        QTest::addRow("%g to %g", low, high) << low << high;
}

void SpeedupChartTest::logarithmicScale()
{
    QFETCH(double, low);
    QFETCH(double, high);
    Shown shown(wholeRun());
    shown.chart.setLogarithmic(true);
    QCPAxis *axis = shown.chart.plot()->yAxis;
    QCOMPARE(axis->scaleType(), QCPAxis::stLogarithmic);
    QVERIFY(axis->range().lower > 0 && axis->range().contains(1.0) && axis->range().contains(2.14));
    axis->setRange(low, high);
    shown.chart.plot()->replot();
    const QVector<double> ticks = axis->tickVector();
    const QVector<QString> labels = axis->tickVectorLabels();
    QVERIFY2(ticks.size() >= 3 && ticks.size() <= 16, qPrintable(QString::number(ticks.size())));
    for (qsizetype tick = 0; tick < ticks.size(); ++tick)
        QVERIFY2(std::abs(labels.at(tick).toDouble() - ticks.at(tick)) <= ticks.at(tick) * 1e-9,
                 qPrintable(labels.at(tick)));
    shown.chart.setLogarithmic(false);
    QCOMPARE(axis->scaleType(), QCPAxis::stLinear);
}

void SpeedupChartTest::clockLabelsAreExact()
{
    Shown shown(wholeRun());
    shown.chart.setAxis(ChartAxis::WallTime);
    QCPAxis *axis = shown.chart.plot()->xAxis;
    for (const double span : {40.0, 700.0, 9000.0, 200000.0}) {
        axis->setRange(0, span);
        shown.chart.plot()->replot();
        const QVector<double> ticks = axis->tickVector();
        QVERIFY(ticks.size() >= 2 && ticks.size() < 15);
        for (qsizetype tick = 0; tick < ticks.size(); ++tick) {
            double seconds = 0;
            for (const QString &part : axis->tickVectorLabels().at(tick).split(QLatin1Char(':')))
                seconds = seconds * 60 + part.toDouble();
            QCOMPARE(seconds, ticks.at(tick));
        }
    }
}

void SpeedupChartTest::aRectangleIsShownLarge()
{
    Shown shown(wholeRun());
    QWidget *plot = shown.chart.plot();
    const QRect rect = shown.chart.plot()->axisRect()->rect();
    const QCPRange before = shown.chart.plot()->xAxis->range();
    QTest::mousePress(plot, Qt::LeftButton, Qt::ShiftModifier, rect.center());
    QTest::mouseMove(plot, rect.center() + QPoint(60, 40));
    QTest::mouseRelease(plot, Qt::LeftButton, Qt::ShiftModifier, rect.center() + QPoint(60, 40));
    const double share = shown.chart.plot()->xAxis->range().size() / before.size();
    QVERIFY2(std::abs(share - 60.0 / rect.width()) < 0.02, qPrintable(QString::number(share)));
    shown.chart.resetView();
    QCOMPARE(shown.chart.plot()->xAxis->range(), before);
}

void SpeedupChartTest::isWrittenInEveryFormat_data()
{
    QTest::addColumn<QString>("suffix");
    QTest::addColumn<QByteArray>("begins");
    QTest::newRow("png") << QStringLiteral("png") << QByteArray("\x89PNG");
    QTest::newRow("svg") << QStringLiteral("svg") << QByteArray("<svg xmlns=");
    QTest::newRow("pdf") << QStringLiteral("PDF") << QByteArray("%PDF");
    QTest::newRow("csv") << QStringLiteral("csv") << QByteArray("kind,number,title");
    QTest::newRow("unknown") << QStringLiteral("bmp") << QByteArray();
}

void SpeedupChartTest::isWrittenInEveryFormat()
{
    QFETCH(QString, suffix);
    QFETCH(QByteArray, begins);
    Shown shown(wholeRun());
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("chart.") + suffix));
    const QString problem = shown.chart.writeTo(file.fileName());
    QCOMPARE(problem.isEmpty(), !begins.isEmpty());
    QCOMPARE(file.exists(), !begins.isEmpty());
    if (begins.isEmpty())
        return;
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().startsWith(begins));
    QVERIFY(!shown.chart.writeTo(folder.filePath(QStringLiteral("none/chart.")) + suffix).isEmpty());
}

void SpeedupChartTest::numbersOfWhatWasNotMeasuredAreEmpty()
{
    IterationRecord formula = sampleRun::records().at(3);
    formula.title = QStringLiteral("=1+\"1\", and more");
    const QList<QByteArray> lines = chartCsv({sampleRun::records().at(2), formula}).split('\n');
    QVERIFY(lines.at(1).contains(",1.31,1.29,1.33,"));
    QVERIFY2(lines.at(2).contains("\"'=1+\"\"1\"\", and more\""), lines.at(2).constData());
    QVERIFY2(lines.at(2).contains(",,,,,,,,,,,,"), lines.at(2).constData()); // eleven figures
    QVERIFY(!lines.at(2).contains(",0,0"));
}

QTEST_MAIN(SpeedupChartTest)
#include "tst_speedupchart.moc"
