// SPDX-License-Identifier: GPL-3.0-or-later
// Who tells whom: actions and widgets up to the window's signals, the store's facts down to the widgets.
#include "diff/sidechooser.h"
#include "editor/findbar.h"
#include "editor/markdownview.h"
#include "editor/sourceeditor.h"
#include "history/runstore.h"
#include "models/phasetext.h"
#include "models/sourceplaces.h"
#include "window/mainwindowprivate.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QListView>
#include <QMenu>

namespace ako {

void MainWindow::Private::connectRun()
{
    const auto pass = [this](QAction *action, void (MainWindow::*signal)()) {
        connect(action, &QAction::triggered, &window, signal);
    };
    connect(actions->run, &QAction::triggered, &window,
            [this] { withSavedEdits([this] { Q_EMIT window.runRequested(); }); });
    connect(actions->step, &QAction::triggered, &window,
            [this] { withSavedEdits([this] { Q_EMIT window.stepRequested(); }); });
    pass(actions->pause, &MainWindow::pauseRequested);
    pass(actions->stop, &MainWindow::stopRequested);
    connect(actions->finish, &QAction::triggered, &window,
            [this] { withSavedEdits([this] { Q_EMIT window.finishRequested(); }); });
    connect(actions->harness, &QAction::triggered, &window, [this] {
        isPuttingBack = false;
        Q_EMIT window.harnessRequested(false, ++harnessToken);
    });
    connect(actions->benchEdit, &QAction::triggered, benchBar, &BenchEditBar::open);
    connect(benchBar, &BenchEditBar::benchRequested, &window,
            [this](const QString &title, const QString &hypothesis) { benchEdit(title, hypothesis); });
    connect(plan, &PlanPanel::fieldEdited, &window, &MainWindow::planFieldEdited);
    connect(plan, &PlanPanel::approveRequested, &window, [this] { approve(); });
    connect(agent, &AgentChooser::agentChosen, &window,
            [this](const QString &chosen) { Q_EMIT window.planFieldEdited(QLatin1String(planKey::agent), chosen); });
    connect(tabs, &EditorTabs::hintsEdited, &window,
            [this](const QString &text) { Q_EMIT window.planFieldEdited(QLatin1String(planKey::hintsText), text); });
    pass(actions->reload, &MainWindow::reloadRequested);
    plan->setReloadAction(actions->reload);
    connect(actions->copyPlan, &QAction::triggered, plan, &PlanPanel::copyAsText);
}

void MainWindow::Private::connectIterations()
{
    connect(actions->older, &QAction::triggered, selection, [this] { selection->selectNext(-1); });
    connect(actions->newer, &QAction::triggered, selection, [this] { selection->selectNext(1); });
    connect(actions->diffParent, &QAction::triggered, &window, [this] { compare(SideChooser::Parent); });
    connect(actions->diffChampion, &QAction::triggered, &window, [this] { compare(SideChooser::Champion); });
    connect(actions->diffBaseline, &QAction::triggered, &window, [this] { compare(0); });
    connect(actions->compareWith, &QAction::triggered, &window, [this] {
        tabs->showDiff();
        subject->openBeforeChoice();
    });
    connect(actions->openOld, &QAction::triggered, &window, [this] { openChosen(); });
    connect(timeline->list(), &QAbstractItemView::doubleClicked, &window, [this] { openChosen(); });
    connect(timeline, &TimelineView::twoChosen, &window, [this](int older, int newer) { compareRows(older, newer); });
    connect(subject, &DiffSubject::requested, &window, &MainWindow::diffRequested);
    connect(subject, &DiffSubject::titleChanged, tabs, &EditorTabs::setDiffTitle);
    const auto pass = [this](QAction *action, void (MainWindow::*signal)(int)) {
        connect(action, &QAction::triggered, &window, [this, signal] {
            if (const IterationRecord *record = selection->record())
                withSavedEdits([this, signal, number = record->number] { Q_EMIT(window.*signal)(number); });
        });
    };
    pass(actions->restore, &MainWindow::restoreRequested);
    pass(actions->revert, &MainWindow::revertRequested);
    pass(actions->continueFrom, &MainWindow::continueFromRequested);
    const auto measure = [this](int iteration, bool againstBaseline) {
        withSavedEdits(
            [this, iteration, againstBaseline] { Q_EMIT window.measureAgainRequested(iteration, againstBaseline); });
    };
    for (const bool againstBaseline : {false, true}) {
        connect(againstBaseline ? actions->measureBaseline : actions->measureAgain, &QAction::triggered, &window,
                [this, measure, againstBaseline] {
                    if (const IterationRecord *record = selection->record())
                        measure(record->number, againstBaseline);
                });
    }
    connect(output, &OutputPanel::placeChosen, tabs, &EditorTabs::goTo);
    connect(tabs->diff(), &DiffView::changeTaken, tabs,
            [this](const QString &path, const QString &before, const QString &after) {
                if (const QString problem = tabs->takeChange(path, before, after); !problem.isEmpty())
                    messages->done(problem);
            });
    connect(output, &OutputPanel::measureRequested, &window, [measure](int number) { measure(number, false); });
    connect(messages, &WindowMessages::measureWanted, &window, [measure](int number) { measure(number, false); });
    connect(output, &OutputPanel::numbersRequested, &window, &MainWindow::numbersRequested);
    connect(output, &OutputPanel::noteGiven, &window, &MainWindow::noteGiven);
    connect(output, &OutputPanel::quarantineDecided, &window, &MainWindow::quarantineDecided);
    connect(actions->copyCommit, &QAction::triggered, &window, [this] {
        if (const IterationRecord *record = selection->record())
            QApplication::clipboard()->setText(record->commit);
    });
    connect(output, &OutputPanel::benchOutputRequested, &window, &MainWindow::benchOutputRequested);
    connect(output, &OutputPanel::transcriptRequested, &window, &MainWindow::transcriptRequested);
    connect(tabs->log(), &MarkdownView::iterationChosen, selection, &IterationSelection::selectIteration);
    connect(selection, &IterationSelection::changed, tabs->log(), [this] {
        const IterationRecord *record = selection->record();
        tabs->log()->showIteration(record != nullptr ? record->number : -1);
    });
    connect(tabs, &QTabWidget::currentChanged, subject, [this] {
        if (tabs->currentWidget() == tabs->diff())
            subject->refresh();
    });
}

void MainWindow::Private::connectEditing()
{
    const auto openHere = [this] { chooseFolder([this](const QString &path) { window.openWorkspace(path); }); };
    connect(actions->open, &QAction::triggered, &window, openHere);
    connect(actions->openBeside, &QAction::triggered, &window,
            [this] { chooseFolder([this](const QString &path) { Q_EMIT window.windowRequested(path); }); });
    connect(actions->quit, &QAction::triggered, &window, &QWidget::close);
    connect(actions->save, &QAction::triggered, tabs, &EditorTabs::saveAll);
    connect(tabs, &EditorTabs::dirtyChanged, actions, [this] {
        actions->setDirty(tabs->isDirty());
        messages->setDirty(tabs->isDirty());
    });
    connect(actions->find, &QAction::triggered, tabs, [this] {
        if (SourceEditor *source = tabs->currentSource())
            source->findBar()->open();
    });
    connect(actions->goToLine, &QAction::triggered, tabs, [this] {
        if (SourceEditor *source = tabs->currentSource())
            source->askForLine();
    });
    connect(actions->exportReport, &QAction::triggered, outcome, &OutcomeExport::chooseReport);
    connect(actions->exportPatch, &QAction::triggered, outcome, &OutcomeExport::choosePatch);
    connect(actions->applyToSource, &QAction::triggered, outcome, &OutcomeExport::lookAtSource);
    connect(outcome, &OutcomeExport::reportRequested, &window, &MainWindow::reportRequested);
    connect(outcome, &OutcomeExport::sourceChangeRequested, &window, &MainWindow::sourceChangeRequested);
    connect(chart, &SpeedupChart::exported, outcome, [this](const QString &path, const QString &error) {
        if (error.isEmpty())
            Q_EMIT outcome->done(tr("Written: %1").arg(path));
        else
            Q_EMIT outcome->failed(error);
    });
    connect(outcome, &OutcomeExport::done, &window, [this](const QString &text) {
        messages->done(text);
        output->log()->add(Severity::Info, text);
    });
    connect(outcome, &OutcomeExport::failed, &window, [this](const QString &text) { window.showProblem(text); });
    connect(start, &StartPage::openRequested, &window, openHere);
    connect(start, &StartPage::workspaceChosen, &window, [this](const QString &path) { window.openWorkspace(path); });
    connect(start, &StartPage::exampleChosen, &window, &MainWindow::exampleRequested);
    connect(actions->recent, &QMenu::aboutToShow, &window, [this] { fillRecent(); });
}

void MainWindow::Private::connectStore()
{
    connect(&store, &RunStore::workspaceChanged, &window, [this] { workspaceChanged(); });
    connect(&store, &RunStore::planChanged, &window, [this] { planChanged(); });
    connect(&store, &RunStore::stopped, &window, [this](const event::RunStopped &why) { stopped(why); });
    connect(&store, &RunStore::recovered, &window, [this](const event::Recovered &recovered) {
        output->log()->add(Severity::Info, recoveredText(recovered));
        isTakingEdit = false;
        if (!recovered.kept.isEmpty())
            Q_EMIT window.keptEditRequested(false, ++keptEditToken);
    });
    connect(questions, &PermissionQuestions::answered, &window, &MainWindow::permissionAnswered);
    connect(&store, &RunStore::questionSettled, &window,
            [this](const PermissionQuestion &question, const QString &settlement) {
                output->log()->add(Severity::Info, QStringLiteral("%1 (%2)").arg(sentence(question), settlement));
            });
    connect(messages, &WindowMessages::openAgainWanted, &window, [this] { window.openWorkspace(opening); });
    connect(messages, &WindowMessages::answerWanted, plan, [this] {
        layout->showDock(QStringLiteral("plan"));
        plan->goToOpenRow();
    });
    connect(&store, &RunStore::phaseChanged, &window, [this] {
        machine->setMeasuring(store.isBusy());
        updateTitle();
        if (closing && !store.isBusy())
            window.close();
    });
    connect(&store, &RunStore::recordsReset, selection, [this] {
        if (selection->record() == nullptr && store.champion() >= 0)
            selection->selectIteration(store.champion());
    });
    // Whoever looks at the newest iteration goes on looking at the newest.
    connect(&store, &RunStore::recordInserted, selection, [this](int row) {
        if (selection->row() < 0 || selection->row() == row - 1)
            selection->selectRow(row);
    });
}

} // namespace ako
