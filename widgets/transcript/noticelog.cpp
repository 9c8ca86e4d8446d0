// SPDX-License-Identifier: GPL-3.0-or-later
#include "transcript/noticelog.h"

#include "style/fonts.h"
#include "style/icons.h"
#include "style/palette.h"
#include "style/severity.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTime>

namespace ako {

namespace {

constexpr int mostNotices = 5'000;

// The icon beside the first line of a long text.
class NoticeDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        option->decorationAlignment = Qt::AlignHCenter | Qt::AlignTop;
    }
};

} // namespace

NoticeLog::NoticeLog(QWidget *parent)
    : QListWidget(parent)
{
    setFrameShape(NoFrame);
    setIconSize(QSize(16, 16));
    setItemDelegate(new NoticeDelegate(this));
    setSelectionMode(ExtendedSelection);
    setWordWrap(true);
    setResizeMode(Adjust);
    setVerticalScrollMode(ScrollPerPixel);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    setAccessibleName(tr("Log"));
    auto *copy = new QAction(tr("Copy"), this);
    connect(copy, &QAction::triggered, this, &NoticeLog::copy);
    addAction(copy);
}

void NoticeLog::add(Severity severity, const QString &text, const QString &remedy)
{
    const bool atEnd = verticalScrollBar()->value() >= verticalScrollBar()->maximum() - 2;
    const QString line = QTime::currentTime().toString(QStringLiteral("HH:mm:ss  ")) + text;
    auto *item = new QListWidgetItem(icon(iconOfSeverity(severity)),
                                     remedy.isEmpty() ? line : line + QLatin1Char('\n') + remedy, this);
    if (severity != Severity::Info)
        item->setForeground(toneColour(severity == Severity::Error ? Tone::Error : Tone::Warning, palette()));
    while (count() > mostNotices)
        delete takeItem(0);
    if (atEnd)
        scrollToBottom();
}

void NoticeLog::copy() const
{
    QStringList lines;
    for (int row = 0; row < count(); ++row) {
        if (item(row)->isSelected())
            lines << item(row)->text();
    }
    QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void NoticeLog::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy))
        return copy();
    QListWidget::keyPressEvent(event);
}

void NoticeLog::paintEvent(QPaintEvent *event)
{
    QListWidget::paintEvent(event);
    if (count() > 0)
        return;
    QPainter painter(viewport());
    painter.setPen(mutedText(palette()));
    painter.drawText(viewport()->rect().adjusted(2 * grid, grid, 0, 0), tr("Nothing has happened yet."));
}

} // namespace ako
