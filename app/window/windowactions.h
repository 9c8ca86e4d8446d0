// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>

class QAction;
class QMainWindow;
class QMenu;
class QToolBar;

namespace ako {

class EditActions;
class IterationSelection;
class RunStore;

// Every action of the window, made once, with its shortcut and the rule for when it can be used.
class WindowActions : public QObject
{
    Q_OBJECT

public:
    WindowActions(const RunStore &store, const IterationSelection &selection, QMainWindow *window);

    QAction *open, *openBeside, *reload, *save, *quit;
    QAction *exportReport, *exportPatch, *applyToSource;
    QAction *find, *goToLine, *copyPlan, *doctor, *settings, *shortcuts;
    QAction *run, *pause, *step, *stop, *finish, *benchEdit, *harness;
    QAction *newer, *older, *diffParent, *diffChampion, *diffBaseline, *compareWith;
    QAction *openOld;
    QAction *restore, *revert, *continueFrom, *copyCommit;
    QAction *measureAgain, *measureBaseline;
    QMenu *recent;

    void fillMenus(QMainWindow *window);
    QToolBar *makeToolBar(QMainWindow *window);
    QList<QAction *> iterationActions() const; // with nulls as separators
    void setDirty(bool dirty);

private:
    QAction *make(const QString &text, const QString &iconName, const QKeySequence &shortcut, const QString &tip);
    void makeFileActions();
    void makeRunActions();
    void makeIterationActions();
    void update();
    void tellPause();

    const RunStore &m_store;
    const IterationSelection &m_selection;
    QMainWindow *m_window;
    EditActions *m_edit;
    bool m_dirty = false;
};

} // namespace ako
