// SPDX-License-Identifier: GPL-3.0-or-later
// However much text comes, the window has its turn between two pieces of it, and the end of it is shown.
#include "transcript/textlog.h"

#include <QScrollBar>
#include <QTest>
#include <QTextBlock>
#include <QTextDocument>

#include <algorithm>

using namespace ako;

class TestTextLog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isShownInPieces_data();
    void isShownInPieces();
    void largeStoredTextIsWhole();

private:
    static QString lines(int first, int last)
    {
        QString text;
        for (int line = first; line <= last; ++line)
            text += QStringLiteral("line %1 of what a program says\n").arg(line);
        return text;
    }
};

void TestTextLog::isShownInPieces_data()
{
    QTest::addColumn<int>("calls");
    QTest::addColumn<int>("each"); // lines
    QTest::addColumn<bool>("isSkipped");
    QTest::newRow("a little") << 3 << 5 << false;
    QTest::newRow("much in small pieces") << 2'000 << 5 << false;
    QTest::newRow("much in one") << 1 << 9'000 << false;
    // 40,000 lines, of which the last 20,000 stay: what says that some were skipped is above them.
    QTest::newRow("a flood in small pieces") << 20'000 << 2 << true;
    QTest::newRow("a flood in one") << 1 << 200'000 << true;
}

void TestTextLog::isShownInPieces()
{
    QFETCH(int, calls);
    QFETCH(int, each);
    QFETCH(bool, isSkipped);
    TextLog log(QStringLiteral("nothing yet"));
    int most = 0;
    connect(log.document(), &QTextDocument::contentsChange, this,
            [&most](int, int, int added) { most = std::max(most, added); });
    for (int call = 0; call < calls; ++call)
        log.append(lines(call * each + 1, call * each + each));
    const QString last = QStringLiteral("line %1 of").arg(calls * each);
    QTRY_VERIFY(log.document()->lastBlock().previous().text().startsWith(last));
    QVERIFY2(most <= 70'000, qPrintable(QString::number(most)));
    QCOMPARE(log.toPlainText() != lines(1, calls * each), isSkipped);
    if (calls == 1)
        QCOMPARE(log.toPlainText().contains(QStringLiteral("[earlier output is in the trajectory]")), isSkipped);
}

void TestTextLog::largeStoredTextIsWhole()
{
    TextLog log(QStringLiteral("nothing yet"));
    log.resize(600, 400);
    log.show();
    const QString text = lines(1, 12'000);
    log.replaceAll(text);
    QVERIFY(log.toPlainText().startsWith(lines(1, 100)));
    QTRY_COMPARE(log.toPlainText().size(), text.size());
    QCOMPARE(log.toPlainText(), text);
    QCOMPARE(log.verticalScrollBar()->value(), 0);
    log.replaceAll(text);
    log.replaceAll(QStringLiteral("short\n")); // before the other is whole
    log.append(QStringLiteral("end"));
    QTRY_VERIFY(log.toPlainText().endsWith(QStringLiteral("end")));
    QCOMPARE(log.toPlainText(), QStringLiteral("short\nend"));
}

QTEST_MAIN(TestTextLog)
#include "tst_textlog.moc"
