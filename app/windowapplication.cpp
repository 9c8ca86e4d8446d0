// SPDX-License-Identifier: GPL-3.0-or-later
#include "windowapplication.h"

#include "base/installation.h"
#include "commandline/interrupt.h"
#include "examples.h"
#include "history/runstore.h"
#include "loop/controller.h"
#include "startuptrace.h"
#include "window/mainwindow.h"
#include "window/settingsdialog.h"
#include "window/wiring.h"

#include <QApplication>
#include <QProcess>

namespace ako {

int runWindow(int &argc, char **argv, const QString &workspace)
{
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("AKO4ALL"));
    QCoreApplication::setApplicationName(QStringLiteral("ako4all"));
    QCoreApplication::setApplicationVersion(installation::version());
    QGuiApplication::setDesktopFileName(QStringLiteral("io.github.ako4all"));

    RunStore store;
    LoopController controller;
    LoopController::Options options;
    options.watchesPlan = true;
    controller.setOptions(options);
    MainWindow window(store);
    connectWindow(window, controller, store);
    window.setExamples(exampleNames());
    QObject::connect(&window, &MainWindow::exampleRequested, &window, [&window](const QString &name) {
        const Result<ExampleCopy> copy = copyExample(name, {});
        if (copy)
            window.openWorkspace(copy->path);
        else
            window.showProblem(copy.error().message, copy.error().remedy);
    });
    QObject::connect(&window, &MainWindow::windowRequested, &window, [&window](const QString &path) {
        if (!QProcess::startDetached(QCoreApplication::applicationFilePath(), {path}))
            window.showProblem(QCoreApplication::translate("Window", "Another window could not be started."));
    });
    Interrupt interrupt;
    QObject::connect(&interrupt, &Interrupt::interrupted, &window, &MainWindow::closeInOrder);
    // The session ends soon after and takes the program with it; its end stops a run in order.
    QObject::connect(&application, &QGuiApplication::commitDataRequest, &window, &MainWindow::keepDrafts);
    StartupTrace::install(window, store);
    window.show();
    const QString last = SettingsDialog::reopensLast() ? window.lastWorkspace() : QString();
    const QString opened = workspace.isEmpty() ? last : workspace;
    if (!opened.isEmpty())
        window.openWorkspace(opened);
    const int exitCode = QApplication::exec();
    return Interrupt::hasCome() ? 128 + Interrupt::number() : exitCode;
}

} // namespace ako
