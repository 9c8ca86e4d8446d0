// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/catalogue.h"

#include <QTest>

#include <algorithm>

using namespace ako::tuner;

// Each change of the catalogue as text before and after, and what is left untouched.
class TestTunerCatalogue : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void changes_data();
    void changes();
    void absent_data();
    void absent();
    void onlyChangedBytesDiffer();
    void restrictions_data();
    void restrictions();
    void flags();
    void flagsFitTheKernel_data();
    void flagsFitTheKernel();
    void buildFile_data();
    void buildFile();
    void anyTextIsSurvived_data();
    void anyTextIsSurvived();
    void contract();
    void machine();
    void onAGpu_data();
    void onAGpu();
    void hintsForAGpu_data();
    void hintsForAGpu();
    void flagsOfNvcc();
};

namespace {

const char *const head =
    "#include <cmath>\n// keep \"this\" /* and this */\n#define LOG(x) \"for (int i = 0; i < n; ++i)\"\n";

Situation situationOf(const QString &code, const QString &hints = {})
{
    Situation situation;
    situation.files["k.cpp"] = head + code.toStdString();
    situation.contract.entry = "run";
    situation.contract.arguments = {"a", "b", "n", "m"};
    situation.contract.alignment = {{"a", 64}, {"b", 8}};
    situation.contract.singlePrecision = true;
    situation.machine.cores = 4;
    situation.machine.vectorBytes = 64;
    situation.restrictions = parseRestrictions(hints.toStdString());
    return situation;
}

std::vector<Change> allOf(const Situation &situation)
{
    const Catalogue catalogue(situation);
    std::vector<Change> result;
    for (const std::string &path : catalogue.sources()) {
        for (Change &change : catalogue.inFile(path))
            result.push_back(std::move(change));
    }
    for (Change &change : catalogue.ofFlags())
        result.push_back(std::move(change));
    return result;
}

QStringList keysOf(const Situation &situation)
{
    QStringList result;
    for (const Change &change : allOf(situation))
        result.append(QString::fromStdString(change.key));
    return result;
}

const QString signature = QStringLiteral("extern \"C\" void run(const float *a, float *b, long n, long m)\n{\n");

} // namespace

void TestTunerCatalogue::changes_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::addColumn<QString>("flags"); // of build.json afterwards; empty: no build.json

    const auto row = [](const char *name, const char *key, const QString &before, const QString &after,
                        const char *flags = "") {
        QTest::newRow(name) << QString::fromUtf8(key) << before << after << QString::fromUtf8(flags);
    };
    const QString loop = QStringLiteral("    for (long i = 0; i < n; ++i) // each\n        b[i] = a[i];\n}\n");
    row("threads", "threads:k.cpp:run:i#1", signature + loop,
        signature +
            QStringLiteral("    #pragma omp parallel for firstprivate(a, b, n)\n")
                .remove(0, 4)
                .prepend(QStringLiteral("    ")) +
            loop,
        "-O3 -march=native -fopenmp");
    row("simd", "simd:k.cpp:run:i#1", signature + loop, signature + QStringLiteral("    #pragma omp simd\n") + loop,
        "-O3 -march=native -fopenmp-simd");
    row("unroll", "unroll:k.cpp:run:i#1", signature + loop,
        signature + QStringLiteral("    #pragma GCC unroll 4\n") + loop);
    row("restrict", "restrict:k.cpp:run", signature + loop,
        QStringLiteral("extern \"C\" void run(const float *__restrict a, float *__restrict b, long n, long m)\n{\n") +
            loop);
    row("restrict beside the type", "restrict:k.cpp:run",
        QStringLiteral("void run(const float* a, float* const b, long n, long m)\n{ b[0] = a[0]; }\n"),
        QStringLiteral(
            "void run(const float* __restrict a, float* __restrict const b, long n, long m)\n{ b[0] = a[0]; }\n"));
    row("alignment", "alignment:k.cpp:run", signature + loop,
        signature + QStringLiteral("    a = static_cast<const float *>(__builtin_assume_aligned(a, 64));\n") + loop);
    row("a sum in a vector", "simd:k.cpp:run:i#1",
        signature + QStringLiteral(
                        "    float t = 0;\n    for (long i = 0; i < n; ++i)\n        t += a[i];\n    b[0] = t;\n}\n"),
        signature + QStringLiteral("    float t = 0;\n    #pragma omp simd reduction(+:t)\n    for (long i = 0; i < n; "
                                   "++i)\n        t += a[i];\n    b[0] = t;\n}\n"),
        "-O3 -march=native -fopenmp-simd");
    row("a largest element in threads", "threads:k.cpp:run:i#1",
        signature + QStringLiteral("    float t = 0;\n    for (long i = 0; i < n; ++i)\n        t = std::fmax(t, "
                                   "a[i]);\n    b[0] = t;\n}\n"),
        signature +
            QStringLiteral("    float t = 0;\n    #pragma omp parallel for reduction(max:t) firstprivate(a, n)\n    "
                           "for (long i = 0; i < n; ++i)\n        t = std::fmax(t, a[i]);\n    b[0] = t;\n}\n"),
        "-O3 -march=native -fopenmp");
    row("threads over vectors", "threads:k.cpp:run:i#1", signature + QStringLiteral("    #pragma omp simd\n") + loop,
        signature + QStringLiteral("    #pragma omp parallel for simd firstprivate(a, b, n)\n") + loop,
        "-O3 -march=native -fopenmp");
    row("schedule", "schedule:k.cpp:run:i#1:schedule(dynamic)",
        signature + QStringLiteral("    #pragma omp parallel for\n") + loop,
        signature + QStringLiteral("    #pragma omp parallel for schedule(dynamic)\n") + loop);
    const QString nest = QStringLiteral("    for (long i = 0; i < n; ++i) {\n        for (long j = 0; j < m; j++) // "
                                        "inner\n            b[j * n + i] = a[j];\n    }\n}\n");
    row("interchange", "interchange:k.cpp:run:i,j:i", signature + nest,
        signature + QStringLiteral("    for (long j = 0; j < m; j++) {\n        for (long i = 0; i < n; ++i) // "
                                   "inner\n            b[j * n + i] = a[j];\n    }\n}\n"));
    row("collapse", "schedule:k.cpp:run:i#1:collapse(2)",
        signature + QStringLiteral("    #pragma omp parallel for\n    for (long i = 0; i < n; ++i)\n        for (long "
                                   "j = 0; j < m; j++)\n            b[i * m + j] = a[j];\n}\n"),
        signature + QStringLiteral("    #pragma omp parallel for collapse(2)\n    for (long i = 0; i < n; ++i)\n       "
                                   " for (long j = 0; j < m; j++)\n            b[i * m + j] = a[j];\n}\n"));
    row("single-precision functions", "float-math:k.cpp",
        signature + QStringLiteral("    b[0] = exp(a[0]) + std::exp(a[1]) + sqrt(a[2]) + x.exp(1); // exp(0)\n}\n"),
        signature + QStringLiteral("    b[0] = expf(a[0]) + std::exp(a[1]) + sqrtf(a[2]) + x.exp(1); // exp(0)\n}\n"));
    row("single-precision literals", "float-literals:k.cpp",
        signature + QStringLiteral("    b[0] = a[0] * 1.5 + 2.0f - 1e3 + 7; // 1.5\n}\n"),
        signature + QStringLiteral("    b[0] = a[0] * 1.5f + 2.0f - 1e3f + 7; // 1.5\n}\n"));
    row("reciprocal", "reciprocal:k.cpp:run:t",
        signature + QStringLiteral("    float t = a[0];\n    for (long i = 0; i < n; ++i)\n        b[i] /= t;\n}\n"),
        signature +
            QStringLiteral("    float t = a[0];\n    for (long i = 0; i < n; ++i)\n        b[i] *= 1.0f / t;\n}\n"));
    row("constant", "constant:k.cpp:TILE=64", QStringLiteral("#define TILE 16u // sixteen\n"),
        QStringLiteral("#define TILE 64u // sixteen\n"));
    row("listed constant", "constant:k.cpp:rows=5", QStringLiteral("constexpr int rows = 3; // ako: tune 3,5\n"),
        QStringLiteral("constexpr int rows = 5; // ako: tune 3,5\n"));
    row("unroll factor", "constant:k.cpp:unroll@run#1=8",
        signature + QStringLiteral("    #pragma GCC unroll 2\n") + loop,
        signature + QStringLiteral("    #pragma GCC unroll 8\n") + loop);
    row("flag", "flags:-ffast-math", signature + loop, signature + loop, "-O3 -march=native -ffast-math");
    row("flags that belong together", "flags:-fassociative-math", signature + loop, signature + loop,
        "-O3 -march=native -fassociative-math -fno-signed-zeros -fno-trapping-math");
    row("helper whose callers pass distinct buffers", "restrict:k.cpp:inner",
        QStringLiteral("static void inner(const float *x, float *y) { y[0] = x[0]; }\n") + signature +
            QStringLiteral("    inner(a + 1, b);\n}\n"),
        QStringLiteral("static void inner(const float *__restrict x, float *__restrict y) { y[0] = x[0]; }\n") +
            signature + QStringLiteral("    inner(a + 1, b);\n}\n"));
}

void TestTunerCatalogue::changes()
{
    QFETCH(QString, key);
    QFETCH(QString, before);
    QFETCH(QString, after);
    QFETCH(QString, flags);
    const Situation situation = situationOf(before);
    const auto all = allOf(situation);
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Change &each) { return each.key == key.toStdString(); });
    QVERIFY2(found != all.end(), qPrintable(keysOf(situation).join(QLatin1Char('\n'))));
    FileSet files = situation.files;
    for (const auto &[path, text] : found->files)
        files[path] = text;
    QCOMPARE(QString::fromStdString(files["k.cpp"]), QString::fromUtf8(head) + after);
    QStringList built;
    if (files.contains("build.json")) {
        for (const std::string &flag : BuildFlags::parse(files["build.json"]).flags)
            built.append(QString::fromStdString(flag));
    }
    QCOMPARE(built.join(QLatin1Char(' ')), flags);
    QVERIFY(!found->title.isEmpty());
    QVERIFY(!found->hypothesis.isEmpty());
    QVERIFY(!found->summary.isEmpty());
    QVERIFY2(!found->hypothesis.contains(QLatin1Char('%')) && !found->summary.contains(QLatin1String("%1")),
             qPrintable(found->hypothesis));
}

void TestTunerCatalogue::absent_data()
{
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("prefix"); // of the keys that must not be there

    QTest::newRow("recurrence in threads")
        << signature + QStringLiteral("    for (long i = 1; i < n; ++i)\n        b[i] = b[i - 1];\n}\n")
        << QStringLiteral("threads:");
    QTest::newRow("recurrence as vector")
        << signature + QStringLiteral("    for (long i = 1; i < n; ++i)\n        b[i] = b[i - 1];\n}\n")
        << QStringLiteral("simd:");
    QTest::newRow("pragma twice")
        << signature +
               QStringLiteral("    #pragma omp simd\n    for (long i = 0; i < n; ++i)\n        b[i] = a[i];\n}\n")
        << QStringLiteral("simd:");
    QTest::newRow("unroll beside a pragma")
        << signature +
               QStringLiteral("    #pragma omp simd\n    for (long i = 0; i < n; ++i)\n        b[i] = a[i];\n}\n")
        << QStringLiteral("unroll:");
    QTest::newRow("threads inside threads")
        << signature + QStringLiteral("    #pragma omp parallel for\n    for (long i = 0; i < n; ++i)\n        for "
                                      "(long j = 0; j < m; ++j)\n            b[i * m + j] = a[j];\n}\n")
        << QStringLiteral("threads:");
    QTest::newRow("loop in the middle of a line")
        << signature + QStringLiteral("    b[0] = 0; for (long i = 0; i < n; ++i) b[i] = a[i];\n}\n")
        << QStringLiteral("unroll:");
    QTest::newRow("restrict that is there")
        << QStringLiteral("void run(const float *__restrict a, float *__restrict b, long n, long m) {}\n")
        << QStringLiteral("restrict:");
    QTest::newRow("restrict of a helper that is never called")
        << QStringLiteral("void helper(const float *x, float *y) { y[0] = x[0]; }\n") << QStringLiteral("restrict:");
    QTest::newRow("restrict of a helper called with the same buffer")
        << QStringLiteral("static void inner(const float *x, float *y) { y[0] = x[0]; }\n") + signature +
               QStringLiteral("    inner(b + 1, b);\n}\n")
        << QStringLiteral("restrict:k.cpp:inner");
    QTest::newRow("restrict of a helper that someone points to")
        << QStringLiteral("static void inner(const float *x, float *y) { y[0] = x[0]; }\n") + signature +
               QStringLiteral("    auto f = inner;\n    f(b, b);\n}\n")
        << QStringLiteral("restrict:k.cpp:inner");
    QTest::newRow("float functions beside double")
        << signature + QStringLiteral("    double t = exp(a[0]);\n    b[0] = t;\n}\n") << QStringLiteral("float-");
    QTest::newRow("reciprocal of what changes")
        << signature + QStringLiteral("    float t = 1;\n    for (long i = 0; i < n; ++i) {\n        t += 1;\n        "
                                      "b[i] /= t;\n    }\n}\n")
        << QStringLiteral("reciprocal:");
    QTest::newRow("reciprocal of an integer")
        << signature + QStringLiteral("    int t = 3;\n    for (long i = 0; i < n; ++i)\n        b[i] /= t;\n}\n")
        << QStringLiteral("reciprocal:");
    QTest::newRow("loop in a macro") << QStringLiteral("#define F for (long i = 0; i < 16; ++i) b[i] = a[i]\n")
                                     << QStringLiteral("unroll:");
    QTest::newRow("alignment twice")
        << signature + QStringLiteral("    a = static_cast<const float *>(__builtin_assume_aligned(a, 64));\n}\n")
        << QStringLiteral("alignment:");
}

void TestTunerCatalogue::absent()
{
    QFETCH(QString, code);
    QFETCH(QString, prefix);
    for (const QString &key : keysOf(situationOf(code)))
        QVERIFY2(!key.startsWith(prefix), qPrintable(key));
}

// Comments, strings, macros, blanks and line ends come through every change: after taking the change's own lines away,
// nothing else differs. Here: the lines that a change does not mention are the same.
void TestTunerCatalogue::onlyChangedBytesDiffer()
{
    const QString code = QStringLiteral("const char *text = \"for (int i = 0; i < 16; ++i) /* no */\";\r\n"
                                        "\t/* TILE 16 */ #define\r\n"
                                        "#define TILE   16 /* \"sixteen\" */\r\n"
                                        "auto raw = R\"(#define TILE 16\nfor (;;) {)\";\r\n") +
                         QString(signature).replace(QLatin1String("\n"), QLatin1String("\r\n")) +
                         QStringLiteral("\tfor (long i = 0;  i < n;\t++i)   // 'quoted\r\n\t\tb[i] = a[i] ;\r\n}\r\n");
    const Situation situation = situationOf(code);
    const QStringList original = QString::fromStdString(situation.files.at("k.cpp")).split(QLatin1Char('\n'));
    const auto all = allOf(situation);
    QVERIFY(all.size() > 10);
    for (const Change &change : all) {
        if (!change.files.contains("k.cpp"))
            continue;
        const QStringList changed = QString::fromStdString(change.files.at("k.cpp")).split(QLatin1Char('\n'));
        qsizetype same = 0;
        for (const QString &line : changed)
            same += original.contains(line) ? 1 : 0;
        QVERIFY2(same >= original.size() - 2, qPrintable(changed.join(QLatin1Char('\n'))));
        for (const QString &line : changed)
            QVERIFY2(line.endsWith(QLatin1Char('\r')) || original.contains(line),
                     qPrintable(line)); // new lines end as the old ones
    }
}

void TestTunerCatalogue::restrictions_data()
{
    QTest::addColumn<QString>("hints");
    QTest::addColumn<QString>("gone"); // prefixes of keys
    QTest::addColumn<QString>("kept");

    const auto row = [](const char *hints, const char *gone, const char *kept) {
        QTest::newRow(hints) << QString::fromUtf8(hints) << QString::fromUtf8(gone) << QString::fromUtf8(kept);
    };
    row("- Do not use OpenMP.", "threads: simd:", "unroll:");
    row("single core only: no threads please", "threads:", "simd:");
    row("no fast-math", "flags:-ffast-math flags:-fassociative-math", "flags:-funroll-loops threads:");
    row("Never use `-funroll-loops`.", "flags:-funroll-loops", "flags:-ffast-math unroll:");
    row("Do not change k.cpp", "threads: restrict: unroll:", "flags:");
    row("do not change compiler flags", "flags: threads: simd:", "restrict: unroll:");
    row("avoid unrolling", "unroll: flags:-funroll-loops", "threads:");
    row("OpenMP is fine. Use fast-math.", "nothing:", "threads: flags:-ffast-math");
    row("", "nothing:", "threads: simd: restrict: unroll: flags:");
}

void TestTunerCatalogue::restrictions()
{
    QFETCH(QString, hints);
    QFETCH(QString, gone);
    QFETCH(QString, kept);
    const QStringList keys = keysOf(
        situationOf(signature + QStringLiteral("    for (long i = 0; i < n; ++i)\n        b[i] = a[i];\n}\n"), hints));
    const auto has = [&keys](const QString &prefix) {
        return std::any_of(keys.begin(), keys.end(), [&](const QString &key) { return key.startsWith(prefix); });
    };
    for (const QString &prefix : gone.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        QVERIFY2(!has(prefix), qPrintable(prefix));
    for (const QString &prefix : kept.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        QVERIFY2(has(prefix), qPrintable(prefix));
}

void TestTunerCatalogue::flags()
{
    Situation situation = situationOf(signature + QStringLiteral("}\n"));
    situation.files["build.json"] = R"({"flags": ["-O3", "-march=native", "-ffast-math"]})";
    const QStringList keys = keysOf(situation);
    QVERIFY(!keys.contains(QStringLiteral("flags:-ffast-math")));
    QVERIFY(!keys.contains(QStringLiteral("flags:-fno-math-errno"))); // part of -ffast-math
    QVERIFY(keys.contains(QStringLiteral("flags:-mprefer-vector-width=512")));
    situation.machine.vectorBytes = 32;
    QVERIFY(!keysOf(situation).contains(QStringLiteral("flags:-mprefer-vector-width=512")));
}

void TestTunerCatalogue::flagsFitTheKernel_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("first"); // the most promising flag

    QTest::newRow("exponentials") << QStringLiteral("b[i] = std::exp(a[i]);") << QStringLiteral("flags:-ffast-math");
    QTest::newRow("a sum") << QStringLiteral("t += a[i];") << QStringLiteral("flags:-fassociative-math");
    QTest::newRow("neither") << QStringLiteral("b[i] = a[i];") << QStringLiteral("flags:-mprefer-vector-width=512");
}

void TestTunerCatalogue::flagsFitTheKernel()
{
    QFETCH(QString, line);
    const Situation situation = situationOf(
        signature +
        QStringLiteral("    float t = 0;\n    for (long i = 0; i < n; ++i)\n        %1\n    b[0] += t;\n}\n")
            .arg(line));
    const auto changes = Catalogue(situation).ofFlags();
    const auto best =
        std::max_element(changes.begin(), changes.end(), [](const auto &a, const auto &b) { return a.gain < b.gain; });
    QTEST(QString::fromStdString(best->key), "first");
}

void TestTunerCatalogue::buildFile_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("add");
    QTest::addColumn<QString>("flags");

    QTest::newRow("no file") << QString() << QStringLiteral("-ffast-math")
                             << QStringLiteral("-O3 -march=native -ffast-math");
    QTest::newRow("broken file") << QStringLiteral("{") << QStringLiteral("-g")
                                 << QStringLiteral("-O3 -march=native -g");
    QTest::newRow("other level") << QStringLiteral(R"({"flags": ["-O2"]})") << QStringLiteral("-O3")
                                 << QStringLiteral("-O3");
    QTest::newRow("other width") << QStringLiteral(R"({"flags": ["-mprefer-vector-width=256", "-O3"]})")
                                 << QStringLiteral("-mprefer-vector-width=512")
                                 << QStringLiteral("-O3 -mprefer-vector-width=512");
    QTest::newRow("there already") << QStringLiteral(R"({"flags": ["-O3"]})") << QStringLiteral("-O3")
                                   << QStringLiteral("-O3");
}

void TestTunerCatalogue::buildFile()
{
    QFETCH(QString, text);
    QFETCH(QString, add);
    QFETCH(QString, flags);
    const std::string previous = text.toStdString();
    const std::string json = BuildFlags::parse(previous).with(add.toStdString()).toJson(previous);
    QStringList result;
    for (const std::string &flag : BuildFlags::parse(json).flags)
        result.append(QString::fromStdString(flag));
    QCOMPARE(result.join(QLatin1Char(' ')), flags);
}

void TestTunerCatalogue::anyTextIsSurvived_data()
{
    QTest::addColumn<QString>("text");

    const auto repeated = [](const char *text, int count) { return QString::fromUtf8(text).repeated(count); };
    QTest::newRow("braces") << signature + repeated("{", 100000);
    QTest::newRow("closed braces") << signature + repeated("{", 50000) + repeated("}", 50001);
    QTest::newRow("namespaces") << repeated("namespace a {", 20000);
    QTest::newRow("brackets in an index") << signature + QStringLiteral("for (long i = 0; i < n; ++i) b[") +
                                                 repeated("(", 50000) + repeated(")", 50000) +
                                                 QStringLiteral("] = 0; }");
    QTest::newRow("signs in an index") << signature + QStringLiteral("for (long i = 0; i < n; ++i) b[") +
                                              repeated("- ", 50000) + QStringLiteral("i] = 0; }");
    QTest::newRow("nested loops") << signature + repeated("for (long i = 0; i < n; ++i)\n", 5000) +
                                         QStringLiteral("b[i] = 0; }");
    QTest::newRow("many loops") << signature + repeated("for (long i = 0; i < n; ++i)\n b[i] = a[i];\n", 3000) +
                                       QStringLiteral("}");
    QTest::newRow("many constants") << repeated("constexpr int TILE = 16; // ako: tune 1,2\n", 3000);
    QTest::newRow("else if") << signature + repeated("if (n) n = 1; else ", 20000) + QStringLiteral("n = 2; }");
    QTest::newRow("large numbers") << signature +
                                          QStringLiteral("for (long i = 0; i < n; ++i) b[9223372036854775807 * i * "
                                                         "9223372036854775807 + 99999999999999999999] = 0; }");
    // Each definition refers to the one before twice: expanded without care, this takes for ever.
    QString doubling = signature + QStringLiteral("const long x0 = n;\n");
    QString squaring = signature + QStringLiteral("const long x0 = n + m;\n");
    for (int i = 1; i < 60; ++i) {
        doubling += QStringLiteral("const long x%1 = x%2 + x%2 + x%2 + x%2;\n").arg(i).arg(i - 1);
        squaring += QStringLiteral("const long x%1 = x%2 * x%2;\n").arg(i).arg(i - 1);
    }
    const QString loop = QStringLiteral("for (long i = 0; i < n; ++i)\n b[i * %1] = b[i * x14] + 1;\n}\n");
    QTest::newRow("doubling definitions") << doubling + loop.arg(QStringLiteral("x59"));
    QTest::newRow("squaring definitions") << squaring + loop.arg(QStringLiteral("x15"));
    QString minima = signature + QStringLiteral("const long x0 = n / 2;\n");
    for (int i = 1; i < 40; ++i)
        minima += QStringLiteral("const long x%1 = std::min(x%2, std::min(x%2, x%2));\n").arg(i).arg(i - 1);
    QTest::newRow("minima of minima")
        << minima +
               QStringLiteral("for (long i = 0; i < n; ++i)\n for (long j = 0; j < x12; ++j)\n b[i * m + j] = 0;\n}\n");
    QString siblings = signature + QStringLiteral("for (long i = 0; i < n; ++i) {\n");
    for (int i = 0; i < 90; ++i)
        siblings += QStringLiteral("for (long %1 = 0; %1 < %2 + m; ++%1)\n b[i * m + %1 + n * m] = 0;\n")
                        .arg(QChar(QLatin1Char(static_cast<char>('p' + i % 8))))
                        .arg(QChar(QLatin1Char(static_cast<char>('p' + (i + 1) % 8))));
    QTest::newRow("loops beside each other") << siblings + QStringLiteral("}\n}\n");
    QTest::newRow("definition by itself")
        << signature + QStringLiteral("const long x = x + 1;\n") + loop.arg(QStringLiteral("x"));
    QTest::newRow("bytes") << QString::fromLatin1(QByteArray("\x01\xff #\\\n'\"R\"(/*"));
}

void TestTunerCatalogue::anyTextIsSurvived()
{
    QFETCH(QString, text);
    const Situation situation = situationOf(text);
    for (const Change &change : allOf(situation))
        QVERIFY(!change.key.empty());
    // Cut off anywhere (a sample of places).
    const std::string whole = text.left(2000).toStdString();
    for (std::size_t length = 0; length < whole.size(); length += 97)
        allOf(situationOf(QString::fromStdString(whole.substr(0, length))));
}

void TestTunerCatalogue::contract()
{
    const Contract contract = parseContract(R"({"entry": {"symbol": "f", "args": ["x", "y", "n"]},
        "inputs": {"x": {"dtype": "float32", "align": 32}}, "outputs": {"y": {"dtype": "float32"}}})");
    QCOMPARE(contract.entry, std::string("f"));
    QCOMPARE(contract.arguments.size(), std::size_t(3));
    QCOMPARE(contract.alignment.at("x"), 32);
    QVERIFY(contract.singlePrecision);
    QVERIFY(!parseContract(R"({"entry": {"symbol": "f"}, "inputs": {"x": {"dtype": "float64"}}})").singlePrecision);
    for (const char *broken : {"", "[]", "{", R"({"entry": 3})", R"({"entry": {"args": 3}, "inputs": []})"})
        QVERIFY(parseContract(broken).arguments.empty());
}

void TestTunerCatalogue::machine()
{
    QCOMPARE(vectorBytesOf("model name: x\nflags\t\t: fpu sse2 avx avx2 avx512f\n"), 64);
    QCOMPARE(vectorBytesOf("flags : fpu avx2 fma\n"), 32);
    QCOMPARE(vectorBytesOf(""), 16);
    QCOMPARE(cacheBytesOf("48K\n"), 48LL * 1024);
    QCOMPARE(cacheBytesOf("32M"), 32LL * 1024 * 1024);
    QCOMPARE(cacheBytesOf("none"), 0LL);
    QCOMPARE(readMachine(3).cores, 3);
    QVERIFY(readMachine(0).cores >= 1);
}

Situation cudaSituation(const QString &code, const QString &hints = {})
{
    Situation situation = situationOf({}, hints);
    situation.files = {{"k.cu", code.toStdString()}};
    situation.contract =
        parseContract(R"({"device": "cuda", "entry": {"symbol": "run", "args": ["a", "b", "n", "m", "@stream"]}})");
    return situation;
}

const QString cudaConstant = QStringLiteral("constexpr int BLOCK = 128; // ako: tune 64,128,256\n");
const QString cudaKernel =
    QStringLiteral("__global__ void work(const float *a, float *b, long n)\n"
                   "{\n    for (long i = threadIdx.x; i < n; i += BLOCK)\n        b[i] = 2 * a[i];\n}\n");
const QString cudaEntry =
    QStringLiteral("extern \"C\" void run(const float *a, float *b, long n, long m, cudaStream_t stream)\n");
const QString cudaLaunch = QStringLiteral("{\n    work<<<m, BLOCK, 0, stream>>>(a, b, n);\n}\n");

void TestTunerCatalogue::onAGpu_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after"); // empty: there is no such change
    const auto row = [](const char *name, const char *key, const QString &before, const QString &after) {
        QTest::newRow(name) << QString::fromLatin1(key) << before << after;
    };
    // `what` becomes `with` in a kernel with a launch by a constant.
    const QString whole = cudaConstant + cudaKernel + cudaEntry + cudaLaunch;
    const auto edited = [&row](const char *name, const char *key, const QString &text, const char *what,
                               const char *with) {
        QString after = text;
        QVERIFY(after.contains(QLatin1String(what)));
        row(name, key, text, after.replace(QLatin1String(what), QLatin1String(with)));
    };
    const auto changed = [](QString text, const char *what, const char *with) {
        return text.replace(QLatin1String(what), QLatin1String(with));
    };

    edited("launch bounds by a constant", "launch-bounds:k.cu:work:0", whole, "void work(",
           "void __launch_bounds__(BLOCK) work(");
    edited("blocks at once", "launch-bounds:k.cu:work:4", whole, "void work(",
           "void __launch_bounds__(BLOCK, 4) work(");
    const QString bounded = changed(whole, "void work(", "void __launch_bounds__(BLOCK, 2) work(");
    edited("other bounds", "launch-bounds:k.cu:work:4", bounded, "(BLOCK, 2)", "(BLOCK, 4)");
    row("the bounds it has", "launch-bounds:k.cu:work:2", bounded, {});
    const QString small = changed(whole, "= 128", "= 1024");
    row("more threads than there are", "launch-bounds:k.cu:work:4", small, {});
    edited("a number", "launch-bounds:k.cu:work:0", changed(whole, "<<<m, BLOCK", "<<<m, 96"), "void work(",
           "void __launch_bounds__(96) work(");
    const QString square = changed(whole, "<<<m, BLOCK", "<<<m, dim3(BLOCK, 2)");
    edited("two dimensions", "launch-bounds:k.cu:work:0", square, "void work(",
           "void __launch_bounds__(BLOCK * 2) work(");
    const QString named = changed(whole, "    work<<<m, BLOCK", "    const dim3 shape(BLOCK, 2);\n    work<<<m, shape");
    edited("a variable", "launch-bounds:k.cu:work:0", named, "void work(", "void __launch_bounds__(BLOCK * 2) work(");
    row("known at run time only", "launch-bounds:k.cu:work:0", changed(whole, "<<<m, BLOCK", "<<<m, n"), {});
    row("declared later", "launch-bounds:k.cu:work:0", cudaKernel + cudaConstant + cudaEntry + cudaLaunch, {});
    row("two sizes", "launch-bounds:k.cu:work:0",
        changed(whole, "(a, b, n);\n", "(a, b, n);\n    work<<<m, 64, 0, stream>>>(a, b, n);\n"), {});

    edited("restrict", "restrict:k.cu:work", whole, "work(const float *a, float *b,",
           "work(const float *__restrict__ a, float *__restrict__ b,");
    row("not the launcher", "restrict:k.cu:run", whole, {});
    row("twice the same buffer", "restrict:k.cu:work", changed(whole, "(a, b, n)", "(b, b, n)"), {});
    const QString wrapped = cudaConstant + cudaKernel +
                            QStringLiteral("void start(const float *a, float *b, long n, long m, cudaStream_t "
                                           "stream)\n{\n    work<<<dim3((m + 1) / 2), BLOCK, 0, stream>>>(a, b, "
                                           "n);\n}\n") +
                            cudaEntry + QStringLiteral("{\n    start(a, b, n, m, stream);\n}\n");
    edited("through another function", "restrict:k.cu:work", wrapped, "work(const float *a, float *b,",
           "work(const float *__restrict__ a, float *__restrict__ b,");
    row("through one that is called with the same", "restrict:k.cu:work",
        changed(wrapped, "start(a, b, n", "start(b, b, n"), {});

    const QString open = changed(whole, "work(const float *a", "work(float *a");
    edited("const", "const:k.cu:work", open, "work(float *a", "work(const float *a");
    row("written", "const:k.cu:work", changed(open, "b[i] =", "a[i] = b[i] ="), {});
    row("added to", "const:k.cu:work", changed(open, "b[i] =", "a[i]++, b[i] ="), {});
    row("its address goes elsewhere", "const:k.cu:work", changed(open, "2 * a[i]", "f(a + i)"), {});
    row("an element may be changed elsewhere", "const:k.cu:work", changed(open, "2 * a[i]", "f(a[i])"), {});
    row("const already", "const:k.cu:work", whole, {});

    edited("unroll", "unroll:k.cu:work:i#1", whole, "    for (long i", "    #pragma unroll 4\n    for (long i");
    const QString fixed = changed(whole, "        b[i] = 2 * a[i];",
                                  "        for (int j = 0; j < 8; ++j)\n"
                                  "            b[i] = 2 * a[i];");
    edited("unroll as a whole", "unroll:k.cu:work:j#1", fixed, "        for (int j",
           "        #pragma unroll\n        for (int j");
    row("a loop of the launcher", "unroll:k.cu:run:j#1",
        changed(whole, "    work<<<", "    for (int j = 0; j < 3; ++j)\n        work<<<"), {});

    const QString plain = QStringLiteral("__global__ void work(const float *a, float *b, long n)\n"
                                         "{\n    const long i = long(blockIdx.x) * blockDim.x + threadIdx.x;\n"
                                         "    if (i < n)\n        b[i] = 2 * a[i];\n}\n") +
                          cudaEntry + QStringLiteral("{\n    work<<<(n + 255) / 256, 256, 0, stream>>>(a, b, n);\n}\n");
    edited("threads of a block", "block:k.cu:run=128", plain, "(n + 255) / 256, 256", "(n + 127) / 128, 128");
    row("the kernel counts on the number", "block:k.cu:run=128", changed(plain, "2 * a[i]", "a[i % 256]"), {});
    row("a constant is tuned as such", "block:k.cu:run=64", whole, {});

    edited("block size", "constant:k.cu:BLOCK=256", whole, "= 128", "= 256");
    row("a warp", "constant:k.cu:WARP=64", QStringLiteral("constexpr int WARP = 32;\n") + whole, {});
    row("nothing for processors", "simd:k.cu:work:i#1", whole, {});
    row("no threads of OpenMP", "threads:k.cu:run:j#1",
        changed(whole, "    work<<<", "    for (int j = 0; j < 3; ++j)\n        work<<<"), {});
}

void TestTunerCatalogue::onAGpu()
{
    QFETCH(QString, key);
    QFETCH(QString, before);
    QFETCH(QString, after);
    std::string found;
    for (const Change &change : allOf(cudaSituation(before))) {
        if (change.key == key.toStdString())
            found = change.files.at("k.cu");
        QVERIFY(!change.title.isEmpty() && !change.hypothesis.isEmpty() && !change.summary.isEmpty());
    }
    QCOMPARE(QString::fromStdString(found), after);
}

void TestTunerCatalogue::hintsForAGpu_data()
{
    QTest::addColumn<QString>("hints");
    QTest::addColumn<QString>("gone");
    QTest::newRow("fast-math") << QStringLiteral("no fast-math") << QStringLiteral("flags:-use_fast_math");
    QTest::newRow("unrolling") << QStringLiteral("do not unroll") << QStringLiteral("unroll:k.cu:work:i#1");
    QTest::newRow("a flag") << QStringLiteral("never use -maxrregcount=32") << QStringLiteral("flags:-maxrregcount=32");
    QTest::newRow("flags") << QStringLiteral("do not change flags") << QStringLiteral("flags:-maxrregcount=64");
    QTest::newRow("restrict") << QStringLiteral("no restrict here") << QStringLiteral("restrict:k.cu:work");
}

void TestTunerCatalogue::hintsForAGpu()
{
    QFETCH(QString, hints);
    QFETCH(QString, gone);
    const QString whole = cudaConstant + cudaKernel + cudaEntry + cudaLaunch;
    QVERIFY(keysOf(cudaSituation(whole)).contains(gone));
    QVERIFY(!keysOf(cudaSituation(whole, hints)).contains(gone));
}

// The flags of nvcc are declared in build.json, beside those that are there.
void TestTunerCatalogue::flagsOfNvcc()
{
    for (const Change &change : allOf(cudaSituation(cudaConstant + cudaKernel + cudaEntry + cudaLaunch))) {
        if (change.key == "flags:-use_fast_math")
            QCOMPARE(BuildFlags::parse(change.files.at("build.json")).flags,
                     (std::vector<std::string>{"-O3", "-use_fast_math"}));
    }
}

QTEST_APPLESS_MAIN(TestTunerCatalogue)
#include "tst_tunercatalogue.moc"
