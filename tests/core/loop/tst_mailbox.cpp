// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/mailbox.h"

#include <QElapsedTimer>
#include <QTest>
#include <QTimer>

using namespace ako;

class MailboxTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsTheOrder();
    void othersHaveTheirTurnInBetween();
    void closingDropsTheRest();
};

static void work(int milliseconds)
{
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < milliseconds) {}
}

void MailboxTest::keepsTheOrder()
{
    Mailbox mailbox;
    QList<int> order;
    QList<int> expected;
    for (int number = 0; number < 12; ++number) {
        expected << number;
        mailbox.leave([&, number] {
            order << number;
            work(2);
            if (number == 3) // comes last, though the ones before it are put back meanwhile
                mailbox.leave([&order] { order << 12; });
        });
    }
    expected << 12;
    QTRY_COMPARE(order.size(), expected.size());
    QCOMPARE(order, expected);
}

void MailboxTest::othersHaveTheirTurnInBetween()
{
    Mailbox mailbox;
    int done = 0;
    int doneAtTick = -1;
    QTimer tick; // a single shot of no time would be an event among the others
    connect(&tick, &QTimer::timeout, this, [&] { doneAtTick = doneAtTick < 0 ? done : doneAtTick; });
    tick.start(1);
    for (int number = 0; number < 20; ++number) {
        mailbox.leave([&done] {
            work(2);
            ++done;
        });
    }
    QTRY_COMPARE(done, 20);
    QVERIFY2(doneAtTick >= 0 && doneAtTick < 10, qPrintable(QString::number(doneAtTick)));
}

void MailboxTest::closingDropsTheRest()
{
    Mailbox mailbox;
    int done = 0;
    for (int number = 0; number < 6; ++number) {
        mailbox.leave([&] {
            work(5);
            if (++done == 2)
                mailbox.close();
        });
    }
    QTRY_COMPARE(done, 2);
    QTest::qWait(30);
    QCOMPARE(done, 2);
}

QTEST_GUILESS_MAIN(MailboxTest)
#include "tst_mailbox.moc"
