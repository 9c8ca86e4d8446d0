// SPDX-License-Identifier: GPL-3.0-or-later
// What `report` and `apply` do with what they were answered.
#include "base/atomicfile.h"
#include "base/words.h"
#include "commandline/commandsession.h"
#include "commandline/terminal.h"

#include <QFile>
#include <QFileInfo>

#include <cstdio>

namespace ako {

namespace {

// A file that somebody else wrote is not written over, whatever name was given.
Result<void> writeOwn(const QString &path, const QByteArray &content, const QByteArray &beginning)
{
    const QFileInfo there(path);
    QFile file(path);
    const bool isOurs = there.isFile() && !there.isSymLink() &&
                        (there.size() == 0 || (file.open(QIODevice::ReadOnly) && file.peek(4096).contains(beginning)));
    if ((there.exists() || there.isSymLink()) && !isOurs)
        return fail(CommandSession::tr("%1 is there already and was not written by this command").arg(path),
                    CommandSession::tr("Choose another name, or remove it."));
    return writeFileAtomically(path, content);
}

} // namespace

void CommandSession::onReport(quint64, const RunReport &report, const QString &error)
{
    if (m_stage == Stage::Ended)
        return;
    if (!error.isEmpty())
        return end(ExitFailed, error);
    const bool onlyPatch = m_invocation.output.isEmpty() && !m_invocation.patch.isEmpty();
    const QString page = m_invocation.output.isEmpty() ? QStringLiteral("ako-report.html") : m_invocation.output;
    QStringList written;
    if (!onlyPatch && QFileInfo(page).absoluteFilePath() == QFileInfo(m_invocation.patch).absoluteFilePath())
        return end(ExitUsage, tr("The page and the patch need files of their own"));
    const auto write = [&written](const QString &path, const QByteArray &content, const QByteArray &beginning) {
        const Result<void> done = writeOwn(path, content, beginning);
        if (done)
            written << path;
        return done;
    };
    if (!onlyPatch) {
        if (const auto done = write(page, reportHtml(report), R"(name="generator" content="AKO4ALL")"); !done)
            return end(ExitFailed, done.error().text());
    }
    const QString noChange = tr("The original kernel is the best so far: there is no change to write.");
    if (report.patch.isEmpty() && !m_invocation.patch.isEmpty())
        return end(ExitDone, written.isEmpty()
                                 ? noChange
                                 : tr("Written: %1").arg(written.constFirst()) + QLatin1Char('\n') + noChange);
    if (m_invocation.patch == QLatin1String("-")) {
        std::fwrite(report.patch.constData(), 1, size_t(report.patch.size()), stdout);
        if (std::fflush(stdout) != 0)
            return end(ExitFailed, tr("The patch could not be written to standard output"));
        if (written.isEmpty())
            return end(ExitDone);
    } else if (!m_invocation.patch.isEmpty()) {
        if (const auto done = write(m_invocation.patch, report.patch, "diff --git"); !done)
            return end(ExitFailed, done.error().text());
    }
    end(ExitDone, tr("Written: %1").arg(words::listed(written, 2)));
}

// Twice: what would be changed, and, once it was agreed to, that it is.
void CommandSession::onSourceChange(quint64 token, const Diff &, const QStringList &files, const QString &advice,
                                    const QString &error, const QByteArray &patch)
{
    if (m_stage == Stage::Ended)
        return;
    if (!error.isEmpty())
        return end(ExitFailed, error);
    if (token == 1)
        return end(ExitDone, tr("Written: %1").arg(words::listed(files, 8)));
    if (!patch.isEmpty() && !m_invocation.json)
        m_printer.printText(QString::fromUtf8(patch));
    if (!advice.isEmpty() && !m_invocation.json)
        m_printer.printText(advice);
    if (files.isEmpty())
        return end(ExitDone, tr("Your source has all of it already: there is nothing to write."));
    const bool agreed = m_invocation.write || (terminal::isInteractive() && !m_invocation.json &&
                                               terminal::confirm(tr("Write this to %1?").arg(words::listed(files, 8))));
    if (!agreed)
        return end(ExitNotApproved, tr("Nothing was written. Write it with --write."));
    m_controller.requestSourceChange(true, 1);
}

} // namespace ako
