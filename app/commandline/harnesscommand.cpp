// SPDX-License-Identifier: GPL-3.0-or-later
// ako4all harness: what has changed of what the measurement depends on, and putting it back.
#include "base/words.h"
#include "commandline/commandsession.h"

namespace ako {

// Twice: what has changed, and, where that was asked for, that it is put back.
void CommandSession::onHarness(quint64 token, const HarnessChange &change, const QString &kept, const QString &error)
{
    if (m_stage == Stage::Ended)
        return;
    if (!error.isEmpty())
        return end(ExitFailed, error);
    if (token == 1)
        return end(ExitDone, tr("Put back: %1.").arg(words::listed(m_putBack, 8)) +
                                 (kept.isEmpty() ? QString() : tr(" What was there is in %1.").arg(kept)));
    if (change.isNone())
        return end(ExitDone, tr("All that the measurement depends on is as it was approved."));
    if (!change.patch.isEmpty() && !m_invocation.json)
        m_printer.printText(QString::fromUtf8(change.patch));
    for (const QString &known : change.known)
        m_printer.printText(tr("%1, of which no copy was kept: it cannot be shown or put back here").arg(known));
    const QString workspace = words::shellWord(m_invocation.workspace);
    if (!m_invocation.restore || change.files.isEmpty())
        return end(ExitNotApproved,
                   change.files.isEmpty()
                       ? tr("Approve it as it is with: ako4all run %1").arg(workspace)
                       : tr("Approve it as it is with: ako4all run %1\nPut it back with: ako4all harness %1 --restore")
                             .arg(workspace));
    m_putBack = change.files;
    m_controller.requestHarness(true, 1);
}

} // namespace ako
