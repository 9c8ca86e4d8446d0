// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>

#include <optional>

namespace ako {

enum class Tone;

// The iterations that hold all words of a text and, where one is chosen, have one outcome. Newest first.
class IterationFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit IterationFilter(QObject *parent = nullptr);
    void setText(const QString &text);
    void setTone(std::optional<Tone> tone);

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;
    bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;

private:
    QStringList m_words;
    std::optional<Tone> m_tone;
};

} // namespace ako
