// SPDX-License-Identifier: GPL-3.0-or-later
// The real command line while the machine misbehaves: a full disk, and a clock that is put back. Nothing is lost, and
// the next call goes on.
#include "eval/sanitized.h"
#include "support/programrun.h"
#include "support/scratchrepository.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

using namespace ako::test;

namespace {

// A small disk of its own, gone with this object.
class SmallDisk
{
public:
    explicit SmallDisk(const QString &size)
        : m_path(m_folder.path())
    {
        m_isMounted = ::geteuid() == 0 &&
                      QProcess::execute(QStringLiteral("mount"),
                                        {QStringLiteral("-t"), QStringLiteral("tmpfs"), QStringLiteral("-o"),
                                         QStringLiteral("size=") + size, QStringLiteral("tmpfs"), m_path}) == 0;
    }
    ~SmallDisk()
    {
        if (m_isMounted)
            QProcess::execute(QStringLiteral("umount"), {QStringLiteral("-l"), m_path});
    }
    Q_DISABLE_COPY_MOVE(SmallDisk)

    bool isMounted() const { return m_isMounted; }
    QString path() const { return m_path; }
    void fill() const
    {
        QFile ballast(m_path + QStringLiteral("/ballast"));
        if (!ballast.open(QIODevice::WriteOnly | QIODevice::Unbuffered))
            return;
        for (const qsizetype size : {qsizetype(1) << 20, qsizetype(1) << 12}) {
            const QByteArray block(size, 'x');
            while (ballast.write(block) == size) {}
        }
    }
    void empty() const { QFile::remove(m_path + QStringLiteral("/ballast")); }

private:
    QTemporaryDir m_folder;
    QString m_path;
    bool m_isMounted = false;
};

// Puts the clock back by an hour, a second after a process has begun.
const QByteArray clockSource = R"(
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long offset(void)
{
    static struct timespec start;
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    if (start.tv_sec == 0)
        start = now;
    return now.tv_sec - start.tv_sec >= 1 ? 3600 : 0;
}
int clock_gettime(clockid_t id, struct timespec *at)
{
    const long result = syscall(SYS_clock_gettime, id, at);
    if (result == 0 && id == CLOCK_REALTIME)
        at->tv_sec -= offset();
    return (int)result;
}
int gettimeofday(struct timeval *at, void *zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    at->tv_sec = now.tv_sec;
    at->tv_usec = now.tv_nsec / 1000;
    return 0;
}
time_t time(time_t *to)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (to)
        *to = now.tv_sec;
    return now.tv_sec;
}
)";

void layOut(const ScratchRepository &repository)
{
    const QHash<QString, QByteArray> files = smallProblem();
    for (auto file = files.cbegin(); file != files.cend(); ++file)
        repository.write(file.key(), file.value());
    repository.commitAll(QStringLiteral("mine"));
}

QStringList labels(const QString &workspace)
{
    QStringList found;
    for (const QString &line : runProgram({QStringLiteral("history"), workspace}).output.split(QLatin1Char('\n')))
        found << line.section(QLatin1Char(' '), 0, 0);
    found.removeAll(QString());
    found.removeAll(QStringLiteral("x:")); // what the columns mean
    return found;
}

ProgramRun baseline(const QString &workspace, const QProcessEnvironment &environment)
{
    return runProgram({QStringLiteral("run"), workspace, QStringLiteral("--approve"), QStringLiteral("--agent"),
                       QStringLiteral("user")},
                      environment);
}

} // namespace

class TestMachineFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { isolateGitConfiguration(); }
    void diskIsFull();
    void clockIsPutBack();
};

void TestMachineFaults::diskIsFull()
{
    const SmallDisk disk(QStringLiteral("96m"));
    if (!disk.isMounted())
        QSKIP("a small disk can be mounted by root only");
    const ScratchRepository original;
    layOut(original);
    const QString workspace = disk.path() + QStringLiteral("/w");
    QCOMPARE(QProcess::execute(QStringLiteral("cp"), {QStringLiteral("-a"), original.path(), workspace}), 0);
    const QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const ProgramRun first = baseline(workspace, environment);
    if (first.output.contains(QLatin1String("could not be measured")))
        QSKIP("this machine is too busy to measure anything");
    QVERIFY2(first.exitCode == 0, qPrintable(first.output));
    QFile kernel(workspace + QStringLiteral("/solution/scale.cpp"));
    QVERIFY(kernel.open(QIODevice::WriteOnly | QIODevice::Append));
    kernel.write("// an edit\n");
    kernel.close();
    const QStringList iterate{QStringLiteral("iterate"), workspace, QStringLiteral("--title"), QStringLiteral("edit")};
    disk.fill();
    const ProgramRun full = runProgram(iterate, environment);
    disk.empty();
    QVERIFY2(full.exitCode == 1, qPrintable(full.output));
    QVERIFY2(full.output.contains(QStringLiteral("pace")), qPrintable(full.output)); // no space left, free some space
    // What was reached is completed or done again; either way one iteration, and the edit is in it.
    const ProgramRun again = runProgram(iterate, environment);
    QCOMPARE(labels(workspace), QStringList({QStringLiteral("baseline"), QStringLiteral("iter-1")}));
    const auto git = [&workspace](const QStringList &arguments) {
        QProcess process;
        process.start(QStringLiteral("git"), QStringList{QStringLiteral("-C"), workspace} + arguments);
        process.waitForFinished();
        return QString::fromUtf8(process.readAllStandardOutput() + process.readAllStandardError()).trimmed();
    };
    QVERIFY2(
        git({QStringLiteral("show"), QStringLiteral("HEAD:solution/scale.cpp")}).contains(QStringLiteral("an edit")),
        qPrintable(again.output));
    QCOMPARE(git({QStringLiteral("status"), QStringLiteral("--porcelain")}), QString());
    const QString check =
        git({QStringLiteral("fsck"), QStringLiteral("--no-progress"), QStringLiteral("--no-dangling")});
    QVERIFY2(check.isEmpty(), qPrintable(check));
}

void TestMachineFaults::clockIsPutBack()
{
#ifdef AKO_SANITIZER
    QSKIP("a sanitizer has to be loaded first, and so has what puts the clock back");
#endif
    const QTemporaryDir folder;
    const QString library = folder.filePath(QStringLiteral("clock.so"));
    QFile source(folder.filePath(QStringLiteral("clock.c")));
    QVERIFY(source.open(QIODevice::WriteOnly));
    source.write(clockSource);
    source.close();
    if (QProcess::execute(QStringLiteral("cc"),
                          {QStringLiteral("-shared"), QStringLiteral("-fPIC"), QStringLiteral("-O1"),
                           QStringLiteral("-o"), library, source.fileName()}) != 0)
        QSKIP("there is no C compiler to make another clock with");
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LD_PRELOAD"), library);
    const ScratchRepository repository;
    layOut(repository);
    const ProgramRun first = baseline(repository.path(), environment);
    if (first.output.contains(QLatin1String("could not be measured")))
        QSKIP("this machine is too busy to measure anything");
    QVERIFY2(first.exitCode == 0, qPrintable(first.output));
    const QString kernel = QStringLiteral("solution/scale.cpp");
    for (const char *title : {"one", "two"}) {
        repository.write(kernel, repository.read(kernel) + "// " + title + '\n');
        const ProgramRun run = runProgram(
            {QStringLiteral("iterate"), repository.path(), QStringLiteral("--title"), QString::fromLatin1(title)},
            environment);
        QVERIFY2(run.exitCode == 0, qPrintable(run.output));
    }
    QCOMPARE(labels(repository.path()),
             QStringList({QStringLiteral("baseline"), QStringLiteral("iter-1"), QStringLiteral("iter-2")}));
    QCOMPARE(repository.status(), QString());
    const QDir trajectories(repository.filePath(QStringLiteral("trajectory")));
    const QStringList folders = trajectories.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    QVERIFY2(folders.size() >= 3, qPrintable(folders.join(QLatin1Char('\n'))));
    static const QRegularExpression duration(QStringLiteral("\"bench_ms\": (-?\\d+)"));
    for (const QString &name : folders) {
        QFile file(trajectories.filePath(name + QStringLiteral("/iteration.json")));
        if (!file.open(QIODevice::ReadOnly)) // a verdict's
            continue;
        const auto match = duration.match(QString::fromUtf8(file.readAll()));
        QVERIFY(match.hasMatch());
        const int milliseconds = match.captured(1).toInt();
        QVERIFY2(milliseconds > 0 && milliseconds < 10 * 60 * 1000, qPrintable(name + match.captured(1)));
    }
}

QTEST_GUILESS_MAIN(TestMachineFaults)
#include "tst_faults_machine.moc"
