// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/wiring.h"

#include "history/runstore.h"
#include "loop/controller.h"
#include "window/mainwindow.h"
#include "workspace/environment.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

namespace ako {

namespace {

// Compilers and interpreters are asked, which takes seconds: on a thread of the pool.
void lookAtMachine(MainWindow &window, const QString &workspace)
{
    QThreadPool::globalInstance()->start([target = QPointer<MainWindow>(&window), workspace] {
        const QList<EnvironmentFinding> findings = discoverEnvironment(workspace);
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [target, findings] {
                if (target)
                    target->showEnvironment(findings);
            },
            Qt::QueuedConnection);
    });
}

} // namespace

void connectWindow(MainWindow &window, LoopController &controller, RunStore &store)
{
    QObject::connect(&controller, &LoopController::happened, &store, &RunStore::apply);
    QObject::connect(&controller, &LoopController::diffReady, &window, &MainWindow::showDiff);
    QObject::connect(&controller, &LoopController::benchOutputReady, &window, &MainWindow::showBenchOutput);
    QObject::connect(&controller, &LoopController::numbersReady, &window, &MainWindow::showNumbers);
    QObject::connect(&controller, &LoopController::fileReady, &window, &MainWindow::showFile);
    QObject::connect(&controller, &LoopController::reportReady, &window, &MainWindow::showReport);
    QObject::connect(&controller, &LoopController::sourceChangeReady, &window, &MainWindow::showSourceChange);
    QObject::connect(&controller, &LoopController::harnessReady, &window, &MainWindow::showHarness);
    QObject::connect(&controller, &LoopController::keptEditReady, &window, &MainWindow::showKeptEdit);
    QObject::connect(&controller, &LoopController::transcriptReady, &window, &MainWindow::showTranscript);

    QObject::connect(&window, &MainWindow::environmentRequested, &window,
                     [&window](const QString &workspace) { lookAtMachine(window, workspace); });
    QObject::connect(&window, &MainWindow::openRequested, &controller, &LoopController::openWorkspace);
    QObject::connect(&window, &MainWindow::planFieldEdited, &controller, &LoopController::setPlanField);
    QObject::connect(&window, &MainWindow::reloadRequested, &controller, &LoopController::reloadPlan);
    QObject::connect(&window, &MainWindow::identityGiven, &controller, &LoopController::setIdentity);
    QObject::connect(&window, &MainWindow::approveRequested, &controller, &LoopController::approve);
    QObject::connect(&window, &MainWindow::runRequested, &controller, &LoopController::run);
    QObject::connect(&window, &MainWindow::pauseRequested, &controller, &LoopController::pause);
    QObject::connect(&window, &MainWindow::stepRequested, &controller, &LoopController::step);
    QObject::connect(&window, &MainWindow::stopRequested, &controller, &LoopController::stop);
    QObject::connect(&window, &MainWindow::finishRequested, &controller, &LoopController::finish);
    QObject::connect(&window, &MainWindow::benchEditRequested, &controller, &LoopController::benchEdit);
    QObject::connect(&window, &MainWindow::restoreRequested, &controller, &LoopController::restore);
    QObject::connect(&window, &MainWindow::revertRequested, &controller, &LoopController::revert);
    QObject::connect(&window, &MainWindow::continueFromRequested, &controller, &LoopController::continueFrom);
    QObject::connect(&window, &MainWindow::measureAgainRequested, &controller, &LoopController::measureAgain);
    QObject::connect(&window, &MainWindow::noteGiven, &controller, &LoopController::annotate);
    QObject::connect(&window, &MainWindow::quarantineDecided, &controller, &LoopController::decideQuarantine);
    QObject::connect(&window, &MainWindow::diffRequested, &controller, &LoopController::requestDiff);
    QObject::connect(&window, &MainWindow::benchOutputRequested, &controller, &LoopController::requestBenchOutput);
    QObject::connect(&window, &MainWindow::numbersRequested, &controller, &LoopController::requestNumbers);
    QObject::connect(&window, &MainWindow::fileRequested, &controller, &LoopController::requestFile);
    QObject::connect(&window, &MainWindow::reportRequested, &controller, &LoopController::requestReport);
    QObject::connect(&window, &MainWindow::sourceChangeRequested, &controller, &LoopController::requestSourceChange);
    QObject::connect(&window, &MainWindow::harnessRequested, &controller, &LoopController::requestHarness);
    QObject::connect(&window, &MainWindow::keptEditRequested, &controller, &LoopController::requestKeptEdit);
    QObject::connect(&window, &MainWindow::permissionAnswered, &controller, &LoopController::answerPermission);
    QObject::connect(&window, &MainWindow::transcriptRequested, &controller, &LoopController::requestTranscript);
}

} // namespace ako
