// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chart/speedupchart.h"
#include "diff/diffsubject.h"
#include "diff/diffview.h"
#include "doctor/doctordialog.h"
#include "editor/bencheditbar.h"
#include "editor/editortabs.h"
#include "machine/machinestrip.h"
#include "models/iterationmodel.h"
#include "models/iterationselection.h"
#include "plan/planpanel.h"
#include "start/startpage.h"
#include "timeline/timelineview.h"
#include "transcript/noticelog.h"
#include "transcript/outputpanel.h"
#include "window/agentchooser.h"
#include "window/mainwindow.h"
#include "window/outcomeexport.h"
#include "window/permissionquestions.h"
#include "window/statusstrip.h"
#include "window/windowactions.h"
#include "window/windowlayout.h"
#include "window/windowmessages.h"

#include <QStackedWidget>

#include <functional>

namespace ako {

// What the window is made of. The parts belong to the window; this only names and connects them.
class MainWindow::Private
{
public:
    Private(MainWindow &owner, RunStore &facts)
        : window(owner)
        , store(facts)
    {
    }

    void build();
    void lookAgain(); // a person comes back, perhaps from mending what the plan warns of
    void offerToSave(const std::function<void()> &then);
    void showHarness(const HarnessChange &change); // in a dialog
    void showKeptEdit(const KeptEdit &edit);       // likewise

    MainWindow &window;
    RunStore &store;
    IterationModel *model = nullptr;
    IterationSelection *selection = nullptr;
    WindowActions *actions = nullptr;
    WindowLayout *layout = nullptr;
    WindowMessages *messages = nullptr;
    PermissionQuestions *questions = nullptr;
    BenchEditBar *benchBar = nullptr;
    QStackedWidget *centre = nullptr;
    StartPage *start = nullptr;
    EditorTabs *tabs = nullptr;
    DiffSubject *subject = nullptr;
    PlanPanel *plan = nullptr;
    MachineStrip *machine = nullptr;
    SpeedupChart *chart = nullptr;
    TimelineView *timeline = nullptr;
    OutputPanel *output = nullptr;
    SourceEditor *reference = nullptr; // read-only, beside the source
    AgentChooser *agent = nullptr;
    StatusStrip *status = nullptr;
    OutcomeExport *outcome = nullptr;
    quint64 harnessToken = 0;
    bool isPuttingBack = false;
    quint64 keptEditToken = 0;
    bool isTakingEdit = false;
    DoctorDialog *doctor = nullptr; // once it was asked for
    quint64 fileToken = 0;          // of an iteration's file that was asked for
    QString fileTitle;
    QString filePath;
    QString opening;          // asked to be opened; remembered once it is
    bool asksNothing = false; // there may be nobody to answer
    bool closing = false;     // waits for the run to end
    bool closeNow = false;    // has waited long enough

private:
    void buildCentre();
    void buildDocks();
    void buildMenus();
    void connectRun();
    void connectIterations();
    void connectEditing();
    void connectStore();
    void chooseFolder(const std::function<void(const QString &path)> &then);
    void showReference();
    void fillRecent();
    void workspaceChanged();
    void planChanged();
    void approve();
    void askWhoCommits();
    static void open(QDialog *dialog);
    void showDoctor();
    void stopped(const event::RunStopped &stopped);
    void updateTitle();
    void setAppearance(Appearance appearance);
    void compare(int against);
    void compareRows(int older, int newer);
    void openChosen();
    void benchEdit(const QString &title, const QString &hypothesis);
    void withSavedEdits(const std::function<void()> &then);
};

} // namespace ako
