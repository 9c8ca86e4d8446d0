// SPDX-License-Identifier: GPL-3.0-or-later
// How the chart looks: colours, lines, ranges and words. What it does is in speedupchart.cpp.
#include "bench/numbers.h"
#include "chart/chartlegend.h"
#include "chart/customplot.h"
#include "chart/speedupchart.h"
#include "history/runstore.h"
#include "style/fonts.h"
#include "style/status.h"

#include <QLabel>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ako {

namespace {

QCPScatterStyle scatterStyle(Tone tone, bool provisional, const QPalette &palette)
{
    const QColor colour = toneColour(tone, palette);
    QPen pen(colour, tone == Tone::Failed ? 2.0 : 1.5);
    pen.setCosmetic(true);
    if (provisional)
        pen = provisionalPen(pen);
    const bool filled = glyphIsFilled(tone) && !provisional;
    // Open glyphs cover the bar and the line behind them, so that their shape stays clear.
    const QBrush brush(filled ? colour : palette.color(QPalette::Base));
    // QCustomPlot draws a custom path at a sixth of its size.
    return {QTransform::fromScale(6, 6).map(glyphPath(tone)), pen, brush, 11};
}

// A picture of it, which is drawn many times faster.
QCPScatterStyle asPicture(const QCPScatterStyle &style)
{
    constexpr int side = 15;
    QPixmap picture(side, side);
    picture.fill(Qt::transparent);
    QCPPainter painter(&picture);
    painter.setAntialiasing(true);
    style.applyTo(&painter, QPen());
    style.drawShape(&painter, side / 2.0, side / 2.0);
    return QCPScatterStyle(picture);
}

void straight(QCPItemStraightLine *line, double y)
{
    line->point1->setCoords(0, y);
    line->point2->setCoords(1, y);
}

QString readable(double value, ChartScale scale)
{
    const int decimals = value >= 100 ? 0 : value >= 10 ? 1 : 2;
    return scale == ChartScale::Runtime ? runtimeText(value) : QStringLiteral("%1x").arg(value, 0, 'f', decimals);
}

} // namespace

void SpeedupChart::styleSeries()
{
    const bool crowded = isCrowded();
    m_champion->setAntialiased(!crowded);
    for (auto entry = m_series.cbegin(); entry != m_series.cend(); ++entry) {
        const Tone tone = Tone(entry.key() / 4);
        const bool provisional = (entry.key() & 2) != 0;
        const QCPScatterStyle style = scatterStyle(tone, provisional, palette());
        entry->graph->setScatterStyle(crowded ? asPicture(style) : style);
        entry->bars->setPen(QPen(toneColour(tone, palette()), crowded ? 1 : 1.25));
        entry->bars->setWhiskerWidth(crowded ? 0 : 5);
        entry->bars->setAntialiased(!crowded);
        entry->graph->setLayer(QStringLiteral("main")); // above its bars
    }
}

void SpeedupChart::applyPalette()
{
    const QColor text = mutedText(palette());
    const QColor line = separator(palette());
    m_plot->setBackground(palette().brush(QPalette::Base));
    for (QCPAxis *axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setBasePen(QPen(line));
        axis->setTickPen(QPen(line));
        axis->setSubTicks(false);
        axis->setTickLabelColor(text);
        axis->setLabelColor(text);
        axis->setTickLabelFont(smallFont());
        axis->setLabelFont(smallFont());
    }
    m_plot->xAxis->grid()->setVisible(false);
    m_plot->yAxis->grid()->setPen(QPen(line, 1, Qt::DotLine));
    m_plot->yAxis->grid()->setZeroLinePen(Qt::NoPen);
    m_champion->setPen(QPen(toneColour(Tone::Champion, palette()), 3, Qt::SolidLine, Qt::FlatCap));
    m_hints->setPen(QPen(text, 1, Qt::DotLine));
    m_baseline->setPen(QPen(toneColour(Tone::Baseline, palette()), 1.5, Qt::DashLine));
    m_reference->setPen(QPen(toneColour(Tone::Reference, palette()), 1.5, Qt::DashDotLine));
    m_baselineText->setColor(toneColour(Tone::Baseline, palette()));
    m_referenceText->setColor(toneColour(Tone::Reference, palette()));
    m_floorText->setColor(toneColour(Tone::Floor, palette()));
    m_emptyText->setColor(text);
    m_emptyText->setFont(textFont());
    m_floor->setPen(Qt::NoPen);
    m_floor->setBrush(QBrush(separator(palette()), Qt::BDiagPattern));
    QPen ring(palette().color(QPalette::Highlight), 2);
    for (QCPGraph *graph : {m_selected, m_selectedOnFloor})
        graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, ring, Qt::NoBrush, 18));
    m_cutAbove->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssTriangle, text, text, 6));
    m_cutBelow->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssTriangleInverted, text, text, 6));
    QPalette muted = palette();
    muted.setColor(QPalette::WindowText, text);
    m_summary->setPalette(muted);
}

void SpeedupChart::placeText(QCPItemText *text, const std::optional<double> &y, const QString &content, bool above)
{
    text->setVisible(y.has_value());
    text->setFont(smallFont());
    text->setText(content);
    text->setPositionAlignment(Qt::AlignRight | (above ? Qt::AlignBottom : Qt::AlignTop));
    text->setPadding(QMargins(grid, 1, grid, 1));
    text->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    text->position->setTypeY(QCPItemPosition::ptPlotCoords);
    text->position->setCoords(1, y.value_or(0));
}

void SpeedupChart::fillLines()
{
    const bool empty = m_data.points.isEmpty();
    const std::optional<double> baseline =
        empty && scale() != ChartScale::Runtime ? std::optional(1.0) : m_data.baseline;
    m_emptyText->setVisible(empty);
    m_baseline->setVisible(baseline.has_value());
    m_reference->setVisible(!empty && m_data.reference.has_value());
    m_floor->setVisible(m_data.floor.has_value());
    straight(m_baseline, baseline.value_or(1));
    straight(m_reference, m_data.reference.value_or(1));
    const bool below = baseline.value_or(0) < m_data.reference.value_or(0);
    placeText(m_baselineText, baseline, empty ? tr("baseline, to come") : tr("baseline"), !below);
    placeText(m_referenceText, empty ? std::nullopt : m_data.reference, tr("reference"), below);
    const double edge = m_data.floor.value_or(0);
    placeText(m_floorText, m_data.floor, tr("floor %1").arg(readable(edge, scale())), scale() == ChartScale::Runtime);
    const double beyond = scale() == ChartScale::Runtime ? edge - 1e9 : edge + 1e9;
    m_floor->topLeft->setTypeX(QCPItemPosition::ptAxisRectRatio);
    m_floor->bottomRight->setTypeX(QCPItemPosition::ptAxisRectRatio);
    m_floor->topLeft->setCoords(0, std::max(edge, beyond));
    m_floor->bottomRight->setCoords(1, std::min(edge, beyond));
}

// Every point is in view with a little air, and room below for what failed. An interval has a say as long as it does
// not squeeze the points; floor and reference come into view when they are near.
QCPRange SpeedupChart::fittingRange() const
{
    double low = std::numeric_limits<double>::max();
    double high = 0;
    for (const ChartPoint &point : std::as_const(m_data.points)) {
        if (point.onFloor)
            continue;
        low = std::min(low, point.y);
        high = std::max(high, point.y);
    }
    if (!(high > 0))
        return scale() == ChartScale::Runtime ? QCPRange(0, 1) : QCPRange(0.8, 2);
    const double room = std::max(high - low, high * 0.1) * 0.35;
    const QCPRange most(low - room, high + room);
    for (const ChartPoint &point : std::as_const(m_data.points)) {
        if (!point.onFloor) {
            low = std::min(low, std::max(point.low, most.lower));
            high = std::max(high, std::min(point.high, most.upper));
        }
    }
    return {low, high};
}

void SpeedupChart::fitRanges()
{
    describeAxes();
    if (axis() == ChartAxis::Iteration)
        m_plot->xAxis->setRange(-0.5, std::max(m_data.lastX + 0.5, 8.5));
    else
        m_plot->xAxis->setRange(-0.03 * std::max(m_data.lastX, 60.0), 1.03 * std::max(m_data.lastX, 60.0));
    auto [low, high] = std::pair(fittingRange().lower, fittingRange().upper);
    for (const std::optional<double> &line : {m_data.baseline, m_data.reference, m_data.floor}) {
        if (line && *line > low / 1.5 && *line < high * 1.5) {
            low = std::min(low, *line);
            high = std::max(high, *line);
        }
    }
    if (isLogarithmic()) {
        low = std::max(low, high * 1e-6);
        const double span = std::max(high / low, 1.2);
        return m_plot->yAxis->setRange(low / std::pow(span, 0.22), high * std::pow(span, 0.14));
    }
    const double span = std::max(high - low, high * 0.2);
    m_plot->yAxis->setRange(low - span * 0.22, high + span * 0.14);
}

// Whose candidates they are, by every other stretch shaded; and where the machine was not fit, hatched.
void SpeedupChart::fillBands()
{
    while (m_bands.size() < m_data.bands.size()) {
        m_bands << new QCPItemRect(m_plot);
        m_bandTexts << new QCPItemText(m_plot);
        m_bands.last()->setLayer(QStringLiteral("background"));
        m_bandTexts.last()->setLayer(QStringLiteral("grid"));
        for (QCPItemPosition *corner : m_bands.last()->positions())
            corner->setTypeY(QCPItemPosition::ptAxisRectRatio);
        m_bandTexts.last()->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
        m_bandTexts.last()->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
        m_bandTexts.last()->setClipToAxisRect(true);
    }
    QColor shade = palette().color(QPalette::Text);
    bool isShaded = false;
    for (qsizetype i = 0; i < m_bands.size(); ++i) {
        const bool isUsed = i < m_data.bands.size();
        m_bands.at(i)->setVisible(isUsed);
        m_bandTexts.at(i)->setVisible(isUsed);
        if (!isUsed)
            continue;
        const ChartBand &band = m_data.bands.at(i);
        const bool isAgent = band.kind == ChartBand::Kind::Agent;
        isShaded = isAgent && !isShaded;
        shade.setAlpha(isAgent ? (isShaded ? 14 : 0) : 60);
        m_bands.at(i)->setPen(Qt::NoPen);
        m_bands.at(i)->setBrush(QBrush(shade, isAgent ? Qt::SolidPattern : Qt::FDiagPattern));
        m_bands.at(i)->topLeft->setCoords(band.from, 0);
        m_bands.at(i)->bottomRight->setCoords(band.to, 1);
        m_bandTexts.at(i)->setText(band.text);
        m_bandTexts.at(i)->setFont(smallFont());
        m_bandTexts.at(i)->setColor(mutedText(palette()));
        m_bandTexts.at(i)->setPadding(QMargins(grid, 0, 0, 0));
        m_bandTexts.at(i)->position->setCoords(band.from, 0);
    }
}

int SpeedupChart::cutIntervals() const
{
    return m_cutAbove->dataCount() + m_cutBelow->dataCount();
}

void SpeedupChart::describe()
{
    QList<Tone> tones;
    if (!m_data.championSteps.isEmpty())
        tones << Tone::Champion;
    for (const Tone tone : {Tone::Baseline, Tone::Improved, Tone::NoChange, Tone::Regression, Tone::Failed,
                            Tone::Quarantined, Tone::Final}) {
        for (const ChartPoint &point : std::as_const(m_data.points)) {
            if (point.tone == tone) {
                tones << tone;
                break;
            }
        }
    }
    m_legend->setTones(tones);
    QStringList parts;
    if (!m_data.championSteps.isEmpty())
        parts << (m_data.championIsChained ? tr("champion ≈%1, multiplied from steps") : tr("champion %1"))
                     .arg(readable(m_data.championSteps.last().y(), scale()));
    if (m_data.floor && !m_data.championSteps.isEmpty()) {
        const double best = m_data.championSteps.last().y();
        const double reached = scale() == ChartScale::Runtime ? *m_data.floor / best : best / *m_data.floor;
        const QString share = reached < 0.01 ? tr("less than 1") : QString::number(qRound(reached * 100));
        parts << tr("floor at %1, %2 % reached").arg(readable(*m_data.floor, scale()), share);
    }
    if (!m_data.hints.isEmpty())
        parts << tr("dotted: new hints");
    if (std::ranges::any_of(m_data.bands, [](const ChartBand &band) { return band.kind == ChartBand::Kind::Unfit; }))
        parts << tr("hatched: the machine was not fit");
    m_summary->setText(parts.join(QStringLiteral(" · ")));
    m_summary->setVisible(!parts.isEmpty());
    m_plot->setAccessibleName(tr("Speedup chart"));
    m_plot->setAccessibleDescription(tr("Iterations: %1. %2").arg(m_data.points.size()).arg(m_summary->text()));
}

} // namespace ako
