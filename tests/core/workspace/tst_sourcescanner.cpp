// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/sourcefacts.h"

#include <QTest>

using namespace ako;

class SourceScannerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void definitions_data();
    void definitions();
    void includes();
    void blankingKeepsPlaces_data();
    void blankingKeepsPlaces();
    void survivesEveryCut();
};

void SourceScannerTest::definitions_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("found"); // "line name[ C][ static][ global]", comma-separated
    QTest::newRow("plain") << QByteArray("void f(int a) {}") << "1 f";
    QTest::newRow("declaration") << QByteArray("void f(int a);") << "";
    QTest::newRow("extern C") << QByteArray("extern \"C\" void f() {}\nvoid g() {}") << "1 f C,2 g";
    QTest::newRow("extern C block") << QByteArray("extern \"C\" {\nvoid f()\n{\n}\nvoid g();\n}\nvoid h() {}")
                                    << "2 f C,7 h";
    QTest::newRow("line comment") << QByteArray("// void f() {}\nvoid g() {}") << "2 g";
    QTest::newRow("continued line comment") << QByteArray("// void \\\nf() {}\nvoid g() {}") << "3 g";
    QTest::newRow("block comment") << QByteArray("/* void f() {\n*/ void g() {}") << "2 g";
    QTest::newRow("string with a brace") << QByteArray("const char *s = \"void f() { \\\" \";\nvoid g() {}") << "2 g";
    QTest::newRow("raw string") << QByteArray("auto s = R\"x(void f() { )\" )x\";\nvoid g() {}") << "2 g";
    QTest::newRow("character") << QByteArray("char c = '{'; char d = '\\'';\nvoid g() {}") << "2 g";
    QTest::newRow("digit separator") << QByteArray("int n = 1'000'000;\nvoid g() {}") << "2 g";
    QTest::newRow("stray quote ends with its line") << QByteArray("#error don't\nvoid g() {}") << "2 g";
    QTest::newRow("if 0") << QByteArray("#if 0\nvoid f() {\n#else\nvoid g() {\n#endif\n}\nvoid h() {}") << "4 g,7 h";
    QTest::newRow("both branches") << QByteArray(
                                          "#ifdef A\nvoid f(int a) {\n#else\nvoid f(float a) {\n#endif\n}\nvoid h() {}")
                                   << "2 f,4 f,7 h";
    QTest::newRow("macro with braces") << QByteArray("#define F(x) void x() { \\\n {\nvoid g() {}") << "3 g";
    QTest::newRow("namespace") << QByteArray("namespace a::b {\nvoid f() {}\n}\nnamespace {\nvoid g() {}\n}")
                               << "2 f,5 g static";
    QTest::newRow("static") << QByteArray("static inline int f() { return 1; }") << "1 f static";
    QTest::newRow("class members are none")
        << QByteArray("struct S { void f() {} };\nvoid S::g() {}\nS::S() : a(1) {}\nvoid h() {}") << "4 h";
    QTest::newRow("template") << QByteArray("template <int N = (1 > 0), typename T>\nvoid f(T *x) {}") << "2 f";
    QTest::newRow("CUDA kernel") << QByteArray("__global__ void __launch_bounds__(256, 2) k(float *x) {}")
                                 << "1 k global";
    QTest::newRow("attributes") << QByteArray(
                                       "__attribute__((noinline)) void f() {}\n[[gnu::hot]] void g() noexcept(true) {}")
                                << "1 f,2 g";
    QTest::newRow("trailing return") << QByteArray("auto f(int a) -> int { return a; }") << "1 f";
    QTest::newRow("initialiser") << QByteArray("int t[] = {f(1), 2};\nint u = g(3);\nvoid h() {}") << "3 h";
    QTest::newRow("lambda at namespace scope") << QByteArray("auto l = [](int a) { return a; };\nvoid h() {}") << "2 h";
    QTest::newRow("main") << QByteArray("int main(int argc, char **argv) {}") << "1 main";
    QTest::newRow("CRLF") << QByteArray("// x\r\nvoid f()\r\n{\r\n}\r\n") << "2 f";
    QTest::newRow("restrict pointers") << QByteArray("extern \"C\" void f(const float *__restrict__ a,\n float *b) {}")
                                       << "1 f C";
}

void SourceScannerTest::definitions()
{
    QFETCH(QByteArray, text);
    QStringList found;
    const SourceFacts facts = scanSource(QStringLiteral("a.cpp"), text);
    for (const FunctionFact &function : facts.functions)
        found.append(QStringLiteral("%1 %2").arg(function.line).arg(function.name) +
                     (function.isExternC ? QStringLiteral(" C") : QString()) +
                     (function.isStatic ? QStringLiteral(" static") : QString()) +
                     (function.isGlobal ? QStringLiteral(" global") : QString()));
    QTEST(found.join(QLatin1Char(',')), "found");
}

void SourceScannerTest::includes()
{
    const SourceFacts facts =
        scanSource(QStringLiteral("a.cpp"),
                   "#include <vector>\n#  include \"a b.h\" // \"no.h\"\n/*\n#include \"no.h\"\n*/\n"
                   "const char *s = \"\\\n#include \\\"no.h\\\"\";\nvoid f() { g(1); h<int>(2); k<<<1, 2>>>(3); }\n");
    QCOMPARE(facts.systemIncludes, QStringList{QStringLiteral("vector")});
    QCOMPARE(facts.localIncludes.size(), 1);
    QCOMPARE(facts.localIncludes.first().path, QStringLiteral("a b.h"));
    QCOMPARE(facts.localIncludes.first().line, 2);
    QCOMPARE(facts.calls, QSet<QString>({QStringLiteral("g"), QStringLiteral("h"), QStringLiteral("k")}));
}

void SourceScannerTest::blankingKeepsPlaces_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("blanked");
    QTest::newRow("comment") << QByteArray("a /* b\nc */ d // e\nf") << QByteArray("a     \n     d     \nf");
    QTest::newRow("string") << QByteArray("f(\"a\\\"b\", 'c')") << QByteArray("f(\"    \", ' ')");
    QTest::newRow("comment in a string") << QByteArray("\"// x\" y") << QByteArray("\"    \" y");
    QTest::newRow("unterminated") << QByteArray("/* x") << QByteArray("    ");
}

void SourceScannerTest::blankingKeepsPlaces()
{
    QFETCH(QByteArray, text);
    QTEST(withoutCommentsAndStrings(text), "blanked");
}

// A file may end anywhere and hold anything: the scanner only has to come back.
void SourceScannerTest::survivesEveryCut()
{
    const QByteArray text = "#if 0\n\"x\n#else\n/* */ R\"(a)\" '\\'' extern \"C\" { template<class T> void f(T "
                            "(*p)(int)) { g<<<1>>>(); } }\n#endif \\\n";
    for (qsizetype cut = 0; cut <= text.size(); ++cut) {
        const SourceFacts head = scanSource(QStringLiteral("a.cpp"), text.left(cut));
        const SourceFacts tail = scanSource(QStringLiteral("a.cpp"), text.mid(cut));
        QVERIFY(head.functions.size() <= 1 && tail.functions.size() <= 1);
    }
}

QTEST_GUILESS_MAIN(SourceScannerTest)
#include "tst_sourcescanner.moc"
