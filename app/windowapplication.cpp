// SPDX-License-Identifier: GPL-3.0-or-later
#include "windowapplication.h"

#include "base/installation.h"
#include "examples.h"
#include "history/runstore.h"
#include "loop/controller.h"
#include "startuptrace.h"
#include "window/mainwindow.h"
#include "window/wiring.h"

#include <QApplication>

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
    MainWindow window(store);
    connectWindow(window, controller, store);
    window.setExamples(exampleNames());
    QObject::connect(&window, &MainWindow::exampleRequested, &window, [&window](const QString &name) {
        const Result<QString> copy = copyExample(name, {});
        if (copy)
            window.openWorkspace(*copy);
        else
            window.showProblem(copy.error().message, copy.error().remedy);
    });
    StartupTrace::install(window, store);
    window.show();
    const QString opened = workspace.isEmpty() ? window.lastWorkspace() : workspace;
    if (!opened.isEmpty())
        window.openWorkspace(opened);
    return QApplication::exec();
}

} // namespace ako
