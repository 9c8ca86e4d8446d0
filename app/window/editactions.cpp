// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/editactions.h"

#include "editor/codeview.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMetaObject>

namespace ako {

namespace {

// A text has them all; of a list without text to copy, all its rows are not what "select all" is about.
bool hasSlot(const QWidget *widget, const char *slot)
{
    if (widget != nullptr && widget->metaObject()->indexOfMethod("copy()") < 0)
        return false;
    return widget != nullptr && widget->metaObject()->indexOfMethod(QByteArray(slot) + "()") >= 0;
}

bool isReadOnly(const QWidget *widget)
{
    if (const auto *code = qobject_cast<const CodeView *>(widget))
        return code->isReadOnly();
    return widget->property("readOnly").toBool();
}

// Asked of the widgets that can tell; of the others: perhaps.
bool canNow(const QWidget *widget, QByteArrayView slot)
{
    if (const auto *code = qobject_cast<const CodeView *>(widget)) {
        if (slot == "undo")
            return code->isUndoAvailable();
        if (slot == "redo")
            return code->isRedoAvailable();
        return (slot != "cut" && slot != "copy") || code->hasSelectedText();
    }
    const char *property = slot == "undo"                    ? "undoAvailable"
                           : slot == "redo"                  ? "redoAvailable"
                           : slot == "cut" || slot == "copy" ? "hasSelectedText"
                                                             : nullptr;
    const QVariant value = property != nullptr ? widget->property(property) : QVariant();
    return !value.isValid() || value.toBool();
}

} // namespace

EditActions::EditActions(QWidget *window)
    : QObject(window)
    , m_window(window)
    , m_commands{}
{
    const auto make = [this](const QString &text, QKeySequence::StandardKey key) {
        auto *action = new QAction(text, this);
        action->setShortcuts(key);
        m_window->addAction(action);
        return action;
    };
    add(0, "undo", true, make(tr("&Undo"), QKeySequence::Undo));
    add(1, "redo", true, make(tr("&Redo"), QKeySequence::Redo));
    add(2, "cut", true, make(tr("Cu&t"), QKeySequence::Cut));
    add(3, "copy", false, make(tr("&Copy"), QKeySequence::Copy));
    add(4, "paste", true, make(tr("&Paste"), QKeySequence::Paste));
    add(5, "selectAll", false, make(tr("Select &all"), QKeySequence::SelectAll));
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget *, QWidget *now) {
        if (now == nullptr || now->window() != m_window) // a menu or another program: what was chosen stays chosen
            return;
        const auto *combo = qobject_cast<QComboBox *>(now);
        m_target = combo != nullptr && combo->isEditable() ? combo->lineEdit() : now;
        update();
    });
    update();
}

void EditActions::add(std::size_t index, const char *slot, bool changesText, QAction *action)
{
    m_commands.at(index) = {slot, changesText, action};
    connect(action, &QAction::triggered, this, [this, index] { perform(m_commands.at(index)); });
}

void EditActions::addTo(QMenu *menu)
{
    for (const Command &command : m_commands) {
        if (qstrcmp(command.slot, "cut") == 0 || qstrcmp(command.slot, "selectAll") == 0)
            menu->addSeparator();
        menu->addAction(command.action);
    }
    menu->addSeparator();
    connect(menu, &QMenu::aboutToShow, this, &EditActions::updateMenu);
    connect(menu, &QMenu::aboutToHide, this, &EditActions::update);
}

void EditActions::update()
{
    const auto *label = qobject_cast<QLabel *>(m_target);
    for (const Command &command : m_commands) {
        const bool copiesLabel = label != nullptr && qstrcmp(command.slot, "copy") == 0;
        command.action->setEnabled(copiesLabel ||
                                   (hasSlot(m_target, command.slot) && !(command.changesText && isReadOnly(m_target))));
    }
}

void EditActions::updateMenu()
{
    update();
    for (const Command &command : m_commands)
        command.action->setEnabled(command.action->isEnabled() && canNow(m_target, command.slot));
}

void EditActions::perform(const Command &command)
{
    if (const auto *label = qobject_cast<QLabel *>(m_target))
        QApplication::clipboard()->setText(label->selectedText());
    else if (m_target)
        QMetaObject::invokeMethod(m_target, command.slot);
}

} // namespace ako
