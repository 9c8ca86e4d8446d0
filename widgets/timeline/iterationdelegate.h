// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace ako {

// An iteration in two lines: glyph, number, title and speedup; below, quieter, runtime and duration or why it failed.
// Compact: the first of them.
class IterationDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void setCompact(bool compact) { m_compact = compact; }
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    void paintSecondLine(QPainter *painter, QRect line, const QColor &colour, const QModelIndex &index) const;

    bool m_compact = false;
};

} // namespace ako
