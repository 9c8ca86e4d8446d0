// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chart/chartpoints.h"

#include <QMap>
#include <QWidget>

class QComboBox;
class QToolButton;
class QCPErrorBars;
class QCPGraph;
class QCPItemRect;
class QCPItemStraightLine;
class QCPItemText;
class QCPRange;
class QCustomPlot;
class QLabel;

namespace ako {

class ChartLegend;
class DurationTicker;
class IterationSelection;
class PlainTicker;
class RunStore;

// The live chart: a glyph for each iteration with its interval, the champion as a bold step line, baseline and
// reference dashed, the floor hatched. A click selects, hovering tells how it was measured.
class SpeedupChart : public QWidget
{
    Q_OBJECT

public:
    SpeedupChart(const RunStore &store, IterationSelection &selection, QWidget *parent = nullptr);
    ~SpeedupChart() override;

    const ChartData &chart() const { return m_data; }
    ChartScale scale() const;
    void setScale(ChartScale scale);
    ChartAxis axis() const;
    void setAxis(ChartAxis axis);
    bool isLogarithmic() const;
    void setLogarithmic(bool logarithmic);
    QString writeTo(const QString &path); // png, svg, pdf or csv by its ending; empty: done, else what went wrong
    void resetView();
    QCustomPlot *plot() const { return m_plot; }
    int cutIntervals() const;                          // drawn with a mark at the edge
    QPointF positionOf(const ChartPoint &point) const; // in the plot's pixels

Q_SIGNALS:
    void exported(const QString &path, const QString &error);

protected:
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct Series
    {
        QCPGraph *graph = nullptr;
        QCPErrorBars *bars = nullptr;
    };

    void buildControls();
    QToolButton *makeButton(const QString &iconName, const QString &tip);
    void chooseExport();
    void applyScaleType();
    void fillBands();
    void describeAxes();
    void buildPlot();
    void buildLines();
    Series &series(Tone tone, bool provisional, bool onFloor);
    void refresh();
    void schedule();
    void fillSeries();
    void fillLines();
    void placeText(QCPItemText *text, const std::optional<double> &y, const QString &content, bool above);
    void markCuts();
    void fillSelection();
    void fitRanges();
    QCPRange fittingRange() const;
    void applyPalette();
    void styleSeries();
    bool isCrowded() const;
    void thinOut();
    const ChartPoint *nearest(const QPointF &pixel) const;
    void hover(const QPoint &position, const QPoint &global);
    void click(const QPointF &position);
    bool handleKey(int key);
    void describe();

    const RunStore &m_store;
    IterationSelection &m_selection;
    ChartData m_data;
    QMap<int, Series> m_series; // by tone, provisional and floor
    QCustomPlot *m_plot;
    QComboBox *m_scale;
    QComboBox *m_axis;
    QToolButton *m_logarithmic = nullptr;
    QSharedPointer<PlainTicker> m_values;
    QSharedPointer<DurationTicker> m_durations;
    QLabel *m_summary;
    ChartLegend *m_legend;
    QCPGraph *m_champion = nullptr;
    QCPGraph *m_selected = nullptr;
    QCPGraph *m_selectedOnFloor = nullptr;
    QCPGraph *m_cutAbove = nullptr; // intervals that go on beyond the edge
    QCPGraph *m_cutBelow = nullptr;
    QCPGraph *m_hints = nullptr; // where a new HINTS.md was first seen
    QList<QCPItemRect *> m_bands;
    QList<QCPItemText *> m_bandTexts;
    QCPItemStraightLine *m_baseline = nullptr;
    QCPItemStraightLine *m_reference = nullptr;
    QCPItemRect *m_floor = nullptr;
    QCPItemText *m_baselineText = nullptr;
    QCPItemText *m_referenceText = nullptr;
    QCPItemText *m_floorText = nullptr;
    QCPItemText *m_emptyText = nullptr;
    QPoint m_pressedAt;
    QRectF m_thinnedFor;      // the ranges and
    QSize m_thinnedAt;        // the size in pixels that the series were thinned out for
    bool m_userRange = false; // zoomed or moved by hand: new points do not change the view
    bool m_scheduled = false;
};

} // namespace ako
