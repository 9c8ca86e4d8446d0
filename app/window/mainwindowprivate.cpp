// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/mainwindowprivate.h"

#include "diff/sidechooser.h"
#include "editor/findbar.h"
#include "editor/markdownview.h"
#include "editor/sourceeditor.h"
#include "hints/hintseditor.h"
#include "history/runstore.h"
#include "models/phasetext.h"
#include "plan/identitydialog.h"
#include "style/icons.h"
#include "style/messagebar.h"
#include "style/status.h"
#include "timeline/underwaybar.h"
#include "transcript/detailsview.h"
#include "window/desktopnotice.h"
#include "window/harnessdialog.h"
#include "window/recentworkspaces.h"
#include "window/recoverydialog.h"
#include "window/settings.h"
#include "window/settingsdialog.h"
#include "window/shortcutsdialog.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QListView>
#include <QMenuBar>
#include <QShortcut>
#include <QToolBar>
#include <QVBoxLayout>

namespace ako {

namespace {

QString lastWorkspaceKey()
{
    return QStringLiteral("lastWorkspace");
}

QString appearanceKey()
{
    return QStringLiteral("appearance");
}

QString compactKey()
{
    return QStringLiteral("timeline/compact");
}

QKeySequence panelKey(int number)
{
    return QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_0 + number));
}

} // namespace

void MainWindow::Private::build()
{
    setAppearance(Appearance(settings::value(appearanceKey(), int(Appearance::System)).toInt()));
    model = new IterationModel(store, &window);
    selection = new IterationSelection(store, &window);
    actions = new WindowActions(store, *selection, &window);
    layout = new WindowLayout(&window);
    window.setWindowIcon(applicationIcon());
    window.setMinimumSize(800, 500);
    buildCentre();
    buildDocks();
    outcome = new OutcomeExport(&window);
    new DesktopNotices(store, &window);
    buildMenus();
    connectRun();
    connectIterations();
    connectEditing();
    connectStore();
    layout->restoreGeometry();
    fillRecent();
    updateTitle();
}

void MainWindow::Private::buildCentre()
{
    auto *content = new QWidget(&window);
    auto *bar = new MessageBar(content);
    messages = new WindowMessages(store, *bar, &window);
    auto *questionBar = new MessageBar(content);
    questions = new PermissionQuestions(store, *questionBar, &window);
    benchBar = new BenchEditBar(content);
    centre = new QStackedWidget(content);
    start = new StartPage(centre);
    tabs = new EditorTabs(store, centre);
    subject = new DiffSubject(store, *selection, *tabs->diff());
    centre->addWidget(start);
    centre->addWidget(tabs);
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(benchBar);
    column->addWidget(centre, 1);
    column->addWidget(questionBar); // below, as what comes by itself must not move what somebody is about to click
    column->addWidget(bar);
    window.setCentralWidget(content);
}

void MainWindow::Private::buildDocks()
{
    plan = new PlanPanel(store, &window);
    machine = new MachineStrip(&window);
    chart = new SpeedupChart(store, *selection, &window);
    timeline = new TimelineView(*model, *selection, &window);
    output = new OutputPanel(store, *selection, &window);
    chart->setFocusProxy(chart->findChild<QWidget *>(QStringLiteral("plot")));
    timeline->setFocusProxy(timeline->list());
    output->setFocusProxy(output->details());
    const auto add = [this](const char *name, const QString &title, QWidget *content, Qt::DockWidgetArea area,
                            const QList<QKeySequence> &keys) {
        const QString id = QLatin1String(name);
        layout->addDock(id, title, id, content, area, keys);
    };
    const QKeySequence planKey(Qt::CTRL | Qt::Key_P);
    add("plan", tr("Plan"), plan, Qt::LeftDockWidgetArea, {planKey, panelKey(2)});
    add("machine", tr("Machine"), machine, Qt::LeftDockWidgetArea, {panelKey(3)});
    add("chart", tr("Speedup"), chart, Qt::RightDockWidgetArea, {panelKey(4)});
    add("timeline", tr("Timeline"), timeline, Qt::RightDockWidgetArea, {panelKey(5)});
    add("output", tr("Output"), output, Qt::BottomDockWidgetArea, {panelKey(6)});
    reference = new SourceEditor(&window);
    layout->addDock(QStringLiteral("reference"), tr("Reference"), QStringLiteral("source"), reference,
                    Qt::RightDockWidgetArea, {panelKey(7)});
    timeline->setIterationActions(actions->iterationActions());
    timeline->setHeader(new UnderWayBar(store, timeline));
    timeline->setCompact(settings::value(compactKey(), false).toBool());
    connect(timeline, &TimelineView::compactChanged, &window,
            [](bool compact) { settings::setValue(compactKey(), compact); });
}

void MainWindow::Private::buildMenus()
{
    actions->fillMenus(&window);
    QMenu *view = window.menuBar()->addMenu(tr("&View"));
    QAction *source = view->addAction(icon(QStringLiteral("source")), tr("Source"));
    source->setShortcut(panelKey(1));
    connect(source, &QAction::triggered, tabs, [this] {
        tabs->showSource();
        tabs->currentWidget()->setFocus(Qt::ShortcutFocusReason);
    });
    layout->fillMenu(view);
    window.menuBar()->addMenu(tr("&Help"))->addActions({actions->shortcuts, actions->doctor});
    connect(actions->doctor, &QAction::triggered, &window, [this] { showDoctor(); });
    connect(actions->shortcuts, &QAction::triggered, &window, [this] { open(new ShortcutsDialog(window, &window)); });
    connect(actions->settings, &QAction::triggered, &window, [this] {
        auto *dialog = new SettingsDialog(&window);
        connect(dialog, &SettingsDialog::appearanceChosen, &window, [this](Appearance look) { setAppearance(look); });
        open(dialog);
    });
    QToolBar *tools = actions->makeToolBar(&window);
    agent = new AgentChooser(store, tools);
    tools->addSeparator();
    tools->addWidget(agent);
    status = new StatusStrip(store, tools);
    status->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    tools->addSeparator();
    tools->addWidget(status);
}

void MainWindow::Private::chooseFolder(const std::function<void(const QString &path)> &then)
{
    auto *dialog = new QFileDialog(&window, tr("Open a folder with a kernel"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    if (!window.lastWorkspace().isEmpty())
        dialog->setDirectory(QDir(window.lastWorkspace() + QStringLiteral("/..")));
    connect(dialog, &QFileDialog::fileSelected, &window, then);
    dialog->open();
}

void MainWindow::Private::fillRecent()
{
    const QStringList paths = recentWorkspaces::list();
    start->setRecent(paths);
    actions->recent->clear();
    actions->recent->setEnabled(!paths.isEmpty());
    for (const QString &path : paths)
        connect(actions->recent->addAction(path), &QAction::triggered, &window,
                [this, path] { window.openWorkspace(path); });
}

void MainWindow::Private::workspaceChanged()
{
    const QString path = store.workspace();
    const bool opened = !path.isEmpty();
    selection->selectRow(-1);
    subject->forget();
    if (opened) {
        recentWorkspaces::add(path);
        settings::setValue(lastWorkspaceKey(), path);
        fillRecent();
    }
    centre->setCurrentWidget(opened ? static_cast<QWidget *>(tabs) : static_cast<QWidget *>(start));
    layout->setDocksShown(opened);
    updateTitle();
}

void MainWindow::Private::planChanged()
{
    using Mode = WindowLayout::Mode;
    updateTitle();
    tabs->hints()->setPlanCap(store.plan().iterationCap);
    showReference();
    if (store.plan().fields.isEmpty())
        return;
    if (store.isApproved() && layout->mode() == Mode::SettingUp)
        layout->setMode(Mode::Running);
    else if (!store.isApproved() && layout->mode() != Mode::SettingUp)
        layout->setMode(Mode::SettingUp);
}

void MainWindow::Private::showReference()
{
    const QString file = store.plan().referenceFile;
    const QString path = file.isEmpty() ? QString() : QDir(store.workspace()).filePath(file);
    if (path != reference->path() && !path.isEmpty())
        reference->load(path);
    reference->setLocked(true, file.isEmpty()
                                   ? tr("There is no reference of its own: answers are compared with those of the "
                                        "original kernel.")
                                   : tr("%1: what answers are compared with. It is changed outside of a run only, and "
                                        "the plan then has to be approved again.")
                                         .arg(file));
}

void MainWindow::Private::showHarness(const HarnessChange &change)
{
    auto *dialog = new HarnessDialog(change, &window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &HarnessDialog::restoreRequested, &window, [this] {
        isPuttingBack = true;
        Q_EMIT window.harnessRequested(true, ++harnessToken);
    });
    QObject::connect(dialog, &HarnessDialog::approveRequested, &window, [this] { approve(); });
    dialog->open();
}

void MainWindow::Private::showKeptEdit(const KeptEdit &edit)
{
    if (asksNothing)
        return;
    auto *dialog = new RecoveryDialog(edit, actions->run->isEnabled(), &window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &RecoveryDialog::takeRequested, &window, [this] {
        withSavedEdits([this] {
            isTakingEdit = true;
            Q_EMIT window.keptEditRequested(true, ++keptEditToken);
        });
    });
    connect(dialog, &RecoveryDialog::measureRequested, actions->step, &QAction::trigger);
    connect(dialog, &RecoveryDialog::runRequested, actions->run, &QAction::trigger);
    connect(dialog, &RecoveryDialog::lookRequested, tabs, &EditorTabs::showSource);
    dialog->open();
}

// HINTS.md as it stands in the editor belongs to what is approved.
void MainWindow::Private::approve()
{
    SourceEditor *hints = tabs->hints()->editor();
    if (hints->isDirty() && !hints->save()) {
        tabs->setCurrentWidget(tabs->hints());
        return;
    }
    if (store.plan().identityMissing)
        askWhoCommits();
    else
        Q_EMIT window.approveRequested();
}

void MainWindow::Private::askWhoCommits()
{
    auto *dialog = new IdentityDialog(&window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, &window, [this, dialog] {
        Q_EMIT window.identityGiven(dialog->name(), dialog->email());
        Q_EMIT window.approveRequested();
    });
    dialog->open();
}

// Beside the window, which can be used meanwhile.
void MainWindow::Private::open(QDialog *dialog)
{
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

void MainWindow::Private::showDoctor()
{
    if (doctor == nullptr) {
        doctor = new DoctorDialog(&window);
        connect(doctor, &DoctorDialog::lookRequested, &window,
                [this] { Q_EMIT window.environmentRequested(store.workspace()); });
    }
    doctor->show();
    doctor->raise();
    doctor->look();
}

void MainWindow::Private::lookAgain()
{
    const ResolvedPlan &known = store.plan();
    if (!known.warnings.isEmpty() && !store.isApproved() && !store.isBusy())
        Q_EMIT window.planFieldEdited(QLatin1String(planKey::request), known.request);
}

void MainWindow::Private::stopped(const event::RunStopped &why)
{
    output->log()->add(severityOf(why), stoppedText(why));
    if (closing && !store.isBusy())
        window.close();
}

void MainWindow::Private::updateTitle()
{
    QStringList parts;
    if (!store.workspace().isEmpty())
        parts << QDir(store.workspace()).dirName();
    if (!store.branch().isEmpty())
        parts << store.branch();
    parts << QStringLiteral("AKO4ALL");
    window.setWindowTitle(parts.join(QStringLiteral(" — ")));
}

void MainWindow::Private::setAppearance(Appearance appearance)
{
    const int before = settings::value(appearanceKey(), int(Appearance::System)).toInt();
    if (appearance != Appearance::System || before != int(Appearance::System))
        applyAppearance(appearance);
    if (before != int(appearance))
        settings::setValue(appearanceKey(), int(appearance));
}

void MainWindow::Private::compare(int against)
{
    subject->against(against);
    tabs->showDiff();
}

void MainWindow::Private::compareRows(int older, int newer)
{
    subject->between(store.records().at(older).number, store.records().at(newer).number);
    tabs->showDiff();
}

// The file that is looked at, as the chosen iteration left it.
void MainWindow::Private::openChosen()
{
    const IterationRecord *record = selection->record();
    filePath = tabs->relativePathOfSource();
    if (record == nullptr || filePath.isEmpty())
        return;
    fileTitle = tr("%1 of %2").arg(QFileInfo(filePath).fileName(), longNameOf(*record));
    Q_EMIT window.fileRequested(record->number, filePath, ++fileToken);
}

void MainWindow::Private::benchEdit(const QString &title, const QString &hypothesis)
{
    if (tabs->saveAll())
        Q_EMIT window.benchEditRequested(title, hypothesis, {});
}

// What the loop does next rewrites solution/: edits that are not saved would be lost or would lose it.
void MainWindow::Private::withSavedEdits(const std::function<void()> &then)
{
    if (tabs->isDirty())
        offerToSave(then);
    else
        then();
}

void MainWindow::Private::offerToSave(const std::function<void()> &then)
{
    const auto save = [this, then] {
        if (tabs->saveAll())
            then();
    };
    messages->unsaved(save, [this, then] {
        tabs->discardEdits();
        then();
    });
}

} // namespace ako
