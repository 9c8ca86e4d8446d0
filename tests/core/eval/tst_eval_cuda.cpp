// SPDX-License-Identifier: GPL-3.0-or-later
// The GPU's side of the evaluator without a GPU: tests/support/fakecuda stands in for nvcc, the driver's management
// library and the device, so that everything the parent decides can be tested anywhere.
#include "eval/cuda/gpu.h"
#include "eval/cuda/suspicion.h"
#include "eval/cuda/toolkit.h"
#include "eval/cuda/tracer.h"
#include "eval/dtype.h"
#include "eval/flags.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <limits>

using namespace ako::eval;

namespace {

QString fakeSources()
{
    return QStringLiteral(AKO_SOURCE_DIR "/tests/support/fakecuda");
}

const char *const problemText = R"({
 "schema": "ako.problem/1", "name": "affine", "device": "cuda",
 "axes": {"n": {"type": "var"}},
 "inputs": {"x": {"shape": ["n"], "dtype": "float32"}},
 "outputs": {"y": {"shape": ["n"], "dtype": "float32"}},
 "entry": {"symbol": "affine", "args": ["x", "y", "n", "@stream"]},
 "reference": {"source": "reference.cu", "golden": "affine_golden"},
 "workloads": [{"id": "main", "axes": {"n": 20000}}, {"id": "odd", "axes": {"n": 37}, "time": false}]
})";

const char *const referenceText = R"(#include <cstdint>
#include <cuda_runtime.h>
template <typename T> void run(const T *x, T *y, std::int64_t n) { for (std::int64_t i = 0; i < n; ++i) y[i] = 2 * x[i] + 1; }
extern "C" void affine(const float *x, float *y, std::int64_t n, cudaStream_t) { run(x, y, n); }
extern "C" void affine_golden(const double *x, double *y, std::int64_t n, cudaStream_t) { run(x, y, n); }
)";

// A solution: the right answer, and `more` behind it.
QByteArray solutionText(const QByteArray &more)
{
    return "#include <cstdint>\n#include <cuda_runtime.h>\n"
           "extern \"C\" void affine(const float *x, float *y, std::int64_t n, cudaStream_t stream) {\n"
           "for (std::int64_t i = 0; i < n; ++i) y[i] = 2 * x[i] + 1;\n"
           "int &device = *static_cast<int *>(stream); (void)device;\n" +
           more + "\n}\n";
}

void write(const QString &path, const QByteArray &text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

struct Outcome
{
    int exitCode = -1;
    QString text;
    QJsonObject result;
    QString status() const { return result.value(QStringLiteral("status")).toString(); }
};

} // namespace

class TestEvalCuda : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void judges_data();
    void judges();
    void reportsTheDevice();
    void comparesWithAChampion();
    void looksAtTheDeviceAfterAFault_data();
    void looksAtTheDeviceAfterAFault();
    void tellsABusyDevice_data();
    void tellsABusyDevice();
    void profiles_data();
    void profiles();
    void saysWhatIsMissing_data();
    void saysWhatIsMissing();
    void readsResources();
    void tellsAMissingLauncher();
    void roundsSmallFloats_data();
    void roundsSmallFloats();
    void keepsSmallFloatsOfAllBits();
    void stepsOfFloats();
    void allowsFlags_data();
    void allowsFlags();
    void addsUpATrace();
    void suspects_data();
    void suspects();
    void findsFloors();

private:
    Outcome run(const QTemporaryDir &folder, const QStringList &arguments, const QStringList &environment = {});
    void stage(const QTemporaryDir &folder, const QByteArray &solution) const;

    QTemporaryDir m_toolkit, m_builds;
};

void TestEvalCuda::initTestCase()
{
    const QDir target(m_toolkit.path());
    QVERIFY(target.mkpath(QStringLiteral("bin/include")));
    for (const QString &folder : {QString(), QStringLiteral("/include")}) {
        const QDir source(fakeSources() + folder);
        for (const QString &name : source.entryList(QDir::Files))
            QVERIFY(QFile::copy(source.filePath(name), target.filePath(QStringLiteral("bin") + folder + u'/' + name)));
    }
    const QString old = target.filePath(QStringLiteral("old"));
    write(old, "#!/bin/sh\necho 'Cuda compilation tools, release 11.8, V11.8.89'\n");
    QVERIFY(QFile::setPermissions(old, QFile::ReadOwner | QFile::ExeOwner));
    QVERIFY(QFile::copy(QStringLiteral(AKO_SOURCE_DIR "/tests/core/eval/ncu-details.csv"),
                        target.filePath(QStringLiteral("bin/ncu-details.csv"))));
    for (const auto &[library, source] :
         {std::pair{"libnvidia-ml.so.1", "/fakenvml.cpp"}, std::pair{"libcuda.so.1", "/fakedriver.cpp"}}) {
        QProcess compiler;
        compiler.start(QStringLiteral("g++"),
                       {QStringLiteral("-shared"), QStringLiteral("-fPIC"), QStringLiteral("-o"),
                        target.filePath(QString::fromLatin1(library)), fakeSources() + QString::fromLatin1(source)});
        QVERIFY(compiler.waitForFinished(60000));
        QCOMPARE(compiler.exitCode(), 0);
    }
}

void TestEvalCuda::stage(const QTemporaryDir &folder, const QByteArray &solution) const
{
    write(folder.filePath(QStringLiteral("problem.json")), problemText);
    write(folder.filePath(QStringLiteral("reference.cu")), referenceText);
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("solution")));
    write(folder.filePath(QStringLiteral("solution/kernel.cu")), solution);
}

Outcome TestEvalCuda::run(const QTemporaryDir &folder, const QStringList &arguments, const QStringList &environment)
{
    QProcess process;
    process.setWorkingDirectory(folder.path());
    QProcessEnvironment own = QProcessEnvironment::systemEnvironment();
    own.insert(QStringLiteral("CUDA_HOME"), m_toolkit.path());
    own.insert(QStringLiteral("LD_LIBRARY_PATH"), m_toolkit.path());
    own.remove(QStringLiteral("CUDA_VISIBLE_DEVICES"));
    for (const QString &entry : environment)
        own.insert(entry.section(u'=', 0, 0), entry.section(u'=', 1));
    process.setProcessEnvironment(own);
    process.start(QStringLiteral(AKO_BINARY_DIR "/app/bench/ako-bench"),
                  QStringList{QStringLiteral("--problem"), QStringLiteral("problem.json"), QStringLiteral("--solution"),
                              QStringLiteral("solution"), QStringLiteral("--build-dir"), m_builds.path(),
                              QStringLiteral("--json"), QStringLiteral("result.json")} +
                      arguments);
    Outcome outcome;
    if (!process.waitForFinished(120000))
        return outcome;
    outcome.exitCode = process.exitCode();
    outcome.text = QString::fromUtf8(process.readAllStandardOutput() + process.readAllStandardError());
    QFile file(folder.filePath(QStringLiteral("result.json")));
    if (file.open(QIODevice::ReadOnly))
        outcome.result = QJsonDocument::fromJson(file.readAll()).object();
    return outcome;
}

void TestEvalCuda::judges_data()
{
    QTest::addColumn<QByteArray>("more");
    QTest::addColumn<QString>("status");
    const auto row = [](const char *name, const char *more, const char *status) {
        QTest::newRow(name) << QByteArray(more) << QString::fromLatin1(status);
    };
    row("honest", "", "OK");
    row("wrong", "y[n - 1] = 0;", "INCORRECT");
    row("cache set aside", "device |= 1;", "LIMIT_CHANGED");
    row("work after the end of the stream", "device |= 2;", "ESCAPED_WORK");
    row("once late", "static int calls = 0; if (++calls == 3) device |= 2;", "OK");
    row("a launch that failed", "fakeLastError = 1;", "RUNTIME_ERROR");
    row("a write behind the end", "y[n] = 0;", "GUARD_HIT");
    row("a changed input", "const_cast<float *>(x)[0] = 7;", "INPUT_MUTATED");
    row("a launcher that waits", "device |= 4;", "OK");
}

void TestEvalCuda::judges()
{
    QFETCH(QByteArray, more);
    QFETCH(QString, status);
    const QTemporaryDir folder;
    stage(folder, solutionText(more));
    const Outcome outcome = run(folder, {QStringLiteral("--signal"), QStringLiteral("--pairs"), QStringLiteral("20")});
    QVERIFY2(outcome.status() == status, qPrintable(outcome.text));
    QCOMPARE(outcome.exitCode == 0, status == QLatin1String("OK"));
    if (status != QLatin1String("OK"))
        return;
    const QJsonObject timing = outcome.result.value(QStringLiteral("timing")).toObject();
    const QJsonObject main = timing.value(QStringLiteral("workloads")).toArray().first().toObject();
    QCOMPARE(main.value(QStringLiteral("held_back")).toBool(), !more.contains("|= 4"));
    QVERIFY(main.value(QStringLiteral("sol_ms")).toDouble() < 100); // not the 200 ms of the blocking kernel
}

void TestEvalCuda::reportsTheDevice()
{
    const QTemporaryDir folder;
    stage(folder, solutionText({}));
    const Outcome outcome = run(folder, {QStringLiteral("--verdict"), QStringLiteral("--pairs"), QStringLiteral("20")});
    QVERIFY2(outcome.status() == QLatin1String("OK"), qPrintable(outcome.text));
    const QJsonObject environment = outcome.result.value(QStringLiteral("env")).toObject();
    QCOMPARE(environment.value(QStringLiteral("device")).toString(), QStringLiteral("cuda"));
    QCOMPARE(environment.value(QStringLiteral("gpu")).toString(), QStringLiteral("Fake GPU"));
    QCOMPARE(environment.value(QStringLiteral("architecture")).toString(), QStringLiteral("sm_90a"));
    QVERIFY(environment.value(QStringLiteral("cupti")).toString().contains(QLatin1String("libcupti")));
    const QJsonObject kernel = outcome.result.value(QStringLiteral("kernels")).toArray().first().toObject();
    QCOMPARE(kernel.value(QStringLiteral("registers")).toInt(), 32);
    QVERIFY(outcome.text.contains(QLatin1String("BACKEND: cuda")));
    QVERIFY(outcome.text.contains(QLatin1String("SPEEDUP: ")));
    QVERIFY(!outcome.text.contains(QLatin1String("ptxas")));
}

void TestEvalCuda::comparesWithAChampion()
{
    const QTemporaryDir folder;
    stage(folder, solutionText({}));
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("champion")));
    // Much slower, whatever the machine is doing: it works thirty times.
    write(folder.filePath(QStringLiteral("champion/kernel.cu")),
          solutionText("for (int again = 0; again < 30; ++again) for (std::int64_t i = 0; i < n; ++i) "
                       "*const_cast<volatile float *>(y + i) = 2 * x[i] + 1;"));
    const Outcome outcome =
        run(folder, {QStringLiteral("--signal"), QStringLiteral("--champion"), QStringLiteral("champion")});
    QVERIFY2(outcome.status() == QLatin1String("OK"), qPrintable(outcome.text));
    QVERIFY2(outcome.text.contains(QLatin1String("VS_BEST: IMPROVED")), qPrintable(outcome.text));
}

void TestEvalCuda::looksAtTheDeviceAfterAFault_data()
{
    QTest::addColumn<QByteArray>("more");
    QTest::addColumn<int>("failsAfter"); // so many processes have opened the device: reference, golden, solution
    QTest::addColumn<QString>("status");
    QTest::newRow("it goes on working") << QByteArray("fakeLastError = 1;") << 1000 << QStringLiteral("RUNTIME_ERROR");
    QTest::newRow("it does not") << QByteArray("fakeLastError = 1;") << 3 << QStringLiteral("INFRASTRUCTURE");
    QTest::newRow("after a hang") << QByteArray("for (;;) {}") << 3 << QStringLiteral("INFRASTRUCTURE");
    QTest::newRow("a wrong answer is no fault") << QByteArray("y[n - 1] = 0;") << 3 << QStringLiteral("INCORRECT");
}

void TestEvalCuda::looksAtTheDeviceAfterAFault()
{
    QFETCH(QByteArray, more);
    QFETCH(int, failsAfter);
    QFETCH(QString, status);
    const QString limit = m_toolkit.filePath(QStringLiteral("fails-after")),
                  opens = m_toolkit.filePath(QStringLiteral("opens"));
    QFile::remove(opens);
    write(limit, QByteArray::number(failsAfter));
    const QTemporaryDir folder;
    stage(folder, solutionText(more));
    const Outcome outcome =
        run(folder, {QStringLiteral("--signal"), QStringLiteral("--timeout-run"), QStringLiteral("3")});
    QFile::remove(limit);
    QVERIFY2(outcome.status() == status, qPrintable(outcome.text));
    QCOMPARE(outcome.text.contains(QStringLiteral("does not answer")), status == QLatin1String("INFRASTRUCTURE"));
    if (status == QLatin1String("INFRASTRUCTURE"))
        QCOMPARE(outcome.exitCode, 8);
}

void TestEvalCuda::tellsABusyDevice_data()
{
    QTest::addColumn<QString>("environment");
    QTest::addColumn<bool>("busy");
    QTest::newRow("idle") << QStringLiteral("AKO_FAKE_BUSY=0") << false;
    QTest::newRow("the last evaluation's own work") << QStringLiteral("AKO_FAKE_BUSY=3") << false;
    QTest::newRow("busy all the time") << QStringLiteral("AKO_FAKE_BUSY=100000") << true;
    QTest::newRow("another process") << QStringLiteral("AKO_FAKE_PROCESS=1") << true;
}

void TestEvalCuda::tellsABusyDevice()
{
    QFETCH(QString, environment);
    QFETCH(bool, busy);
    const QTemporaryDir folder;
    stage(folder, solutionText({}));
    const Outcome outcome = run(folder, {QStringLiteral("--signal")}, {environment});
    QVERIFY2(outcome.status() == QLatin1String("OK"), qPrintable(outcome.text));
    const QJsonArray flags = outcome.result.value(QStringLiteral("flags")).toArray();
    QCOMPARE(flags.contains(QStringLiteral("GPU_BUSY")), busy);
}

void TestEvalCuda::profiles_data()
{
    QTest::addColumn<QString>("mode");
    QTest::addColumn<QByteArray>("more");
    QTest::addColumn<QString>("level");
    QTest::addColumn<QString>("words");
    QTest::newRow("counters") << QString() << QByteArray() << QStringLiteral("ncu") << QStringLiteral("Memory decides");
    QTest::newRow("forbidden") << QStringLiteral("forbidden") << QByteArray() << QStringLiteral("compiler")
                               << QStringLiteral("ERR_NVGPUCTRPERM");
    QTest::newRow("the kernel fails") << QString() << QByteArray("std::abort();") << QStringLiteral("compiler")
                                      << QStringLiteral("PROFILE_SKIPPED: ncu");
    QTest::newRow("it writes elsewhere") << QString()
                                         << QByteArray("if (FILE *file = std::fopen(\"/var/tmp/ako-profile-test\", "
                                                       "\"w\")) std::abort();")
                                         << QStringLiteral("ncu") << QStringLiteral("PROFILE: rowSum");
}

void TestEvalCuda::profiles()
{
    QFETCH(QString, mode);
    QFETCH(QByteArray, more);
    QFETCH(QString, level);
    QFETCH(QString, words);
    write(m_toolkit.filePath(QStringLiteral("bin/ncu-mode")), mode.toUtf8());
    const QTemporaryDir folder;
    stage(folder, "#include <cstdio>\n#include <cstdlib>\n" + solutionText(more));
    const Outcome outcome = run(folder, {QStringLiteral("--profile")});
    QVERIFY2(outcome.status() == QLatin1String("OK"), qPrintable(outcome.text));
    QCOMPARE(outcome.exitCode, 0);
    QVERIFY2(outcome.text.contains(QStringLiteral("PROFILE_LEVEL: ") + level), qPrintable(outcome.text));
    QVERIFY2(outcome.text.contains(words), qPrintable(outcome.text));
    QVERIFY(!outcome.text.contains(QLatin1String("RUNTIME"))); // a profiler's time is no result
    const QJsonObject profile = outcome.result.value(QStringLiteral("profile")).toObject();
    QCOMPARE(profile.value(QStringLiteral("level")).toString(), level);
    QVERIFY(!profile.value(QStringLiteral("kernels")).toArray().isEmpty());
    QVERIFY(!outcome.result.contains(QStringLiteral("timing")));
}

void TestEvalCuda::saysWhatIsMissing_data()
{
    QTest::addColumn<QStringList>("environment");
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("status");
    QTest::addColumn<QString>("words");
    QTest::newRow("an old nvcc") << QStringList()
                                 << QStringList{QStringLiteral("--compiler"), m_toolkit.filePath(QStringLiteral("old"))}
                                 << QStringLiteral("NO_COMPILER") << QStringLiteral("too old");
    QTest::newRow("no driver") << QStringList(QStringLiteral("LD_LIBRARY_PATH=/nonexistent")) << QStringList()
                               << QStringLiteral("INFRASTRUCTURE") << QStringLiteral("no working NVIDIA driver");
    QTest::newRow("no such device") << QStringList() << QStringList{QStringLiteral("--device"), QStringLiteral("3")}
                                    << QStringLiteral("INFRASTRUCTURE") << QStringLiteral("no GPU number 3");
    QTest::newRow("the CPU asked for") << QStringList()
                                       << QStringList{QStringLiteral("--device"), QStringLiteral("cpu")}
                                       << QStringLiteral("USAGE_ERROR") << QStringLiteral("is for the device cuda");
}

void TestEvalCuda::saysWhatIsMissing()
{
    QFETCH(QStringList, environment);
    QFETCH(QStringList, arguments);
    QFETCH(QString, status);
    QFETCH(QString, words);
    const QTemporaryDir folder;
    stage(folder, solutionText({}));
    const Outcome outcome = run(folder, QStringList(QStringLiteral("--signal")) + arguments, environment);
    QVERIFY2(outcome.status() == status, qPrintable(outcome.text));
    QVERIFY2(outcome.text.contains(words), qPrintable(outcome.text));
}

void TestEvalCuda::readsResources()
{
    const std::string log = "ptxas info    : 0 bytes gmem\n"
                            "ptxas info    : Compiling entry function '_Z4workPKfPfl' for 'sm_90a'\n"
                            "ptxas info    : Function properties for _Z4workPKfPfl\n"
                            "    8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads\n"
                            "ptxas info    : Used 32 registers, used 1 barriers, 1024 bytes smem, 384 bytes cmem[0]\n"
                            "kernel.cu(3): warning: unused\n";
    const std::vector<KernelReport> kernels = parseResources(log);
    QCOMPARE(kernels.size(), 1U);
    QCOMPARE(QString::fromStdString(kernels[0].name), QStringLiteral("work(float const*, float*, long)"));
    QCOMPARE(kernels[0].registers, 32);
    QCOMPARE(kernels[0].sharedBytes, 1024);
    QCOMPARE(kernels[0].stackBytes, 8);
    QCOMPARE(kernels[0].spillStores, 4);
    QCOMPARE(kernels[0].spillLoads, 12);
    QCOMPARE(withoutResources(log), std::string("kernel.cu(3): warning: unused\n"));
    QCOMPARE(architectureName(8, 6), std::string("sm_86"));
    QCOMPARE(architectureName(9, 0), std::string("sm_90a"));
}

void TestEvalCuda::tellsAMissingLauncher()
{
    const SourceList bare{{"k.cu", "__global__ void affine(const float *x, float *y) {}"}}, none{{"k.cu", "int x;"}};
    const std::string log = "ld: undefined reference to `affine'";
    QVERIFY(missingLauncher(bare, "affine", log).has_value());
    QVERIFY(!missingLauncher(none, "affine", log).has_value());
    QVERIFY(!missingLauncher(bare, "affine", "error: expected a ;").has_value());
    const QTemporaryDir folder;
    stage(folder, "static int __global__ = 0;\n");
    const Outcome outcome = run(folder, {QStringLiteral("--signal")});
    QVERIFY2(outcome.status() == QLatin1String("COMPILE_ERROR"), qPrintable(outcome.text));
    QVERIFY2(outcome.text.contains(QLatin1String("no launcher")), qPrintable(outcome.text));
}

void TestEvalCuda::roundsSmallFloats_data()
{
    QTest::addColumn<int>("type");
    QTest::addColumn<double>("value");
    QTest::addColumn<double>("rounded");
    const auto row = [](const char *name, DType type, double value, double rounded) {
        QTest::newRow(name) << int(type) << value << rounded;
    };
    constexpr double infinity = std::numeric_limits<double>::infinity();
    row("half: exact", DType::Float16, 0.5, 0.5);
    row("half: to even", DType::Float16, 2049, 2048);
    row("half: up", DType::Float16, 2051, 2052);
    row("half: largest", DType::Float16, 65504, 65504);
    row("half: beyond", DType::Float16, 65520, infinity);
    row("half: subnormal", DType::Float16, 0x1p-24, 0x1p-24);
    row("half: below", DType::Float16, 0x1p-26, 0);
    row("bfloat: third", DType::BFloat16, 1.0 / 3, 0.333984375);
    row("bfloat: negative", DType::BFloat16, -1.0 / 3, -0.333984375);
    row("bfloat: beyond", DType::BFloat16, 3.4e38, infinity);
    row("e4m3: largest", DType::Float8E4M3, 448, 448);
    row("e4m3: saturates", DType::Float8E4M3, 1000, 448);
    row("e4m3: step", DType::Float8E4M3, 17, 16);
    row("e5m2: beyond", DType::Float8E5M2, 65000, infinity);
    row("e5m2: subnormal", DType::Float8E5M2, 0x1p-16, 0x1p-16);
}

void TestEvalCuda::roundsSmallFloats()
{
    QFETCH(int, type);
    QFETCH(double, value);
    QFETCH(double, rounded);
    QCOMPARE(roundedTo(DType(type), value), rounded);
}

void TestEvalCuda::keepsSmallFloatsOfAllBits()
{
    for (const DType type : {DType::Float16, DType::BFloat16, DType::Float8E4M3, DType::Float8E5M2}) {
        const unsigned count = sizeOf(type) == 2 ? 65536 : 256;
        for (unsigned bits = 0; bits < count; ++bits) {
            unsigned stored = 0;
            const double value = elementAsDouble(type, &bits, 0);
            storeFloating(type, value, &stored, 0);
            if (!std::isnan(value) && stored != bits)
                QFAIL(qPrintable(QStringLiteral("%1 became %2").arg(bits).arg(stored)));
        }
    }
    QCOMPARE(stepAt(DType::BFloat16, 1.5), 0x1p-7);
    QCOMPARE(stepAt(DType::Float16, 0), 0x1p-24);
}

// The step is found from the bits; nextafter() says the same more slowly.
void TestEvalCuda::stepsOfFloats()
{
    for (int exponent = -149; exponent < 128; ++exponent) {
        for (const float factor : {1.0F, 1.5F, 1.9999999F}) {
            const float value = std::ldexp(factor, exponent);
            const float next = std::nextafter(value, std::numeric_limits<float>::infinity());
            if (std::isfinite(next))
                QCOMPARE(stepAt(DType::Float32, double(value)), double(next) - double(value));
            QCOMPARE(stepAt(DType::Float32, -double(value)), stepAt(DType::Float32, double(value)));
        }
    }
    QCOMPARE(stepAt(DType::Float32, 0), 0x1p-149);
    QCOMPARE(largestOf(DType::Float16), 65504.0);
    QCOMPARE(largestOf(DType::Float8E4M3), 448.0);
}

void TestEvalCuda::allowsFlags_data()
{
    QTest::addColumn<QString>("flag");
    QTest::addColumn<bool>("allowed");
    for (const char *flag : {"-O3", "--use_fast_math", "-use_fast_math", "-maxrregcount=64", "-DTILE=32", "-rdc=true",
                             "-std=c++17", "--fmad=false"})
        QTest::newRow(flag) << QString::fromLatin1(flag) << true;
    for (const char *flag :
         {"-march=native", "-arch=sm_80", "-ccbin=/tmp/g++", "-include", "--default-stream=per-thread",
          "-Xcompiler=-fplugin=x", "-lcublas", "-I/", "--options-file=x"})
        QTest::newRow(flag) << QString::fromLatin1(flag) << false;
}

void TestEvalCuda::allowsFlags()
{
    QFETCH(QString, flag);
    QFETCH(bool, allowed);
    QCOMPARE(isAllowedFlag(flag.toStdString(), true), allowed);
}

void TestEvalCuda::addsUpATrace()
{
    const TraceReport none = reportOf({}, {});
    QCOMPARE(none.busyMs, 0.0);
    // Two that overlap, a gap, and one more.
    const TraceReport report =
        reportOf({{3'000'000, 4'000'000}, {1'000'000, 1'500'000}, {1'200'000, 2'000'000}}, {"b", "a", "a"});
    QCOMPARE(report.spanMs, 3.0);
    QCOMPARE(report.busyMs, 2.0);
    QCOMPARE(report.kernels.size(), 2U);
    QCOMPARE(report.kernels[1].second, 2);
}

void TestEvalCuda::suspects_data()
{
    QTest::addColumn<double>("hostMs");
    QTest::addColumn<double>("busyMs");
    QTest::addColumn<int>("kernels");
    QTest::addColumn<QString>("flag");
    QTest::newRow("honest") << 0.005 << 0.0095 << 1 << QString();
    QTest::newRow("gaps") << 0.005 << 0.002 << 3 << QString();
    QTest::newRow("host") << 0.5 << 0.0095 << 1 << QStringLiteral("HOST_BUSY");
    QTest::newRow("hidden work") << 0.005 << 0.05 << 1 << QStringLiteral("CUPTI_DISAGREES");
    QTest::newRow("nothing") << 0.005 << 0.0 << 0 << QStringLiteral("NO_KERNEL");
}

void TestEvalCuda::suspects()
{
    QFETCH(double, hostMs);
    QFETCH(double, busyMs);
    QFETCH(int, kernels);
    QFETCH(QString, flag);
    WorkloadTiming timing;
    timing.id = "main";
    timing.solution = TimeStats{};
    timing.solution->median = 0.01;
    timing.device = DeviceTiming{};
    timing.device->hostMs = hostMs;
    timing.device->busyMs = busyMs;
    if (kernels > 0)
        timing.device->kernels = {{"work", kernels}};
    const auto suspicion = deviceSuspicion(timing);
    QCOMPARE(suspicion ? QString::fromStdString(suspicion->flag) : QString(), flag);
}

void TestEvalCuda::findsFloors()
{
    Problem problem;
    problem.work = Work{"4*n", "4*n", {{"fp32", "2*n"}, {"fp16", "1000*n"}}};
    Workload workload;
    workload.axes = {{"n", 1'000'000}};
    GpuPeaks peaks;
    peaks.memoryPeak = 4e12;
    peaks.measured = {{"copy", 2e12}, {"fp32", 1e13}, {"tensor_fp16", 1e14}};
    peaks.bounds = {{"fp32", 2e13}};
    auto floor = floorOf(problem, workload, peaks, false, 50 << 20);
    QCOMPARE(floor->floorMs, 1e9 / 2e14 * 1e3);     // fp16, twice what was measured
    QCOMPARE(floor->practicalMs, 1e9 / 1e14 * 1e3); // fp16
    problem.work->flops = {{"fp32", "2*n"}};
    floor = floorOf(problem, workload, peaks, false, 50 << 20);
    QCOMPARE(floor->floorMs, 4e6 / 4e12 * 1e3);
    QCOMPARE(floor->practicalMs, 8e6 / 2e12 * 1e3);
    floor = floorOf(problem, workload, peaks, true, 50 << 20); // all of it fits the cache
    QCOMPARE(floor->floorMs, 2e6 / 2e13 * 1e3);
}

QTEST_GUILESS_MAIN(TestEvalCuda)
#include "tst_eval_cuda.moc"
