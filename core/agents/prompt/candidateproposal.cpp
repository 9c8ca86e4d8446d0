// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/prompt/candidateproposal.h"

#include "agents/prompt/candidateanswer.h"
#include "git/folderfiles.h"

namespace ako {

Proposal candidateProposal(const FolderContent &before, const QString &solution, const QString &message)
{
    Proposal proposal;
    const CandidateAnswer answer = parseAnswer(message);
    const auto after = readFolder(solution);
    if (!after) {
        proposal.error = after.error().text();
        return proposal;
    }
    const ChangeSummary summary = summarized(before, *after);
    proposal.analysisOfPrevious = answer.analysis;
    if (summary.isEmpty() && !answer.exhausted.isEmpty()) {
        proposal.outcome = Proposal::Outcome::Exhausted;
        proposal.directions = answer.exhausted;
        return proposal;
    }
    proposal.outcome = Proposal::Outcome::Candidate; // whether there is a change is for the loop to see
    proposal.title = answer.title.isEmpty() ? summary.title : answer.title;
    proposal.direction = answer.direction;
    proposal.hypothesis = answer.hypothesis;
    proposal.changes = answer.changes.isEmpty() ? summary.details : answer.changes;
    return proposal;
}

} // namespace ako
