// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chart/chartpoints.h"

#include <QMap>
#include <QWidget>

class QComboBox;
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
class IterationSelection;
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
    void resetView();
    QCustomPlot *plot() const { return m_plot; }
    int cutIntervals() const;                          // drawn with a mark at the edge
    QPointF positionOf(const ChartPoint &point) const; // in the plot's pixels

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
    QLabel *m_summary;
    ChartLegend *m_legend;
    QCPGraph *m_champion = nullptr;
    QCPGraph *m_selected = nullptr;
    QCPGraph *m_selectedOnFloor = nullptr;
    QCPGraph *m_cutAbove = nullptr; // intervals that go on beyond the edge
    QCPGraph *m_cutBelow = nullptr;
    QCPItemStraightLine *m_baseline = nullptr;
    QCPItemStraightLine *m_reference = nullptr;
    QCPItemRect *m_floor = nullptr;
    QCPItemText *m_baselineText = nullptr;
    QCPItemText *m_referenceText = nullptr;
    QCPItemText *m_floorText = nullptr;
    QCPItemText *m_emptyText = nullptr;
    QPoint m_pressedAt;
    bool m_userRange = false; // zoomed or moved by hand: new points do not change the view
    bool m_scheduled = false;
};

} // namespace ako
