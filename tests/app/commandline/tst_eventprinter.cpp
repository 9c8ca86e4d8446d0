// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline/eventprinter.h"

#include <QTest>

using namespace ako;

class TestEventPrinter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsATitle_data();
    void showsATitle();
    void legendExplainsTheStar();
};

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

QTEST_GUILESS_MAIN(TestEventPrinter)
#include "tst_eventprinter.moc"
