// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "git/diff.h"

#include <QWidget>

class QToolButton;

namespace ako {

class DiffView;
class IterationSelection;
class RunStore;
class SideChooser;

// Which two iterations are compared: the chosen one with its parent, the champion or any other, or any two. Follows
// the selection, names both sides above the difference and lets either be changed there.
class DiffSubject : public QWidget
{
    Q_OBJECT

public:
    DiffSubject(const RunStore &store, IterationSelection &selection, DiffView &view);

    void against(int side);         // the selected iteration with a SideChooser::Special or a number
    void between(int from, int to); // numbers; -1: solution/ as it is now
    void showDiff(quint64 token, const ako::Diff &diff, const QString &error);
    void refresh();          // when it is looked at: asks for what is not shown yet
    void forget();           // another workspace
    void openBeforeChoice(); // "compare with …"
    SideChooser *before() const { return m_before; }
    SideChooser *after() const { return m_after; }

Q_SIGNALS:
    void requested(int from, int to, quint64 token, bool wholeFiles);
    void titleChanged(const QString &title); // "10 → 12"

private:
    int fromNumber() const;
    int toNumber() const;
    void swap();
    void update();
    void ask(int from, int to);
    QString nameOfSide(int number) const;
    QString textOfSide(int number) const;

    const RunStore &m_store;
    IterationSelection &m_selection;
    DiffView &m_view;
    SideChooser *m_before;
    SideChooser *m_after;
    QToolButton *m_swap;
    int m_against;
    bool m_toPresent = false; // else the selected iteration
    bool m_isPair = false;    // chosen by hand, until another iteration is selected
    bool m_isChoosing = false;
    bool m_stale = true;
    int m_shownFrom = 0;
    int m_shownTo = 0;
    quint64 m_token = 0;
};

} // namespace ako
