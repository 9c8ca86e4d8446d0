// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/files.h"
#include "eval/flags.h"
#include "eval/problem.h"
#include "eval/shim.h"

#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <cstring>

using namespace ako::eval;
using nlohmann::ordered_json;

namespace {

const char *const good = R"({
 "schema": "ako.problem/1", "name": "rows", "device": "cpu",
 "axes": {"rows": {"type": "var"}, "cols": {"type": "var"}, "span": {"type": "const", "value": 5}, "n": {"type": "expr", "expression": "rows*cols"}},
 "inputs": {"x": {"shape": ["rows", "cols"], "dtype": "float32", "align": 16}, "state": {"shape": ["span"], "dtype": "int32", "inout": true},
            "mask": {"shape": ["n"], "dtype": "bool", "vary": false}},
 "scalars": {"scale": {"dtype": "float32"}},
 "outputs": {"y": {"shape": ["rows", "cols"], "dtype": "float32"}},
 "entry": {"symbol": "rows_run", "args": ["x", "state", "mask", "y", "rows", "cols", "scale"], "returns": "int"},
 "reference": {"source": "ref.cpp", "golden": "rows_f64", "flags": ["-O2"]},
 "work": {"read_bytes": "4*n", "write_bytes": "4*n", "flops": {"fp32": "5*n"}},
 "tolerance": {"rtol": 1e-4},
 "workloads": [
  {"id": "main", "axes": {"rows": 64, "cols": 32}, "weight": 3, "inputs": {"x": {"type": "random", "dist": "normal", "std": 2.0}}, "scalars": {"scale": 1.5}},
  {"id": "odd", "axes": {"rows": 37, "cols": 9}, "time": false, "inputs": {"x": {"type": "constant", "value": 3}}, "scalars": {"scale": 0.5},
   "tolerance": {"atol_rms": 1e-6, "matched_ratio": 0.99}}]})";

// Sets the value at a pointer, or removes it where the value is the text "REMOVE".
std::string changed(const QString &pointer, const QString &value)
{
    ordered_json object = ordered_json::parse(good);
    const ordered_json::json_pointer place(pointer.toStdString());
    if (value == QLatin1String("REMOVE"))
        object[place.parent_pointer()].erase(place.back());
    else
        object[place] = ordered_json::parse(value.toStdString());
    return object.dump(1);
}

} // namespace

class TestEvalProblem : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reads();
    void writesTheShim();
    void refuses_data();
    void refuses();
    void cutsWhatItRepeats_data();
    void cutsWhatItRepeats();
    void limitsHowMuch_data();
    void limitsHowMuch();
    void namesLineAndColumn_data();
    void namesLineAndColumn();
    void allowsFlags_data();
    void allowsFlags();
    void readsSolutionFlags_data();
    void readsSolutionFlags();
};

void TestEvalProblem::reads()
{
    const Problem problem = parseProblem(good, "folder/problem.json");
    QCOMPARE(problem.folder, std::string("folder"));
    QCOMPARE(problem.tensors.size(), std::size_t(4));
    QVERIFY(problem.tensor("state")->isInput && problem.tensor("state")->isOutput);
    QVERIFY(!problem.tensor("mask")->vary);
    QCOMPARE(problem.tensor("x")->align, std::size_t(16));
    QCOMPARE(problem.reference->golden, std::string("rows_f64"));
    QCOMPARE(problem.reference->symbol, std::string("rows_run"));
    QVERIFY(problem.returnsInt);
    const Workload &main = problem.workloads[0], &odd = problem.workloads[1];
    QCOMPARE(main.axes.at("n"), std::int64_t(64 * 32));
    QCOMPARE(main.axes.at("span"), std::int64_t(5));
    QCOMPARE(main.weight, 3.0);
    QVERIFY(main.timed && !odd.timed);
    QCOMPARE(main.inputs.at("x").std, 2.0);
    QCOMPARE(int(main.inputs.at("state").distribution), int(Distribution::Uniform));
    QCOMPARE(int(odd.inputs.at("x").distribution), int(Distribution::Constant));
    QCOMPARE(*odd.tolerance.rtol, 1e-4); // the problem's
    QCOMPARE(*odd.tolerance.atolRms, 1e-6);
    QCOMPARE(odd.tolerance.matchedRatio, 0.99);
    QCOMPARE(shapeOf(*problem.tensor("y"), odd.axes), (std::vector<std::int64_t>{37, 9}));
}

void TestEvalProblem::writesTheShim()
{
    const Problem problem = parseProblem(good, "problem.json");
    const QString plain = QString::fromStdString(shimSource(problem, "rows_run", "ako_entry", false));
    QVERIFY(plain.contains(QLatin1String("extern \"C\" int rows_run(const float *, std::int32_t *, const bool *, float "
                                         "*, std::int64_t, std::int64_t, float);")));
    const QString golden = QString::fromStdString(shimSource(problem, "rows_f64", "ako_golden", true));
    QVERIFY(golden.contains(QLatin1String("extern \"C\" int rows_f64(const double *, std::int32_t *, const bool *, "
                                          "double *, std::int64_t, std::int64_t, double);")));
}

void TestEvalProblem::refuses_data()
{
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("words");
    QTest::addColumn<int>("status");
    const auto row = [](const char *name, const char *pointer, const char *value, const char *place, const char *words,
                        Status status = Status::ProblemError) {
        QTest::newRow(name) << QString::fromLatin1(pointer) << QString::fromLatin1(value) << QString::fromLatin1(place)
                            << QString::fromLatin1(words) << int(status);
    };
    row("unknown key", "/tolerence", "1", "/tolerence", "unknown key \"tolerence\"");
    row("unknown key in an input", "/inputs/x/layout", "\"row\"", "/inputs/x/layout", "unknown key");
    row("unknown key in a workload", "/workloads/1/wieght", "2", "/workloads/1/wieght", "unknown key");
    row("unknown key in a rule", "/workloads/0/inputs/x/sigma", "2", "/workloads/0/inputs/x/sigma", "unknown key");
    row("other schema", "/schema", "\"ako.problem/2\"", "/schema", "expected \"ako.problem/1\"");
    row("no name", "/name", "REMOVE", "/", "\"name\" is missing");
    row("name with a line", "/name", R"("rows\nSPEEDUP: 99x")", "/name", "control characters");
    row("id with a line", "/workloads/0/id", R"("a\nSPEEDUP: 99x")", "/workloads/0/id", "control characters");
    row("id that steers the terminal", "/workloads/0/id", R"("a\u001b[31m")", "/workloads/0/id", "control characters");
    row("empty id", "/workloads/0/id", R"("")", "/workloads/0/id", "1 to 200 bytes");
    row("device", "/device", "\"tpu\"", "/device", "expected");
    row("axis type", "/axes/rows/type", "\"free\"", "/axes/rows/type", "var, const or expr");
    row("axis expression", "/axes/n/expression", "\"rows*depth\"", "/axes/n/expression", "unknown axis \"depth\"");
    row("axis without value", "/workloads/0/axes/rows", "REMOVE", "/workloads/0", "\"rows\" has no value");
    row("value for a const axis", "/workloads/0/axes/span", "6", "/workloads/0/axes/span", "no axis of type var");
    row("value is no integer", "/workloads/0/axes/rows", "6.5", "/workloads/0/axes/rows", "expected an integer");
    row("name used twice", "/scalars/x", "{\"dtype\": \"float32\"}", "/scalars/x", "used twice");
    row("no identifier", "/scalars/a-b", "{\"dtype\": \"float32\"}", "/scalars/a-b", "no C identifier");
    row("slash in a key", "/scalars/a~1b", "{\"dtype\": \"float32\"}", "/scalars/a~1b", "no C identifier");
    row("dtype", "/inputs/x/dtype", "\"bfloat16\"", "/inputs/x/dtype", "not known on the CPU");
    row("alignment", "/inputs/x/align", "24", "/inputs/x/align", "power of two");
    row("inout output", "/outputs/y/inout", "true", "/outputs/y/inout", "stands under inputs");
    row("shape axis", "/outputs/y/shape/0", "\"height\"", "/outputs/y/shape", "unknown axis \"height\"");
    row("no elements", "/workloads/1/axes/rows", "0", "/workloads/1", "no elements", Status::BadShape);
    row("too large", "/workloads/1/axes/rows", "99999999999", "/workloads/1", "64 GiB", Status::BadShape);
    row("argument", "/entry/args/0", "\"z\"", "/entry/args/0", "no input, output, axis or scalar");
    row("stream", "/entry/args/0", "\"@stream\"", "/entry/args/0", "GPU only");
    row("output not passed", "/entry/args", "[\"x\", \"state\"]", "/entry/args", "output \"y\" is not passed");
    row("symbol", "/entry/symbol", "\"run()\"", "/entry/symbol", "no C identifier");
    row("path outside", "/reference/source", "\"../ref.cpp\"", "/reference/source", "inside the problem's folder");
    row("absolute path", "/reference/source", "\"/etc/passwd\"", "/reference/source", "inside the problem's folder");
    row("reference flag", "/reference/flags/0", "\"-fplugin=x.so\"", "/reference/flags/0", "allow-list");
    row("work", "/work/flops/fp32", "\"5*m\"", "/work/flops/fp32", "unknown axis \"m\"");
    row("kind of work", "/work/flops/fp4", "1", "/work/flops/fp4", "unknown key");
    row("no workloads", "/workloads", "[]", "/workloads", "no workload is timed");
    row("workloads no array", "/workloads", "{}", "/workloads", "expected an array");
    row("id twice", "/workloads/1/id", "\"main\"", "/workloads/1/id", "stands twice");
    for (const char *weight : {"0", "-1", "1e308", "1e-300"})
        row(qPrintable(QStringLiteral("weight %1").arg(QLatin1String(weight))), "/workloads/0/weight", weight,
            "/workloads/0/weight", "from 1e-6 to 1e6");
    row("weight that is no number", "/workloads/0/weight", "\"NaN\"", "/workloads/0/weight", "expected a number");
    row("negative bytes", "/work/read_bytes", "-4", "/work/read_bytes", "negative for the workload at /workloads/0");
    row("negative bytes of one workload", "/work/write_bytes", "\"4*(rows-50)\"", "/work/write_bytes",
        "negative for the workload at /workloads/1");
    row("negative work", "/work/flops/fp32", "\"0-5*n\"", "/work/flops/fp32", "negative for the workload");
    row("scalar beyond its type", "/workloads/0/scalars/scale", "1e39", "/workloads/0/scalars/scale",
        "does not fit float32");
    row("scalar that is not whole", "/scalars/scale/dtype", "\"int32\"", "/workloads/0/scalars/scale",
        "does not fit int32");
    row("input beyond its type", "/workloads/0/inputs/x/std", "1e300", "/workloads/0/inputs/x/std",
        "does not fit float32");
    row("value beyond its type", "/workloads/1/inputs/x", R"({"type": "constant", "value": -1e200})",
        "/workloads/1/inputs/x/value", "does not fit float32");
    row("value that is not whole", "/workloads/1/inputs/state", R"({"type": "constant", "value": 0.5})",
        "/workloads/1/inputs/state/value", "does not fit int32");
    row("range beyond all integers", "/workloads/1/inputs/state", R"({"type": "random", "high": 1e200})",
        "/workloads/1/inputs/state/high", "does not fit int64");
    row("too many dimensions", "/outputs/y/shape", "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]",
        "/outputs/y/shape", "has 17 dimensions; at most 16 are allowed");
    row("distribution", "/workloads/0/inputs/x/dist", "\"gauss\"", "/workloads/0/inputs/x/dist",
        "unknown distribution \"gauss\"");
    row("range", "/workloads/0/inputs/x", "{\"type\": \"random\", \"low\": 2, \"high\": 1}", "/workloads/0/inputs/x",
        "low lies above high");
    row("input of another name", "/workloads/0/inputs/y", "{\"type\": \"random\"}", "/workloads/0/inputs/y",
        "no input");
    row("scalar without value", "/workloads/0/scalars/scale", "REMOVE", "/workloads/0", "\"scale\" has no value");
    row("matched ratio", "/workloads/1/tolerance/matched_ratio", "0.2", "/workloads/1/tolerance/matched_ratio",
        "above 0.5");
    row("negative tolerance", "/tolerance/rtol", "-1", "/tolerance/rtol", "at least 0");
    row("self-test word", "/selftest_skip", "[\"ones\"]", "/selftest_skip/0", "zeros, shuffled");
}

void TestEvalProblem::refuses()
{
    QFETCH(QString, pointer);
    QFETCH(QString, value);
    QFETCH(QString, place);
    QFETCH(QString, words);
    QFETCH(int, status);
    try {
        parseProblem(changed(pointer, value), "p.json");
        QFAIL("accepted");
    } catch (const Failure &failure) {
        const QString message = QString::fromStdString(failure.what());
        QVERIFY2(message.startsWith(QLatin1String("p.json: ") + place + QLatin1String(": ")), qPrintable(message));
        QVERIFY2(message.contains(words), qPrintable(message));
        QCOMPARE(int(failure.status()), status);
        QCOMPARE(exitCodeOf(failure.status()), 2);
    }
}

void TestEvalProblem::cutsWhatItRepeats_data()
{
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("words");
    const QString much = QString(200'000, QLatin1Char('a'));
    const auto row = [&](const char *name, const char *pointer, const QString &value, const char *words) {
        QTest::newRow(name) << QString::fromLatin1(pointer) << value << QString::fromLatin1(words);
    };
    const QString text = QLatin1Char('"') + much + QLatin1Char('"');
    row("expression", "/axes/n/expression", text, "longer than 1000 characters");
    row("shape", "/outputs/y/shape/0", text, "longer than 1000 characters");
    row("work", "/work/read_bytes", text, "longer than 1000 characters");
    row("sum", "/axes/n/expression", QLatin1Char('"') + QStringLiteral("1+").repeated(100'000) + QStringLiteral("1\""),
        "longer than 1000 characters");
    row("symbol", "/entry/symbol", text, "longer than 100 characters");
    row("argument", "/entry/args/0", text, "no input, output, axis or scalar");
    row("dtype", "/inputs/x/dtype", text, "not known on the CPU");
    row("distribution", "/workloads/0/inputs/x/dist", text, "unknown distribution");
    row("flag", "/reference/flags/0", text, "allow-list");
    row("id", "/workloads/0/id", text, "1 to 200 bytes");
    row("key", qPrintable(QLatin1Char('/') + much), QStringLiteral("1"), "unknown key");
    row("name of an axis", qPrintable(QStringLiteral("/axes/") + much), QStringLiteral("{\"type\": \"var\"}"),
        "longer than 100 characters");
    row("name of an input", qPrintable(QStringLiteral("/inputs/é") + much), QStringLiteral("{}"), "no C identifier");
    row("a key's end", qPrintable(QStringLiteral("/entry/") + QString(50'000, QChar(0xe9))), QStringLiteral("1"),
        "unknown key");
}

void TestEvalProblem::cutsWhatItRepeats()
{
    QFETCH(QString, pointer);
    QFETCH(QString, value);
    QFETCH(QString, words);
    try {
        parseProblem(changed(pointer, value), "p.json");
        QFAIL("accepted");
    } catch (const Failure &failure) {
        const QByteArray bytes = failure.what();
        QVERIFY2(bytes.size() < 1000, qPrintable(QString::number(bytes.size())));
        QVERIFY2(QString::fromUtf8(bytes).contains(words), bytes.constData());
        QCOMPARE(QString::fromUtf8(bytes).toUtf8(), bytes); // no character is cut in two
        QVERIFY(!QString::fromUtf8(bytes).contains(QChar::ReplacementCharacter));
    }
}

void TestEvalProblem::limitsHowMuch_data()
{
    QTest::addColumn<QString>("place");
    QTest::addColumn<int>("allowed");
    QTest::addColumn<QString>("what");
    QTest::newRow("workloads") << QStringLiteral("/workloads") << 1000 << QStringLiteral("workloads");
    QTest::newRow("axes") << QStringLiteral("/axes") << 64 << QStringLiteral("axes");
    QTest::newRow("inputs") << QStringLiteral("/inputs") << 64 << QStringLiteral("inputs");
    QTest::newRow("outputs") << QStringLiteral("/outputs") << 64 << QStringLiteral("outputs");
    QTest::newRow("scalars") << QStringLiteral("/scalars") << 64 << QStringLiteral("scalars");
    QTest::newRow("arguments") << QStringLiteral("/entry/args") << 256 << QStringLiteral("arguments");
}

void TestEvalProblem::limitsHowMuch()
{
    QFETCH(QString, place);
    QFETCH(int, allowed);
    QFETCH(QString, what);
    const ordered_json::json_pointer pointer(place.toStdString());
    ordered_json object = ordered_json::parse(good);
    if (place == QLatin1String("/outputs")) // all of them must be passed
        object["entry"]["args"] = {"x", "state", "mask", "y"};
    const auto fillTo = [&](int count) {
        ordered_json &list = object[pointer];
        while (int(list.size()) < count) {
            const std::string name = what.toStdString() + std::to_string(list.size());
            ordered_json more = list.is_array() ? list.front() : list.begin().value();
            if (place == QLatin1String("/workloads"))
                more["id"] = name;
            if (place == QLatin1String("/axes"))
                more = {{"type", "const"}, {"value", 1}};
            if (place == QLatin1String("/scalars")) {
                for (ordered_json &workload : object["workloads"])
                    workload["scalars"][name] = 1;
            }
            if (place == QLatin1String("/outputs"))
                object["entry"]["args"].push_back(name);
            if (list.is_array())
                list.push_back(more);
            else
                list[name] = more;
        }
    };
    fillTo(allowed);
    parseProblem(object.dump(), "p.json");
    fillTo(allowed + 1);
    try {
        parseProblem(object.dump(), "p.json");
        QFAIL("accepted");
    } catch (const Failure &failure) {
        const QString message = QString::fromStdString(failure.what());
        QCOMPARE(message, QStringLiteral("p.json: %1: has %2 %3; at most %4 are allowed")
                              .arg(place)
                              .arg(allowed + 1)
                              .arg(what)
                              .arg(allowed));
    }
}

void TestEvalProblem::namesLineAndColumn_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("place");
    QTest::newRow("missing comma") << QStringLiteral("{\n \"a\": 1\n \"b\": 2\n}")
                                   << QStringLiteral("line 3, column 4");
    QTest::newRow("first line") << QStringLiteral("{\"a\": x}") << QStringLiteral("line 1, column 7");
    QTest::newRow("ends early") << QStringLiteral("{\n\"a\": 1") << QStringLiteral("line 2");
    QTest::newRow("empty") << QString() << QStringLiteral("line 1");
    QTest::newRow("no double holds it") << QStringLiteral("{\"a\": 1e999}") << QStringLiteral("1e999");
    const QString much = QString(200'000, QLatin1Char('a'));
    QTest::newRow("a word that is long") << QStringLiteral("{\"a\": \"%1").arg(much) << QStringLiteral("line 1");
    QTest::newRow("a long key twice") << QStringLiteral("{\"%1\": 1, \"%1\": 2}").arg(much)
                                      << QStringLiteral("stands twice");
    QTest::newRow("same key twice") << QStringLiteral("{\"a\": 1, \"a\": 2}") << QStringLiteral("\"a\" stands twice");
}

void TestEvalProblem::namesLineAndColumn()
{
    QFETCH(QString, text);
    QFETCH(QString, place);
    try {
        parseProblem(text.toStdString(), "p.json");
        QFAIL("accepted");
    } catch (const Failure &failure) {
        QVERIFY2(QString::fromStdString(failure.what()).contains(place), failure.what());
        QVERIFY(std::strlen(failure.what()) < 1000);
    }
}

void TestEvalProblem::allowsFlags_data()
{
    QTest::addColumn<bool>("allowed");
    for (const char *flag : {"-O3",
                             "-O2",
                             "-Ofast",
                             "-march=native",
                             "-march=x86-64-v3",
                             "-mtune=znver4",
                             "-mavx2",
                             "-mfma",
                             "-mno-avx512f",
                             "-mprefer-vector-width=512",
                             "-funroll-loops",
                             "-fno-math-errno",
                             "-ffast-math",
                             "-ffp-contract=fast",
                             "-fopenmp",
                             "-fopenmp-simd",
                             "-fno-exceptions",
                             "-ftree-vectorize",
                             "-fvect-cost-model=unlimited",
                             "--param=max-unroll-times=8",
                             "-std=c++20",
                             "-std=gnu++17",
                             "-DTILE=32",
                             "-DNAME",
                             "-g",
                             "-flto",
                             "-falign-loops=32"})
        QTest::newRow(flag) << true;
    for (const char *flag : {"",
                             "-",
                             "-fplugin=evil.so",
                             "-specs=x",
                             "-B.",
                             "-wrapper",
                             "@file",
                             "-I/etc",
                             "-include",
                             "-isystem/x",
                             "-L.",
                             "-lm",
                             "-Wl,-rpath,.",
                             "-Xlinker",
                             "-x",
                             "-o",
                             "-c",
                             "-E",
                             "-pipe",
                             "-fuse-ld=gold",
                             "-fprofile-use=/tmp/x",
                             "-fdump-tree-all",
                             "-save-temps",
                             "evil.o",
                             "-O3 -lm",
                             "-D;rm",
                             "-DA=\"x\"",
                             "-fsanitize=address",
                             "-nostdlib",
                             "-T x",
                             "-MD",
                             "-march=",
                             "-finstrument-functions",
                             "-foffload=x"})
        QTest::newRow(*flag ? flag : "empty") << false;
}

void TestEvalProblem::allowsFlags()
{
    QFETCH(bool, allowed);
    const std::string tag = QTest::currentDataTag();
    QCOMPARE(isAllowedFlag(tag == "empty" ? "" : tag), allowed);
}

void TestEvalProblem::readsSolutionFlags_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("answer"); // the flags, or words of the complaint
    QTest::addColumn<bool>("isGood");
    QTest::newRow("none") << QString() << QStringLiteral("-O3 -march=native") << true;
    QTest::newRow("own") << QStringLiteral("{\"flags\": [\"-O2\", \"-fopenmp\"]}") << QStringLiteral("-O2 -fopenmp")
                         << true;
    QTest::newRow("refused") << QStringLiteral("{\"flags\": [\"-O2\", \"-lm\"]}")
                             << QStringLiteral("/flags/1: the flag \"-lm\" is not allowed") << false;
    QTest::newRow("unknown key") << QStringLiteral("{\"flag\": []}") << QStringLiteral("/flag: unknown key") << false;
    QTest::newRow("no array") << QStringLiteral("{\"flags\": \"-O2\"}") << QStringLiteral("/flags: expected an array")
                              << false;
    QTest::newRow("broken") << QStringLiteral("{\"flags\": [") << QStringLiteral("line 1") << false;
}

void TestEvalProblem::readsSolutionFlags()
{
    QFETCH(QString, text);
    QFETCH(QString, answer);
    QFETCH(bool, isGood);
    const QTemporaryDir folder;
    if (!text.isEmpty())
        writePlainFile(folder.filePath(QStringLiteral("build.json")).toStdString(), text.toStdString());
    std::string given;
    bool accepted = true;
    try {
        for (const std::string &flag : solutionFlags(folder.path().toStdString()))
            given += (given.empty() ? "" : " ") + flag;
    } catch (const Failure &failure) {
        given = failure.what();
        accepted = false;
    }
    QCOMPARE(accepted, isGood);
    QVERIFY2(QString::fromStdString(given).contains(answer), given.c_str());
}

QTEST_APPLESS_MAIN(TestEvalProblem)
#include "tst_eval_problem.moc"
