// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/outcomeexport.h"

#include "base/atomicfile.h"
#include "base/words.h"
#include "window/applydialog.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QPointer>
#include <QThreadPool>

namespace ako {

void writeInBackground(const QString &path, const QByteArray &content, QObject *context,
                       const std::function<void(const QString &error)> &then)
{
    QThreadPool::globalInstance()->start([path, content, target = QPointer<QObject>(context), then] {
        const Result<void> done = writeFileAtomically(path, content);
        const QString error = done ? QString() : done.error().text();
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [target, then, error] {
                if (target)
                    then(error);
            },
            Qt::QueuedConnection);
    });
}

OutcomeExport::OutcomeExport(QWidget *window)
    : QObject(window)
    , m_window(window)
{
}

void OutcomeExport::choose(const QString &title, const QString &name, bool onlyPatch)
{
    auto *dialog = new QFileDialog(m_window, title, QDir::homePath());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->selectFile(name);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, onlyPatch](const QString &path) { exportTo(path, onlyPatch); });
    dialog->open();
}

void OutcomeExport::chooseReport()
{
    choose(tr("Export the report"), QStringLiteral("ako-report.html"), false);
}

void OutcomeExport::choosePatch()
{
    choose(tr("Export the champion as a patch"), QStringLiteral("champion.patch"), true);
}

void OutcomeExport::exportTo(const QString &path, bool onlyPatch)
{
    m_path = path;
    m_onlyPatch = onlyPatch;
    Q_EMIT reportRequested(++m_reportToken);
}

void OutcomeExport::showReport(quint64 token, const RunReport &report, const QString &error)
{
    if (token != m_reportToken)
        return;
    if (!error.isEmpty())
        return Q_EMIT failed(error);
    if (m_onlyPatch && report.patch.isEmpty())
        return Q_EMIT done(tr("The original kernel is the best so far: there is no change to write."));
    writeInBackground(m_path, m_onlyPatch ? report.patch : reportHtml(report), this,
                      [this, path = m_path](const QString &problem) {
                          if (problem.isEmpty())
                              Q_EMIT done(tr("Written: %1").arg(path));
                          else
                              Q_EMIT failed(problem);
                      });
}

void OutcomeExport::lookAtSource()
{
    m_isWriting = false;
    Q_EMIT sourceChangeRequested(false, ++m_sourceToken);
}

void OutcomeExport::showSourceChange(quint64 token, const Diff &diff, const QStringList &files, const QString &advice,
                                     const QString &error)
{
    if (token != m_sourceToken)
        return;
    if (!error.isEmpty())
        return Q_EMIT failed(error);
    if (m_isWriting)
        return Q_EMIT done(tr("Written: %1").arg(words::listed(files, 8)));
    if (files.isEmpty())
        return Q_EMIT done(tr("Your source has all of it already: there is nothing to write.") +
                           (advice.isEmpty() ? QString() : QLatin1Char(' ') + advice));
    auto *dialog = new ApplyDialog(diff, files, advice, m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this] {
        m_isWriting = true;
        Q_EMIT sourceChangeRequested(true, ++m_sourceToken);
    });
    dialog->open();
}

} // namespace ako
