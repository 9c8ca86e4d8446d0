// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart/speedupchart.h"

#include "bench/numbers.h"
#include "chart/chartlegend.h"
#include "chart/charttickers.h"
#include "chart/customplot.h"
#include "history/runstore.h"
#include "models/iterationselection.h"
#include "models/measurementtext.h"
#include "style/fonts.h"

#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QSet>
#include <QTimer>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace ako {

namespace {

constexpr double overlap = 3;         // pixels: glyphs nearer than this lie on one another
constexpr qsizetype mostAtRest = 500; // points that are drawn one by one wherever one looks
constexpr double floorHeight = 0.055; // of the plot's height: where failed iterations stand
constexpr double cutHeight = 0.012;   // from an edge: where an interval is cut off
constexpr double reachPixels = 12;    // how far from a glyph the pointer still means it

} // namespace

SpeedupChart::SpeedupChart(const RunStore &store, IterationSelection &selection, QWidget *parent)
    : QWidget(parent)
    , m_store(store)
    , m_selection(selection)
    , m_plot(new QCustomPlot(this))
    , m_scale(new QComboBox(this))
    , m_axis(new QComboBox(this))
    , m_values(QSharedPointer<PlainTicker>::create())
    , m_durations(QSharedPointer<DurationTicker>::create())
    , m_summary(new QLabel(this))
    , m_legend(new ChartLegend(this))
{
    buildControls();
    buildPlot();
    buildLines();
    applyPalette();
    connect(&store, &RunStore::recordsReset, this, [this] {
        m_userRange = false;
        schedule();
    });
    connect(&store, &RunStore::recordInserted, this, &SpeedupChart::schedule);
    connect(&store, &RunStore::recordChanged, this, &SpeedupChart::schedule);
    connect(&store, &RunStore::championChanged, this, &SpeedupChart::schedule);
    connect(&store, &RunStore::hintsSeen, this, &SpeedupChart::schedule);
    connect(&selection, &IterationSelection::changed, this, [this] {
        fillSelection();
        m_plot->replot(QCustomPlot::rpQueuedReplot);
    });
    refresh();
}

SpeedupChart::~SpeedupChart() = default;

void SpeedupChart::buildPlot()
{
    m_plot->setObjectName(QStringLiteral("plot"));
    m_plot->setFocusPolicy(Qt::StrongFocus);
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->setMouseTracking(true);
    m_plot->installEventFilter(this);
    m_plot->yAxis2->setRange(0, 1);
    m_plot->yAxis2->setVisible(false);
    m_plot->yAxis->setTicker(m_values);
    m_plot->axisRect()->setMinimumMargins(QMargins(grid, 2 * grid, 2 * grid, grid));
    m_plot->selectionRect()->setPen(QPen(palette().color(QPalette::Highlight)));
    connect(m_plot, &QCustomPlot::mousePress, this, [this](QMouseEvent *event) {
        m_pressedAt = event->pos();
        const bool draws = event->modifiers().testFlag(Qt::ShiftModifier); // a rectangle to be shown large
        m_plot->setSelectionRectMode(draws ? QCP::srmZoom : QCP::srmNone);
    });
    connect(m_plot, &QCustomPlot::mouseRelease, this, [this](QMouseEvent *event) {
        if ((event->pos() - m_pressedAt).manhattanLength() < 4)
            click(event->position());
        else
            m_userRange = true;
    });
    connect(m_plot, &QCustomPlot::mouseMove, this,
            [this](QMouseEvent *event) { hover(event->pos(), event->globalPosition().toPoint()); });
    connect(m_plot, &QCustomPlot::beforeReplot, this, &SpeedupChart::thinOut);
    connect(m_plot, &QCustomPlot::mouseWheel, this, [this] { m_userRange = true; });
    connect(m_plot, &QCustomPlot::mouseDoubleClick, this, &SpeedupChart::resetView);
}

void SpeedupChart::buildLines()
{
    m_floor = new QCPItemRect(m_plot);
    m_floor->setLayer(QStringLiteral("background"));
    m_baseline = new QCPItemStraightLine(m_plot);
    m_reference = new QCPItemStraightLine(m_plot);
    m_baselineText = new QCPItemText(m_plot);
    m_referenceText = new QCPItemText(m_plot);
    m_floorText = new QCPItemText(m_plot);
    m_emptyText = new QCPItemText(m_plot);
    m_emptyText->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_emptyText->position->setCoords(0.5, 0.32);
    m_emptyText->setText(tr("The first bench measures the baseline.\nEach iteration then becomes a point here."));
    m_champion = m_plot->addGraph();
    m_champion->setLineStyle(QCPGraph::lsStepLeft);
    m_selected = m_plot->addGraph();
    m_selectedOnFloor = m_plot->addGraph(m_plot->xAxis, m_plot->yAxis2);
    m_cutAbove = m_plot->addGraph(m_plot->xAxis, m_plot->yAxis2);
    m_cutBelow = m_plot->addGraph(m_plot->xAxis, m_plot->yAxis2);
    m_hints = m_plot->addGraph(m_plot->xAxis, m_plot->yAxis2);
    m_hints->setLineStyle(QCPGraph::lsImpulse);
    m_hints->setLayer(QStringLiteral("grid"));
    for (QCPGraph *graph : {m_selected, m_selectedOnFloor, m_cutAbove, m_cutBelow})
        graph->setLineStyle(QCPGraph::lsNone);
    connect(m_plot->yAxis, qOverload<const QCPRange &>(&QCPAxis::rangeChanged), this, &SpeedupChart::markCuts);
}

void SpeedupChart::resetView()
{
    m_userRange = false;
    fitRanges();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

// Several events of one turn of the event loop cause one redraw.
void SpeedupChart::schedule()
{
    if (m_scheduled)
        return;
    m_scheduled = true;
    QTimer::singleShot(0, this, &SpeedupChart::refresh);
}

void SpeedupChart::refresh()
{
    m_scheduled = false;
    QList<int> hints;
    for (const event::HintsSeen &seen : m_store.hintMarks())
        hints << seen.firstIteration;
    m_data = chartData(m_store.records(), scale(), axis(), hints);
    fillSeries();
    styleSeries();
    fillBands();
    if (!m_userRange)
        fitRanges();
    markCuts();
    fillLines();
    fillSelection();
    describe();
    m_thinnedAt = {};
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

// So many in view that what counts is the shape of the whole: intervals come into view when it is enlarged.
bool SpeedupChart::isCrowded() const
{
    if (m_data.points.size() <= mostAtRest)
        return false;
    const QCPRange shown = m_plot->xAxis->range();
    return std::ranges::count_if(m_data.points, [&shown](const ChartPoint &point) { return shown.contains(point.x); }) >
           mostAtRest;
}

SpeedupChart::Series &SpeedupChart::series(Tone tone, bool provisional, bool onFloor)
{
    Series &found = m_series[int(tone) * 4 + (provisional ? 2 : 0) + (onFloor ? 1 : 0)];
    if (found.graph == nullptr) {
        found.graph = m_plot->addGraph(m_plot->xAxis, onFloor ? m_plot->yAxis2 : m_plot->yAxis);
        found.graph->setLineStyle(QCPGraph::lsNone);
        found.graph->setAdaptiveSampling(false);
        found.bars = new QCPErrorBars(m_plot->xAxis, onFloor ? m_plot->yAxis2 : m_plot->yAxis);
        found.bars->setDataPlottable(found.graph);
        found.bars->setSymbolGap(0); // short intervals would vanish in a gap
    }
    return found;
}

// Where glyphs would lie on one another, one of each kind stands for them all.
void SpeedupChart::fillSeries()
{
    for (const Series &old : std::as_const(m_series)) {
        old.graph->data()->clear();
        old.bars->data()->clear();
    }
    const bool crowded = isCrowded();
    const QCPRange shown = m_plot->xAxis->range();
    QSet<quint64> taken;
    for (const ChartPoint &point : m_data.points) {
        if (crowded) {
            if (!shown.contains(point.x))
                continue;
            const QPointF at = positionOf(point) / overlap;
            const quint64 kind = quint64(point.tone) * 4 + (point.provisional ? 2 : 0) + (point.onFloor ? 1 : 0);
            const quint64 place = (kind << 48) | ((quint64(at.x()) & 0xffffff) << 24) | (quint64(at.y()) & 0xffffff);
            if (taken.contains(place))
                continue;
            taken.insert(place);
        }
        Series &target = series(point.tone, point.provisional, point.onFloor);
        target.graph->addData(point.x, point.onFloor ? floorHeight : point.y);
        if (!crowded)
            target.bars->addData(point.onFloor ? 0 : point.y - point.low, point.onFloor ? 0 : point.high - point.y);
    }
    m_hints->data()->clear();
    for (const QPointF &seen : std::as_const(m_data.hints))
        m_hints->addData(seen.x(), 1);
    QVector<QCPGraphData> steps;
    for (const QPointF &step : std::as_const(m_data.championSteps)) {
        const double x = m_plot->xAxis->coordToPixel(step.x());
        if (crowded && steps.size() > 1 && x - m_plot->xAxis->coordToPixel(steps.constLast().key) < 1)
            steps.last().value = step.y(); // in the same column of pixels the last one is what is seen
        else
            steps << QCPGraphData(step.x(), step.y());
    }
    m_champion->data()->set(steps, true);
}

// Before each drawing: what lies on one another depends on what is in view, and how large.
void SpeedupChart::thinOut()
{
    const QCPRange xs = m_plot->xAxis->range();
    const QCPRange ys = m_plot->yAxis->range();
    const QRectF ranges(xs.lower, ys.lower, xs.size(), ys.size());
    if (m_data.points.size() <= mostAtRest || (ranges == m_thinnedFor && m_plot->size() == m_thinnedAt))
        return;
    m_thinnedFor = ranges;
    m_thinnedAt = m_plot->size();
    fillSeries();
    styleSeries();
    markCuts();
}

// An interval that goes on beyond the edge says so there.
void SpeedupChart::markCuts()
{
    const QCPRange shown = m_plot->yAxis->range();
    m_cutAbove->data()->clear();
    m_cutBelow->data()->clear();
    if (isCrowded()) // no intervals are drawn
        return;
    for (const ChartPoint &point : std::as_const(m_data.points)) {
        if (point.onFloor || !shown.contains(point.y))
            continue;
        if (point.high > shown.upper)
            m_cutAbove->addData(point.x, 1 - cutHeight);
        if (point.low < shown.lower)
            m_cutBelow->addData(point.x, cutHeight);
    }
}

void SpeedupChart::fillSelection()
{
    m_selected->data()->clear();
    m_selectedOnFloor->data()->clear();
    const int row = m_selection.row();
    if (row < 0 || row >= m_data.points.size())
        return;
    const ChartPoint &point = m_data.points.at(row);
    (point.onFloor ? m_selectedOnFloor : m_selected)->addData(point.x, point.onFloor ? floorHeight : point.y);
}

QPointF SpeedupChart::positionOf(const ChartPoint &point) const
{
    const double y = point.onFloor ? m_plot->yAxis2->coordToPixel(floorHeight) : m_plot->yAxis->coordToPixel(point.y);
    return {m_plot->xAxis->coordToPixel(point.x), y};
}

const ChartPoint *SpeedupChart::nearest(const QPointF &pixel) const
{
    const ChartPoint *best = nullptr;
    double reach = reachPixels;
    for (const ChartPoint &point : m_data.points) {
        const QPointF away = positionOf(point) - pixel;
        const double distance = std::hypot(away.x(), away.y());
        if (distance < reach) {
            reach = distance;
            best = &point;
        }
    }
    return best;
}

void SpeedupChart::hover(const QPoint &position, const QPoint &global)
{
    const ChartPoint *point = nearest(position);
    m_plot->setCursor(point != nullptr ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (point == nullptr || point->row >= m_store.records().size())
        return QToolTip::hideText();
    const QPoint at = positionOf(*point).toPoint();
    QToolTip::showText(global, measurementText(m_store.records().at(point->row)), m_plot,
                       QRect(at - QPoint(12, 12), QSize(24, 24)));
}

void SpeedupChart::click(const QPointF &position)
{
    if (const ChartPoint *point = nearest(position))
        m_selection.selectRow(point->row);
}

bool SpeedupChart::handleKey(int key)
{
    switch (key) {
    case Qt::Key_Left:
        m_selection.selectNext(-1);
        return true;
    case Qt::Key_Right:
        m_selection.selectNext(1);
        return true;
    case Qt::Key_Home:
        resetView();
        return true;
    case Qt::Key_Plus:
    case Qt::Key_Minus: {
        const double factor = key == Qt::Key_Plus ? 0.8 : 1.25;
        m_plot->xAxis->scaleRange(factor);
        m_plot->yAxis->scaleRange(factor);
        m_userRange = true;
        m_plot->replot(QCustomPlot::rpQueuedReplot);
        return true;
    }
    default:
        return false;
    }
}

bool SpeedupChart::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_plot && event->type() == QEvent::KeyPress && handleKey(static_cast<QKeyEvent *>(event)->key()))
        return true;
    return QWidget::eventFilter(watched, event);
}

void SpeedupChart::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        applyPalette();
        refresh();
    }
}

} // namespace ako
