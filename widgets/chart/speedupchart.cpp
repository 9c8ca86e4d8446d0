// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart/speedupchart.h"

#include "chart/chartlegend.h"
#include "chart/customplot.h"
#include "history/runstore.h"
#include "models/iterationselection.h"
#include "models/measurementtext.h"
#include "style/fonts.h"
#include "style/icons.h"
#include "style/numbers.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QTimer>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace ako {

namespace {

// Steps of 1, 2 and 5, so that every label is exact with as many decimals as the step has. Below zero there is room
// for what failed, and nothing to read.
class PlainTicker : public QCPAxisTicker
{
protected:
    double getTickStep(const QCPRange &range) override
    {
        const double rough = range.size() / (tickCount() + 1e-10);
        const double magnitude = std::pow(10.0, std::floor(std::log10(rough)));
        const double share = rough / magnitude;
        m_step = magnitude * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
        return m_step;
    }

    QVector<double> createTickVector(double step, const QCPRange &range) override
    {
        QVector<double> ticks = QCPAxisTicker::createTickVector(step, range);
        erase_if(ticks, [step](double tick) { return tick < -step / 100; });
        return ticks;
    }

    QString getTickLabel(double tick, const QLocale &, QChar, int) override
    {
        const int decimals = std::max(0, int(std::ceil(-std::log10(m_step) - 1e-9)));
        return QString::number(tick, 'f', decimals);
    }

private:
    double m_step = 1;
};

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
    connect(&selection, &IterationSelection::changed, this, [this] {
        fillSelection();
        m_plot->replot(QCustomPlot::rpQueuedReplot);
    });
    refresh();
}

SpeedupChart::~SpeedupChart() = default;

void SpeedupChart::buildControls()
{
    m_scale->addItem(tr("Speedup over baseline"), int(ChartScale::OverBaseline));
    m_scale->addItem(tr("Speedup over reference"), int(ChartScale::OverReference));
    m_scale->addItem(tr("Runtime"), int(ChartScale::Runtime));
    m_scale->setAccessibleName(tr("Scale of the chart"));
    m_scale->setToolTip(tr("What the chart's height means"));
    connect(m_scale, &QComboBox::currentIndexChanged, this, [this] {
        m_userRange = false;
        refresh();
    });
    auto *reset = new QToolButton(this);
    reset->setIcon(icon(QStringLiteral("reset")));
    reset->setAutoRaise(true);
    reset->setToolTip(tr("Show everything (Home, or double-click the chart)"));
    reset->setAccessibleName(tr("Reset the chart's view"));
    connect(reset, &QToolButton::clicked, this, &SpeedupChart::resetView);
    m_summary->setFont(smallFont());
    m_summary->setWordWrap(true);

    auto *top = new QHBoxLayout;
    top->setSpacing(grid);
    top->addWidget(m_scale);
    top->addStretch();
    top->addWidget(reset);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * grid, grid, 2 * grid, grid);
    layout->setSpacing(grid);
    layout->addLayout(top);
    layout->addWidget(m_plot, 1);
    layout->addWidget(m_legend);
    layout->addWidget(m_summary);
    setMinimumHeight(45 * grid);
}

void SpeedupChart::buildPlot()
{
    m_plot->setObjectName(QStringLiteral("plot"));
    m_plot->setFocusPolicy(Qt::StrongFocus);
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->setMouseTracking(true);
    m_plot->installEventFilter(this);
    m_plot->yAxis2->setRange(0, 1);
    m_plot->yAxis2->setVisible(false);
    auto wholeNumbers = QSharedPointer<QCPAxisTickerFixed>::create();
    wholeNumbers->setTickStep(1);
    wholeNumbers->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
    m_plot->xAxis->setTicker(wholeNumbers);
    m_plot->yAxis->setTicker(QSharedPointer<PlainTicker>::create());
    m_plot->xAxis->setLabel(tr("iteration"));
    m_plot->axisRect()->setMinimumMargins(QMargins(grid, 2 * grid, 2 * grid, grid));
    connect(m_plot, &QCustomPlot::mousePress, this, [this](QMouseEvent *event) { m_pressedAt = event->pos(); });
    connect(m_plot, &QCustomPlot::mouseRelease, this, [this](QMouseEvent *event) {
        if ((event->pos() - m_pressedAt).manhattanLength() < 4)
            click(event->position());
        else
            m_userRange = true;
    });
    connect(m_plot, &QCustomPlot::mouseMove, this,
            [this](QMouseEvent *event) { hover(event->pos(), event->globalPosition().toPoint()); });
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
    for (QCPGraph *graph : {m_selected, m_selectedOnFloor, m_cutAbove, m_cutBelow})
        graph->setLineStyle(QCPGraph::lsNone);
    connect(m_plot->yAxis, qOverload<const QCPRange &>(&QCPAxis::rangeChanged), this, &SpeedupChart::markCuts);
}

ChartScale SpeedupChart::scale() const
{
    return ChartScale(m_scale->currentData().toInt());
}

void SpeedupChart::setScale(ChartScale scale)
{
    m_scale->setCurrentIndex(m_scale->findData(int(scale)));
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
    m_data = chartData(m_store.records(), scale());
    fillSeries();
    styleSeries();
    if (!m_userRange)
        fitRanges();
    markCuts();
    fillLines();
    fillSelection();
    describe();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
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

void SpeedupChart::fillSeries()
{
    for (const Series &old : std::as_const(m_series)) {
        old.graph->data()->clear();
        old.bars->data()->clear();
    }
    for (const ChartPoint &point : m_data.points) {
        Series &target = series(point.tone, point.provisional, point.onFloor);
        target.graph->addData(point.x, point.onFloor ? floorHeight : point.y);
        target.bars->addData(point.onFloor ? 0 : point.y - point.low, point.onFloor ? 0 : point.high - point.y);
    }
    m_champion->data()->clear();
    for (const QPointF &step : std::as_const(m_data.championSteps))
        m_champion->addData(step.x(), step.y());
}

// An interval that goes on beyond the edge says so there.
void SpeedupChart::markCuts()
{
    const QCPRange shown = m_plot->yAxis->range();
    m_cutAbove->data()->clear();
    m_cutBelow->data()->clear();
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
