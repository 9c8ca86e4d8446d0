// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/iterationfilter.h"

#include "models/iterationmodel.h"

#include <algorithm>

namespace ako {

IterationFilter::IterationFilter(QObject *parent)
    : QSortFilterProxyModel(parent)
{
    setDynamicSortFilter(true);
    sort(0, Qt::DescendingOrder);
}

void IterationFilter::setText(const QString &text)
{
    m_words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

void IterationFilter::setTone(std::optional<Tone> tone)
{
    m_tone = tone;
    invalidateFilter();
}

bool IterationFilter::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    const QModelIndex index = sourceModel()->index(row, IterationModel::Title, parent);
    if (m_tone && index.data(IterationModel::ToneRole).toInt() != int(*m_tone))
        return false;
    const QString text = index.data(IterationModel::FilterRole).toString();
    return std::all_of(m_words.cbegin(), m_words.cend(),
                       [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

bool IterationFilter::lessThan(const QModelIndex &left, const QModelIndex &right) const
{
    return left.row() < right.row();
}

} // namespace ako
