// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "git/headguard.h"
#include "loop/session.h"
#include "workspace/treesnapshot.h"

#include <QByteArray>
#include <QHash>
#include <QString>
#include <QStringList>

#include <optional>

namespace ako {

// The workspace outside solution/ during an agent's turn, and where git stands: what changes there is put back and
// told. HINTS.md and ITERATIONS.md are left out, as a person may edit them at any time, and so are files that this
// program's own output is sent to.
class TreeGuard
{
public:
    // Keeps the bytes of small files, so that they can be put back; bigger ones come from the last commit.
    Result<void> arm(const Session &session);

    // Puts back what was changed; the changed versions go below .ako/quarantine/<label>/. One line for each file.
    Result<QStringList> restore(const Session &session, const QString &label);

private:
    bool putBack(const Session &session, const FileChange &change, const QString &quarantine) const;
    std::optional<QByteArray> bytesBefore(const Session &session, const QString &file) const;

    std::optional<TreeSnapshot> m_snapshot;
    std::optional<HeadGuard> m_head; // none: there is no repository
    QHash<QString, QByteArray> m_bytes;
};

} // namespace ako
