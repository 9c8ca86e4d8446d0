// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "git/diff.h"

#include <QWidget>

class QHBoxLayout;
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

    void setHeader(QWidget *header); // what is compared; stands to the left of the buttons
    void setSideNames(const QString &before, const QString &after); // for assistive technology
    void showWaiting();
    void showDiff(const Diff &diff);
    void showNote(const QString &text); // in the place of a difference

    bool showsWholeFiles() const;
    void takeChange(); // that which the cursor is in, or else the one gone to last
    bool isSideBySide() const;
    void setSideBySide(bool on);
    void nextChange();
    void previousChange();
    DiffPane *unified() const { return m_unified; }
    DiffPane *left() const { return m_left; }
    DiffPane *right() const { return m_right; }
    QString note() const; // what stands in the place of a difference; empty when one is shown

Q_SIGNALS:
    void wholeFilesWanted(bool whole);
    void changeTaken(const QString &path, const QString &before, const QString &after);

private:
    void buildControls();
    void buildLayout();
    void goToChange(int step);
    void linkScrolling();

    QHBoxLayout *m_top;
    QLabel *m_note;
    QToolButton *m_mode;
    QToolButton *m_next;
    QToolButton *m_previous;
    QToolButton *m_whole;
    QToolButton *m_take;
    QWidget *m_sides;
    DiffPane *m_unified;
    DiffPane *m_left;
    DiffPane *m_right;
    QStackedLayout *m_stack = nullptr;
    Diff m_diff;
    int m_change = -1;
    bool m_hasDiff = false;
};

} // namespace ako
