// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/shortcutsdialog.h"

#include "style/fonts.h"

#include <QAction>
#include <QHeaderView>
#include <QLineEdit>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <utility>

namespace ako {

namespace {

QString keysOf(const QAction &action)
{
    return action.shortcut().toString(QKeySequence::NativeText); // of several the usual one
}

} // namespace

ShortcutsDialog::ShortcutsDialog(const QWidget &window, QWidget *parent)
    : QDialog(parent)
    , m_search(new QLineEdit(this))
    , m_list(new QTreeWidget(this))
{
    setWindowTitle(tr("Keyboard shortcuts"));
    resize(960, 640);
    m_search->setPlaceholderText(tr("Search actions and keys"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_search->setClearButtonEnabled(true);
    m_list->setHeaderLabels({tr("Action"), tr("Keys"), tr("What it does")});
    m_list->setAccessibleName(windowTitle());
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    // Keys of parts that have no action of their own.
    const QList<std::pair<QString, std::pair<QString, QString>>> others{
        {tr("Next change"), {QStringLiteral("F8"), tr("In the difference; with Shift the one before")}},
        {tr("Take this change"), {QStringLiteral("Ctrl+Shift+T"), tr("From the difference into the editor")}},
        {tr("Walk along the chart"), {tr("Left, Right"), tr("In the chart; + and - zoom, Home shows everything")}},
        {tr("Compare two"), {tr("Ctrl+click"), tr("In the timeline, on a second iteration")}}};
    for (const QAction *action : window.actions()) {
        QString name = action->text();
        if (!name.remove(QLatin1Char('&')).isEmpty())
            (new QTreeWidgetItem(m_list, {name, keysOf(*action), action->statusTip()}))
                ->setToolTip(2, action->statusTip());
    }
    for (const auto &[name, told] : others)
        new QTreeWidgetItem(m_list, {name, told.first, told.second});
    m_list->sortItems(0, Qt::AscendingOrder);
    m_list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    connect(m_search, &QLineEdit::textChanged, this, &ShortcutsDialog::filter);
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(2 * grid);
    layout->addWidget(m_search);
    layout->addWidget(m_list, 1);
    m_search->setFocus();
}

void ShortcutsDialog::filter(const QString &text)
{
    for (int row = 0; row < m_list->topLevelItemCount(); ++row) {
        QTreeWidgetItem *item = m_list->topLevelItem(row);
        bool matches = false;
        for (int column = 0; column < 3; ++column)
            matches = matches || item->text(column).contains(text.trimmed(), Qt::CaseInsensitive);
        item->setHidden(!matches);
    }
}

} // namespace ako
