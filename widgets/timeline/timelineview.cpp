// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/timelineview.h"

#include "models/iterationmodel.h"
#include "models/iterationselection.h"
#include "style/fonts.h"
#include "style/icons.h"
#include "style/palette.h"
#include "style/status.h"
#include "timeline/iterationdelegate.h"
#include "timeline/iterationfilter.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ako {

TimelineView::TimelineView(IterationModel &model, IterationSelection &selection, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_selection(selection)
    , m_filter(new IterationFilter(this))
    , m_text(new QLineEdit(this))
    , m_outcome(new QComboBox(this))
    , m_list(new QListView(this))
    , m_delegate(new IterationDelegate(m_list))
    , m_compact(new QToolButton(this))
    , m_empty(new QLabel(this))
{
    m_filter->setSourceModel(&model);
    buildFilter();
    buildList();
    connect(&selection, &IterationSelection::changed, this, &TimelineView::followSelection);
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(m_filter, signal, this, &TimelineView::updateEmptyState);
    connect(m_filter, &QAbstractItemModel::modelReset, this, [this] {
        updateEmptyState();
        followSelection();
    });
    updateEmptyState();
}

void TimelineView::buildFilter()
{
    m_text->setPlaceholderText(tr("Filter"));
    m_text->setClearButtonEnabled(true);
    m_text->setAccessibleName(tr("Filter iterations by text"));
    connect(m_text, &QLineEdit::textChanged, this,
            [this](const QString &text) { changeFilter([this, text] { m_filter->setText(text); }); });
    m_outcome->addItem(tr("All"), -1);
    const std::pair<Tone, QString> outcomes[] = {
        {Tone::Improved, tr("Improved")}, {Tone::NoChange, tr("No change")},      {Tone::Regression, tr("Regression")},
        {Tone::Failed, tr("Failed")},     {Tone::Quarantined, tr("Quarantined")}, {Tone::Final, tr("Final")}};
    for (const auto &[tone, name] : outcomes)
        m_outcome->addItem(glyphIcon(tone, palette()), name, int(tone));
    m_outcome->setAccessibleName(tr("Filter iterations by outcome"));
    connect(m_outcome, &QComboBox::currentIndexChanged, this, [this] {
        const int tone = m_outcome->currentData().toInt();
        changeFilter([this, tone] { m_filter->setTone(tone < 0 ? std::nullopt : std::optional(Tone(tone))); });
    });
}

void TimelineView::buildList()
{
    m_list->setObjectName(QStringLiteral("iterations"));
    m_list->setModel(m_filter);
    m_list->setModelColumn(IterationModel::Title);
    m_list->setItemDelegate(m_delegate);
    m_list->setUniformItemSizes(true);
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setAccessibleName(tr("Iterations"));
    m_list->setContextMenuPolicy(Qt::CustomContextMenu);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(m_list, &QWidget::customContextMenuRequested, this, &TimelineView::showMenu);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &current) {
        if (m_following || !current.isValid())
            return;
        m_choosing = true; // the list marks what was chosen by itself, one or with Ctrl two
        m_selection.selectRow(m_filter->mapToSource(current).row());
        m_choosing = false;
    });
    connect(m_list->selectionModel(), &QItemSelectionModel::selectionChanged, this, &TimelineView::offerTwo);
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(4 * grid);
    m_empty->setBackgroundRole(QPalette::Base);
    m_empty->setAutoFillBackground(true);

    m_compact->setIcon(icon(QStringLiteral("timeline")));
    m_compact->setCheckable(true);
    m_compact->setAutoRaise(true);
    m_compact->setToolTip(tr("One line for each iteration"));
    m_compact->setAccessibleName(m_compact->toolTip());
    connect(m_compact, &QToolButton::toggled, this, &TimelineView::setCompact);

    auto *top = new QHBoxLayout;
    top->setContentsMargins(2 * grid, grid, 2 * grid, grid);
    top->setSpacing(grid);
    top->addWidget(m_text, 1);
    top->addWidget(m_outcome);
    top->addWidget(m_compact);
    m_stack = new QStackedLayout;
    m_stack->addWidget(m_list);
    m_stack->addWidget(m_empty);
    m_layout = new QVBoxLayout(this);
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    m_layout->addLayout(top);
    m_layout->addLayout(m_stack, 1);
}

void TimelineView::setHeader(QWidget *header)
{
    m_layout->insertWidget(1, header);
}

bool TimelineView::isCompact() const
{
    return m_compact->isChecked();
}

void TimelineView::setCompact(bool compact)
{
    if (m_compact->isChecked() != compact)
        return m_compact->setChecked(compact); // comes back here
    m_delegate->setCompact(compact);
    m_list->doItemsLayout();
    Q_EMIT compactChanged(compact);
}

void TimelineView::setIterationActions(const QList<QAction *> &actions)
{
    m_actions = actions;
}

// When rows go, the list makes another one current by itself: that is nobody's choice.
void TimelineView::changeFilter(const std::function<void()> &change)
{
    m_following = true;
    change();
    updateEmptyState();
    followSelection();
    m_following = false;
}

void TimelineView::offerTwo()
{
    const QModelIndexList chosen = m_list->selectionModel()->selectedIndexes();
    if (m_following || chosen.size() != 2)
        return;
    const auto [older, newer] =
        std::minmax({m_filter->mapToSource(chosen.first()).row(), m_filter->mapToSource(chosen.last()).row()});
    m_following = true; // the two stay marked when one of them becomes the one that is looked at
    Q_EMIT twoChosen(older, newer);
    m_following = false;
}

// While the filter hides the selected iteration, nothing is shown as current.
void TimelineView::followSelection()
{
    if (m_choosing)
        return;
    const bool before = std::exchange(m_following, true);
    const QModelIndex source = m_model.index(m_selection.row(), IterationModel::Title);
    const QModelIndex shown = m_filter->mapFromSource(source);
    QItemSelectionModel *marked = m_list->selectionModel();
    if (!shown.isValid()) {
        marked->clear();
    } else {
        const bool oneOfTwo = before && marked->isSelected(shown);
        marked->setCurrentIndex(shown, oneOfTwo ? QItemSelectionModel::NoUpdate : QItemSelectionModel::ClearAndSelect);
        m_list->scrollTo(shown);
    }
    m_following = before;
}

void TimelineView::updateEmptyState()
{
    const bool any = m_model.rowCount() > 0;
    m_empty->setText(any ? tr("No iteration matches this filter.")
                         : tr("No iterations yet.\n\nFirst the original kernel is measured as the baseline. Each "
                              "iteration then changes solution/, benches it, and is logged and committed here, "
                              "whether it helped or not."));
    m_stack->setCurrentIndex(m_filter->rowCount() > 0 ? 0 : 1);
}

void TimelineView::showMenu(const QPoint &position)
{
    if (!m_list->indexAt(position).isValid() || m_actions.isEmpty())
        return;
    auto *menu = new QMenu(m_list);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (QAction *action : std::as_const(m_actions)) {
        if (action != nullptr)
            menu->addAction(action);
        else
            menu->addSeparator();
    }
    menu->popup(m_list->viewport()->mapToGlobal(position));
}

} // namespace ako
