// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/constants.h"

#include <QTest>

using namespace ako::tuner;

class TestTunerConstants : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void found_data();
    void found();
    void roles_data();
    void roles();
    void positionIsExact();
    void values_data();
    void values();
};

namespace {

std::vector<TunableConstant> constantsOf(const QString &text)
{
    const Source source("kernel.cpp", text.toStdString());
    return findConstants(source, parseFunctions(source));
}

QString list(const std::vector<long long> &values)
{
    QStringList result;
    for (const long long each : values)
        result.append(QString::number(each));
    return result.join(QLatin1Char(','));
}

} // namespace

void TestTunerConstants::found_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("expected"); // name=value(candidates), separated by blanks

    const auto row = [](const char *name, const char *source, const char *expected) {
        QTest::newRow(name) << QString::fromUtf8(source) << QString::fromUtf8(expected);
    };
    row("constexpr", "constexpr int TILE = 16;", "TILE=16()");
    row("const with a long type", "static const unsigned long long blockSize = 64ULL;", "blockSize=64()");
    row("qualified type", "inline constexpr std::int64_t kChunk = 8;", "kChunk=8()");
    row("define", "#define TILE_X 8\n", "TILE_X=8()");
    row("define in parentheses", "#define TILE_X (8)\n", "TILE_X=8()");
    row("define with comment", "#define TILE_X 8 // columns\n", "TILE_X=8()");
    row("local constant", "void f() { const int UNROLL = 2; }", "UNROLL=2()");
    row("template arguments", "void g(){ run<8, 32>(x); }", "run<#1>=8() run<#2>=32()");
    row("template argument beside a type", "void g(){ run<float, 32>(x); }", "run<#2>=32()");
    row("enumerator", "enum { TILE = 16, Other = 3 };", "TILE=16()");
    row("enum class", "enum class Size : int { BLOCK = 32 };", "BLOCK=32()");
    row("unroll pragma", "void f() {\n#pragma GCC unroll 4\nfor (;;) {}\n}", "unroll@f#1=4()");
    row("unroll pragma in parentheses", "void f() {\n#pragma unroll(8)\nfor (;;) {}\n}", "unroll@f#1=8()");
    row("comment on the line", "constexpr int rows = 3; // ako: tune 1,2,3,5", "rows=3(1,2,3,5)");
    row("comment on the line above", "// ako: tune 8, 16, 32\n#define WIDTH 16\n", "WIDTH=16(8,16,32)");
    row("comment two lines above", "// ako: tune 8\n\n#define WIDTH 15\n", "");
    row("comment of another line", "int a; // ako: tune 8\nconstexpr int width = 15;", "");
    row("step of a loop", "constexpr int S = 3;\nvoid f(int n){ for (int i = 0; i < n; i += S) {} }", "S=3()");
    row("power of two", "constexpr int N = 64;", "N=64()");
    row("not a power of two", "constexpr int RADIUS = 3;", "");
    row("small", "constexpr int RADIUS = 2;", "");
    row("floating point", "constexpr float TILE = 16.0f; constexpr double BLOCK = 1e3;", "");
    row("hexadecimal", "constexpr int TILE = 0x10;", "");
    row("expression", "constexpr int TILE = 2 * 8;", "");
    row("not constant", "int TILE = 16;", "");
    row("parameter default", "void f(const int TILE = 16);", "");
    row("macro with parameters", "#define TILE(x) 16\n", "");
    row("macro in a string", "const char *s = \"#define TILE 16\";", "");
    row("in a comment", "// constexpr int TILE = 16;\n/* #define BLOCK 8 */", "");
    row("in a raw string", "auto s = R\"(\n#define TILE 16\n)\";", "");
    row("macro body", "#define LOOP for (int i = 0; i < 16; ++i)\n", "");
    row("comparison is no template", "void f() { if (a < 8 && b > (c)) {} }", "");
    row("too large", "constexpr int BLOCK = 1048576;", "");
    row("zero", "constexpr int BLOCK = 0;", "");
}

void TestTunerConstants::found()
{
    QFETCH(QString, source);
    QFETCH(QString, expected);
    QStringList result;
    for (const TunableConstant &each : constantsOf(source))
        result.append(QStringLiteral("%1=%2(%3)")
                          .arg(QString::fromStdString(each.name))
                          .arg(each.value)
                          .arg(list(each.candidates)));
    QCOMPARE(result.join(QLatin1Char(' ')), expected);
}

void TestTunerConstants::roles_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<int>("role");

    const QString start = QStringLiteral("constexpr int S = 16;\nvoid f(float *a, int n, int m) {\n");
    const auto role = [](TunableConstant::Role each) { return static_cast<int>(each); };
    QTest::newRow("tile of the innermost loop")
        << start + QStringLiteral("for (int j0 = 0; j0 < m; j0 += S) for (int i = 0; i < n; ++i) for (int j = j0; j < "
                                  "j0 + S; ++j) a[j] = i; }")
        << role(TunableConstant::Role::InnermostTile);
    QTest::newRow("tile of an outer loop")
        << start + QStringLiteral("for (int j0 = 0; j0 < m; j0 += S) for (int j = j0; j < j0 + S; ++j) for (int i = 0; "
                                  "i < n; ++i) a[j] = i; }")
        << role(TunableConstant::Role::Tile);
    QTest::newRow("short loops do not count")
        << start + QStringLiteral("for (int j0 = 0; j0 < m; j0 += S) for (int j = j0; j < j0 + S; ++j) for (int d = 0; "
                                  "d < 3; ++d) a[j] += d; }")
        << role(TunableConstant::Role::InnermostTile);
    QTest::newRow("unused") << start + QStringLiteral("}") << role(TunableConstant::Role::Other);
}

void TestTunerConstants::roles()
{
    QFETCH(QString, source);
    QFETCH(int, role);
    const auto found = constantsOf(source);
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(static_cast<int>(found.front().role), role);
}

// Only the digits are replaced: suffix, comment and the rest of the line stay.
void TestTunerConstants::positionIsExact()
{
    const std::string text = "#define  TILE   ( 16UL ) /* 16 */\n";
    const auto found = constantsOf(QString::fromStdString(text));
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(text.substr(found[0].begin, found[0].end - found[0].begin), std::string("16"));
    QCOMPARE(applyEdits(text, {{found[0].begin, found[0].end, "32"}}),
             std::string("#define  TILE   ( 32UL ) /* 16 */\n"));
}

void TestTunerConstants::values_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("expected");

    QTest::newRow("powers of two around it")
        << QStringLiteral("constexpr int TILE = 16;") << QStringLiteral("64,32,256,128,512,8,4,2");
    QTest::newRow("odd values only go up")
        << QStringLiteral("constexpr int TILE = 5;") << QStringLiteral("20,10,80,40,160");
    QTest::newRow("unroll factors stay small")
        << QStringLiteral("constexpr int UNROLL = 4;") << QStringLiteral("16,8,32,2,1");
    QTest::newRow("as listed, without the present one")
        << QStringLiteral("constexpr int TILE = 16; // ako: tune 16,24,48") << QStringLiteral("24,48");
    QTest::newRow("at the limit") << QStringLiteral("constexpr int TILE = 4096;") << QStringLiteral("2048,1024,512");
}

void TestTunerConstants::values()
{
    QFETCH(QString, source);
    QFETCH(QString, expected);
    const auto found = constantsOf(source);
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(list(found.front().values()), expected);
}

QTEST_APPLESS_MAIN(TestTunerConstants)
#include "tst_tunerconstants.moc"
