// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/journal.h"
#include "support/scratchworkspace.h"

#include <QFile>
#include <QTest>

using namespace ako;
using ako::test::ScratchWorkspace;

namespace {

constexpr auto path = ".ako/journal.jsonl";

IterationRecord record(int number)
{
    IterationRecord record;
    record.number = number;
    record.label = QStringLiteral("iter-%1").arg(number);
    record.title = QStringLiteral("eine Zeile \"日\"");
    record.hypothesis = QStringLiteral("Zeile\nzwei");
    return record;
}

} // namespace

class TestJournal : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tellsTheStepThatWasReached_data();
    void tellsTheStepThatWasReached();
    void isEmptyAtFirst();
    void anyTornEndIsAsIfNotWritten();
    void goesOnAfterATornEnd();
    void staysSmall();
    void survivesAnything();
    void saysWhyItCannotWrite();
};

void TestJournal::tellsTheStepThatWasReached_data()
{
    QTest::addColumn<int>("steps"); // how many of begun, edited, benched, verified, logged, committed
    for (int steps = 1; steps <= 6; ++steps)
        QTest::addRow("%d steps", steps) << steps;
}

void TestJournal::tellsTheStepThatWasReached()
{
    QFETCH(const int, steps);
    constexpr JournalStep all[] = {JournalStep::Begun,    JournalStep::Edited, JournalStep::Benched,
                                   JournalStep::Verified, JournalStep::Logged, JournalStep::Committed};
    const ScratchWorkspace workspace;
    IterationRecord current = record(3);
    for (int step = 0; step < steps; ++step) {
        current.statusReason = stepName(all[step]);
        QVERIFY(Journal(workspace.path()).append(all[step], current).has_value());
    }
    const auto unfinished = Journal(workspace.path()).unfinished();
    QCOMPARE(unfinished.has_value(), steps < 6);
    if (!unfinished)
        return;
    QVERIFY(workspace.exists(QStringLiteral(".ako/.gitignore"))); // never committed, and not the user's file
    QCOMPARE(unfinished->step, all[steps - 1]);
    QCOMPARE(unfinished->record, current);
    QCOMPARE(unfinished->record.statusReason, stepName(all[steps - 1]));
    QVERIFY(Journal(workspace.path()).append(JournalStep::Discarded, current).has_value());
    QVERIFY(!Journal(workspace.path()).unfinished());
}

void TestJournal::isEmptyAtFirst()
{
    const ScratchWorkspace workspace;
    QVERIFY(!Journal(workspace.path()).unfinished());
    QVERIFY(!workspace.exists(QStringLiteral(".ako"))); // reading writes nothing
}

// Killed while a line is being written: cut at every byte, the step before it is what was reached.
void TestJournal::anyTornEndIsAsIfNotWritten()
{
    const ScratchWorkspace workspace;
    const Journal reader(workspace.path());
    Journal writer(workspace.path());
    QVERIFY(writer.append(JournalStep::Begun, record(2)).has_value());
    const QByteArray before = workspace.read(QLatin1String(path));
    QVERIFY(writer.append(JournalStep::Edited, record(2)).has_value());
    const QByteArray after = workspace.read(QLatin1String(path));
    QVERIFY(after.startsWith(before));
    for (qsizetype size = before.size(); size < after.size(); ++size) {
        workspace.write(QLatin1String(path), after.left(size));
        QCOMPARE(reader.unfinished()->step, JournalStep::Begun);
    }
    workspace.write(QLatin1String(path), after);
    QCOMPARE(reader.unfinished()->step, JournalStep::Edited);
}

void TestJournal::goesOnAfterATornEnd()
{
    const ScratchWorkspace workspace;
    Journal journal(workspace.path());
    QVERIFY(journal.append(JournalStep::Begun, record(2)).has_value());
    workspace.write(QLatin1String(path), workspace.read(QLatin1String(path)) + "{\"step\":\"edi");
    QVERIFY(journal.append(JournalStep::Benched, record(2)).has_value());
    QCOMPARE(journal.unfinished()->step, JournalStep::Benched);
    QCOMPARE(workspace.read(QLatin1String(path)).count('\n'), 2);
    QVERIFY(!workspace.read(QLatin1String(path)).contains("\"edi"));
}

void TestJournal::staysSmall()
{
    const ScratchWorkspace workspace;
    Journal journal(workspace.path());
    for (int number = 1; number <= 20; ++number) {
        for (const auto step : {JournalStep::Begun, JournalStep::Edited, JournalStep::Benched, JournalStep::Logged,
                                JournalStep::Committed})
            QVERIFY(journal.append(step, record(number)).has_value());
    }
    QVERIFY(workspace.read(QLatin1String(path)).size() < 200);
    QVERIFY(!journal.unfinished());
}

void TestJournal::survivesAnything()
{
    const ScratchWorkspace workspace;
    for (const QByteArray &content :
         {QByteArray(), QByteArray("\n\n\n"), QByteArray("[]\n"), QByteArray(1000, '\0'), QByteArray("{\"step\":7}\n"),
          QByteArray("{\"step\":\"later\"}\n"), QByteArray("no JSON\n")}) {
        workspace.write(QLatin1String(path), content);
        QVERIFY(!Journal(workspace.path()).unfinished());
    }
    workspace.write(QLatin1String(path), "{\"step\":\"benched\",\"record\":{\"number\":4}}\nnonsense\n");
    QCOMPARE(Journal(workspace.path()).unfinished()->record.number, 4);
}

void TestJournal::saysWhyItCannotWrite()
{
    const ScratchWorkspace workspace;
    workspace.write(QStringLiteral(".ako"), "a file");
    const auto written = Journal(workspace.path()).append(JournalStep::Begun, record(1));
    QVERIFY(!written);
    QVERIFY2(written.error().message.contains(QStringLiteral(".ako")), qPrintable(written.error().text()));
}

QTEST_GUILESS_MAIN(TestJournal)
#include "tst_journal.moc"
