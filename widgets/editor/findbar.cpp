// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/findbar.h"

#include "editor/codeview.h"
#include "style/fonts.h"
#include "style/icons.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace ako {

FindBar::FindBar(CodeView &view, QWidget *parent)
    : QWidget(parent)
    , m_view(view)
    , m_pattern(new QLineEdit(this))
    , m_replacement(new QLineEdit(this))
    , m_caseSensitive(new QCheckBox(tr("Match case"), this))
    , m_note(new QLabel(this))
{
    m_pattern->setPlaceholderText(tr("Find"));
    m_pattern->setAccessibleName(tr("Text to find"));
    m_pattern->setClearButtonEnabled(true);
    m_replacement->setPlaceholderText(tr("Replace with"));
    m_replacement->setAccessibleName(tr("Replacement text"));
    m_note->setFont(smallFont());
    connect(m_pattern, &QLineEdit::textChanged, this, [this] { say({}); });

    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(2 * grid, grid, grid, grid);
    layout->setSpacing(grid);
    layout->addWidget(m_pattern, 3);
    layout->addWidget(makeButton(QStringLiteral("up"), {}, tr("Previous match (Shift+Enter)"), &FindBar::previous));
    layout->addWidget(makeButton(QStringLiteral("down"), {}, tr("Next match (Enter)"), &FindBar::next));
    layout->addWidget(m_caseSensitive);
    layout->addWidget(m_replacement, 2);
    layout->addWidget(makeButton({}, tr("Replace"), tr("Replace this match and go to the next"), &FindBar::replace));
    layout->addWidget(makeButton({}, tr("All"), tr("Replace every match"), &FindBar::all));
    layout->addWidget(m_note, 1);
    layout->addWidget(makeButton(QStringLiteral("close"), {}, tr("Close (Escape)"), &FindBar::dismiss));
    hide();
}

QWidget *FindBar::makeButton(const QString &iconName, const QString &text, const QString &tip, void (FindBar::*slot)())
{
    auto *button = new QToolButton(this);
    button->setAutoRaise(true);
    if (!iconName.isEmpty())
        button->setIcon(icon(iconName));
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    connect(button, &QToolButton::clicked, this, slot);
    return button;
}

void FindBar::open()
{
    const QString selected = m_view.selectedText();
    if (!selected.isEmpty() && !selected.contains(QLatin1Char('\n')))
        m_pattern->setText(selected);
    show();
    m_pattern->setFocus();
    m_pattern->selectAll();
}

bool FindBar::find(bool forward)
{
    if (m_pattern->text().isEmpty())
        return false;
    int line = -1;
    int column = -1;
    if (!forward && m_view.hasSelectedText()) {
        int lineTo = 0;
        int columnTo = 0;
        m_view.getSelection(&line, &column, &lineTo, &columnTo);
    }
    const bool found =
        m_view.findFirst(m_pattern->text(), false, m_caseSensitive->isChecked(), false, true, forward, line, column);
    say(found ? QString() : tr("Not found"));
    return found;
}

void FindBar::replace()
{
    const Qt::CaseSensitivity sensitivity = m_caseSensitive->isChecked() ? Qt::CaseSensitive : Qt::CaseInsensitive;
    if (!m_view.isReadOnly() && m_view.selectedText().compare(m_pattern->text(), sensitivity) == 0)
        m_view.replaceSelectedText(m_replacement->text());
    find(true);
}

int FindBar::replaceAll()
{
    if (m_view.isReadOnly() || m_pattern->text().isEmpty())
        return 0;
    int count = 0;
    m_view.beginUndoAction();
    bool found = m_view.findFirst(m_pattern->text(), false, m_caseSensitive->isChecked(), false, false, true, 0, 0);
    for (; found; found = m_view.findNext(), ++count)
        m_view.replace(m_replacement->text());
    m_view.endUndoAction();
    say(tr("%1 replaced").arg(count));
    return count;
}

void FindBar::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        return dismiss();
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        find(!(event->modifiers() & Qt::ShiftModifier));
        return;
    }
    QWidget::keyPressEvent(event);
}

void FindBar::dismiss()
{
    hide();
    m_view.setFocus();
}

void FindBar::say(const QString &text)
{
    m_note->setText(text);
}

} // namespace ako
