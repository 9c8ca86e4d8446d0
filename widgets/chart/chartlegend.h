// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "style/palette.h"

#include <QList>
#include <QWidget>

namespace ako {

// The glyphs that the chart uses at present, each with its word; wraps onto as many lines as the width asks for.
class ChartLegend : public QWidget
{
    Q_OBJECT

public:
    explicit ChartLegend(QWidget *parent = nullptr);
    void setTones(const QList<Tone> &tones);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Item
    {
        QRect box;
        Tone tone;
    };
    QList<Item> layoutItems(int width) const;

    QList<Tone> m_tones;
};

} // namespace ako
