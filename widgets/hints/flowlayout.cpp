// SPDX-License-Identifier: GPL-3.0-or-later
#include "hints/flowlayout.h"

namespace ako {

FlowLayout::FlowLayout(QWidget *parent, int gap)
    : QLayout(parent)
    , m_gap(gap)
{
}

FlowLayout::~FlowLayout()
{
    qDeleteAll(m_items);
}

QLayoutItem *FlowLayout::takeAt(int index)
{
    return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

QSize FlowLayout::minimumSize() const
{
    QSize size;
    for (const QLayoutItem *item : m_items)
        size = size.expandedTo(item->minimumSize());
    const QMargins margins = contentsMargins();
    return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom());
}

void FlowLayout::setGeometry(const QRect &rect)
{
    QLayout::setGeometry(rect);
    arrange(rect, true);
}

int FlowLayout::arrange(const QRect &rect, bool apply) const
{
    const QRect inner = rect.marginsRemoved(contentsMargins());
    QPoint at = inner.topLeft();
    int lineHeight = 0;
    for (QLayoutItem *item : m_items) {
        const QSize size = item->sizeHint();
        if (at.x() > inner.left() && at.x() + size.width() > inner.right() + 1) {
            at = QPoint(inner.left(), at.y() + lineHeight + m_gap);
            lineHeight = 0;
        }
        if (apply)
            item->setGeometry(QRect(at, size));
        at.rx() += size.width() + m_gap;
        lineHeight = qMax(lineHeight, size.height());
    }
    return at.y() + lineHeight - rect.top() + contentsMargins().bottom();
}

} // namespace ako
