// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLineEdit;
class QTreeWidget;

namespace ako {

// Every action of the window with its keys and what it does, to be searched.
class ShortcutsDialog : public QDialog
{
    Q_OBJECT

public:
    explicit ShortcutsDialog(const QWidget &window, QWidget *parent = nullptr);
    QLineEdit *search() const { return m_search; }
    QTreeWidget *list() const { return m_list; }

private:
    void filter(const QString &text);

    QLineEdit *m_search;
    QTreeWidget *m_list;
};

} // namespace ako
