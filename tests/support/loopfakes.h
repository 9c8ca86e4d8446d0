// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/tools/looptools.h"
#include "loop/engine.h"

#include <QQueue>
#include <QString>
#include <QStringList>

namespace ako::test {

// The kernel of these tests is one file, kernel.cpp, whose words decide how it is measured:
//   "ms=8" its time, "wrong" is not correct, "hang" ends only when stopped, "nocompile".
QByteArray kernel(double milliseconds, const QByteArray &more = {});

// A plan for a folder with kernel.cpp, problem.json and reference.cpp, as an inventory would make it.
class FakePlanner : public Planner
{
public:
    Result<ResolvedPlan> open(const QString &workspace, const QString &request) override;
    Result<ResolvedPlan> change(const QString &key, const QString &value) override;
    Result<ResolvedPlan> reload() override { return m_plan; }
    Result<void> save() override { return {}; }

    static inline int iterationCap = 0;
    static inline QString reference = QStringLiteral("reference.cpp");
    static inline EvaluatorKind evaluator = EvaluatorKind::Native;
    static inline QString agent = QStringLiteral("scripted");
    static inline QStringList moreKernelFiles; // beside kernel.cpp

private:
    ResolvedPlan m_plan;
};

// Behaves as scripts/bench.sh does with the native evaluator, from the words in the sources.
class FakeBench : public BenchJob
{
    Q_OBJECT

public:
    explicit FakeBench(const BenchRequest &request)
        : m_request(request)
    {
    }
    void start() override;
    void stop() override;

    static inline QStringList labels;    // of every call
    static inline bool hangs = false;    // whatever the source says
    static inline QByteArray moreOutput; // goes into output.txt as well
    static inline std::function<void(const QString &label)> whileBenching;

private:
    BenchResult measure() const;
    void finish(const BenchResult &result);

    BenchRequest m_request;
    QString m_trajectory;
    bool m_finished = false;
};

// Writes one prepared kernel.cpp after another, then says that it is exhausted.
class ScriptedAgent : public Agent
{
    Q_OBJECT

public:
    struct Turn
    {
        QByteArray kernel;
        QString title;
        QString fileOutside; // also written, workspace-relative
    };
    explicit ScriptedAgent(QList<Turn> turns, bool fromIteration = false)
        : m_turns(std::move(turns))
        , m_fromIteration(fromIteration)
    {
    }

    QString name() const override { return QStringLiteral("scripted"); }
    void propose(const ProposalRequest &request) override;
    void cancel() override;
    void setTools(LoopTools *tools) override { m_tools = tools; }

    enum class Benches { Not, AndWaits, AndEndsItsTurn };
    static inline Benches benches = Benches::Not; // by our tools, each edit
    static inline QList<ToolAnswer> benchAnswers;
    static inline QList<ProposalRequest> requests;
    static inline std::function<void(const ProposalRequest &request)> afterTurn; // what else it leaves
    static inline bool hangs = false;

private:
    Proposal turn(const ProposalRequest &request);
    QList<Turn> m_turns;
    bool m_fromIteration; // which turn it is follows from the iteration's number, not from how often it was asked
    LoopTools *m_tools = nullptr;
    bool m_waiting = false;
};

void resetFakes(); // to what they are at first, before each test

Ports fakePorts(const QList<ScriptedAgent::Turn> &turns, bool fromIteration = false);

// An engine on this thread with the fakes, and everything it told.
class LoopDriver : public QObject
{
    Q_OBJECT

public:
    explicit LoopDriver(Ports ports);
    LoopEngine engine;
    QList<RunEvent> events;

    // Gives the intent and runs the event loop until the next RunStopped, at most 20 s.
    event::RunStopped until(const LoopEvent &intent);
    event::RunStopped untilStopped();
    void settle(); // until nothing is under way
    template <typename Event>
    QList<Event> all() const
    {
        QList<Event> found;
        for (const RunEvent &event : events) {
            if (const auto *match = std::get_if<Event>(&event))
                found << *match;
        }
        return found;
    }
    QString notices() const; // one a line
};

} // namespace ako::test
