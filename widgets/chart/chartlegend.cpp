// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart/chartlegend.h"

#include "style/fonts.h"
#include "style/status.h"

#include <QFontMetrics>
#include <QPainter>

namespace ako {

namespace {

constexpr int glyphSide = 10;

QString wordOf(Tone tone)
{
    switch (tone) {
    case Tone::Baseline:
        return ChartLegend::tr("baseline");
    case Tone::Improved:
        return ChartLegend::tr("improved");
    case Tone::NoChange:
        return ChartLegend::tr("no change");
    case Tone::Regression:
        return ChartLegend::tr("regression");
    case Tone::Failed:
        return ChartLegend::tr("failed");
    case Tone::Quarantined:
        return ChartLegend::tr("quarantined");
    case Tone::Final:
        return ChartLegend::tr("final");
    case Tone::Champion:
        return ChartLegend::tr("champion");
    default:
        return {};
    }
}

} // namespace

ChartLegend::ChartLegend(QWidget *parent)
    : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void ChartLegend::setTones(const QList<Tone> &tones)
{
    if (tones == m_tones)
        return;
    m_tones = tones;
    QStringList words;
    for (const Tone tone : tones)
        words << wordOf(tone);
    setAccessibleName(tr("Legend: %1").arg(words.join(QLatin1String(", "))));
    updateGeometry();
    update();
}

QList<ChartLegend::Item> ChartLegend::layoutItems(int width) const
{
    const QFontMetrics metrics(smallFont());
    const int line = metrics.height() + grid;
    QList<Item> items;
    QPoint at(0, 0);
    for (const Tone tone : m_tones) {
        const int itemWidth = glyphSide + grid + metrics.horizontalAdvance(wordOf(tone));
        if (at.x() > 0 && at.x() + itemWidth > width)
            at = QPoint(0, at.y() + line);
        items << Item{QRect(at, QSize(itemWidth, line)), tone};
        at.rx() += itemWidth + 3 * grid;
    }
    return items;
}

int ChartLegend::heightForWidth(int width) const
{
    const QList<Item> items = layoutItems(width);
    return items.isEmpty() ? 0 : items.last().box.bottom() + 1;
}

QSize ChartLegend::sizeHint() const
{
    return {40 * grid, heightForWidth(width())};
}

void ChartLegend::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setFont(smallFont());
    for (const Item &item : layoutItems(width())) {
        const QRectF glyph(item.box.left(), item.box.center().y() - glyphSide / 2.0, glyphSide, glyphSide);
        const QColor colour = toneColour(item.tone, palette());
        if (item.tone == Tone::Champion) {
            painter.setPen(QPen(colour, 3));
            painter.drawLine(QPointF(glyph.left(), glyph.center().y()), QPointF(glyph.right(), glyph.center().y()));
        } else {
            paintGlyph(&painter, glyph, item.tone, colour);
        }
        painter.setPen(mutedText(palette()));
        painter.drawText(item.box.adjusted(glyphSide + grid, 0, grid, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         wordOf(item.tone));
    }
}

} // namespace ako
