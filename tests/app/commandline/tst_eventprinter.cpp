// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline/eventprinter.h"

#include <QTemporaryFile>
#include <QTest>

#include <cstdio>
#include <unistd.h>

using namespace ako;

class TestEventPrinter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsATitle_data();
    void showsATitle();
    void legendExplainsTheStar();
    void tellsAllOfAnEditOfTheHints();
    void tellsARowOnce_data();
    void tellsARowOnce();
    void tellsFlagsInWords();
};

namespace {

// What a printer writes to the standard output.
QString printed(const QList<RunEvent> &events)
{
    QTemporaryFile file;
    if (!file.open())
        return {};
    std::fflush(stdout);
    const int kept = ::dup(STDOUT_FILENO);
    ::dup2(file.handle(), STDOUT_FILENO);
    {
        EventPrinter printer(false);
        for (const RunEvent &event : events)
            printer.print(event);
    }
    std::fflush(stdout);
    ::dup2(kept, STDOUT_FILENO);
    ::close(kept);
    file.seek(0);
    return QString::fromUtf8(file.readAll());
}

IterationRecord recorded(const char *commit)
{
    IterationRecord record;
    record.number = 1;
    record.label = QStringLiteral("iter-1");
    record.title = QStringLiteral("unroll");
    record.commit = QLatin1String(commit);
    return record;
}

} // namespace

void TestEventPrinter::showsATitle_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("number");
    QTest::addColumn<QString>("title");
    QTest::addColumn<QString>("shown"); // at the line's end
    const int iteration = int(IterationRecord::Kind::Iteration);
    const int final = int(IterationRecord::Kind::Final);
    QTest::newRow("as it is") << iteration << 1 << QStringLiteral("unroll") << QStringLiteral("  unroll");
    QTest::newRow("escapes") << iteration << 1 << QStringLiteral("\x1b]0;owned\x07unroll")
                             << QStringLiteral("]0;ownedunroll");
    QTest::newRow("final") << final << 3 << QStringLiteral("the fastest")
                           << QStringLiteral("restores iter-3: the fastest");
    QTest::newRow("final of the baseline")
        << final << 0 << QStringLiteral("no gain") << QStringLiteral("the baseline: no gain");
}

void TestEventPrinter::showsATitle()
{
    QFETCH(int, kind);
    QFETCH(int, number);
    QFETCH(QString, title);
    QFETCH(QString, shown);
    IterationRecord record;
    record.kind = IterationRecord::Kind(kind);
    record.number = number;
    record.title = title;
    const QString line = historyLine(record);
    QVERIFY2(line.endsWith(shown), qPrintable(line));
    QVERIFY(!line.contains(QChar(0x1b)) && !line.contains(QLatin1Char('\n')));
}

void TestEventPrinter::legendExplainsTheStar()
{
    QVERIFY(historyLegend().contains(QStringLiteral("*: became the champion")));
}

void TestEventPrinter::tellsAllOfAnEditOfTheHints()
{
    const QString text = printed({event::HintsSeen{3,
                                                   {QStringLiteral("use fewer registers")},
                                                   {QStringLiteral("do not use OpenMP")},
                                                   {QStringLiteral("cap: 20 iterations")},
                                                   {QStringLiteral("a cap of 0")},
                                                   {QStringLiteral("be bold")}}});
    for (const char *words :
         {"from iteration 3 on: use fewer registers", "no longer from iteration 3 on: do not use", "cap: 20 iterations",
          "cannot be kept: a cap of 0", "for the agent, word for word: be bold"})
        QVERIFY2(text.contains(QLatin1String(words)),
                 qPrintable(QLatin1String(words) + QStringLiteral(" is not in ") + text));
}

void TestEventPrinter::tellsARowOnce_data()
{
    QTest::addColumn<bool>("known"); // from an earlier call
    QTest::addColumn<int>("rows");
    QTest::newRow("made by this call") << false << 1;
    QTest::newRow("of an earlier call") << true << 0;
}

// The next iteration tells a record again, with what the agent said afterwards.
void TestEventPrinter::tellsARowOnce()
{
    QFETCH(bool, known);
    QFETCH(int, rows);
    QList<RunEvent> events;
    if (known)
        events << event::HistoryLoaded{{recorded("c1")}, 1};
    events << event::IterationRecorded{recorded("c1")} << event::IterationRecorded{recorded("c1")};
    QCOMPARE(printed(events).count(QStringLiteral("unroll")), rows);
}

void TestEventPrinter::tellsFlagsInWords()
{
    IterationRecord record = recorded("c1");
    record.bench.flags = QStringList{QStringLiteral("REF_SLOWER")};
    const QString text = printed({event::IterationRecorded{record}});
    QVERIFY2(text.contains(QStringLiteral("Note: the reference ran slower")), qPrintable(text));
}

QTEST_GUILESS_MAIN(TestEventPrinter)
#include "tst_eventprinter.moc"
