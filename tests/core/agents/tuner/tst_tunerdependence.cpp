// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/dependence.h"

#include <QTest>

using namespace ako::tuner;

// Which loops may run in parallel, as vectors or in another order; above all, which may not.
class TestTunerDependence : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void parallel_data();
    void parallel();
    void aliasing_data();
    void aliasing();
    void vectorise_data();
    void vectorise();
    void interchange_data();
    void interchange();
    void polynomials();
};

namespace {

Contract contractOf(int arguments)
{
    Contract contract;
    contract.entry = "run";
    contract.arguments.resize(static_cast<std::size_t>(arguments), "x");
    return contract;
}

// The body of run(), or whole functions; asks about the loop whose line has the mark "//!" (the first loop without it).
Permission ask(const QString &text, char question, bool promised = true)
{
    const bool isWhole = text.contains(QLatin1String("run("));
    const QString head = QStringLiteral(
        "constexpr long T = 16;\nvoid run(const float *a, float *b, float *c, long n, long m, float s)\n{\n");
    const Source source("k.cpp", (isWhole ? text : head + text + QStringLiteral("\n}\n")).toStdString());
    for (const Function &function : parseFunctions(source)) {
        if (function.name != "run")
            continue;
        const Contract contract = promised ? contractOf(static_cast<int>(function.parameters.size())) : Contract();
        const Scope scope(source, function);
        const Dependence dependence(scope, contract);
        const auto loops = loopsOf(function.body);
        if (loops.empty())
            return {false, "no loop"};
        const Statement &loop = *loops.front();
        if (question == 'p')
            return dependence.parallel(loop);
        if (question == 'v')
            return dependence.vectorise(loop);
        const Statement *inner = onlyStatement(loop.body());
        return inner && inner->kind == Statement::Kind::For ? dependence.interchange(loop, *inner)
                                                            : Permission{false, "no nest"};
    }
    return {false, "no function"};
}

} // namespace

void TestTunerDependence::parallel_data()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("refusal"); // part of the reason; empty: allowed

    const auto row = [](const char *name, const char *body, const char *refusal = "") {
        QTest::newRow(name) << QString::fromUtf8(body) << QString::fromUtf8(refusal);
    };
    row("each its own element", "for (long i = 0; i < n; ++i) b[i] = a[i] * s;");
    row("in place", "for (long i = 0; i < n; ++i) b[i] = b[i] * s;");
    row("compound", "for (long i = 0; i < n; i++) { b[i] += a[i]; }");
    row("rows", "for (long i = 0; i < n; ++i) for (long j = 0; j < m; ++j) b[i * m + j] = a[j];");
    row("rows through a pointer",
        "for (long i = 0; i < n; ++i) { float *r = b + i * m; for (long j = 0; j < m; ++j) r[j] = a[i]; }");
    row("rows through an address",
        "for (long i = 0; i < n; ++i) { float *r = &b[i * m]; for (long j = 0; j < m; ++j) r[j] = a[i]; }");
    row("tiles", "for (long t = 0; t < n; t += T) { const long e = std::min(t + T, n); for (long i = t; i < e; ++i) "
                 "b[i] = a[i]; }");
    row("tiles of rows",
        "for (long t = 0; t < n; t += T) for (long u = 0; u < m; u += T) for (long i = t; i < std::min(t + T, n); ++i) "
        "for (long j = u; j < std::min(u + T, m); ++j) b[i * m + j] = a[i * m + j];");
    row("local sum",
        "for (long i = 0; i < n; ++i) { float t = 0; for (long j = 0; j < m; ++j) t += a[i * m + j]; b[i] = t; }");
    row("sum", "float t = 0;\nfor (long i = 0; i < n; ++i) t += a[i];\nb[0] = t;");
    row("largest", "float t = a[0];\nfor (long i = 1; i < n; ++i) t = std::max(t, a[i]);\nb[0] = t;");
    row("mathematical functions", "for (long i = 0; i < n; ++i) b[i] = std::exp(a[i]) + sqrtf(a[i]);");
    row("condition", "for (long i = 0; i < n; ++i) if (a[i] > 0) b[i] = a[i]; else b[i] = 0;");
    row("local array", "for (long i = 0; i < n; ++i) { float t[4]; t[0] = a[i]; b[i] = t[0]; }");
    row("gather", "for (long i = 0; i < n; ++i) b[i] = a[i / 2] + a[n - 1 - i];");
    row("offset by a constant", "for (long i = 0; i < n; ++i) b[m + i] = a[i];");
    row("interleaved pairs", "for (long i = 0; i < n; ++i) { b[2 * i] = a[i]; b[2 * i + 1] = s; }");

    row("recurrence", "for (long i = 1; i < n; ++i) b[i] = b[i - 1] + a[i];", "another pass");
    row("reads ahead", "for (long i = 0; i < n; ++i) b[i] = b[i + 1];", "another pass");
    row("distance not known", "for (long i = 0; i < n; ++i) b[i] = b[i + m];", "distance");
    row("same element", "for (long i = 0; i < n; ++i) b[0] += a[i];", "same elements");
    row("column sums", "for (long i = 0; i < n; ++i) for (long j = 0; j < m; ++j) b[j] += a[i * m + j];",
        "same elements");
    row("scatter", "for (long i = 0; i < n; ++i) b[(long)a[i]] = s;", "");
    row("overlapping rows", "for (long i = 0; i < n; ++i) for (long j = 0; j < m + 1; ++j) b[i * m + j] = s;",
        "another pass");
    row("wrong pitch", "for (long i = 0; i < n; ++i) for (long j = 0; j < n; ++j) b[i * m + j] = s;", "another pass");
    row("starts before the row", "for (long i = 0; i < n; ++i) for (long j = -1; j < m; ++j) b[i * m + j] = s;",
        "another pass");
    row("tiles that overlap",
        "for (long t = 0; t < n; t += T) for (long i = t; i < std::min(t + T + 1, n); ++i) b[i] = a[i];", "");
    row("windows", "for (long i = 0; i < n; ++i) for (long j = 0; j < 3; ++j) b[i + j] += a[i];", "another pass");
    row("modulo", "for (long i = 0; i < n; ++i) b[i % 4] = a[i];", "sum of products");
    row("square", "for (long i = 0; i < n; ++i) b[i * i] = a[i];", "");
    row("carried scalar", "float t = 0;\nfor (long i = 0; i < n; ++i) { b[i] = t; t = a[i]; }", "one before");
    row("sum that is read", "float t = 0;\nfor (long i = 0; i < n; ++i) { t += a[i]; b[i] = t; }", "one before");
    row("counter", "long k = 0;\nfor (long i = 0; i < n; ++i) if (a[i] > 0) b[k++] = a[i];", "");
    row("early exit", "for (long i = 0; i < n; ++i) { if (a[i] < 0) break; b[i] = a[i]; }", "left early");
    row("return", "for (long i = 0; i < n; ++i) { if (a[i] < 0) return; b[i] = a[i]; }", "left early");
    row("unknown call", "for (long i = 0; i < n; ++i) b[i] = next(a[i]);", "calls next()");
    row("call of a method", "for (long i = 0; i < n; ++i) b[i] = v.size();", "members");
    row("lambda", "for (long i = 0; i < n; ++i) { auto f = [&](float x) { return x; }; b[i] = f(a[i]); }", "");
    row("writes through a pointer", "for (long i = 0; i < n; ++i) *(b + i) = a[i];", "not an array element");
    row("moves a pointer", "float *p = b;\nfor (long i = 0; i < n; ++i) { p[0] = a[i]; p += 1; }", "");
    row("changes its variable", "for (long i = 0; i < n; ++i) { b[i] = a[i]; i += 1; }", "loop variable");
    row("changes its bound", "for (long i = 0; i < n; ++i) { b[i] = a[i]; n -= 1; }", "");
    row("counts down", "for (long i = n - 1; i >= 0; --i) b[i] = a[i];", "usual form");
    row("two variables", "for (long i = 0, j = 0; i < n; ++i, ++j) b[i] = a[j];", "usual form");
    row("variable from outside", "long i;\nfor (i = 0; i < n; ++i) b[i] = a[i];", "usual form");
    row("static variable", "for (long i = 0; i < n; ++i) { static float t = 0; t = a[i]; b[i] = t; }", "static");
    row("shadowed variable", "for (long i = 0; i < n; ++i) for (long i = 0; i < m; ++i) b[i] = s;", "same variable");
    row("preprocessor", "for (long i = 0; i < n; ++i) {\n#ifdef X\nb[i] = a[i];\n#endif\n}", "preprocessor");
    row("while inside", "for (long i = 0; i < n; ++i) { while (s > 0) { s = 0; } b[i] = a[i]; }", "not analysed");
    row("range for", "for (float x : v) b[0] = x;", "usual form");
    row("object with a constructor", "for (long i = 0; i < n; ++i) { std::vector<float> t(4); b[i] = a[i]; }",
        "not analysed");
    row("reference", "for (long i = 0; i < n; ++i) { float &r = b[0]; r = a[i]; }", "not analysed");
    row("assignment inside an expression", "for (long i = 0; i < n; ++i) b[i] = (s = a[i]);", "inside an expression");
    row("macro",
        "#define NEXT(x) counter += x\nvoid run(float *b, long n) { for (long i = 0; i < n; ++i) { b[i] = NEXT(1); } }",
        "NEXT");
    row("nothing written", "for (long i = 0; i < n; ++i) ;", "writes nothing");
    row("step may be zero or negative", "for (long i = 0; i < n; i += -1) b[i] = a[i];", "positive");
}

void TestTunerDependence::parallel()
{
    QFETCH(QString, body);
    QFETCH(QString, refusal);
    const Permission answer = ask(body, 'p');
    const bool mustRefuse =
        !refusal.isEmpty() || QStringList{QStringLiteral("scatter"),           QStringLiteral("square"),
                                          QStringLiteral("counter"),           QStringLiteral("lambda"),
                                          QStringLiteral("moves a pointer"),   QStringLiteral("changes its bound"),
                                          QStringLiteral("tiles that overlap")}
                                  .contains(QString::fromUtf8(QTest::currentDataTag()));
    QVERIFY2(answer.allowed != mustRefuse, answer.reason.c_str());
    QVERIFY2(QString::fromStdString(answer.reason).contains(refusal), answer.reason.c_str());
}

void TestTunerDependence::aliasing_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<bool>("promised");
    QTest::addColumn<bool>("allowed");

    const QString loop = QStringLiteral("{ for (long i = 0; i < n; ++i) b[i] = a[i]; }");
    QTest::newRow("nothing is promised") << QStringLiteral("void run(const float *a, float *b, long n)") + loop << false
                                         << false;
    QTest::newRow("the entry's buffers") << QStringLiteral("void run(const float *a, float *b, long n)") + loop << true
                                         << true;
    QTest::newRow("written one is restrict")
        << QStringLiteral("void run(const float *a, float *__restrict b, long n)") + loop << false << true;
    QTest::newRow("read one is restrict")
        << QStringLiteral("void run(const float *__restrict a, float *b, long n)") + loop << false << true;
    QTest::newRow("one array alone") << QStringLiteral(
                                            "void run(float *b, long n) { for (long i = 0; i < n; ++i) b[i] = 1; }")
                                     << false << true;
    QTest::newRow("local array")
        << QStringLiteral("void run(const float *a, long n) { float b[64]; for (long i = 0; i < n; ++i) b[i] = a[i]; }")
        << false << true;
    QTest::newRow("global array")
        << QStringLiteral(
               "float g[64];\nvoid run(const float *a, long n) { for (long i = 0; i < n; ++i) g[i] = a[i]; }")
        << false << false;
    QTest::newRow("pointer of pointers")
        << QStringLiteral("void run(float **a, float *b, long n) { for (long i = 0; i < n; ++i) b[i] = a[i][0]; }")
        << false << false;
    QTest::newRow("alias of the same array")
        << QStringLiteral("void run(float *b, long n) { float *c = b + 1; for (long i = 0; i < n; ++i) b[i] = c[i]; }")
        << true << false;
    QTest::newRow("pointer that is set again")
        << QStringLiteral("void run(float *a, float *b, long n) { float *c = a; c = b; for (long i = 0; i < n; ++i) "
                          "c[i] = b[i + 1]; }")
        << true << false;
    const QString stride = QStringLiteral(
        "{ long w = n; adjust(w); for (long i = 0; i < n; ++i) for (long j = 0; j < n; ++j) b[i * w + j] = 0; }");
    QTest::newRow("stride that a function may change")
        << QStringLiteral("void run(float *b, long n)") + stride << true << false;
    QTest::newRow("stride handed on by reference")
        << QStringLiteral("void adjust(long &x) { x = 0; }\nvoid run(float *b, long n)") + stride << true << false;
    QTest::newRow("stride handed on by value")
        << QStringLiteral("void adjust(long x) { x = 0; }\nvoid run(float *b, long n)") + stride << true << true;
    QTest::newRow("pointers that are swapped")
        << QStringLiteral(
               "void run(float *a, float *b, long n) { std::swap(a, b); for (long i = 0; i < n; ++i) b[i] = a[i]; }")
        << true << false;
}

void TestTunerDependence::aliasing()
{
    QFETCH(QString, source);
    QFETCH(bool, promised);
    QFETCH(bool, allowed);
    const Permission answer = ask(source, 'p', promised);
    QVERIFY2(answer.allowed == allowed, answer.reason.c_str());
}

void TestTunerDependence::vectorise_data()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<bool>("allowed");

    QTest::newRow("simple") << QStringLiteral("for (long i = 0; i < n; ++i) b[i] = a[i];") << true;
    QTest::newRow("fixed loop inside")
        << QStringLiteral(
               "for (long i = 0; i < n; ++i) { float t = 0; for (int d = 0; d < 3; ++d) t += a[i + d]; b[i] = t; }")
        << true;
    QTest::newRow("open loop inside")
        << QStringLiteral(
               "for (long i = 0; i < n; ++i) { float t = 0; for (int d = 0; d < m; ++d) t += a[i + d]; b[i] = t; }")
        << false;
    QTest::newRow("step of two") << QStringLiteral("for (long i = 0; i < n; i += 2) b[i] = a[i];") << false;
    QTest::newRow("recurrence") << QStringLiteral("for (long i = 1; i < n; ++i) b[i] = b[i - 1];") << false;
}

void TestTunerDependence::vectorise()
{
    QFETCH(QString, body);
    QFETCH(bool, allowed);
    const Permission answer = ask(body, 'v');
    QVERIFY2(answer.allowed == allowed, answer.reason.c_str());
}

void TestTunerDependence::interchange_data()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<bool>("allowed");

    const auto row = [](const char *name, const char *body, bool allowed) {
        QTest::newRow(name) << QString::fromUtf8(body) << allowed;
    };
    row("product", "for (long j = 0; j < n; ++j) for (long p = 0; p < m; ++p) b[j] += a[p] * c[p * n + j];", true);
    row("copy", "for (long i = 0; i < n; ++i) for (long j = 0; j < m; ++j) b[i * m + j] = a[j * n + i];", true);
    row("braces", "for (long i = 0; i < n; ++i) { for (long j = 0; j < m; ++j) { b[i * m + j] = a[j]; } }", true);
    row("triangle", "for (long i = 0; i < n; ++i) for (long j = 0; j < i; ++j) b[i * n + j] = a[j];", false);
    row("tile bounds", "for (long t = 0; t < n; t += T) for (long i = t; i < t + T; ++i) b[i] = a[i];", false);
    row("not perfect", "for (long i = 0; i < n; ++i) { b[i] = 0; for (long j = 0; j < m; ++j) b[i] += a[j]; }", false);
    row("skewed dependence",
        "for (long i = 1; i < n; ++i) for (long j = 0; j < m - 1; ++j) b[i * m + j] = b[(i - 1) * m + j + 1];", false);
    row("sum of all",
        "float t = 0;\nfor (long i = 0; i < n; ++i) for (long j = 0; j < m; ++j) t += a[i * m + j];\nb[0] = t;", false);
    row("diagonals", "for (long i = 0; i < n; ++i) for (long j = 0; j < m; ++j) b[i + j] = a[i * m + j];", false);
    row("one element", "for (long i = 0; i < n; ++i) for (long j = 0; j < m; ++j) b[0] = a[i * m + j];", false);
    row("pragma between",
        "for (long i = 0; i < n; ++i)\n#pragma GCC unroll 4\nfor (long j = 0; j < m; ++j) b[i * m + j] = a[j];", false);
}

void TestTunerDependence::interchange()
{
    QFETCH(QString, body);
    QFETCH(bool, allowed);
    const Permission answer = ask(body, 'i');
    QVERIFY2(answer.allowed == allowed, answer.reason.c_str());
}

void TestTunerDependence::polynomials()
{
    const auto x = Polynomial::variable("x");
    const auto y = Polynomial::variable("y");
    QVERIFY((x + y) * (x - y) == x * x - y * y);
    QVERIFY((x - x).isZero());
    QCOMPARE((Polynomial(3) * Polynomial(4)).constant(), 12LL);
    QVERIFY(!(x * x).coefficient("x"));
    QVERIFY(*(x * y + y).coefficient("x") == y);
    QVERIFY((x * y).substituted("x", y + Polynomial(1)) == y * y + y);
}

QTEST_APPLESS_MAIN(TestTunerDependence)
#include "tst_tunerdependence.moc"
