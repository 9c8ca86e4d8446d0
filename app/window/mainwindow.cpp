// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/mainwindow.h"

#include "history/runstore.h"
#include "window/mainwindowprivate.h"
#include "window/recentworkspaces.h"
#include "window/settings.h"

#include <QCloseEvent>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QTimer>

#include <utility>

namespace ako {

namespace {

constexpr int closeLimitMilliseconds = 20'000; // then the window closes without waiting for the run's end

// The folder that was dropped, or the one that holds the file that was.
QString droppedFolder(const QMimeData *data)
{
    if (data == nullptr || data->urls().size() != 1 || !data->urls().first().isLocalFile())
        return {};
    const QFileInfo info(data->urls().first().toLocalFile());
    return info.isDir() ? info.absoluteFilePath() : info.exists() ? info.absolutePath() : QString();
}

} // namespace

MainWindow::MainWindow(RunStore &store, QWidget *parent)
    : QMainWindow(parent)
    , d(new Private(*this, store))
{
    setAcceptDrops(true);
    d->build();
}

MainWindow::~MainWindow()
{
    settings::finish();
}

void MainWindow::openWorkspace(const QString &path, const QString &request)
{
    if (d->store.isBusy()) {
        d->messages->busyElsewhere([this] { Q_EMIT stopRequested(); },
                                   [this, path] { Q_EMIT windowRequested(QFileInfo(path).absoluteFilePath()); });
        return;
    }
    if (d->tabs->isDirty()) {
        d->offerToSave([this, path, request] { openWorkspace(path, request); });
        return;
    }
    d->opening = QDir::cleanPath(QFileInfo(path).absoluteFilePath());
    d->messages->opening();
    Q_EMIT openRequested(d->opening, request);
}

QString MainWindow::lastWorkspace() const
{
    return settings::value(QStringLiteral("lastWorkspace")).toString();
}

void MainWindow::setExamples(const QStringList &names)
{
    d->start->setExamples(names);
}

void MainWindow::showDiff(quint64 token, const ako::Diff &diff, const QString &error)
{
    d->subject->showDiff(token, diff, error);
}

void MainWindow::showTranscript(quint64 token, const QString &text)
{
    d->output->showTranscript(token, text);
}

void MainWindow::showBenchOutput(quint64 token, const QString &text, const QString &error)
{
    d->output->showBenchOutput(token, text, error);
}

void MainWindow::showFile(quint64 token, const QByteArray &content, const QString &error)
{
    if (token != d->fileToken)
        return;
    if (error.isEmpty())
        d->tabs->showOld(d->fileTitle, d->filePath, content);
    else
        d->messages->done(error);
}

void MainWindow::showNumbers(quint64 token, const QList<MovedNumber> &numbers, const QString &error)
{
    d->output->showNumbers(token, numbers, error);
}

void MainWindow::showReport(quint64 token, const RunReport &report, const QString &error)
{
    d->outcome->showReport(token, report, error);
}

void MainWindow::showSourceChange(quint64 token, const Diff &diff, const QStringList &files, const QString &advice,
                                  const QString &error)
{
    d->outcome->showSourceChange(token, diff, files, advice, error);
}

void MainWindow::showHarness(quint64 token, const HarnessChange &change, const QString &kept, const QString &error)
{
    if (token != d->harnessToken)
        return;
    if (!error.isEmpty())
        return showProblem(error);
    if (!d->isPuttingBack)
        return d->showHarness(change);
    d->isPuttingBack = false;
    const QString text = kept.isEmpty() ? tr("Put back as it was approved.")
                                        : tr("Put back as it was approved. What was there is in %1.").arg(kept);
    openWorkspace(d->store.workspace()); // it is approved again
    d->messages->done(text);
    d->output->log()->add(Severity::Info, text);
}

void MainWindow::showKeptEdit(quint64 token, const KeptEdit &edit, const QString &error)
{
    if (token != d->keptEditToken)
        return;
    const bool isTaken = std::exchange(d->isTakingEdit, false);
    if (!error.isEmpty())
        return showProblem(error);
    if (!isTaken)
        return d->showKeptEdit(edit);
    const QString text = tr("The unfinished edit is in solution/. Bench my edit (Ctrl+B) measures it.");
    d->tabs->showSource();
    d->messages->done(text);
    d->output->log()->add(Severity::Info, text);
}

void MainWindow::showEnvironment(const QList<EnvironmentFinding> &findings)
{
    if (d->doctor != nullptr)
        d->doctor->showFindings(findings);
}

void MainWindow::showProblem(const QString &text, const QString &remedy)
{
    d->messages->problem(text, remedy);
    d->output->log()->add(Severity::Error, text, remedy);
}

void MainWindow::keepDrafts()
{
    d->tabs->keepDrafts();
}

void MainWindow::closeInOrder()
{
    keepDrafts();
    d->asksNothing = true;
    close();
}

bool MainWindow::event(QEvent *event)
{
    if (event->type() == QEvent::WindowActivate)
        d->lookAgain();
    return QMainWindow::event(event);
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (d->tabs->isDirty() && !d->asksNothing && !d->closeNow) {
        event->ignore();
        d->closing = d->closing && d->store.isBusy();
        d->offerToSave([this] { close(); });
        return;
    }
    if (!d->store.isBusy() || d->closeNow) {
        d->layout->save();
        event->accept();
        return;
    }
    event->ignore();
    if (d->closing && !d->asksNothing)
        return;
    if (d->asksNothing || d->store.phase().phase == Phase::Inventory)
        stopAndClose();
    else
        askHowToClose();
}

void MainWindow::stopAndClose()
{
    d->closing = true;
    d->messages->closing();
    Q_EMIT stopRequested();
    QTimer::singleShot(closeLimitMilliseconds, this, [this] {
        d->closeNow = true;
        close();
    });
}

// In the window itself: the run goes on behind the question.
void MainWindow::askHowToClose()
{
    WindowMessages::CloseChoices choices;
    choices.stopNow = [this] { stopAndClose(); };
    choices.stay = [this] { d->closing = false; };
    choices.afterwards = [this, choices] {
        if (!d->store.isBusy()) // it has ended while it was asked
            return void(close());
        d->closing = true;
        d->messages->closingAfterwards(choices);
        Q_EMIT pauseRequested();
    };
    d->messages->askHowToClose(choices);
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (!droppedFolder(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    const QString folder = droppedFolder(event->mimeData());
    if (!folder.isEmpty())
        openWorkspace(folder);
}

} // namespace ako
