// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "git/repository.h"
#include "history/iterationrecord.h"
#include "loop/session.h"

#include <QString>

namespace ako {

// solution/ and what is known of it at commits. Writing is told to a marker file first, so that a process killed
// half-way leaves a write to be completed and not what looks like a person's edit.
class SolutionFolder
{
public:
    explicit SolutionFolder(Session &session)
        : m_session(session)
    {
    }

    Result<FolderContent> present() const;
    Result<FolderContent> committed(const IterationRecord &record) const; // checked against its solutionHash
    Result<void> write(const FolderContent &content);
    Result<void> completeInterruptedWrite(); // on opening

    // What cannot be read as it stands is moved to .ako/quarantine/<label>, whole, and this put in its place.
    Result<void> replaceUnreadable(const FolderContent &content, const QString &label);
    // Files that a bench has added to what it measured are moved to .ako/bench-products/, where the last ones stay.
    // Returns them; none where a file that was measured is another now, which is somebody's edit.
    Result<QStringList> moveProducts(const FolderContent &benched);
    // A copy of what is in solution/ now, below .ako/discarded/; workspace-relative. Nothing below it: empty.
    Result<QString> setAside(const QString &label);
    // Trajectory folders of that label (and its verdict) that were never committed, to the same place.
    Result<void> setAsideTrajectories(const QString &label);

    // A person's newer edit makes room for the bytes that were benched and comes back after the commit.
    Result<void> makeRoomFor(const FolderContent &benched);
    Result<void> bringBackEdit();

private:
    QString discardFolder(const QString &label) const;
    Session &m_session;
};

} // namespace ako
