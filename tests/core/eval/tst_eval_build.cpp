// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/build.h"
#include "eval/childrun.h"
#include "eval/hash.h"
#include "eval/options.h"
#include "eval/processtree.h"
#include "eval/report.h"
#include "eval/statistics.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>

using namespace ako::eval;

namespace {

const char *const goodSource = "extern \"C\" int ako_entry() { return 7; }\n";

BuildRequest request(const std::string &text, Status onError = Status::CompileError)
{
    return {{{"kernel.cpp", text}}, {}, {"-O1"}, onError, "solution", 60};
}

BuildCache cacheIn(const QTemporaryDir &folder)
{
    return {folder.path().toStdString(), findCompiler(qgetenv("PATH").toStdString())};
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// What a call throws, as "STATUS: message"; empty: nothing.
template <typename Function>
QString failureOf(Function function)
{
    try {
        function();
        return {};
    } catch (const Failure &failure) {
        return QString::fromStdString(std::string(statusName(failure.status())) + ": " + failure.what());
    }
}

} // namespace

class TestEvalBuild : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsAnAbsoluteCompiler();
    void saysWhenThereIsNone();
    void buildsOnce();
    void keysByContent();
    void rebuildsWhatWasChanged();
    void reportsErrors_data();
    void reportsErrors();
    void boundsTheCompiler_data();
    void boundsTheCompiler();
    void namesTheLimitThatHolds();
    void refusesLinks_data();
    void refusesLinks();
    void confinesTheCompiler_data();
    void confinesTheCompiler();
    void leavesNothingBehind();
    void boundsAChild();
    void endsWhatAChildLeaves_data();
    void endsWhatAChildLeaves();
    void readsOptions_data();
    void readsOptions();
    void reportsAsAgreed();
    void writesAllOrNothing();
};

void TestEvalBuild::findsAnAbsoluteCompiler()
{
    const Compiler compiler = findCompiler(qgetenv("PATH").toStdString());
    QVERIFY(compiler.path.starts_with('/'));
    QVERIFY(!compiler.version.empty());
}

void TestEvalBuild::saysWhenThereIsNone()
{
    const QTemporaryDir empty;
    QFile relative(empty.filePath(QStringLiteral("g++")));
    QVERIFY(relative.open(QIODevice::WriteOnly));
    QVERIFY(relative.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
    const QString before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(empty.path()));
    const QString words = failureOf([&] { findCompiler(".:" + empty.path().toStdString() + "::relative"); });
    QVERIFY(QDir::setCurrent(before));
    QVERIFY2(words.startsWith(QLatin1String("NO_COMPILER: No C++ compiler was found")), qPrintable(words));
    QVERIFY(words.contains(QLatin1String("apt-get install g++")));
}

void TestEvalBuild::buildsOnce()
{
    const QTemporaryDir folder;
    const BuildCache cache = cacheIn(folder);
    const Build first = cache.build(request(goodSource)), second = cache.build(request(goodSource));
    QVERIFY(!first.fromCache);
    QVERIFY(second.fromCache);
    QCOMPARE(first.library, second.library);
    QVERIFY(QFile::exists(QString::fromStdString(first.library)));
}

void TestEvalBuild::keysByContent()
{
    const QTemporaryDir folder;
    const BuildCache cache = cacheIn(folder);
    const Build plain = cache.build(request(goodSource));
    BuildRequest flags = request(goodSource), renamed = request(goodSource), header = request(goodSource);
    flags.flags = {"-O2"};
    renamed.sources[0].first = "other.cpp";
    header.sources.emplace_back("tile.h", "#define TILE 8\n");
    QVERIFY(cache.build(flags).library != plain.library);
    QVERIFY(cache.build(renamed).library != plain.library);
    QVERIFY(cache.build(header).library != plain.library);
}

void TestEvalBuild::rebuildsWhatWasChanged()
{
    const QTemporaryDir folder;
    const BuildCache cache = cacheIn(folder);
    const Build first = cache.build(request(goodSource));
    const std::string good = sha256Hex(readFile(first.library, Status::Infrastructure));
    writePlainFile(first.library, "not what was built");
    const Build again = cache.build(request(goodSource));
    QVERIFY(!again.fromCache);
    QCOMPARE(sha256Hex(readFile(again.library, Status::Infrastructure)).size(), good.size());
    QVERIFY(readFile(again.library, Status::Infrastructure) != "not what was built");
}

void TestEvalBuild::reportsErrors_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("words");
    QTest::newRow("syntax") << QStringLiteral("int f( {\n")
                            << QStringLiteral("COMPILE_ERROR: The solution does not compile: ");
    QTest::newRow("unknown name") << QStringLiteral("int f() { return missing; }\n")
                                  << QStringLiteral("'missing' was not declared");
    QTest::newRow("missing entry") << QStringLiteral("void entry(); extern \"C\" void ako_entry() { entry(); }\n")
                                   << QStringLiteral("COMPILE_ERROR: ");
    QTest::newRow("missing header") << QStringLiteral("#include <no/such/header.h>\n")
                                    << QStringLiteral("No such file");
}

void TestEvalBuild::reportsErrors()
{
    QFETCH(QString, source);
    QFETCH(QString, words);
    const QTemporaryDir folder;
    const BuildCache cache = cacheIn(folder);
    if (words.contains(QLatin1String("declared")) && cache.compiler().version.find("clang") != std::string::npos)
        QSKIP("clang words this differently");
    const QString message = failureOf([&] { cache.build(request(source.toStdString())); });
    QVERIFY2(message.contains(words), qPrintable(message));
    QVERIFY2(!message.contains(folder.path()), qPrintable(message)); // a private path helps nobody
}

void TestEvalBuild::boundsTheCompiler_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("words");
    QTest::newRow("template bomb") << QStringLiteral(
                                          "template <int D, long I> struct T { static constexpr long v = "
                                          "T<D - 1, 2 * I>::v + T<D - 1, 2 * I + 1>::v; };\n"
                                          "template <long I> struct T<0, I> { static constexpr long v = I; };\n"
                                          "long x = T<30, 0>::v;\n")
                                   << QStringLiteral("the compiler ran out of memory (200 MiB are allowed)");
    QString literal = QStringLiteral("#define A \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"\n");
    for (char name = 'B'; name <= 'H'; ++name)
        literal += QStringLiteral("#define %1%2\n")
                       .arg(QLatin1Char(name))
                       .arg((u' ' + QString(QLatin1Char(char(name - 1)))).repeated(16));
    QTest::newRow("huge literal") << literal + QStringLiteral("const char *text = H;\n")
                                  << QStringLiteral("the compiler ran out of memory");
    QTest::newRow("huge initialiser") << QStringLiteral("char table[1ul << 31] = {1};\n")
                                      << QStringLiteral("larger than 64 MiB. Fill large tables when");
}

void TestEvalBuild::boundsTheCompiler()
{
    QFETCH(QString, source);
    QFETCH(QString, words);
    const QTemporaryDir folder;
    const BuildCache cache = cacheIn(folder);
    BuildRequest bounded = request(source.toStdString());
    bounded.memoryBytes = std::int64_t(200) << 20;
    bounded.fileBytes = std::int64_t(64) << 20;
    const QString message = failureOf([&] { cache.build(bounded); });
    QVERIFY2(message.startsWith(QLatin1String("COMPILE_ERROR")), qPrintable(message));
    if (cache.compiler().version.find("clang") == std::string::npos)
        QVERIFY2(message.contains(words), qPrintable(message));
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), QStringList());
}

// Where the user allows less than the evaluator does, that is what is said.
void TestEvalBuild::namesTheLimitThatHolds()
{
    const QTemporaryDir folder;
    const BuildCache cache = cacheIn(folder);
    const BuildRequest large = request("char table[8 << 20] = {1};\n");
    rlimit before = {};
    QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
    rlimit lower = before;
    lower.rlim_cur = 2 << 20;
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &lower), 0);
    const QString message = failureOf([&] { cache.build(large); });
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &before), 0);
    if (cache.compiler().version.find("clang") == std::string::npos)
        QVERIFY2(message.contains(QLatin1String("larger than 2 MiB, the limit on the size of files here (ulimit -f). "
                                                "Raise it; the evaluator allows 512 MiB.")),
                 qPrintable(message));
}

void TestEvalBuild::refusesLinks_data()
{
    QTest::addColumn<QString>("link"); // in solution/
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("words"); // empty: taken
    const auto row = [](const char *name, const char *link, const char *target, const char *words) {
        QTest::newRow(name) << QString::fromLatin1(link) << QString::fromLatin1(target) << QString::fromLatin1(words);
    };
    row("inside", "alias.h", "tile.h", "");
    row("inside, from below", "deep/alias.h", "../tile.h", "");
    row("of no concern", "notes.txt", "../secret.txt", "");
    row("dangling", "alias.h", "missing.h", "alias.h: is a link that leads nowhere; put the file itself there.");
    row("loop", "alias.h", "alias.h", "alias.h: is a link that leads nowhere");
    row("out of the folder", "alias.h", "../outside.h", "alias.h: is a link that leads out of ");
    row("out of the folder, absolute", "alias.h", "/etc/passwd", "alias.h: is a link that leads out of ");
    row("out by another's name", "alias.h", "../solution-2/outside.h", "alias.h: is a link that leads out of ");
    row("folder outside", "include", "../other", "include: is a link that leads out of ");
    row("folder inside", "include", "deep", "include: is a link to a folder; put its files themselves there.");
    row("the folder itself", "include", ".", "include: is a link to a folder");
    row("flags", "build.json", "../secret.txt", "build.json: is a link that leads out of ");
}

void TestEvalBuild::refusesLinks()
{
    QFETCH(QString, link);
    QFETCH(QString, target);
    QFETCH(QString, words);
    const QTemporaryDir folder;
    const QDir root(folder.path());
    for (const char *made : {"solution/deep", "solution-2", "other"})
        QVERIFY(root.mkpath(QString::fromLatin1(made)));
    const auto write = [&](const char *name, const char *text) {
        writePlainFile((root.path() + QLatin1Char('/') + QString::fromLatin1(name)).toStdString(), text);
    };
    write("solution/kernel.cpp", goodSource);
    write("solution/tile.h", "#define TILE 8\n");
    write("outside.h", "secret\n");
    write("solution-2/outside.h", "secret\n");
    write("secret.txt", "secret\n");
    write("other/outside.h", "secret\n");
    const QString path = root.filePath(QStringLiteral("solution/") + link);
    QCOMPARE(symlink(qPrintable(target), qPrintable(path)), 0);
    SourceList sources;
    const QString message = failureOf(
        [&] { sources = readSources(root.filePath(QStringLiteral("solution")).toStdString(), Status::UsageError); });
    QCOMPARE(message.isEmpty(), words.isEmpty());
    QVERIFY2(message.contains(words), qPrintable(message));
    QVERIFY2(words.isEmpty() || message.startsWith(QLatin1String("COMPILE_ERROR: ")), qPrintable(message));
    for (const auto &[name, content] : sources)
        QVERIFY(content.find("secret") == std::string::npos);
    if (words.isEmpty() && link.endsWith(QLatin1String(".h")))
        QCOMPARE(sources.size(), std::size_t(3)); // kernel, header, and the header by its other name
}

void TestEvalBuild::confinesTheCompiler_data()
{
    QTest::addColumn<int>("version");
    QTest::addColumn<bool>("refused");
    const int newest = landlockVersion();
    QTest::newRow("without") << 0 << false;
    for (int version = 1; version <= newest; ++version)
        QTest::addRow("version %d", version) << version << true;
    QTest::newRow("what the kernel has") << newest << (newest > 0);
}

void TestEvalBuild::confinesTheCompiler()
{
    QFETCH(int, version);
    QFETCH(bool, refused);
    const QTemporaryDir folder, elsewhere;
    const std::string secret = elsewhere.filePath(QStringLiteral("secret.h")).toStdString();
    writePlainFile(secret, "constexpr int secret = 1;\n");
    const BuildCache cache(folder.path().toStdString(), findCompiler(qgetenv("PATH").toStdString()), version);
    QCOMPARE(cache.isConfined(), refused);
    QCOMPARE(cache.canRead(secret), !refused);
    QVERIFY(cache.canRead("/usr/include/stdio.h"));
    const std::string include = "#include <vector>\n#include \"" + secret + "\"\n" + goodSource;
    const QString message = failureOf([&] { cache.build(request(include)); });
    QCOMPARE(message.startsWith(QLatin1String("COMPILE_ERROR: The solution does not compile: it asks for ") +
                                QString::fromStdString(secret)),
             refused);
    QVERIFY(refused || message.isEmpty());
    BuildRequest honest = request("#include <vector>\n#include \"tile.h\"\n" + std::string(goodSource));
    honest.sources.emplace_back("tile.h", "#define TILE 8\n");
    honest.flags = {"-O3", "-march=native", "-fopenmp", "-flto", "-g"};
    QVERIFY(!cache.build(honest).fromCache);
}

void TestEvalBuild::leavesNothingBehind()
{
    const QTemporaryDir folder;
    const BuildCache cache = cacheIn(folder);
    QVERIFY(!failureOf([&] { cache.build(request("broken")); }).isEmpty());
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), QStringList());
    const Build good = cache.build(request(goodSource));
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).size(), 1);
}

void TestEvalBuild::boundsAChild()
{
    QElapsedTimer timer;
    timer.start();
    const ChildOutcome slow = runChild({"/bin/sh", {"-c", "sleep 30 & sleep 30"}, {"PATH=/usr/bin:/bin"}, "/", 0.3});
    QVERIFY(slow.timedOut);
    QVERIFY(timer.elapsed() < 20000);
    const ChildOutcome loud =
        runChild({"/bin/sh", {"-c", "head -c 5000000 /dev/zero | tr '\\0' x"}, {"PATH=/usr/bin:/bin"}, "/", 60});
    QCOMPARE(loud.exitCode, 0);
    QVERIFY(loud.output.size() < 400000);
    QVERIFY(loud.output.ends_with("more bytes left out]\n"));
    QCOMPARE(runChild({"/no/such/program", {}, {}, "/", 5}).exitCode, 127);
    QCOMPARE(runChild({"/bin/sh", {"-c", "kill -SEGV $$"}, {}, "/", 5}).signal, SIGSEGV);
}

void TestEvalBuild::endsWhatAChildLeaves_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<double>("seconds");
    QTest::newRow("in its group") << QStringLiteral("sleep 300 & echo $!; exit 3") << 60.0;
    QTest::newRow("in a session of its own") << QStringLiteral("setsid sleep 300 & echo $!; exit 3") << 60.0;
    QTest::newRow("a session's child") << QStringLiteral("setsid sh -c 'sleep 300 & wait' 300 & echo $!; exit 3")
                                       << 60.0;
    QTest::newRow("timed out") << QStringLiteral("setsid sleep 300 & echo $!; exec sleep 300") << 1.0;
}

void TestEvalBuild::endsWhatAChildLeaves()
{
    QFETCH(QString, script);
    QFETCH(double, seconds);
    adoptOrphans();
    // Its descriptors are closed, so that the shell's end is seen at once.
    const std::string text =
        QString(script).replace(QLatin1String("300"), QLatin1String("300 >/dev/null 2>&1")).toStdString();
    const ChildOutcome outcome = runChild({"/bin/sh", {"-c", text}, {"PATH=/usr/bin:/bin"}, "/", seconds});
    QCOMPARE(outcome.timedOut, seconds < 2);
    QCOMPARE(outcome.exitCode, seconds < 2 ? -1 : 3);
    const int left = std::stoi(outcome.output);
    QTRY_VERIFY(kill(left, 0) != 0);
    QCOMPARE(contentOf(QStringLiteral("/proc/self/task/%1/children").arg(getpid())), QByteArray());
}

void TestEvalBuild::readsOptions_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("words"); // of the complaint; empty: accepted
    const auto row = [](const char *line, const char *words) {
        QTest::newRow(line) << QString::fromLatin1(line) << QString::fromLatin1(words);
    };
    row("--problem p --solution s", "");
    row("--problem=p --solution=s --signal --champion c --json r.json --build-dir b --verbose", "");
    row("--problem p --solution s --num-correct-trials 5 --num-perf-trials 100 --timing-method cuda_event --backend "
        "cuda",
        "");
    row("--help", "");
    row("--probe", "");
    row("--solution s", "--problem FILE is missing");
    row("--problem p", "--solution PATH is missing");
    row("--problem", "needs a value");
    row("--frobnicate", "\"--frobnicate\" is not known");
    row("--problem p --solution s extra", "\"extra\" is not known");
    row("--problem p --solution s --pairs many", "no number above 0");
    row("--problem p --solution s --pairs -3", "no number above 0");
    row("--problem p --solution s --seeds 2.5", "no whole number");
    row("--problem p --solution s --cache warm", "cold or hot");
}

void TestEvalBuild::readsOptions()
{
    QFETCH(QString, line);
    QFETCH(QString, words);
    std::vector<std::string> arguments;
    for (const QString &word : line.split(u' '))
        arguments.push_back(word.toStdString());
    const QString message = failureOf([&] { parseOptions(arguments); });
    if (words.isEmpty()) {
        QCOMPARE(message, QString());
    } else {
        QVERIFY2(message.contains(words), qPrintable(message));
        QVERIFY(message.startsWith(QLatin1String("USAGE_ERROR")));
    }
}

void TestEvalBuild::reportsAsAgreed()
{
    EvaluationResult result;
    result.compiled = result.correct = true;
    WorkloadTiming timing;
    timing.id = "main";
    timing.solution = statsOf({0.0912345, 0.0912345, 0.2});
    timing.speedupChampion = Ratio{1.045, 1.041, 1.049};
    result.timings = {timing};
    result.total = TotalTiming{timing.solution, {}, timing.solution, {}, timing.speedupChampion, "main", 1.045};
    result.decision = {"champion", Verdict::Improved, timing.speedupChampion, 0.006, "main", {}, {}};
    const nlohmann::json object = toJson(result);
    QCOMPARE(object.at("schema").get<std::string>(), std::string("ako.result/1"));
    QCOMPARE(object.at("state").get<std::string>(), std::string("confirmed"));
    QCOMPARE(object.at("timing").at("workloads").at(0).at("sol_ms").get<double>(), 0.0912345);
    QCOMPARE(object.at("decision").at("vs_best").get<std::string>(), std::string("IMPROVED"));
    QVERIFY(!object.at("timing").at("workloads").at(0).contains("ref"));
    const std::string lines = humanLines(result, "r.json");
    for (const char *line : {"COMPILED: True\n", "CORRECT: True\n", "RUNTIME: 0.0912345\n", "REF_RUNTIME: -1\n",
                             "BEST_RUNTIME: 0.0912345\n", "VS_BEST: IMPROVED 1.045x [1.041, 1.049]\n", "STATUS: OK\n",
                             "RESULT_JSON: r.json\n"})
        QVERIFY2(lines.find(line) != std::string::npos, line);
    result.status = Status::Incorrect;
    result.message = "wrong\nCORRECT: True";
    result.correct = false;
    const std::string failed = humanLines(result, {});
    QVERIFY(failed.find("\nCORRECT: True") == std::string::npos); // a message cannot make a line
    QCOMPARE(toJson(result).at("exit").get<int>(), 1);
}

void TestEvalBuild::writesAllOrNothing()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("r.json")).toStdString();
    writeFileAtomically(path, "one");
    writeFileAtomically(path, "two");
    QCOMPARE(readFile(path, Status::Infrastructure), std::string("two"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
    const QString message =
        failureOf([&] { writeFileAtomically(folder.filePath(QStringLiteral("none/r.json")).toStdString(), "x"); });
    QVERIFY2(message.startsWith(QLatin1String("INFRASTRUCTURE")), qPrintable(message));
    QVERIFY(!failureOf([&] { writeFileAtomically("/dev/full/r.json", "x"); }).isEmpty());
}

QTEST_APPLESS_MAIN(TestEvalBuild)
#include "tst_eval_build.moc"
