// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "git/diff.h"

#include <QWidget>

class QLabel;
class QStackedLayout;
class QToolButton;

namespace ako {

class DiffPane;

// A difference between two iterations, unified or side by side, with a way from change to change.
class DiffView : public QWidget
{
    Q_OBJECT

public:
    explicit DiffView(QWidget *parent = nullptr);

    void showWaiting(const QString &title);
    void showDiff(const QString &title, const Diff &diff);
    void showError(const QString &title, const QString &error);

    bool isSideBySide() const;
    void setSideBySide(bool on);
    void nextChange();
    void previousChange();
    DiffPane *unified() const { return m_unified; }
    DiffPane *left() const { return m_left; }
    DiffPane *right() const { return m_right; }
    QString note() const; // what stands in the place of a difference; empty when one is shown

private:
    void buildControls();
    void buildLayout();
    void showNote(const QString &text);
    void goToChange(int step);
    void linkScrolling();

    QLabel *m_title;
    QLabel *m_note;
    QToolButton *m_mode;
    QToolButton *m_next;
    QToolButton *m_previous;
    QWidget *m_sides;
    DiffPane *m_unified;
    DiffPane *m_left;
    DiffPane *m_right;
    QStackedLayout *m_stack = nullptr;
    int m_change = -1;
    bool m_hasDiff = false;
};

} // namespace ako
