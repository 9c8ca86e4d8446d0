// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/mainwindow.h"

#include "history/runstore.h"

#include <QCloseEvent>
#include <QSettings>

namespace ako {

class MainWindow::Private
{
public:
    RunStore &store;
};

MainWindow::MainWindow(RunStore &store, QWidget *parent)
    : QMainWindow(parent)
    , d(new Private{store})
{
}

MainWindow::~MainWindow() = default;

void MainWindow::openWorkspace(const QString &path, const QString &request)
{
    Q_EMIT openRequested(path, request);
}

QString MainWindow::lastWorkspace() const
{
    return QSettings().value(QStringLiteral("lastWorkspace")).toString();
}

void MainWindow::setExamples(const QStringList &) {}
void MainWindow::showDiff(quint64, const ako::Diff &, const QString &) {}
void MainWindow::showBenchOutput(quint64, const QString &, const QString &) {}
void MainWindow::showProblem(const QString &, const QString &) {}

void MainWindow::closeEvent(QCloseEvent *event)
{
    event->accept();
}

} // namespace ako
