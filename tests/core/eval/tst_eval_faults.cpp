// SPDX-License-Identifier: GPL-3.0-or-later
// The real ako-bench where something goes wrong: a clear status and message, and nothing left behind.
#include "eval/landlock.h"
#include "eval/sanitized.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

namespace {

QString base(const QString &name)
{
    return QStringLiteral(AKO_SOURCE_DIR "/tests/exploits/corpus/base/") + name;
}

QString kernel(const QString &body, const QString &head = {})
{
    return head + QStringLiteral("\n#include <cstdint>\nextern \"C\" void affine(const float *x, float *y, "
                                 "std::int64_t rows, std::int64_t cols)\n{\n"
                                 "const std::int64_t n = rows * cols;\n%1\n}\n")
                      .arg(body);
}

QString honest()
{
    return kernel(QStringLiteral("for (std::int64_t i = 0; i < n; ++i) y[i] = 2 * x[i] + 1;"));
}

bool put(const QString &path, const QString &text)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text.toUtf8()) >= 0;
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Processes whose parent is `parent`, by /proc.
QStringList childrenOf(qint64 parent)
{
    return QString::fromLatin1(contentOf(QStringLiteral("/proc/%1/task/%1/children").arg(parent)))
        .split(u' ', Qt::SkipEmptyParts);
}

// For this process and what it starts, the kernel has no such call; with `argument`, only where the first one is that.
void hideCall(std::uint32_t call, std::optional<std::uint32_t> argument, std::uint32_t error)
{
    std::array code{sock_filter(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))),
                    sock_filter(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4)),
                    sock_filter(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args))),
                    sock_filter(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, argument.value_or(0), 1, 0)),
                    sock_filter(BPF_JUMP(BPF_JMP | BPF_JA, argument ? 1U : 0U, 0, 0)),
                    sock_filter(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error)),
                    sock_filter(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW))};
    sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

void hideLandlock()
{
    hideCall(SYS_landlock_create_ruleset, {}, ENOSYS);
}

void hideSeccomp()
{
    hideCall(SYS_prctl, PR_SET_SECCOMP, EINVAL);
}

bool runs(const QByteArray &name)
{
    const QStringList processes = QDir(QStringLiteral("/proc")).entryList(QDir::Dirs);
    return std::any_of(processes.begin(), processes.end(), [&](const QString &process) {
        return contentOf(QStringLiteral("/proc/%1/comm").arg(process)).trimmed() == name;
    });
}

} // namespace

using ako::eval::landlockVersion;

Q_DECLARE_METATYPE(std::function<void()>)

class TestEvalFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void reports_data();
    void reports();
    void needsACompiler();
    void refusesAGpu();
    void needsAFolderToBuildIn();
    void saysWhichArgumentIsWrong();
    void saysWhatItCannotConfine();
    void doesNotMindTheClockOfTheWall();
    void endsProcessesOfTheKernel();
    void ignoresWhatIsPrinted();
    void worksWithOddStreamsAndLimits_data();
    void worksWithOddStreamsAndLimits();
    void waitsNoLongerThanTheReferenceCanExplain();
    void endsItsWorkersWhenInterrupted();
    void takesSeveralFilesAndThreads();
    void badFlagsAreTheCandidatesFault_data();
    void badFlagsAreTheCandidatesFault();
    void comparesWithAChampion();
    void reportsProgress();

private:
    int run(const QStringList &more, const QProcessEnvironment &environment = QProcessEnvironment::systemEnvironment());
    QJsonObject result() const
    {
        return QJsonDocument::fromJson(contentOf(m_folder->filePath(QStringLiteral("result.json")))).object();
    }
    QString status() const { return result().value(QStringLiteral("status")).toString(); }
    QString message() const { return result().value(QStringLiteral("message")).toString(); }
    QStringList arguments() const;

    std::unique_ptr<QTemporaryDir> m_folder;
    QTemporaryDir m_builds;
    QByteArray m_output, m_errors;
    std::function<void()> m_beforeExec;
};

void TestEvalFaults::init()
{
    m_beforeExec = {};
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(QFile::copy(base(QStringLiteral("problem.json")), m_folder->filePath(QStringLiteral("problem.json"))));
    QVERIFY(QFile::copy(base(QStringLiteral("reference.cpp")), m_folder->filePath(QStringLiteral("reference.cpp"))));
    QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("solution")));
    QVERIFY(put(m_folder->filePath(QStringLiteral("solution/kernel.cpp")), honest()));
}

QStringList TestEvalFaults::arguments() const
{
    return {QStringLiteral("--problem"), QStringLiteral("problem.json"), QStringLiteral("--solution"),
            QStringLiteral("solution"),  QStringLiteral("--build-dir"),  m_builds.path(),
            QStringLiteral("--json"),    QStringLiteral("result.json"),  QStringLiteral("--signal"),
            QStringLiteral("--cache"),   QStringLiteral("hot")};
}

int TestEvalFaults::run(const QStringList &more, const QProcessEnvironment &environment)
{
    QProcess process;
    process.setWorkingDirectory(m_folder->path());
    process.setProcessEnvironment(environment);
    if (m_beforeExec)
        process.setChildProcessModifier(m_beforeExec);
    process.start(QStringLiteral(AKO_BINARY_DIR "/app/bench/ako-bench"), arguments() + more);
    if (!process.waitForFinished(120000))
        return -1;
    m_output = process.readAllStandardOutput();
    m_errors = process.readAllStandardError();
    return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -process.exitCode();
}

void TestEvalFaults::reports_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("status");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QString>("words");
    const auto row = [](const char *name, const QString &source, const char *status, int exitCode, const char *words) {
        QTest::newRow(name) << source << QString::fromLatin1(status) << exitCode << QString::fromLatin1(words);
    };
    row("does not compile", QStringLiteral("int f( {"), "COMPILE_ERROR", 3, "The solution does not compile: ");
    row("other entry", QStringLiteral("extern \"C\" void other() { }"), "COMPILE_ERROR", 3, "affine");
    row("wrong", kernel(QStringLiteral("for (std::int64_t i = 0; i < n; ++i) y[i] = 2 * x[i];")), "INCORRECT", 1,
        "Workload odd, seed 0: y[0, 0] is ");
    row("crashes", kernel(QStringLiteral("(void)x; (void)n; *reinterpret_cast<volatile float *>(rows - rows) = y[0];")),
        "RUNTIME_ERROR", 4, "signal 11");
    row("aborts",
        kernel(QStringLiteral("(void)x; (void)y; (void)n; std::abort();"), QStringLiteral("#include <cstdlib>")),
        "RUNTIME_ERROR", 4, "signal 6");
    row("throws", kernel(QStringLiteral("(void)x; (void)y; throw n;")), "RUNTIME_ERROR", 4, "signal 6");
    row("throws what it should not",
        kernel(QStringLiteral("(void)x; (void)y; throw std::out_of_range(\"row \" + std::to_string(n));"),
               QStringLiteral("#include <stdexcept>\n#include <string>")),
        "RUNTIME_ERROR", 4, "The solution threw an exception: row 91");
    row("divides by zero", kernel(QStringLiteral("volatile int zero = 0; y[0] = float(int(x[0]) / zero); (void)n;")),
        "RUNTIME_ERROR", 4, "signal 8");
    row("recurses without end",
        kernel(QStringLiteral("(void)n; y[0] = float(deeper(int(x[0])));"),
               QStringLiteral("__attribute__((noinline, optimize(\"O0\"))) int deeper(int i) { volatile char "
                              "room[4096]; room[i & 15] = char(i); return "
                              "deeper(i + 1) + room[0]; }")),
        "RUNTIME_ERROR", 4, "signal 11");
    for (const char *name : {"SIGINT", "SIGTERM", "SIGHUP"})
        row(qPrintable(QStringLiteral("ends itself with %1").arg(QLatin1String(name))),
            kernel(QStringLiteral("(void)x; (void)y; (void)n; std::raise(%1);").arg(QLatin1String(name)),
                   QStringLiteral("#include <csignal>")),
            "RUNTIME_ERROR", 4, "was ended by signal ");
    row("kills itself",
        kernel(QStringLiteral("(void)x; (void)y; (void)n; kill(getpid(), SIGKILL);"),
               QStringLiteral("#include <csignal>\n#include <unistd.h>")),
        "OUT_OF_MEMORY", 4, "signal 9");
    row("signals the evaluator",
        kernel(QStringLiteral("(void)n; if (kill(getppid(), SIGINT) == 0 || kill(0, SIGINT) == 0) y[0] = x[0];"),
               QStringLiteral("#include <csignal>\n#include <unistd.h>")),
        "INCORRECT", 1, "Workload odd");
    row("crashes at load",
        kernel(QStringLiteral("(void)x; (void)y; (void)n;"),
               QStringLiteral("static int before = *reinterpret_cast<volatile int *>(8);")),
        "RUNTIME_ERROR", 4, "signal 11");
    row("throws at load",
        kernel(QStringLiteral("(void)x; (void)y; (void)n;"),
               QStringLiteral("static int before = [] { throw 1; return 1; }();")),
        "RUNTIME_ERROR", 4, "signal 6");
    row("leaves at load",
        kernel(QStringLiteral("(void)x; (void)y; (void)n;"),
               QStringLiteral("#include <unistd.h>\nstatic int before = [] { _exit(3); return 1; }();")),
        "CRASH_NO_REPORT", 4, "status 3 instead of reporting");
    row("hangs at load",
        kernel(QStringLiteral("(void)x; (void)y; (void)n;"),
               QStringLiteral("static int before = [] { for (volatile bool go = true; go;) { } return 1; }();")),
        "TIMEOUT", 5, "did not finish within 2 s");
    row("hangs", kernel(QStringLiteral("(void)x; (void)y; for (volatile std::int64_t i = n; i != -1;) { }")), "TIMEOUT",
        5, "did not finish within 2 s");
    row("stops itself",
        kernel(QStringLiteral("(void)x; (void)y; (void)n; std::raise(SIGSTOP);"), QStringLiteral("#include <csignal>")),
        "TIMEOUT", 5, "did not finish within 2 s");
    row("forks",
        kernel(QStringLiteral("(void)x; (void)n; while (fork() >= 0) y[0] = 1;"),
               QStringLiteral("#include <unistd.h>")),
        "EXTRA_PROCESS", 6, "tried to start a process");
    row("forks by the bare call",
        kernel(QStringLiteral("(void)x; (void)n; while (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) >= 0) y[0] = 1;"),
               QStringLiteral("#include <csignal>\n#include <sys/syscall.h>\n#include <unistd.h>")),
        "EXTRA_PROCESS", 6, "tried to start a process");
    row("starts threads without end",
        kernel(
            QStringLiteral("(void)x; (void)n; for (;;) { std::thread([] { for (;;) pause(); }).detach(); y[0] = 1; }"),
            QStringLiteral("#include <thread>\n#include <unistd.h>")),
        "RUNTIME_ERROR", 4, "threw an exception: ");
    row("leaves", kernel(QStringLiteral("(void)x; (void)y; (void)n; _exit(0);"), QStringLiteral("#include <unistd.h>")),
        "CRASH_NO_REPORT", 4, "status 0 instead of reporting");
    row("executes",
        kernel(QStringLiteral("(void)x; (void)y; (void)n; std::system(\"touch made\");"),
               QStringLiteral("#include <cstdlib>")),
        "EXTRA_PROCESS", 6, "tried to start a process");
    row("overruns by a row",
        kernel(QStringLiteral("for (std::int64_t i = 0; i < n + cols; ++i) y[i] = 2 * x[i < n ? i : 0] + 1;")),
        "GUARD_HIT", 6, "behind the end of y");
    row("eats all memory",
        kernel(QStringLiteral("(void)n; std::vector<char *> all; for (;;) { all.push_back(new char[64 << 20]); "
                              "all.back()[0] = char(x[0]); y[0] = 1; }"),
               QStringLiteral("#include <vector>")),
        "OUT_OF_MEMORY", 4, "memory");
}

void TestEvalFaults::reports()
{
    QFETCH(QString, source);
    QFETCH(QString, status);
    QFETCH(int, exitCode);
    QFETCH(QString, words);
#ifdef AKO_SANITIZER
    if (status == QLatin1String("OUT_OF_MEMORY"))
        QSKIP("a sanitizer's build cannot limit the memory of its workers");
    if (qstrcmp(QTest::currentDataTag(), "starts threads without end") == 0)
        QSKIP("a sanitizer's build ends by itself where no thread can be started");
#endif
    QVERIFY(put(m_folder->filePath(QStringLiteral("solution/kernel.cpp")), source));
    const int code =
        run(status == QLatin1String("TIMEOUT") ? QStringList{QStringLiteral("--timeout-run"), QStringLiteral("2")}
                                               : QStringList());
    QVERIFY2(this->status() == status, (m_output + m_errors).constData());
    QCOMPARE(code, exitCode);
    QVERIFY2(message().contains(words), qPrintable(message()));
    QVERIFY(m_output.contains("STATUS: " + status.toLatin1() + '\n'));
    QVERIFY(!QFile::exists(m_folder->filePath(QStringLiteral("made"))));
    if (status == QLatin1String("COMPILE_ERROR"))
        QVERIFY(!result().value(QStringLiteral("log")).toString().isEmpty());
    QVERIFY(QDir(m_builds.path()).entryList({QStringLiteral("tmp-*")}).isEmpty());
}

void TestEvalFaults::needsACompiler()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PATH"), QStringLiteral("/nowhere"));
    QCOMPARE(run({}, environment), 8);
    QCOMPARE(status(), QStringLiteral("NO_COMPILER"));
    QVERIFY(message().contains(QLatin1String("apt-get install g++")));
}

void TestEvalFaults::refusesAGpu()
{
    QCOMPARE(run({QStringLiteral("--device"), QStringLiteral("0")}), 2);
    QVERIFY2(message().contains(QLatin1String("is for the device cpu")), qPrintable(message()));
}

void TestEvalFaults::needsAFolderToBuildIn()
{
    QVERIFY(put(m_folder->filePath(QStringLiteral("file")), QString()));
    QCOMPARE(run({QStringLiteral("--build-dir"), QStringLiteral("file/build")}), 8);
    QVERIFY2(message().contains(QLatin1String("file/build")), qPrintable(message()));
}

void TestEvalFaults::saysWhichArgumentIsWrong()
{
    QCOMPARE(run({QStringLiteral("--solution"), QStringLiteral("missing")}), 2);
    QVERIFY2(message().contains(QLatin1String("missing: there is no such file")), qPrintable(message()));
    QCOMPARE(run({QStringLiteral("--problem"), QStringLiteral("solution")}), 2);
    QVERIFY2(message().contains(QLatin1String("no regular file")), qPrintable(message()));
    QCOMPARE(run({QStringLiteral("--champion"), QStringLiteral("missing")}), 8);
    QCOMPARE(status(), QStringLiteral("CHAMPION_ERROR"));
    QCOMPARE(run({QStringLiteral("--nonsense")}), 2);
    QVERIFY(m_errors.contains("--nonsense"));
}

// On a kernel without Landlock.
void TestEvalFaults::saysWhatItCannotConfine()
{
    const auto sandbox = [this] {
        return result().value(QStringLiteral("env")).toObject().value(QStringLiteral("sandbox")).toObject();
    };
    if (landlockVersion() > 0) {
        QCOMPARE(run({}), 0);
        QVERIFY(sandbox().value(QStringLiteral("compiler")).toBool());
        QVERIFY(!m_output.contains("COMPILER_UNCONFINED"));
    }
    m_beforeExec = hideLandlock;
    QCOMPARE(run({}), 0);
    QVERIFY(m_output.contains("FLAGS: COMPILER_UNCONFINED\n"));
    QCOMPARE(sandbox().value(QStringLiteral("compiler")).toBool(true), false);
    QCOMPARE(sandbox().value(QStringLiteral("landlock")).toInt(-1), 0);
    QCOMPARE(sandbox().value(QStringLiteral("level")).toString(), QStringLiteral("partial"));
}

// A library before all others lets the date go back by an hour whenever it is asked for.
void TestEvalFaults::doesNotMindTheClockOfTheWall()
{
#ifdef AKO_SANITIZER
    QSKIP("a sanitizer's library has to come first itself");
#endif
    const QString source = m_folder->filePath(QStringLiteral("back.cpp")),
                  library = m_folder->filePath(QStringLiteral("libback.so"));
    QVERIFY(put(
        source,
        QStringLiteral(
            "#include <ctime>\n#include <sys/syscall.h>\n#include <sys/time.h>\n#include <unistd.h>\n"
            "static long left = 2'000'000'000;\n"
            "extern \"C\" int clock_gettime(clockid_t clock, timespec *time) noexcept {\n"
            "if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE) return int(syscall(SYS_clock_gettime, "
            "clock, time));\n"
            "*time = {left -= 3600, 0}; return 0; }\n"
            "extern \"C\" time_t time(time_t *to) noexcept { left -= 3600; if (to) *to = left; return left; }\n"
            "extern \"C\" int gettimeofday(timeval *to, void *) noexcept { *to = {left -= 3600, 0}; return 0; }\n")));
    QCOMPARE(QProcess::execute(QStringLiteral("c++"), {QStringLiteral("-shared"), QStringLiteral("-fPIC"), source,
                                                       QStringLiteral("-o"), library}),
             0);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LD_PRELOAD"), library);
    QVERIFY2(run({}, environment) == 0, (m_output + m_errors).constData());
    QVERIFY(result().value(QStringLiteral("duration_s")).toDouble() > 0);
    QVERIFY(result().value(QStringLiteral("duration_s")).toDouble() < 120);
    const QJsonObject timing = result().value(QStringLiteral("timing")).toObject();
    const QJsonObject workload = timing.value(QStringLiteral("workloads")).toArray().at(0).toObject();
    QVERIFY(workload.value(QStringLiteral("sol")).toObject().value(QStringLiteral("min")).toDouble() > 0);
    QVERIFY(workload.value(QStringLiteral("sol")).toObject().value(QStringLiteral("max")).toDouble() < 10000);
}

// Where nothing keeps the kernel from starting them.
void TestEvalFaults::endsProcessesOfTheKernel()
{
    QVERIFY(put(m_folder->filePath(QStringLiteral("solution/kernel.cpp")),
                kernel(QStringLiteral("static int once = fork() ? 1 : daemon(); (void)once; "
                                      "for (std::int64_t i = 0; i < n; ++i) y[i] = 2 * x[i] + 1;"),
                       QStringLiteral("#include <sys/prctl.h>\n#include <unistd.h>\nint daemon() { setsid(); "
                                      "prctl(PR_SET_NAME, \"ako-stray-test\"); if (fork()) _exit(0); "
                                      "for (;;) pause(); }"))));
    m_beforeExec = hideSeccomp;
    QCOMPARE(run({}), 0);
    QCOMPARE(result()
                 .value(QStringLiteral("env"))
                 .toObject()
                 .value(QStringLiteral("sandbox"))
                 .toObject()
                 .value(QStringLiteral("level"))
                 .toString(),
             QStringLiteral("partial"));
    QVERIFY(!runs("ako-stray-test"));
}

void TestEvalFaults::worksWithOddStreamsAndLimits_data()
{
    QTest::addColumn<std::function<void()>>("beforeExec");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QByteArray>("words");
    const auto toFull = [] { dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO); };
    const auto closeBoth = [] {
        close(STDIN_FILENO);
        close(STDOUT_FILENO);
    };
    const auto smallFiles = [] {
        const rlimit limit{1024, 1024};
        setrlimit(RLIMIT_FSIZE, &limit);
    };
    QTest::newRow("full output") << std::function<void()>(toFull) << 8 << QByteArray("standard output");
    QTest::newRow("closed input and output") << std::function<void()>(closeBoth) << 0 << QByteArray();
    QTest::newRow("a limit on files") << std::function<void()>(smallFiles) << 8 << QByteArray("File too large");
}

void TestEvalFaults::worksWithOddStreamsAndLimits()
{
    QFETCH(std::function<void()>, beforeExec);
    QFETCH(int, exitCode);
    QFETCH(QByteArray, words);
    QCOMPARE(run({}), 0); // all is built
    m_beforeExec = beforeExec;
    QCOMPARE(run({}), exitCode);
    QVERIFY2(m_errors.contains(words), m_errors.constData());
}

void TestEvalFaults::ignoresWhatIsPrinted()
{
    const QString print = QStringLiteral(
        "static int once = [] { static char block[1 << 20]; std::memset(block, 'x', sizeof block); "
        "for (int i = 0; i < 1024; ++i) std::fwrite(block, 1, sizeof block, stdout); return 1; }(); (void)once; ");
    QVERIFY(put(m_folder->filePath(QStringLiteral("solution/kernel.cpp")),
                kernel(print + QStringLiteral("for (std::int64_t i = 0; i < n; ++i) y[i] = 2 * x[i] + 1;"),
                       QStringLiteral("#include <cstdio>\n#include <cstring>"))));
    QVERIFY2(run({QStringLiteral("--verbose")}) == 0, (m_output.left(2000) + m_errors.left(2000)).constData());
    QVERIFY(m_output.size() < 10000);
    QVERIFY(m_errors.size() < 1000000);
}

// Without a limit of the user's: some seconds for the first call, which may have much to make ready.
void TestEvalFaults::waitsNoLongerThanTheReferenceCanExplain()
{
    QVERIFY(put(m_folder->filePath(QStringLiteral("solution/kernel.cpp")),
                kernel(QStringLiteral("(void)x; (void)y; for (volatile std::int64_t i = n; i != -1;) { }"))));
    QElapsedTimer timer;
    timer.start();
    QProcess process;
    process.setWorkingDirectory(m_folder->path());
    process.start(QStringLiteral(AKO_BINARY_DIR "/app/bench/ako-bench"), arguments());
    QVERIFY(process.waitForFinished(120000));
    QCOMPARE(process.exitCode(), 5);
    QVERIFY2(message().contains(QRegularExpression(QStringLiteral(
                 "^The solution did not finish within 15 s and was ended\\. The reference took [0-9.e-]+ ms\\.$"))),
             qPrintable(message()));
    QVERIFY2(timer.elapsed() < 45000, qPrintable(QString::number(timer.elapsed())));
}

void TestEvalFaults::endsItsWorkersWhenInterrupted()
{
    QVERIFY(put(m_folder->filePath(QStringLiteral("solution/kernel.cpp")),
                kernel(QStringLiteral("(void)x; (void)y; for (volatile std::int64_t i = n; i != -1;) { }"))));
    for (const bool workersFirst : {false, true}) {
        const int signal = workersFirst ? SIGTERM : SIGINT;
        QProcess process;
        process.setWorkingDirectory(m_folder->path());
        process.start(QStringLiteral(AKO_BINARY_DIR "/app/bench/ako-bench"), arguments());
        QVERIFY(process.waitForStarted());
        // Reference, golden and the hanging solution.
        QTRY_COMPARE_WITH_TIMEOUT(childrenOf(process.processId()).size(), 3, 60000);
        const QStringList workers = childrenOf(process.processId());
        for (const QString &worker : workers)
            QVERIFY(!workersFirst || kill(worker.toInt(), SIGTERM) == 0);
        kill(pid_t(process.processId()), signal);
        QVERIFY(process.waitForFinished(30000));
        QCOMPARE(process.exitCode(), 130);
        QCOMPARE(status(), QStringLiteral("INTERRUPTED"));
        for (const QString &worker : workers)
            QTRY_VERIFY(!QFile::exists(QStringLiteral("/proc/") + worker));
        QVERIFY(QDir(m_builds.path()).entryList({QStringLiteral("tmp-*")}).isEmpty());
        QCOMPARE(QDir(m_folder->path()).entryList({QStringLiteral("result.json.*")}), QStringList());
    }
}

void TestEvalFaults::takesSeveralFilesAndThreads()
{
    QVERIFY(put(m_folder->filePath(QStringLiteral("solution/work.h")),
                QStringLiteral("void work(const float *x, float *y, long n);\n")));
    QVERIFY(put(
        m_folder->filePath(QStringLiteral("solution/work.cpp")),
        QStringLiteral("#include \"work.h\"\nvoid work(const float *x, float *y, long n)\n{\n#pragma omp parallel for\n"
                       "for (long i = 0; i < n; ++i) y[i] = 2 * x[i] + 1;\n}\n")));
    QVERIFY(put(m_folder->filePath(QStringLiteral("solution/kernel.cpp")),
                kernel(QStringLiteral("work(x, y, n);"), QStringLiteral("#include \"work.h\""))));
    QVERIFY(put(m_folder->filePath(QStringLiteral("solution/build.json")),
                QStringLiteral("{\"flags\": [\"-O2\", \"-fopenmp\"]}")));
    QVERIFY2(run({}) == 0, (m_output + m_errors).constData());
    const QJsonArray flags = result().value(QStringLiteral("env")).toObject().value(QStringLiteral("flags")).toArray();
    QCOMPARE(flags, (QJsonArray{QStringLiteral("-O2"), QStringLiteral("-fopenmp")}));
}

void TestEvalFaults::badFlagsAreTheCandidatesFault_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("not allowed") << QStringLiteral("{\"flags\": [\"-fplugin=/x.so\"]}") << QByteArray("-fplugin=/x.so");
    QTest::newRow("no JSON") << QStringLiteral("{\"flags\": [") << QByteArray("build.json");
    QTest::newRow("another key") << QStringLiteral("{\"flags\": [], \"libraries\": []}") << QByteArray("libraries");
    QTest::newRow("no list") << QStringLiteral("{\"flags\": \"-O3\"}") << QByteArray("flags");
}

void TestEvalFaults::badFlagsAreTheCandidatesFault()
{
    QFETCH(QString, text);
    QFETCH(QByteArray, said);
    QVERIFY(put(m_folder->filePath(QStringLiteral("solution/build.json")), text));
    QCOMPARE(run({}), 3);
    QCOMPARE(result().value(QStringLiteral("status")).toString(), QStringLiteral("COMPILE_ERROR"));
    QVERIFY2(m_output.contains(said), m_output.constData());
}

void TestEvalFaults::comparesWithAChampion()
{
    QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("champion")));
    QVERIFY(put(m_folder->filePath(QStringLiteral("champion/kernel.cpp")),
                kernel(QStringLiteral("for (volatile int wait = 0; wait < 400000; wait = wait + 1) { } for "
                                      "(std::int64_t i = 0; i < n; ++i) y[i] = 2 * "
                                      "x[i] + 1;"))));
    QVERIFY2(run({QStringLiteral("--champion"), QStringLiteral("champion")}) == 0, (m_output + m_errors).constData());
    const QJsonObject decision = result().value(QStringLiteral("decision")).toObject();
    QCOMPARE(decision.value(QStringLiteral("against")).toString(), QStringLiteral("champion"));
    QVERIFY2(decision.value(QStringLiteral("est")).toDouble() > 2, m_output.constData());
    QVERIFY(m_output.contains("BEST_RUNTIME: "));
    QVERIFY(m_output.contains("VS_BEST: "));
}

void TestEvalFaults::reportsProgress()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("AKO_PROGRESS"), QStringLiteral("1"));
    QCOMPARE(run({}, environment), 0);
    QVERIFY(m_errors.contains("AKO_PROGRESS compile 0."));
    QVERIFY(m_errors.contains("AKO_PROGRESS done 1.000\n"));
    QCOMPARE(run({}), 0);
    QVERIFY(!m_errors.contains("AKO_PROGRESS"));
}

QTEST_GUILESS_MAIN(TestEvalFaults)
#include "tst_eval_faults.moc"
