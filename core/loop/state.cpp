// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/state.h"

#include <algorithm>

namespace ako {

bool State::isBusy() const
{
    switch (stage) {
    case Stage::Closed:
    case Stage::Planning:
    case Stage::Ready:
    case Stage::Finished:
    case Stage::Failed:
        return false;
    default:
        return true;
    }
}

const IterationRecord *State::find(int number) const
{
    for (const IterationRecord &record : records) {
        if (record.kind != IterationRecord::Kind::Final && record.number == number)
            return &record;
    }
    return nullptr;
}

bool State::hasBaseline() const
{
    return find(0) != nullptr;
}

int State::nextNumber() const
{
    int highest = 0;
    for (const IterationRecord &record : records)
        highest = std::max(highest, record.number);
    return highest + 1;
}

namespace {

Phase benchPhase(const State &state, Phase otherwise)
{
    if (!state.draft)
        return otherwise;
    switch (state.draft->origin) {
    case Origin::Baseline:
        return Phase::Baseline;
    case Origin::Final:
        return Phase::Finishing;
    default:
        return otherwise;
    }
}

} // namespace

Phase phaseOf(const State &state)
{
    switch (state.stage) {
    case Stage::Closed:
        return Phase::Idle;
    case Stage::Opening:
        return Phase::Inventory;
    case Stage::Planning:
        return state.plan.hasOpenQuestions() ? Phase::AwaitingAnswers : Phase::AwaitingApproval;
    case Stage::Approving:
    case Stage::Preparing:
        return Phase::Preparing;
    case Stage::Profiling:
        return Phase::Profiling;
    case Stage::Ready:
        return Phase::Ready;
    case Stage::Resetting:
        return benchPhase(state, Phase::Proposing);
    case Stage::Inspecting:
    case Stage::Proposing:
    case Stage::Comparing:
        return Phase::Proposing;
    case Stage::Benching:
        return benchPhase(state, Phase::Benching);
    case Stage::Verifying:
        return benchPhase(state, Phase::Verifying);
    case Stage::Logging:
    case Stage::Committing:
    case Stage::Discarding:
        return Phase::Recording;
    case Stage::Reassessing:
        return Phase::Reassessing;
    case Stage::Finished:
        return Phase::Finished;
    case Stage::Failed:
        return Phase::Failed;
    }
    return Phase::Idle;
}

} // namespace ako
