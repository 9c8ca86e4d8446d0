// SPDX-License-Identifier: GPL-3.0-or-later
// From a boundary to a candidate (spec 7 and 8).
#include "agents/agentsettings.h"
#include "base/words.h"
#include "loop/policy.h"
#include "loop/reassessment.h"
#include "loop/table.h"

#include <algorithm>

namespace ako {

namespace {

QString iterationLabel(int number)
{
    return QStringLiteral("iter-%1").arg(number);
}

} // namespace

Draft Table::newDraft(Origin origin, const QString &title, int parent) const
{
    Draft draft;
    draft.origin = origin;
    draft.record.kind = IterationRecord::Kind::Iteration;
    draft.record.number = s.nextNumber();
    draft.record.label = iterationLabel(draft.record.number);
    draft.record.title = words::title(title);
    draft.record.parent = parent;
    draft.record.agent = s.plan.agent;
    return draft;
}

void Table::reassess()
{
    enter(Stage::Reassessing);
    perform(effect::Profile{*s.championRecord()});
}

int Table::baseOfNextProposal() const
{
    return s.find(s.chosenBase) ? s.chosenBase : s.champion;
}

void Table::startProposal()
{
    const int base = baseOfNextProposal();
    s.draft = newDraft(Origin::Agent, {}, base);
    enter(Stage::Resetting);
    perform(effect::ResetSolution{base});
}

// The champion's sources under the newly approved harness: where comparing starts anew.
void Table::startRemeasure()
{
    s.draft = newDraft(Origin::Remeasure, tr("Measure the champion under the changed harness"), s.champion);
    draft().record.agent = QStringLiteral("user");
    enter(Stage::Resetting);
    perform(effect::ResetSolution{s.champion});
}

void Table::on(const outcome::SolutionSet &set)
{
    if (!s.draft)
        return rest(Why::StepDone, whatIsDone());
    draft().record.solutionHash = set.hash;
    if (draft().origin != Origin::Revert) // the others put an entry's own bytes there
        s.solutionOf = draft().record.parent;
    if (s.stopRequested)
        return stopped();
    switch (draft().origin) {
    case Origin::Agent:
        return propose();
    case Origin::Again:
    case Origin::Remeasure:
    case Origin::Final:
    case Origin::Baseline:
        return verify();
    default:
        return bench();
    }
}

void Table::propose()
{
    ProposalRequest request;
    request.iteration = draft().record.number;
    request.champion = draft().record.parent;
    request.history = s.records;
    request.hints = s.hints;
    request.reassess = s.reassess;
    request.profileSummary = s.profile.summary;
    request.plan = s.plan.toMarkdown();
    request.knowledge = s.plan.knowledgeFiles;
    if (const qint64 budget = agentSettingsOf(s.plan).tokenBudget; budget > 0)
        request.tokensLeft = std::max<qint64>(budget - s.tokensOfRun, 1);
    enter(Stage::Proposing);
    mark(JournalStep::Begun);
    perform(effect::Propose{draft().record, request});
}

void Table::keepAnalysis(const Proposal &proposal)
{
    const int previous = draft().record.number - 1;
    if (!proposal.analysisOfPrevious.isEmpty() && s.find(previous))
        s.analysis = Analysis{previous, words::plain(proposal.analysisOfPrevious)};
}

void Table::on(const outcome::Proposed &proposed)
{
    const Proposal &proposal = proposed.proposal;
    keepAnalysis(proposal);
    draft().record.agentMilliseconds = proposed.milliseconds;
    s.tokensOfRun += proposal.tokens;
    if (!proposal.agentData.isEmpty())
        s.turnData << proposal.agentData;
    if (s.stopRequested || proposal.outcome == Proposal::Outcome::Cancelled)
        return discardDraft({Why::Stopped, tr("stopped"), 0}, draft().record.parent);
    if (s.reassess && proposal.outcome != Proposal::Outcome::Failed)
        tellReassessment(proposal);
    if (proposal.outcome == Proposal::Outcome::Exhausted)
        return agentExhausted(proposal);
    if (proposal.outcome == Proposal::Outcome::Failed)
        return agentFailed(proposal.error);
    draft().record.title = words::title(proposal.title);
    draft().record.hypothesis = words::plain(proposal.hypothesis);
    draft().record.changes = words::plain(proposal.changes);
    draft().record.direction = words::oneLine(proposal.direction);
    draft().record.agentData = proposal.agentData;
    enter(Stage::Comparing);
    perform(effect::CompareTree{});
}

// Once for each stall, also where the agent has to try twice.
void Table::tellReassessment(const Proposal &proposal)
{
    const QString heading = tr("Re-assessment after iteration %1").arg(s.reassessedAfter);
    const QString found = reassessmentText(s, proposal);
    s.notes.removeIf([&heading](const RunNote &note) { return note.heading == heading; });
    s.notes << RunNote{heading, found};
    notice(Severity::Info, heading + QLatin1Char('\n') + found);
}

void Table::agentFailed(const QString &reason)
{
    ++s.agentFailures;
    notice(Severity::Warning, tr("%1 made no candidate: %2").arg(s.plan.agent, reason));
    if (s.agentFailures >= policy::agentFailuresToStop || s.mode != Mode::Running)
        return discardDraft({Why::Failed, tr("the agent made no candidate: %1").arg(reason), 1}, draft().record.parent);
    discard(draft().record.parent);
}

void Table::agentExhausted(const Proposal &proposal)
{
    if (auto stop = policy::exhaustion(proposal.directions)) {
        if (s.mode != Mode::Running) // a single step ends here; finishing is for a person to ask
            return discardDraft(*stop, draft().record.parent);
        s.finishing = stop;
        discard(draft().record.parent);
        return;
    }
    if (!s.reassess && s.championRecord()) { // too little was tried: look again before resting
        draft().record.title.clear();
        return reassess();
    }
    discardDraft({Why::Paused,
                  tr("the agent has no further candidate after %n direction(s); give it a hint or choose another agent",
                     nullptr, int(proposal.directions.size())),
                  0},
                 draft().record.parent);
}

void Table::on(const outcome::Compared &compared)
{
    draft().record.solutionHash = compared.solutionHash;
    if (s.stopRequested)
        return discardDraft({Why::Stopped, tr("stopped"), 0}, draft().record.parent);
    if (!compared.outside.isEmpty())
        return quarantine(QStringLiteral("WROTE_OUTSIDE_SOLUTION"),
                          tr("files outside solution/ were changed and put back, what was written is kept in "
                             ".ako/quarantine/%1: %2")
                              .arg(draft().record.label, compared.outside.join(QStringLiteral(", "))));
    if (!compared.frozen.isEmpty())
        return quarantine(
            QStringLiteral("CHANGED_FROZEN_FILE"),
            tr("HINTS.md says that these must not change: %1").arg(compared.frozen.join(QStringLiteral(", "))));
    if (!compared.unusable.isEmpty())
        return recordUnusable(compared.unusable);
    if (!compared.changed)
        return agentFailed(tr("it changed nothing in solution/"));
    if (compared.sameAs >= 0)
        return agentFailed(tr("its candidate is the same as iteration %1").arg(compared.sameAs));
    if (!compared.removed.isEmpty()) // a candidate that does not compile is understood by it
        notice(Severity::Warning,
               tr("The candidate has removed from solution/, or renamed: %1").arg(words::listed(compared.removed)));
    tookATurn();
    bench();
}

void Table::tookATurn()
{
    s.agentFailures = 0;
    s.reassess = false;
    s.chosenBase = -1;
}

// A failed iteration like one that does not compile; the run goes on.
void Table::recordUnusable(const QString &why)
{
    tookATurn();
    notice(Severity::Warning, tr("The agent's candidate cannot be benched: %1").arg(why),
           tr("It was set aside in .ako/quarantine/%1.").arg(draft().record.label));
    BenchResult &bench = draft().record.bench;
    bench.status = benchStatus::unusable;
    bench.message = tr("the candidate cannot be benched: %1").arg(why);
    mark(JournalStep::Benched); // there is nothing to measure
    completeEntry();
}

// What broke a rule is recorded and not benched.
void Table::quarantine(const QString &flag, const QString &why)
{
    tookATurn();
    notice(Severity::Warning, tr("The agent's candidate is not benched: %1").arg(why));
    BenchResult &bench = draft().record.bench;
    bench.state = ResultState::Quarantined;
    bench.status = QStringLiteral("INTEGRITY");
    bench.flags << flag;
    bench.message = why;
    mark(JournalStep::Benched); // there is nothing left to measure
    completeEntry();
}

} // namespace ako
