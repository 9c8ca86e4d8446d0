// SPDX-License-Identifier: GPL-3.0-or-later
// Prints how long the window takes to its first paint and to a full timeline of 1,000 iterations, and the longest gap
// of its event loop while a run goes on in it.
#include "chart/customplot.h"
#include "chart/speedupchart.h"
#include "diff/diffpane.h"
#include "diff/diffview.h"
#include "history/runstore.h"
#include "models/iterationselection.h"
#include "support/samplerun.h"
#include "window/mainwindow.h"

#include <QElapsedTimer>
#include <QFile>
#include <QListView>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace ako;

namespace {

constexpr int longHistory = 1000;

void print(const char *what, double value, const char *unit)
{
    std::printf("FIGURE %s: %.1f %s\n", what, value, unit);
    std::fflush(stdout);
}

double milliseconds(const QElapsedTimer &timer)
{
    return double(timer.nsecsElapsed()) / 1e6;
}

QList<IterationRecord> longRun()
{
    const QList<IterationRecord> few = sampleRun::records();
    QList<IterationRecord> many{few.first()};
    for (int number = 1; number <= longHistory; ++number) {
        IterationRecord record = few.at(1 + (number - 1) % (few.size() - 1));
        record.number = number;
        record.label = QStringLiteral("iter-%1").arg(number);
        many << record;
    }
    return many;
}

double residentMegabytes()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    return file.open(QIODevice::ReadOnly) ? file.readAll().split(' ').value(1).toDouble() * 4096 / 1e6 : 0;
}

// Beats as often as the event loop lets it and remembers how long it had to wait.
class Heartbeat
{
public:
    Heartbeat()
    {
        m_timer.setInterval(0);
        QObject::connect(&m_timer, &QTimer::timeout, [this] {
            m_gaps << milliseconds(m_clock);
            m_clock.start();
        });
        m_clock.start();
        m_timer.start();
    }
    double longest() const { return m_gaps.isEmpty() ? 0 : *std::ranges::max_element(m_gaps); }
    double share(double part)
    {
        std::ranges::sort(m_gaps);
        return m_gaps.isEmpty() ? 0 : m_gaps.at(qsizetype(double(m_gaps.size() - 1) * part));
    }

private:
    QTimer m_timer;
    QElapsedTimer m_clock;
    QList<double> m_gaps;
};

} // namespace

class WindowFigures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void firstPaint();
    void aLongHistory();
    void gapsDuringARun();
    void aChartOfManyPoints();
    void aLongDifference_data();
    void aLongDifference();
};

void WindowFigures::init()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("ako4all-test"));
    QCoreApplication::setApplicationName(QStringLiteral("windowfigures"));
    QSettings().clear();
}

void WindowFigures::firstPaint()
{
    QElapsedTimer clock;
    clock.start();
    RunStore store;
    MainWindow window(store);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    print("window made and exposed", milliseconds(clock), "ms");
}

void WindowFigures::aLongHistory()
{
    QTemporaryDir folder;
    QVERIFY(sampleRun::writeWorkspace(folder.path()));
    RunStore store;
    MainWindow window(store);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    const QList<IterationRecord> records = longRun();
    QElapsedTimer clock;
    clock.start();
    store.apply(event::WorkspaceOpened{folder.path(), QStringLiteral("opt/softmax")});
    store.apply(event::PlanResolved{sampleRun::plan(folder.path()), true});
    store.apply(event::HistoryLoaded{records, 10});
    store.apply(event::PhaseChanged{Phase::Ready, -1, {}, {}});
    QCoreApplication::processEvents();
    window.repaint();
    print("1,000 iterations shown", milliseconds(clock), "ms");
    print("memory with 1,000 iterations", residentMegabytes(), "MB");
    QCOMPARE(store.records().size(), longHistory + 1);
}

void WindowFigures::gapsDuringARun()
{
    QTemporaryDir folder;
    QVERIFY(sampleRun::writeWorkspace(folder.path()));
    RunStore store;
    MainWindow window(store);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    for (const RunEvent &event : sampleRun::underWay(folder.path()))
        store.apply(event);
    QTest::qWait(500);
    Heartbeat heart;
    const IterationRecord sample = sampleRun::records().at(5);
    for (int number = 13; number < 63; ++number) {
        store.apply(event::PhaseChanged{Phase::Benching, number, {}, QDateTime::currentDateTime()});
        for (int step = 0; step < 10; ++step) {
            store.apply(event::BenchProgress{QStringLiteral("iter"), QStringLiteral("timing"), step / 10.0});
            store.apply(event::OutputAppended{event::OutputAppended::Source::Bench, sampleRun::benchOutput()});
            QTest::qWait(5);
        }
        IterationRecord record = sample;
        record.number = number;
        store.apply(event::IterationRecorded{record});
    }
    print("longest gap of the event loop", heart.longest(), "ms");
    print("99.9th percentile of the gaps", heart.share(0.999), "ms");
    QCOMPARE(store.records().size(), 63);
}

// The whole plot again, as when it is moved or another point comes.
void WindowFigures::aChartOfManyPoints()
{
    constexpr int count = 10'000;
    RunStore store;
    IterationSelection selection(store);
    SpeedupChart chart(store, selection);
    const QList<IterationRecord> few = sampleRun::records();
    QList<IterationRecord> many{few.first()};
    double best = 1;
    for (int number = 1; number <= count; ++number) {
        IterationRecord record = few.at(1 + (number - 1) % (few.size() - 1));
        record.number = number;
        const double value = 1 + 2.0 * number / count + 0.2 * std::sin(number * 0.7);
        if (record.speedupOverBaseline)
            record.speedupOverBaseline = Interval{value, value - 0.02, value + 0.02};
        record.becameChampion = record.speedupOverBaseline && value > best;
        best = record.becameChampion ? value : best;
        many << record;
    }
    store.apply(event::HistoryLoaded{many, 10});
    chart.resize(560, 400);
    chart.show();
    QVERIFY(QTest::qWaitForWindowExposed(&chart));
    QTRY_COMPARE(chart.chart().points.size(), count + 1);
    QList<double> times;
    for (int turn = 0; turn < 31; ++turn) {
        QElapsedTimer clock;
        clock.start();
        chart.plot()->replot(QCustomPlot::rpImmediateRefresh);
        times << milliseconds(clock);
    }
    std::ranges::sort(times);
    print("a chart of 10,000 points drawn again, median", times.at(15), "ms");
    print("a chart of 10,000 points drawn again, longest of 31", times.last(), "ms");
}

void WindowFigures::aLongDifference_data()
{
    QTest::addColumn<bool>("sideBySide");
    QTest::newRow("unified") << false;
    QTest::newRow("side by side") << true;
}

void WindowFigures::aLongDifference()
{
    QFETCH(bool, sideBySide);
    DiffView view;
    view.setSideBySide(sideBySide);
    view.resize(900, 600);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    DiffHunk hunk;
    for (int line = 1; line <= 5000; ++line) {
        const QString text =
            QStringLiteral("    out[%1] = std::exp(in[%1] - largest) * scale; // a line of source").arg(line);
        if (line % 4 == 0) {
            hunk.lines << DiffLine{'-', line, -1, text} << DiffLine{'+', -1, line, text + QLatin1Char('!')};
        } else {
            hunk.lines << DiffLine{' ', line, line, text};
        }
    }
    const Diff diff{FileDiff{FileDiff::Kind::Modified, QStringLiteral("softmax.cpp"), false, {hunk}}};
    const DiffPane *pane = sideBySide ? view.right() : view.unified();
    Heartbeat heart;
    QElapsedTimer clock;
    clock.start();
    view.showDiff(diff);
    QTRY_VERIFY(!pane->rows().isEmpty() && pane->isComplete());
    const double all = milliseconds(clock);
    QTest::qWait(100);
    const QByteArray what = QByteArray("a difference of 5,000 lines, ") + QTest::currentDataTag();
    print((what + ": all of it").constData(), all, "ms");
    print((what + ": longest gap of the event loop").constData(), heart.longest(), "ms");
}

QTEST_MAIN(WindowFigures)
#include "tst_windowfigures.moc"
