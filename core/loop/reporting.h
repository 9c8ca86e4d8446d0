// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/session.h"
#include "report/runreport.h"

#include <QStringList>

namespace ako {

// What came of a run, from the open workspace: of the last final, or else the champion.
Result<RunReport> gatherReport(const Session &session, const QList<IterationRecord> &records, int champion);

// The kernel's own files, in their own place, with what the run changed in them.
struct SourceChange
{
    Diff diff;             // from the files as they are now
    QByteArray patch;      // the same for git apply
    FolderContent content; // what is to be written: the files that differ
    QStringList removed;   // files of the kernel that the run did away with
    QString folder;        // all are below it, workspace-relative; may be empty
    QStringList advice;    // what a person should know of it before it is written; may be empty

    QStringList paths() const; // what is written and removed, workspace-relative
    bool operator==(const SourceChange &other) const
    {
        return content == other.content && removed == other.removed && folder == other.folder;
    }
};

// What a person changed there since is kept; where that touches the same lines, it is refused with the places named.
Result<SourceChange> changeOfSource(const Session &session, const QList<IterationRecord> &records, int champion);
// Not while another process works there.
Result<void> writeSource(Session &session, const SourceChange &change);

} // namespace ako
