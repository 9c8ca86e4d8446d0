// SPDX-License-Identifier: GPL-3.0-or-later
#include "hints/chiprow.h"

#include "hints/flowlayout.h"
#include "style/fonts.h"
#include "style/palette.h"

#include <QLabel>
#include <QPainter>

namespace ako {

namespace {

class Chip : public QLabel
{
public:
    Chip(const QString &text, QWidget *parent)
        : QLabel(text, parent)
    {
        setTextFormat(Qt::PlainText);
        setFont(smallFont());
        setContentsMargins(2 * grid, 2, 2 * grid, 2);
    }

protected:
    void paintEvent(QPaintEvent *event) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        QColor ground = toneColour(Tone::Champion, palette());
        ground.setAlphaF(0.18F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(ground);
        painter.drawRoundedRect(rect(), height() / 2.0, height() / 2.0);
        QLabel::paintEvent(event);
    }
};

} // namespace

ChipRow::ChipRow(QWidget *parent)
    : QWidget(parent)
{
    auto *layout = new FlowLayout(this, grid);
    layout->setContentsMargins(0, 0, 0, 0);
}

void ChipRow::setTexts(const QStringList &texts)
{
    if (texts == m_texts)
        return;
    m_texts = texts;
    while (QLayoutItem *item = layout()->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const QString &text : texts) {
        auto *chip = new Chip(text, this);
        layout()->addWidget(chip);
        chip->show();
    }
    updateGeometry();
}

} // namespace ako
