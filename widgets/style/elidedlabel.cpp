// SPDX-License-Identifier: GPL-3.0-or-later
#include "style/elidedlabel.h"

#include "style/fonts.h"
#include "style/palette.h"

#include <QPainter>

namespace ako {

ElidedLabel::ElidedLabel(const QString &text, QWidget *parent)
    : QFrame(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setText(text);
}

void ElidedLabel::setText(const QString &text)
{
    m_text = text;
    setToolTip(text);
    setAccessibleName(text);
    updateGeometry();
    update();
}

void ElidedLabel::setMuted(bool muted)
{
    m_muted = muted;
    update();
}

QSize ElidedLabel::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(m_text) + 1, fontMetrics().height()};
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {8 * grid, fontMetrics().height()};
}

void ElidedLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(m_muted ? mutedText(palette()) : palette().color(QPalette::WindowText));
    const QRect box = contentsRect();
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(m_text, m_mode, box.width()));
}

} // namespace ako
