// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/windowactions.h"

#include "history/runstore.h"
#include "models/iterationselection.h"
#include "style/icons.h"
#include "window/editactions.h"

#include <QAction>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>

namespace ako {

namespace {

void setTip(QAction *action, const QString &tip)
{
    const QString keys = action->shortcut().toString(QKeySequence::NativeText);
    action->setToolTip(keys.isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, keys));
    action->setStatusTip(tip);
}

} // namespace

WindowActions::WindowActions(const RunStore &store, const IterationSelection &selection, QMainWindow *window)
    : QObject(window)
    , recent(new QMenu(tr("Open &recent"), window))
    , m_store(store)
    , m_selection(selection)
    , m_window(window)
    , m_edit(new EditActions(window))
{
    makeFileActions();
    makeRunActions();
    makeIterationActions();
    for (const auto signal : {&RunStore::phaseChanged, &RunStore::pausingChanged, &RunStore::planChanged,
                              &RunStore::recordsReset, &RunStore::workspaceChanged})
        connect(&store, signal, this, &WindowActions::update);
    connect(&store, &RunStore::championChanged, this, &WindowActions::update);
    connect(&store, &RunStore::recordInserted, this, &WindowActions::update);
    connect(&selection, &IterationSelection::changed, this, &WindowActions::update);
    update();
}

QAction *WindowActions::make(const QString &text, const QString &iconName, const QKeySequence &shortcut,
                             const QString &tip)
{
    auto *action = new QAction(icon(iconName), text, this);
    action->setShortcut(shortcut);
    setTip(action, tip);
    m_window->addAction(action);
    return action;
}

void WindowActions::makeFileActions()
{
    open = make(tr("&Open …"), QStringLiteral("open"), QKeySequence::Open, tr("Open a folder with a kernel"));
    openBeside =
        make(tr("Open in another &window …"), QStringLiteral("open"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O),
             tr("Open a folder in a window of its own; what runs here goes on"));
    reload = make(tr("Re&load plan"), QStringLiteral("reload"), QKeySequence(Qt::CTRL | Qt::Key_R),
                  tr("Read the workspace again: problem, kernel, reference and hints as they are on disk now"));
    save = make(tr("&Save"), QStringLiteral("save"), QKeySequence::Save, tr("Save what was edited"));
    exportReport = make(tr("Export r&eport …"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E),
                        tr("Write what came of the run as one HTML page"));
    exportPatch = make(tr("Export &patch …"), {}, {}, tr("Write the champion as a patch of the original kernel"));
    applyToSource = make(tr("&Apply to my source …"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A),
                         tr("Show what the champion changes in your own file, and write it there once you agree"));
    quit =
        make(tr("&Quit"), {}, QKeySequence(Qt::CTRL | Qt::Key_Q), tr("Close the window; during a run it is asked how"));
    find = make(tr("&Find …"), QStringLiteral("find"), QKeySequence::Find, tr("Find and replace in this file"));
    goToLine = make(tr("&Go to line …"), {}, QKeySequence(Qt::CTRL | Qt::Key_G), tr("Go to a line of this file"));
    doctor = make(tr("&Doctor …"), QStringLiteral("machine"), {},
                  tr("What this machine has and lacks: compiler, git, sandbox, agents, each lack with its remedy"));
    settings = make(tr("&Settings …"), {}, QKeySequence(Qt::CTRL | Qt::Key_Comma), tr("What is kept across sessions"));
    shortcuts = make(tr("&Keyboard shortcuts"), {}, QKeySequence(Qt::Key_F1), tr("Every action with its keys"));
    copyPlan = make(tr("Copy plan as te&xt"), QStringLiteral("copy"), {}, tr("Copy the resolved plan as text"));
}

void WindowActions::makeRunActions()
{
    run = make(tr("&Run"), QStringLiteral("run"), QKeySequence(Qt::Key_F5), tr("Run until a stop rule applies"));
    pause = make(tr("&Pause"), QStringLiteral("pause"), QKeySequence(Qt::Key_F6),
                 tr("Pause when the iteration under way is recorded"));
    step = make(tr("S&tep"), QStringLiteral("step"), QKeySequence(Qt::Key_F10), tr("Run one iteration"));
    stop = make(tr("&Stop"), QStringLiteral("stop"), QKeySequence(Qt::SHIFT | Qt::Key_F5),
                tr("Stop now; the iteration under way is completed as failed or discarded"));
    harness = make(tr("What has c&hanged …"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_H),
                   tr("Show what has changed of what the measurement depends on, to put it back or approve it"));
    benchEdit = make(tr("&Bench my edit …"), QStringLiteral("bench"), QKeySequence(Qt::CTRL | Qt::Key_B),
                     tr("Bench, log and commit your own edit of solution/ as the next iteration"));
    finish = make(tr("&Finish"), QStringLiteral("finish"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F),
                  tr("Restore the best iteration, verify it against the baseline and commit it as final"));
}

void WindowActions::makeIterationActions()
{
    // As in the timeline, whose newest is at the top.
    newer = make(tr("&Newer"), QStringLiteral("up"), QKeySequence(Qt::ALT | Qt::Key_Up),
                 tr("Choose the iteration after this one, which is above it in the timeline"));
    older = make(tr("O&lder"), QStringLiteral("down"), QKeySequence(Qt::ALT | Qt::Key_Down),
                 tr("Choose the iteration before this one, which is below it in the timeline"));
    diffParent = make(tr("What it &changed"), QStringLiteral("diff"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D),
                      tr("Difference from the iteration it started from"));
    diffChampion = make(tr("&Difference from the champion"), QStringLiteral("side-by-side"),
                        QKeySequence(Qt::CTRL | Qt::Key_D), tr("Difference between the champion and this iteration"));
    diffBaseline = make(tr("Difference from the &baseline"), QStringLiteral("diff"),
                        QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_D), tr("All that changed since the original kernel"));
    compareWith = make(tr("Compare &with …"), QStringLiteral("swap"), QKeySequence(Qt::CTRL | Qt::Key_E),
                       tr("Choose any other iteration to compare this one with; in the timeline, Ctrl+click a second "
                          "one"));
    openOld = make(tr("Open in the &editor"), QStringLiteral("source"), QKeySequence(Qt::CTRL | Qt::Key_Return),
                   tr("The file that is looked at, as this iteration left it; read-only, its text can be copied"));
    restore = make(tr("Re&store"), QStringLiteral("restore"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_R),
                   tr("Make solution/ as this iteration left it, benched as the next iteration"));
    revert = make(tr("Re&vert"), QStringLiteral("revert"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Z),
                  tr("Undo only what this iteration changed and keep later changes, benched as the next iteration"));
    continueFrom = make(tr("C&ontinue from here"), QStringLiteral("continue"), {},
                        tr("Let the next iteration start from this one"));
    measureAgain = make(tr("Meas&ure again against the champion"), QStringLiteral("bench"),
                        QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_M),
                        tr("A fresh verdict side by side with the champion, as the next iteration; solution/ is then "
                           "as this iteration left it"));
    measureBaseline =
        make(tr("Measure a&gainst the baseline"), QStringLiteral("bench"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_B),
             tr("A fresh verdict side by side with the original kernel, as the next iteration; solution/ "
                "is then as this iteration left it"));
    copyCommit = make(tr("Copy co&mmit"), QStringLiteral("copy"), {}, tr("Copy the commit's full name"));
}

void WindowActions::setDirty(bool dirty)
{
    m_dirty = dirty;
    update();
}

// Between the wish and the end of the iteration Run takes it back.
void WindowActions::tellPause()
{
    const bool isPausing = m_store.isPausing();
    pause->setText(isPausing ? tr("&Pausing …") : tr("&Pause"));
    run->setText(isPausing ? tr("&Resume") : tr("&Run"));
    setTip(run,
           isPausing ? tr("Take the pause back: go on after this iteration") : tr("Run until a stop rule applies"));
}

void WindowActions::update()
{
    const bool busy = m_store.isBusy();
    const bool opened = !m_store.workspace().isEmpty();
    const Phase phase = m_store.phase().phase;
    const bool idle = m_store.isApproved() && !busy && (m_store.canRun() || phase == Phase::Finished);
    const bool underWay = busy && phase != Phase::Inventory;
    const IterationRecord *chosen = m_selection.record();
    const bool iteration = chosen != nullptr && chosen->kind == IterationRecord::Kind::Iteration;

    save->setEnabled(m_dirty);
    copyPlan->setEnabled(opened);
    for (QAction *action : {exportReport, exportPatch})
        action->setEnabled(!m_store.records().isEmpty());
    applyToSource->setEnabled(!m_store.records().isEmpty() && !busy);
    reload->setEnabled(phase == Phase::AwaitingAnswers || phase == Phase::AwaitingApproval);
    tellPause();
    run->setEnabled(idle || m_store.isPausing());
    step->setEnabled(idle);
    pause->setEnabled(underWay && phase != Phase::Finishing && !m_store.isPausing());
    stop->setEnabled(underWay);
    benchEdit->setEnabled(idle);
    harness->setEnabled(!busy && !m_store.records().isEmpty());
    finish->setEnabled(idle && !m_store.records().isEmpty());
    older->setEnabled(!m_store.records().isEmpty());
    newer->setEnabled(!m_store.records().isEmpty());
    const bool hasParent = chosen != nullptr && chosen->kind != IterationRecord::Kind::Baseline;
    diffParent->setEnabled(hasParent);
    diffBaseline->setEnabled(hasParent);
    compareWith->setEnabled(m_store.records().size() > 1);
    diffChampion->setEnabled(chosen != nullptr && m_store.champion() >= 0);
    openOld->setEnabled(chosen != nullptr && !chosen->commit.isEmpty());
    restore->setEnabled(idle && chosen != nullptr);
    revert->setEnabled(idle && iteration);
    continueFrom->setEnabled(idle && chosen != nullptr);
    measureAgain->setEnabled(idle && chosen != nullptr);
    measureBaseline->setEnabled(idle && hasParent);
    copyCommit->setEnabled(chosen != nullptr && !chosen->commit.isEmpty());
}

QList<QAction *> WindowActions::iterationActions() const
{
    return {diffParent, diffChampion, diffBaseline, compareWith,     openOld, nullptr,   restore,
            revert,     continueFrom, measureAgain, measureBaseline, nullptr, copyCommit};
}

void WindowActions::fillMenus(QMainWindow *window)
{
    QMenu *file = window->menuBar()->addMenu(tr("&File"));
    file->addActions({open, openBeside});
    file->addMenu(recent);
    file->addAction(reload);
    file->addAction(save);
    file->addSeparator();
    file->addActions({exportReport, exportPatch, applyToSource});
    file->addSeparator();
    file->addAction(quit);
    QMenu *edit = window->menuBar()->addMenu(tr("&Edit"));
    m_edit->addTo(edit);
    edit->addActions({find, goToLine, copyPlan});
    edit->addSeparator();
    edit->addAction(settings);
    QMenu *loop = window->menuBar()->addMenu(tr("&Run"));
    loop->addActions({run, pause, step, stop});
    loop->addSeparator();
    loop->addActions({benchEdit, finish});
    loop->addSeparator();
    loop->addAction(harness);
    QMenu *iteration = window->menuBar()->addMenu(tr("&Iteration"));
    iteration->addActions({newer, older});
    iteration->addSeparator();
    for (QAction *action : iterationActions()) {
        if (action != nullptr)
            iteration->addAction(action);
        else
            iteration->addSeparator();
    }
}

QToolBar *WindowActions::makeToolBar(QMainWindow *window)
{
    QToolBar *bar = window->addToolBar(tr("Run"));
    bar->setObjectName(QStringLiteral("runToolBar"));
    bar->setMovable(false);
    bar->setIconSize(QSize(16, 16));
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->addActions({run, pause, step, stop});
    bar->addSeparator();
    bar->addActions({revert, restore});
    bar->addSeparator();
    bar->addActions({benchEdit, finish});
    return bar;
}

} // namespace ako
