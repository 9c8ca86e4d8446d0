// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/words.h"

#include <QProcess>
#include <QTest>

using namespace ako;

class TestWords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothingSteersATerminal_data();
    void nothingSteersATerminal();
    void isCut();
    void lists();
    void aShellTakesItForOneWord_data();
    void aShellTakesItForOneWord();
};

void TestWords::nothingSteersATerminal_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("plain");
    QTest::addColumn<QString>("line");
    const auto row = [](const char *name, const char16_t *text, const char16_t *plain, const char16_t *line) {
        QTest::newRow(name) << QString::fromUtf16(text) << QString::fromUtf16(plain) << QString::fromUtf16(line);
    };
    row("words", u"unroll x4", u"unroll x4", u"unroll x4");
    row("other scripts", u"日本 é 👩‍💻", u"日本 é 👩‍💻", u"日本 é 👩‍💻");
    row("escape", u"\x1b[31mred\x1b[0m", u"[31mred[0m", u"[31mred[0m");
    row("one byte escape", u"a\u009b31mb", u"a31mb", u"a31mb");
    row("bell, backspace, delete",
        u"a\x07\b\x7f"
        u"b",
        u"ab", u"ab");
    row("carriage return", u"good\rbad", u"goodbad", u"good bad");
    row("lines", u"a\r\n\tb\n", u"a\n\tb\n", u"a b");
    row("direction", u"a\u202eb\u2066c\u200f", u"abc", u"abc");
}

void TestWords::nothingSteersATerminal()
{
    QFETCH(QString, text);
    QFETCH(QString, line);
    QTEST(words::plain(text), "plain");
    QCOMPARE(words::oneLine(text), line);
    QCOMPARE(words::title(text), line);
}

void TestWords::isCut()
{
    QCOMPARE(words::shortened(QStringLiteral("abc"), 3), QStringLiteral("abc"));
    QCOMPARE(words::shortened(QStringLiteral("abcd"), 3), QStringLiteral("ab") + QChar(0x2026));
    const QString pairs = QString::fromUtf16(u"a😀😀"); // no half of a character stays
    QCOMPARE(words::shortened(pairs, 3), QStringLiteral("a") + QChar(0x2026));
    QCOMPARE(words::title(QString(1000000, QLatin1Char('x'))).size(), words::longestTitle);
}

void TestWords::lists()
{
    QStringList names;
    for (int i = 0; i < 14; ++i)
        names << QString::number(i);
    QCOMPARE(words::listed(names.first(2)), QStringLiteral("0, 1"));
    QCOMPARE(words::listed(names, 2), QStringLiteral("0, 1 and 12 more"));
}

void TestWords::aShellTakesItForOneWord_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("word");
    const auto row = [](const char *text, const char *word) {
        QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(word);
    };
    row("/home/ada/matmul-2", "/home/ada/matmul-2");
    row("/home/ada/größe", "/home/ada/größe");
    row("/path with space", "'/path with space'");
    row("/it's", "'/it'\\''s'");
    row("/$HOME;\"x\"", "'/$HOME;\"x\"'");
    row("~/a*", "'~/a*'");
    row("", "''");
}

void TestWords::aShellTakesItForOneWord()
{
    QFETCH(QString, text);
    QTEST(words::shellWord(text), "word");
    QProcess shell;
    shell.start(QStringLiteral("/bin/sh"),
                {QStringLiteral("-c"), QStringLiteral("printf '%s|' ") + words::shellWord(text)});
    QVERIFY(shell.waitForFinished());
    QCOMPARE(QString::fromUtf8(shell.readAllStandardOutput()), text + QLatin1Char('|'));
}

QTEST_GUILESS_MAIN(TestWords)
#include "tst_words.moc"
