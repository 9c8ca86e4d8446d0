// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>

#include <array>

class QAction;
class QMenu;
class QWidget;

namespace ako {

// Undo, redo, cut, copy, paste and select all, for whichever text of the window has the focus.
class EditActions : public QObject
{
    Q_OBJECT

public:
    explicit EditActions(QWidget *window);

    void addTo(QMenu *menu);

private:
    struct Command
    {
        const char *slot; // of the widget that has the focus
        bool changesText;
        QAction *action;
    };

    void add(std::size_t index, const char *slot, bool changesText, QAction *action);
    void update();     // what the focus can do at all, so that a shortcut is never in a widget's way
    void updateMenu(); // and what it can do at this moment, for the menu
    void perform(const Command &command);

    QWidget *m_window;
    QPointer<QWidget> m_target;
    std::array<Command, 6> m_commands;
};

} // namespace ako
