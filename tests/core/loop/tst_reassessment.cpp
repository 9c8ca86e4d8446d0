// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/reassessment.h"

#include "support/loopscene.h"

#include <QTest>

using namespace ako;
using namespace ako::scene;

class TestReassessment : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesWhatWasTriedAndWhatComes_data();
    void namesWhatWasTriedAndWhatComes();

private:
    static State stalled();
};

State TestReassessment::stalled()
{
    State state = readyAfter({IterationStatus::Improved, IterationStatus::NoChange, IterationStatus::Failed,
                              IterationStatus::Regression, IterationStatus::NoChange});
    const QStringList directions{{},
                                 QStringLiteral("threads"),
                                 QStringLiteral("threads"),
                                 QStringLiteral("unrolling"),
                                 QStringLiteral("constant TILE"),
                                 {}};
    for (IterationRecord &record : state.records)
        record.direction = directions.value(record.number);
    state.records[1].bench.speedupOverChampion = Interval{1.5, 1.45, 1.55};
    state.records[2].bench.speedupOverChampion = Interval{1.01, 1.0, 1.02};
    state.records[4].bench.speedupOverChampion = Interval{0.8, 0.79, 0.81};
    state.records[5].agent = QStringLiteral("user");
    state.profile.figures = {{QStringLiteral("main"), 3.0, 0.5, 2.0}};
    return state;
}

void TestReassessment::namesWhatWasTriedAndWhatComes_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<bool>("exhausted");
    const auto row = [](const char *line, bool exhausted = false) {
        QTest::newRow(line) << QString::fromUtf8(line) << exhausted;
    };
    row("- no figures");
    row("- Distance to the floor: main takes 1.50x the time that measured peaks allow");
    row("  - threads: best 1.500x over its champion, improved (iterations 1, 2)");
    row("  - unrolling: nothing that was correct (iteration 3)");
    row("  - constant TILE: best 0.800x over its champion (iteration 4)");
    row("  - by hand: best 1.000x over its champion (iteration 5)");
    row("- Not tried: alignment; loop order");
    row("- Next: alignment: align the buffers");
    row("- Next: nothing is left that was not measured", true);
}

void TestReassessment::namesWhatWasTriedAndWhatComes()
{
    QFETCH(QString, line);
    QFETCH(bool, exhausted);
    Proposal proposal;
    proposal.outcome = exhausted ? Proposal::Outcome::Exhausted : Proposal::Outcome::Candidate;
    proposal.direction = QStringLiteral("alignment");
    proposal.title = QStringLiteral("align the buffers");
    proposal.untried = QStringList{QStringLiteral("alignment"), QStringLiteral("loop order")};
    const QStringList lines = reassessmentText(stalled(), proposal).split(QLatin1Char('\n'));
    QVERIFY2(lines.contains(line), qPrintable(lines.join(QLatin1Char('\n'))));
}

QTEST_GUILESS_MAIN(TestReassessment)
#include "tst_reassessment.moc"
