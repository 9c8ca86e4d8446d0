// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/boundary.h"

#include "git/folderfiles.h"
#include "history/solutionhash.h"
#include "workspace/hints.h"

namespace ako {

Result<outcome::Inspected> inspectBoundary(Session &session, const QString &hintsBefore,
                                           const QList<IterationRecord> &records)
{
    outcome::Inspected seen;
    const auto hints = readHintsFile(session.workspace);
    if (!hints)
        return std::unexpected(hints.error());
    seen.hints = QString::fromUtf8(*hints);
    seen.hintsChange = compareHints(hintsBefore, seen.hints);
    seen.directives = recogniseDirectives(seen.hints);
    if (session.approval) {
        for (const FileChange &change : session.harness.changes(session.approval->manifest, session.workspace))
            seen.harnessChanges << changeText(change);
    }
    const auto solution = readFolder(session.solution());
    if (!solution)
        return std::unexpected(solution.error());
    seen.solutionHash = solutionHash(*solution);
    for (const IterationRecord &record : records) {
        if (record.solutionHash == seen.solutionHash)
            seen.solutionOf = record.number;
    }
    seen.solutionIsKnown = seen.solutionOf >= 0;
    return seen;
}

} // namespace ako
