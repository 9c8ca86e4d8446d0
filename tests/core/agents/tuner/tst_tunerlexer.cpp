// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/source.h"

#include <QTest>

using namespace ako::tuner;

class TestTunerLexer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tokens_data();
    void tokens();
    void everyByteIsTokenOrSpace();
    void brackets();
    void edits_data();
    void edits();
    void lineBreaksAreKept();
};

namespace {

// "i:int n:42" for identifier int and number 42.
QString describe(const std::string &text)
{
    QStringList result;
    for (const Token &token : lex(text)) {
        static const char letters[] = "inscpd/";
        const QString body = QString::fromStdString(text.substr(token.begin, token.end - token.begin));
        result.append(QString(QLatin1Char(letters[static_cast<int>(token.kind)])) + QLatin1Char(':') + body);
    }
    return result.join(QLatin1Char('|'));
}

} // namespace

void TestTunerLexer::tokens_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("expected");

    const auto row = [](const char *name, const char *source, const char *expected) {
        QTest::newRow(name) << QString::fromUtf8(source) << QString::fromUtf8(expected);
    };
    row("empty", "", "");
    row("words and numbers", "int x = 42;", "i:int|i:x|p:=|n:42|p:;");
    row("number suffixes", "1u 2ULL 3.5f .5 1e-5f 0x1Fp+3 1'000'000 0b11",
        "n:1u|n:2ULL|n:3.5f|n:.5|n:1e-5f|n:0x1Fp+3|n:1'000'000|n:0b11");
    row("sign is not part of a number", "3-4 0xE+1", "n:3|p:-|n:4|n:0xE|p:+|n:1");
    row("long punctuators", "a<<=b>>c->d::e...", "i:a|p:<<=|i:b|p:>>|i:c|p:->|i:d|p:::|i:e|p:...");
    row("string with escapes", R"("a\"b\\" x)", R"(s:"a\"b\\"|i:x)");
    row("string holds comment", R"("// no" y)", R"(s:"// no"|i:y)");
    row("comment holds string", "a // \"b\nc", "i:a|/:// \"b|i:c");
    row("block comment", "a /* for (;;) {\n */ b", "i:a|/:/* for (;;) {\n */|i:b");
    row("comment continued", "// a \\\n b\nc", "/:// a \\\n b|i:c");
    row("character literals", R"('a' '\'' '{' L'x')", R"(c:'a'|c:'\''|c:'{'|c:L'x')");
    row("raw string", "R\"x(a \")\" b)x\" y", "s:R\"x(a \")\" b)x\"|i:y");
    row("raw string without delimiter", "u8R\"(\\)\"z", "s:u8R\"(\\)\"|i:z");
    row("prefix is a word elsewhere", "u8 L R", "i:u8|i:L|i:R");
    row("directive", "#define N 8 // eight\nint", "d:#define N 8|/:// eight|i:int");
    row("directive continued", "#define F(x) \\\n  ((x) + 1)\nint", "d:#define F(x) \\\n  ((x) + 1)|i:int");
    row("directive after blanks", "  #pragma omp simd\nx", "d:#pragma omp simd|i:x");
    row("directive with string", "#define S \"a // b\"\nx", "d:#define S \"a // b\"|i:x");
    row("hash inside a line", "a # b", "i:a|p:#|i:b");
    row("windows line ends", "#define N 8\r\nint\r\n", "d:#define N 8|i:int");
    row("unfinished string ends with its line", "\"abc\nint", "s:\"abc|i:int");
    row("unfinished comment ends with the source", "a /* b", "i:a|/:/* b");
    row("unfinished raw string", "R\"(abc", "s:R\"(abc");
    row("words of other scripts", "größe = 1;", "i:größe|p:=|n:1|p:;");
    row("splice between tokens", "a \\\n b", "i:a|i:b");
}

void TestTunerLexer::tokens()
{
    QFETCH(QString, source);
    QFETCH(QString, expected);
    QCOMPARE(describe(source.toStdString()), expected);
}

// Nothing is lost: between two tokens there is only white space.
void TestTunerLexer::everyByteIsTokenOrSpace()
{
    const std::string text = "#include <a>\n/* c */ int main() { return f<3>(R\"(x)\", 'c') >> 2; } // end";
    std::size_t position = 0;
    for (const Token &token : lex(text)) {
        for (; position < token.begin; ++position)
            QVERIFY(std::isspace(static_cast<unsigned char>(text[position])));
        QVERIFY(token.end > token.begin);
        position = token.end;
    }
    QCOMPARE(position, text.size());
}

void TestTunerLexer::brackets()
{
    const Source source("a.cpp", "f(a[\"]\"], '(') { /* } */ }");
    QCOMPARE(source.view(source.partner(1)), std::string_view(")"));
    QCOMPARE(source.partner(3), 5);
    QCOMPARE(source.after(1), 9);
    QCOMPARE(source.partner(0), -1);
}

void TestTunerLexer::edits_data()
{
    QTest::addColumn<QList<QVariantList>>("changes");
    QTest::addColumn<QString>("expected"); // null: refused

    QTest::newRow("none") << QList<QVariantList>{} << QStringLiteral("0123456789");
    QTest::newRow("replace") << QList<QVariantList>{{2, 4, QStringLiteral("ab!")}} << QStringLiteral("01ab!456789");
    QTest::newRow("insert twice, given out of order")
        << QList<QVariantList>{{8, 8, QStringLiteral("y")}, {1, 1, QStringLiteral("x")}}
        << QStringLiteral("0x1234567y89");
    QTest::newRow("side by side") << QList<QVariantList>{{1, 2, QStringLiteral("a")}, {2, 3, QStringLiteral("b")}}
                                  << QStringLiteral("0ab3456789");
    QTest::newRow("overlap") << QList<QVariantList>{{1, 4, QStringLiteral("a")}, {3, 5, QStringLiteral("b")}}
                             << QString();
    QTest::newRow("outside") << QList<QVariantList>{{9, 11, QStringLiteral("a")}} << QString();
}

void TestTunerLexer::edits()
{
    QFETCH(QList<QVariantList>, changes);
    QFETCH(QString, expected);
    std::vector<Edit> list;
    for (const QVariantList &each : changes)
        list.push_back({each[0].toULongLong(), each[1].toULongLong(), each[2].toString().toStdString()});
    const auto result = applyEdits("0123456789", list);
    QCOMPARE(result.has_value(), !expected.isNull());
    if (result)
        QCOMPARE(QString::fromStdString(*result), expected);
}

void TestTunerLexer::lineBreaksAreKept()
{
    QCOMPARE(Source("a", "x\r\ny\n").lineBreak(0), std::string("\r\n"));
    QCOMPARE(Source("a", "x\r\ny\n").lineBreak(3), std::string("\n"));
    QCOMPARE(Source("a", "x").lineBreak(0), std::string("\n"));
    QCOMPARE(Source("a", "x\n  \ty").indentation(5), std::string("  \t"));
}

QTEST_APPLESS_MAIN(TestTunerLexer)
#include "tst_tunerlexer.moc"
