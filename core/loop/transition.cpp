// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/transition.h"

#include "loop/table.h"

namespace ako {

Transition transition(State state, const LoopEvent &event)
{
    Table table(std::move(state));
    std::visit([&table](const auto &value) { table.on(value); }, event);
    return table.result();
}

namespace {

struct EffectNames
{
    QString operator()(const effect::Emit &) const { return QStringLiteral("emit"); }
    QString operator()(const effect::Open &) const { return QStringLiteral("open"); }
    QString operator()(const effect::Close &) const { return QStringLiteral("close"); }
    QString operator()(const effect::ChangePlan &) const { return QStringLiteral("change-plan"); }
    QString operator()(const effect::Reload &) const { return QStringLiteral("reload"); }
    QString operator()(const effect::RecordApproval &) const { return QStringLiteral("record-approval"); }
    QString operator()(const effect::Prepare &prepare) const
    {
        switch (prepare.step) {
        case Preparation::Repository:
            return QStringLiteral("prepare-repository");
        case Preparation::Scaffold:
            return QStringLiteral("prepare-scaffold");
        case Preparation::Solution:
            return QStringLiteral("prepare-solution");
        default:
            return QStringLiteral("prepare-bench-script");
        }
    }
    QString operator()(const effect::Profile &) const { return QStringLiteral("profile"); }
    QString operator()(const effect::Inspect &) const { return QStringLiteral("inspect"); }
    QString operator()(const effect::ResetSolution &) const { return QStringLiteral("reset-solution"); }
    QString operator()(const effect::MergeRevert &) const { return QStringLiteral("merge-revert"); }
    QString operator()(const effect::Propose &) const { return QStringLiteral("propose"); }
    QString operator()(const effect::CancelProposal &) const { return QStringLiteral("cancel-proposal"); }
    QString operator()(const effect::CompareTree &) const { return QStringLiteral("compare-tree"); }
    QString operator()(const effect::Bench &bench) const
    {
        return bench.mode == BenchMode::Verdict ? QStringLiteral("verdict") : QStringLiteral("bench");
    }
    QString operator()(const effect::Mark &) const { return QStringLiteral("mark"); }
    QString operator()(const effect::StopBench &) const { return QStringLiteral("stop-bench"); }
    QString operator()(const effect::WriteEntry &) const { return QStringLiteral("write-entry"); }
    QString operator()(const effect::Commit &) const { return QStringLiteral("commit"); }
    QString operator()(const effect::Annotate &) const { return QStringLiteral("annotate"); }
    QString operator()(const effect::Discard &) const { return QStringLiteral("discard"); }
};

} // namespace

QString effectName(const Effect &effect)
{
    return std::visit(EffectNames{}, effect);
}

} // namespace ako
