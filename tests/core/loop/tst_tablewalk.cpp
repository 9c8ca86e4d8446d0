// SPDX-License-Identifier: GPL-3.0-or-later
// Walks the table at random: any intent at any time, any outcome that an effect may have. What must hold always is
// checked at every step.
#include "bench/decision.h"
#include "loop/policy.h"
#include "loop/transition.h"
#include "support/loopscene.h"

#include <QRandomGenerator>
#include <QSet>
#include <QTest>

using namespace ako;
using namespace ako::scene;

namespace {

// A world that answers effects with whatever may happen.
class World
{
public:
    explicit World(quint32 seed)
        : m_random(seed)
    {
    }

    int below(int limit) { return int(m_random.bounded(limit)); }
    bool once(int in) { return below(in) == 0; }

    LoopEvent anIntent()
    {
        switch (below(14)) {
        case 0:
            return intent::Pause{};
        case 1:
            return intent::Stop{};
        case 2:
            return intent::Step{};
        case 3:
            return intent::Finish{};
        case 4:
            return intent::BenchEdit{QStringLiteral("edit"), {}, {}};
        case 5:
            return intent::Restore{below(6)};
        case 6:
            return intent::Revert{below(6)};
        case 7:
            return intent::ContinueFrom{below(6)};
        case 8:
            return intent::Approve{};
        case 9:
            return intent::ChangePlan{QStringLiteral("iterations"), QString::number(below(20))};
        case 10:
            return intent::Reload{};
        case 11:
            return intent::MeasureAgain{below(6), once(2)};
        case 12:
            return intent::Annotate{below(6), QStringLiteral("odd"), {}};
        default:
            return intent::Run{};
        }
    }

    LoopEvent outcomeOf(const Effect &effect, const State &state)
    {
        if (once(60))
            return outcome::EffectFailed{{QStringLiteral("disk full"), {}}, 1};
        return std::visit([this, &state](const auto &value) { return answer(value, state); }, effect);
    }

private:
    LoopEvent answer(const effect::Open &, const State &state)
    {
        outcome::Opened opened;
        opened.path = QStringLiteral("/w");
        opened.plan = plan();
        opened.approved = !once(6);
        opened.records = state.records.isEmpty() ? m_committed : state.records;
        for (const IterationRecord &record : std::as_const(opened.records)) {
            if (record.becameChampion && record.kind != IterationRecord::Kind::Final)
                opened.champion = std::max(opened.champion, record.number);
        }
        return opened;
    }
    LoopEvent answer(const effect::ChangePlan &, const State &) { return outcome::PlanChanged{plan(), !once(3)}; }
    LoopEvent answer(const effect::Reload &, const State &) { return outcome::PlanChanged{plan(), false, true}; }
    LoopEvent answer(const effect::RecordApproval &, const State &) { return outcome::Approved{}; }
    LoopEvent answer(const effect::Prepare &, const State &) { return outcome::Prepared{}; }
    LoopEvent answer(const effect::Profile &, const State &)
    {
        return outcome::Profiled{{ProfileLevel::None, {}, QStringLiteral("none")}};
    }
    LoopEvent answer(const effect::Inspect &, const State &)
    {
        outcome::Inspected seen;
        seen.solutionIsKnown = !once(5);
        seen.solutionHash = QStringLiteral("hash %1").arg(below(1000000));
        if (once(25))
            seen.harnessChanges << QStringLiteral("ref.cpp was changed");
        if (once(10))
            seen.hints = QStringLiteral("hint %1").arg(below(100));
        return seen;
    }
    LoopEvent answer(const effect::ResetSolution &, const State &)
    {
        return outcome::SolutionSet{QStringLiteral("reset %1").arg(below(1000000))};
    }
    LoopEvent answer(const effect::MergeRevert &, const State &)
    {
        if (once(2))
            return outcome::RevertRefused{QStringLiteral("conflict")};
        return outcome::SolutionSet{QStringLiteral("reverted %1").arg(below(1000000))};
    }
    LoopEvent answer(const effect::Propose &, const State &)
    {
        outcome::Proposed proposed;
        const int kind = below(12);
        proposed.proposal.outcome = kind == 0   ? Proposal::Outcome::Failed
                                    : kind == 1 ? Proposal::Outcome::Exhausted
                                    : kind == 2 ? Proposal::Outcome::Cancelled
                                                : Proposal::Outcome::Candidate;
        for (int i = below(5); i > 0; --i)
            proposed.proposal.directions << QStringLiteral("direction %1").arg(i);
        proposed.proposal.analysisOfPrevious = QStringLiteral("because");
        return proposed;
    }
    LoopEvent answer(const effect::CompareTree &, const State &)
    {
        outcome::Compared compared;
        compared.solutionHash = QStringLiteral("candidate %1").arg(below(1000000));
        compared.changed = !once(8);
        compared.sameAs = once(10) ? 1 : -1;
        if (once(12))
            compared.outside << QStringLiteral("ref.cpp");
        return compared;
    }
    LoopEvent answer(const effect::Bench &bench, const State &state)
    {
        outcome::Benched benched;
        benched.result = once(4) ? wrongResult(bench.mode) : benchResult(bench.mode, 0.8 + 0.1 * below(6));
        if (once(20))
            benched.result.state = ResultState::Quarantined;
        if (once(30))
            benched.result.exitCode = 8;
        benched.stopped = state.stopRequested && once(2);
        if (benched.stopped)
            benched.result = wrongResult(bench.mode);
        benched.trajectory = QStringLiteral("trajectory/t%1").arg(++m_benches);
        benched.startedAt = QDateTime::fromSecsSinceEpoch(m_benches);
        benched.solutionHash = bench.record.solutionHash;
        return benched;
    }
    LoopEvent answer(const effect::WriteEntry &, const State &) { return outcome::Logged{}; }
    LoopEvent answer(const effect::Commit &commit, const State &)
    {
        IterationRecord record = commit.record;
        record.commit = QStringLiteral("c%1").arg(++m_commits);
        m_committed << record;
        return outcome::Committed{record.commit};
    }
    LoopEvent answer(const effect::Discard &, const State &) { return outcome::Discarded{}; }
    template <typename Other>
    LoopEvent answer(const Other &, const State &)
    {
        qFatal("an effect without an outcome was awaited");
    }

    QRandomGenerator m_random;
    QList<IterationRecord> m_committed;
    int m_benches = 0;
    int m_commits = 0;
};

bool hasOutcome(const Effect &effect)
{
    return !std::holds_alternative<effect::Emit>(effect) && !std::holds_alternative<effect::Mark>(effect) &&
           !std::holds_alternative<effect::CancelProposal>(effect) &&
           !std::holds_alternative<effect::StopBench>(effect) && !std::holds_alternative<effect::Close>(effect) &&
           !std::holds_alternative<effect::Annotate>(effect);
}

} // namespace

class TestTableWalk : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void walk_data();
    void walk();
};

void TestTableWalk::walk_data()
{
    QTest::addColumn<quint32>("seed");
    for (quint32 seed = 1; seed <= 20; ++seed)
        QTest::addRow("seed %u", seed) << seed;
}

void TestTableWalk::walk()
{
    QFETCH(quint32, seed);
    World world(seed);
    State state;
    QList<Effect> awaited;
    QSet<int> numbers;
    int commits = 0;
    int entries = 0;
    std::optional<Effect> before; // the last one that was answered
    LoopEvent event = intent::Open{QStringLiteral("/w"), {}, false};
    for (int step = 0; step < 6000; ++step) {
        const Transition next = transition(state, event);
        state = next.state;
        int answered = 0;
        for (const Effect &effect : next.effects) {
            if (!hasOutcome(effect))
                continue;
            ++answered;
            awaited << effect;
            if (const auto *commit = std::get_if<effect::Commit>(&effect)) {
                // Nothing comes between the entry and its commit.
                QVERIFY(before && std::holds_alternative<effect::WriteEntry>(*before));
                const IterationRecord &record = commit->record;
                if (record.kind == IterationRecord::Kind::Iteration) {
                    QVERIFY2(!numbers.contains(record.number), "an iteration is recorded twice");
                    QVERIFY(record.parent >= 0);
                }
                QVERIFY(!record.becameChampion || policy::mayBecomeChampion(record));
            }
            if (std::holds_alternative<effect::WriteEntry>(effect))
                ++entries;
        }
        QVERIFY(answered <= 1);
        QVERIFY2(awaited.size() <= 1, "two effects are awaited at once");
        const bool changingPlan = !awaited.isEmpty() && (std::holds_alternative<effect::ChangePlan>(awaited.first()) ||
                                                         std::holds_alternative<effect::Reload>(awaited.first()));
        QVERIFY2(state.isBusy() == (!awaited.isEmpty() && !changingPlan), qPrintable(stageName(state.stage)));
        const IterationRecord *champion = state.championRecord();
        QVERIFY(state.champion < 0 || (champion && champion->becameChampion));

        const bool personActs = awaited.isEmpty() || (!changingPlan && world.once(6));
        if (personActs) {
            event = world.anIntent();
            continue;
        }
        const Effect effect = awaited.takeFirst();
        event = world.outcomeOf(effect, state);
        const auto *commit = std::get_if<effect::Commit>(&effect);
        if (commit && std::holds_alternative<outcome::Committed>(event)) {
            ++commits;
            if (commit->record.kind == IterationRecord::Kind::Iteration)
                numbers.insert(commit->record.number);
        }
        before = effect;
    }
    QVERIFY2(commits > 50, qPrintable(QStringLiteral("only %1 commits: the walk got stuck").arg(commits)));
    QVERIFY(entries >= commits);
}

QTEST_GUILESS_MAIN(TestTableWalk)
#include "tst_tablewalk.moc"
