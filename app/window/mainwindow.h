// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/permission.h"
#include "git/diff.h"
#include "loop/harnesschange.h"
#include "loop/keptedit.h"
#include "profile/movednumbers.h"
#include "report/runreport.h"
#include "workspace/environment.h"

#include <QMainWindow>
#include <QString>

#include <memory>

namespace ako {

class RunStore;

// Docks and actions only. Shows what the store knows and says what a person wants by its signals; connectWindow()
// (window/wiring.h) ties those to a controller. Settings are those of QSettings' default constructor
// (window/settings.h).
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(RunStore &store, QWidget *parent = nullptr);
    ~MainWindow() override;

    void openWorkspace(const QString &path, const QString &request = {}); // remembered among the recent ones
    QString lastWorkspace() const;                                        // of the previous session; may be empty
    void setExamples(const QStringList &names);                           // offered on the start page

public Q_SLOTS:
    void keepDrafts();   // what is not saved; offered when the file is opened again
    void closeInOrder(); // as asked for by the system: keeps drafts, asks nothing, waits for the run's end
    void showDiff(quint64 token, const ako::Diff &diff, const QString &error);
    void showBenchOutput(quint64 token, const QString &text, const QString &error);
    void showTranscript(quint64 token, const QString &text);
    void showFile(quint64 token, const QByteArray &content, const QString &error);
    void showNumbers(quint64 token, const QList<ako::MovedNumber> &numbers, const QString &error);
    void showReport(quint64 token, const ako::RunReport &report, const QString &error);
    void showHarness(quint64 token, const ako::HarnessChange &change, const QString &kept, const QString &error);
    void showKeptEdit(quint64 token, const ako::KeptEdit &edit, const QString &error);
    void showSourceChange(quint64 token, const ako::Diff &diff, const QStringList &files, const QString &advice,
                          const QString &error);
    void showEnvironment(const QList<ako::EnvironmentFinding> &findings); // in the doctor's dialog
    void showProblem(const QString &text, const QString &remedy = {});    // in the message bar

Q_SIGNALS:
    void openRequested(const QString &path, const QString &request);
    void windowRequested(const QString &path);  // another one, for that workspace
    void exampleRequested(const QString &name); // copy it somewhere, then openWorkspace()
    void planFieldEdited(const QString &key, const QString &value);
    void identityGiven(const QString &name, const QString &email); // who commits, for this repository
    void environmentRequested(const QString &workspace);           // what this machine has and lacks
    void reloadRequested();                                        // what the plan is read from may have changed
    void approveRequested();
    void runRequested();
    void pauseRequested();
    void stepRequested();
    void stopRequested();
    void finishRequested();
    void benchEditRequested(const QString &title, const QString &hypothesis, const QString &changes);
    void restoreRequested(int iteration);
    void revertRequested(int iteration);
    void continueFromRequested(int iteration);
    void measureAgainRequested(int iteration, bool againstBaseline);
    void noteGiven(int iteration, const QString &note);
    void quarantineDecided(int iteration, bool accepted, const QString &reason);
    void diffRequested(int fromIteration, int toIteration, quint64 token, bool wholeFiles);
    void benchOutputRequested(const QString &trajectory, quint64 token);
    void transcriptRequested(const QString &trajectory, quint64 token);
    void numbersRequested(int iteration, quint64 token);
    void fileRequested(int iteration, const QString &path, quint64 token); // of solution/ as it left it
    void reportRequested(quint64 token);
    void harnessRequested(bool restore, quint64 token);
    void keptEditRequested(bool take, quint64 token);
    void sourceChangeRequested(bool write, quint64 token);
    void permissionAnswered(quint64 number, ako::PermissionChoice choice);

protected:
    bool event(QEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void stopAndClose();
    void askHowToClose();

    class Private;
    std::unique_ptr<Private> d;
};

} // namespace ako
