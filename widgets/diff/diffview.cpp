// SPDX-License-Identifier: GPL-3.0-or-later
#include "diff/diffview.h"

#include "diff/diffpane.h"
#include "style/fonts.h"
#include "style/icons.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollBar>
#include <QStackedLayout>
#include <QToolButton>

namespace ako {

DiffView::DiffView(QWidget *parent)
    : QWidget(parent)
    , m_top(new QHBoxLayout)
    , m_note(new QLabel(this))
    , m_mode(new QToolButton(this))
    , m_next(new QToolButton(this))
    , m_previous(new QToolButton(this))
    , m_whole(new QToolButton(this))
    , m_take(new QToolButton(this))
    , m_sides(new QWidget(this))
    , m_unified(new DiffPane(DiffPane::Numbers::Both, this))
    , m_left(new DiffPane(DiffPane::Numbers::Old, m_sides))
    , m_right(new DiffPane(DiffPane::Numbers::New, m_sides))
{
    buildControls();
    buildLayout();
    linkScrolling();
    showNote(tr("Choose an iteration to see what it changed."));
}

void DiffView::buildControls()
{
    m_mode->setCheckable(true);
    m_mode->setIcon(icon(QStringLiteral("side-by-side")));
    m_mode->setToolTip(tr("Side by side"));
    m_next->setIcon(icon(QStringLiteral("down")));
    m_next->setToolTip(tr("Next change (F8)"));
    m_next->setShortcut(QKeySequence(Qt::Key_F8));
    m_previous->setIcon(icon(QStringLiteral("up")));
    m_previous->setToolTip(tr("Previous change (Shift+F8)"));
    m_previous->setShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F8));
    m_whole->setCheckable(true);
    m_whole->setIcon(icon(QStringLiteral("source")));
    m_whole->setToolTip(tr("Whole files, not only what changed"));
    m_take->setIcon(icon(QStringLiteral("right")));
    m_take->setToolTip(tr("Take this change into the editor (Ctrl+Shift+T)"));
    m_take->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T));
    connect(m_whole, &QToolButton::toggled, this, &DiffView::wholeFilesWanted);
    connect(m_take, &QToolButton::clicked, this, &DiffView::takeChange);
    for (QToolButton *button : {m_mode, m_next, m_previous, m_whole, m_take}) {
        button->setAutoRaise(true);
        button->setAccessibleName(button->toolTip());
    }
    connect(m_mode, &QToolButton::toggled, this, &DiffView::setSideBySide);
    connect(m_next, &QToolButton::clicked, this, &DiffView::nextChange);
    connect(m_previous, &QToolButton::clicked, this, &DiffView::previousChange);
    m_unified->setAccessibleName(tr("Difference"));
    m_left->setAccessibleName(tr("Before"));
    m_right->setAccessibleName(tr("After"));
    m_note->setAlignment(Qt::AlignCenter);
    m_note->setWordWrap(true);
    m_note->setMargin(4 * grid);
    m_note->setTextInteractionFlags(Qt::TextSelectableByMouse);
}

void DiffView::buildLayout()
{
    m_top->setContentsMargins(2 * grid, grid, grid, grid);
    m_top->setSpacing(grid);
    m_top->addStretch();
    for (QToolButton *button : {m_previous, m_next, m_take, m_whole, m_mode})
        m_top->addWidget(button);
    auto *sides = new QHBoxLayout(m_sides);
    sides->setContentsMargins(0, 0, 0, 0);
    sides->setSpacing(1);
    sides->addWidget(m_left);
    sides->addWidget(m_right);
    m_left->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // the right one's moves both
    m_stack = new QStackedLayout;
    m_stack->addWidget(m_note);
    m_stack->addWidget(m_unified);
    m_stack->addWidget(m_sides);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(m_top);
    layout->addLayout(m_stack, 1);
}

void DiffView::linkScrolling()
{
    const auto follow = [](const DiffPane *from, const DiffPane *to) {
        connect(from->verticalScrollBar(), &QScrollBar::valueChanged, to->verticalScrollBar(), &QScrollBar::setValue);
        connect(from->horizontalScrollBar(), &QScrollBar::valueChanged, to->horizontalScrollBar(),
                &QScrollBar::setValue);
    };
    follow(m_left, m_right);
    follow(m_right, m_left);
}

void DiffView::setHeader(QWidget *header)
{
    delete m_top->takeAt(0);
    m_top->insertWidget(0, header, 1);
}

void DiffView::setSideNames(const QString &before, const QString &after)
{
    m_left->setAccessibleName(tr("Before: %1").arg(before));
    m_right->setAccessibleName(tr("After: %1").arg(after));
    m_unified->setAccessibleName(tr("Difference from %1 to %2").arg(before, after));
}

void DiffView::showWaiting()
{
    showNote(tr("Reading the difference …"));
}

void DiffView::showDiff(const Diff &diff)
{
    if (diff.isEmpty())
        return showNote(tr("No difference in solution/."));
    for (DiffPane *pane : {m_unified, m_left, m_right})
        pane->setRows({});
    m_diff = diff;
    m_hasDiff = true;
    m_change = -1;
    for (QToolButton *button : {m_next, m_previous, m_mode, m_take})
        button->setEnabled(true);
    setSideBySide(m_mode->isChecked());
}

void DiffView::showNote(const QString &text)
{
    m_hasDiff = false;
    m_note->setText(text);
    m_stack->setCurrentWidget(m_note);
    for (QToolButton *button : {m_next, m_previous, m_mode, m_take})
        button->setEnabled(false);
}

QString DiffView::note() const
{
    return m_hasDiff ? QString() : m_note->text();
}

bool DiffView::showsWholeFiles() const
{
    return m_whole->isChecked();
}

// The cursor of the pane that is looked at; on a line that stayed, the change gone to last.
void DiffView::takeChange()
{
    if (!m_hasDiff)
        return;
    const DiffPane *pane = !isSideBySide() ? m_unified : m_left->hasFocus() ? m_left : m_right;
    const int row = pane->textCursor().blockNumber();
    DiffChange change = row < pane->rows().size() ? changeAt(m_diff, pane->rows().at(row)) : DiffChange{};
    const QList<int> starts = changeStarts(pane->rows());
    if (change.path.isEmpty() && m_change >= 0 && m_change < starts.size())
        change = changeAt(m_diff, pane->rows().at(starts.at(m_change)));
    if (!change.path.isEmpty())
        Q_EMIT changeTaken(change.path, change.before, change.after);
}

bool DiffView::isSideBySide() const
{
    return m_mode->isChecked();
}

void DiffView::setSideBySide(bool on)
{
    m_mode->setChecked(on);
    m_change = -1;
    if (m_hasDiff && on && m_right->rows().isEmpty()) { // what is not looked at is not laid out
        const DiffSides sides = sideBySideRows(m_diff);
        m_left->setRows(sides.left);
        m_right->setRows(sides.right);
    } else if (m_hasDiff && !on && m_unified->rows().isEmpty()) {
        m_unified->setRows(unifiedRows(m_diff));
    }
    if (m_hasDiff)
        m_stack->setCurrentIndex(on ? m_stack->indexOf(m_sides) : m_stack->indexOf(m_unified));
}

void DiffView::nextChange()
{
    goToChange(1);
}

void DiffView::previousChange()
{
    goToChange(-1);
}

void DiffView::goToChange(int step)
{
    DiffPane *leading = isSideBySide() ? m_right : m_unified;
    const QList<int> starts = changeStarts(leading->rows());
    if (!m_hasDiff || starts.isEmpty())
        return;
    const int count = int(starts.size());
    m_change = m_change < 0 && step < 0 ? count - 1 : (m_change + step + count) % count;
    leading->showRow(starts.at(m_change));
}

} // namespace ako
