// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/iterationdelegate.h"

#include "models/iterationmodel.h"
#include "style/fonts.h"
#include "style/status.h"

#include <QApplication>
#include <QFontMetrics>
#include <QPainter>

namespace ako {

namespace {

struct Ink
{
    QColor text;
    QColor muted;
    QColor tone;
};

Ink inkFor(const QStyleOptionViewItem &option, Tone tone)
{
    if (option.state & QStyle::State_Selected) {
        const QColor text = option.palette.color(QPalette::Active, QPalette::HighlightedText);
        return {text, text, text};
    }
    return {option.palette.color(QPalette::Active, QPalette::Text), mutedText(option.palette),
            toneColour(tone, option.palette)};
}

// The text of another column of the same row.
QString column(const QModelIndex &index, int which)
{
    return index.siblingAtColumn(which).data().toString();
}

QString secondLine(const QModelIndex &index)
{
    const Tone tone = Tone(index.data(IterationModel::ToneRole).toInt());
    QString reason = index.data(IterationModel::ReasonRole).toString();
    const QString trust = index.data(IterationModel::TrustRole).toString();
    if (tone == Tone::Quarantined)
        return reason.isEmpty() ? trust : trust + QStringLiteral(" · ") + reason;
    if (tone == Tone::Failed && !reason.isEmpty())
        return reason;
    const QString measured =
        QStringLiteral("%1 · %2").arg(column(index, IterationModel::Runtime), column(index, IterationModel::Status));
    return trust.isEmpty() ? measured : measured + QStringLiteral(" · ") + trust;
}

// Draws at the right end of the box and returns what is left of it.
QRect drawRight(QPainter *painter, QRect box, const QString &text, const QColor &colour)
{
    const int width = painter->fontMetrics().horizontalAdvance(text);
    painter->setPen(colour);
    painter->drawText(box, Qt::AlignRight | Qt::AlignVCenter, text);
    return box.adjusted(0, 0, -(width + 2 * grid), 0);
}

void drawLeft(QPainter *painter, const QRect &box, const QString &text, const QColor &colour)
{
    painter->setPen(colour);
    painter->drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(text, Qt::ElideRight, box.width()));
}

QFont boldIf(QFont font, bool bold)
{
    font.setBold(bold);
    return font;
}

} // namespace

void IterationDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    painter->save();
    QStyleOptionViewItem background = option;
    initStyleOption(&background, index);
    background.text.clear();
    background.icon = QIcon();
    QApplication::style()->drawPrimitive(QStyle::PE_PanelItemViewItem, &background, painter, option.widget);

    const Tone tone = Tone(index.data(IterationModel::ToneRole).toInt());
    const bool champion = index.data(IterationModel::ChampionRole).toBool();
    const Ink ink = inkFor(option, tone);
    const QRect inner = option.rect.adjusted(2 * grid, grid, -2 * grid, -grid);
    const QRect glyph(inner.left(), inner.top() + 3, 12, 12);
    paintGlyph(painter, glyph, tone, ink.tone, index.data(IterationModel::ProvisionalRole).toBool());

    const QFont bold = boldIf(textFont(), champion);
    const int lineHeight = QFontMetrics(textFont()).height();
    QRect line(inner.left() + 5 * grid, inner.top(), inner.width() - 5 * grid, lineHeight);
    painter->setFont(bold);
    line = drawRight(painter, line, column(index, IterationModel::Speedup), ink.text);
    const QString number = column(index, IterationModel::Iteration);
    drawLeft(painter, line, QStringLiteral("%1  %2").arg(number, index.data().toString()), ink.text);

    if (!m_compact)
        paintSecondLine(painter,
                        QRect(inner.left() + 5 * grid, inner.top() + lineHeight + 2, inner.width() - 5 * grid,
                              QFontMetrics(smallFont()).height()),
                        ink.muted, index);
    painter->restore();
}

void IterationDelegate::paintSecondLine(QPainter *painter, QRect line, const QColor &colour,
                                        const QModelIndex &index) const
{
    painter->setFont(smallFont());
    line = drawRight(painter, line, column(index, IterationModel::Duration), colour);
    QString text = secondLine(index);
    if (index.data(IterationModel::ChampionRole).toBool())
        text += QStringLiteral(" · ") + tr("champion");
    if (!index.data(IterationModel::HintsRole).toString().isEmpty())
        text += QStringLiteral(" · ") + tr("new hints");
    drawLeft(painter, line, text, colour);
}

QSize IterationDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const
{
    const int first = QFontMetrics(textFont()).height();
    return {40 * grid, m_compact ? first + 2 * grid : first + QFontMetrics(smallFont()).height() + 2 + 2 * grid};
}

} // namespace ako
